"""Explanation of a page and of the method that was run on it."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from tests.helpers import judged
from thresher.algorithms import ALGORITHMS, MethodName
from thresher.document import Verdict
from thresher.explain.explanation import MAX_EFFECT_BLOCKS, Explanation, explain
from thresher.extraction import document_of, extract
from thresher.page.parse import parse
from thresher.selection import Effect

STORY = "The gates opened when the water was ready, and the captains learned to wait for it."
PAGE = f"""<title>Gates</title><ul><li><a href=/>Home</a><li><a href=/a>News</a></ul>
<p>{STORY} {STORY}</p><p>{STORY}</p><div><a href=/b>Imprint</a></div>"""


@pytest.fixture
def with_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a method that judges pages in the table."""
    monkeypatch.setitem(ALGORITHMS, "judged", judged.JUDGED)


def explain_page(html: str, method: Any, **values: object) -> Explanation:
    """Run a method on a page and explain it."""
    params = ALGORITHMS[method].build_params(values)
    return explain(extract(html, method=method, params=params), params)


@pytest.mark.parametrize("method", ALGORITHMS)
def test_explanation_agrees_with_the_selection(method: MethodName) -> None:
    """By every method, blocks, counts and result are those of the document."""
    document = extract(PAGE, method=method)
    explanation = explain_page(PAGE, method)
    assert document.blocks == tuple(each.block for each in explanation.blocks)
    assert document.html == explanation.html
    assert document.page.leaf_words.sum() == explanation.n_word
    assert (method, len(PAGE)) == (explanation.method, explanation.n_source_char)
    assert all(-1 <= each.lean <= 1 and 0 <= each.density <= 1 for each in explanation.blocks)


@pytest.mark.parametrize("method", ALGORITHMS)
def test_explanation_of_page_without_text(method: MethodName) -> None:
    """A page that shows nothing has no blocks, no limit and no words."""
    page = explain_page("<p></p>", method)
    assert ((), None, 0, 0) == (page.blocks, page.limit, page.n_word, page.n_kept_word)


def test_explanation_counts_kept_words() -> None:
    """Words in the longest paragraph are counted as kept, those of the menu are not."""
    explanation = explain_page(f"<p>{STORY}</p><hr><p>Home</p>", "max_density")
    n_word = len(STORY.split())
    assert (n_word, n_word + 1) == (explanation.n_kept_word, explanation.n_word)


@pytest.mark.parametrize(
    ("html", "method", "values", "limit"),
    [
        # A share c1 of the longest string, as in the paper; a fitted curve is no single score.
        ("<p>abcdefghij</p><p>abc</p>", "max_density", {"cutoff_share": 0.5}, 10 * 0.5),
        (PAGE, "max_density", {"degree": 2}, None),
        (PAGE, "link_ratio", {}, 0.0),
    ],
)
def test_limit_of_a_method(
    html: str, method: str, values: dict[str, object], limit: float | None
) -> None:
    """The limit is a method's own cutoff, or 0 where scores have signs, as leans then have."""
    explanation = explain_page(html, method, **values)
    assert limit == (explanation.limit and explanation.limit.score)
    if limit == 0:
        assert 1.0 == max(abs(each.lean) for each in explanation.blocks)
        assert all((each.block.score > 0) == (each.lean > 0) for each in explanation.blocks)


def test_limit_between_what_is_kept_and_dropped() -> None:
    """Scores without a sign are parted halfway between the two, where they can be."""
    html = f"<div><p>{STORY}</p></div><table><tr><td>Home</td></tr></table>"
    explanation = explain_page(html, "largest_body", min_words=1)
    dropped, kept = sorted({each.block.score for each in explanation.blocks})
    assert explanation.limit is not None
    assert (dropped + kept) / 2 == explanation.limit.score


@pytest.mark.parametrize(("texts", "limit"), [(["ab", "ab"], 0.5), (["abcd", "ab"], 0.75)])
def test_limit_of_probabilities_is_a_half_where_nothing_else_parts(
    monkeypatch: pytest.MonkeyPatch, texts: list[str], limit: float
) -> None:
    """The limit of probabilities must be one half unless it lies between kept and dropped ones."""
    monkeypatch.setitem(ALGORITHMS, "learned", judged.JUDGED)
    params = judged.Params()
    page = parse("".join(f"<p>{text}" for text in texts))
    selection = dataclasses.replace(judged.select(page, params), method="learned")
    found = explain(document_of(selection), params).limit
    assert found is not None
    assert limit == found.score


@pytest.mark.usefixtures("with_judged")
def test_explanation_has_the_documents_judgement() -> None:
    """Verdict, page type and confidence are those of the document."""
    explanation = explain_page(PAGE, "judged", page_type="collection", probability=0.5)
    assert (Verdict.LISTING, ("collection", 0.5), judged.CONFIDENCE, None) == (
        explanation.verdict,
        explanation.page_type,
        explanation.confidence,
        explanation.obstacle,
    )


@pytest.mark.usefixtures("with_judged")
def test_explanation_has_the_documents_obstacle() -> None:
    """An obstacle is reported with its evidence."""
    explanation = explain_page("<title>404 Not Found</title><h1>404</h1>", "keep_all")
    assert (Verdict.BLOCKED, None, None) == (
        explanation.verdict,
        explanation.page_type,
        explanation.confidence,
    )
    assert explanation.obstacle is not None


@pytest.mark.usefixtures("with_judged")
def test_effects_are_the_largest_of_each_block() -> None:
    """For every block, the five largest non-zero effects are listed."""
    assert [judged.EFFECTS[:5]] * 2 == [
        each.effects for each in explain_page("<p>one<p>two", "judged").blocks
    ]
    few = [*judged.EFFECTS[:2], Effect("in_list", 1.0, 0.0)]
    selection = dataclasses.replace(
        extract("<p>one", method="judged").selection,  # type: ignore[arg-type]
        explain=lambda _: tuple(few),
    )
    blocks = explain(document_of(selection), judged.Params()).blocks
    assert [judged.EFFECTS[:2]] == [each.effects for each in blocks]


@pytest.mark.usefixtures("with_judged")
def test_effects_are_left_out_when_the_page_is_very_long() -> None:
    """Effects are omitted above a limit of blocks."""
    for count, told in ((MAX_EFFECT_BLOCKS, True), (MAX_EFFECT_BLOCKS + 1, False)):
        blocks = explain_page("<p>rye" * count, "judged").blocks
        assert {told} == {bool(each.effects) for each in blocks}


def test_density_counts_the_source_since_the_block_before() -> None:
    """Markup before a block counts for it: 4 characters of `<p>abcd`, 2 of `</p><p>ab`."""
    explanation = explain_page("<p>abcd</p><p>ab</p>", "keep_all")
    assert [4 / 7, 2 / 9] == [each.density for each in explanation.blocks]


def test_settings_tell_what_was_set() -> None:
    """Each parameter has its value as the command spells it, and whether it is the default."""
    settings = {
        each.name: (each.value, each.is_default)
        for each in explain_page(PAGE, "max_density", degree=3, count_empty="no").settings
    }
    assert ("3", False) == settings["degree"]
    assert ("no", False) == settings["count_empty"]
    assert ("cutoff", True) == settings["edge"]
