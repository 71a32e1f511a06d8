"""Data of Inspect, of one block and of Compare, and previews of rules."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import pytest

from tests.sites.pages import BANNER, NOTICE, story
from thresher.app.comparison import compare, preview
from thresher.app.engine import DocumentKey, MethodQuery, PageSource, open_document
from thresher.app.inspection import GRAPHS, compare_with_label, inspect, open_detail
from thresher.errors import UsageError
from thresher.limits import Limits
from thresher.sites import HostRules, Rules

LINK = "/inspect/x?block="


def key_of(html: str, method: str = "keep_all", url: str | None = None) -> DocumentKey:
    """Return the key of a page under a method, without rules."""
    return DocumentKey(PageSource(html, url), MethodQuery(method), Limits(), HostRules())


PAGE = key_of(story(1), "learned", "https://mill.example/1")


@pytest.mark.parametrize("graph", GRAPHS)
def test_graphs_have_their_thresholds(graph: str) -> None:
    """Each graph has the threshold of its publication or method."""
    seen, _ = inspect(PAGE, None, 0, graph, LINK)
    assert seen.limit
    assert 'class="limit"' in seen.graph
    assert f'href="{LINK}3#block"' in seen.graph


def test_a_very_long_page_is_shown_in_parts() -> None:
    """A very long page is shown in parts, with a cut result and the whole graph."""
    row = "<div><p>Row {} of the barn book tells of rye, and of what the mill gave.</p></div>"
    key = key_of("<main>" + "".join(row.format(n) for n in range(9_000)) + "</main>")
    seen, _ = inspect(key, None, 4_500, "length", LINK)
    assert (4_000, 5_000, 9_000) == (seen.start, seen.stop, seen.n_block)
    assert "Row 4999 " in seen.markup
    assert "Row 5000 " not in seen.markup
    assert seen.is_cut
    assert len(seen.result) < 500_000


def index_of(key: DocumentKey, text: str) -> int:
    """Return the index of the block that contains a text."""
    n_block = len(open_document(key).blocks)
    details = [open_detail(key, index) for index in range(n_block)]
    (found,) = [each.index for each in details if each and text in each.text]
    return found


def test_a_block_says_why() -> None:
    """Details contain score, reason, features, position and source; a rule is a reason."""
    detail = open_detail(PAGE, index_of(PAGE, "praised"))
    assert detail == pickle.loads(pickle.dumps(detail))
    assert detail is not None
    assert detail.kept and detail.is_probability
    assert (detail.css or "").endswith("p:nth-of-type(3)")
    assert detail.xpath and detail.proposals
    assert 10 == detail.effects[0].size
    assert detail.source.startswith("In barley week last")
    assert detail.before.endswith("<p>")
    assert 1 == detail.line
    ruled = replace(PAGE, rules=HostRules(Rules(drop=(".about",))))
    detail = open_detail(ruled, index_of(ruled, NOTICE))
    assert detail and "dropped by a rule of the site" == detail.reason


def test_other_methods_have_no_features() -> None:
    """Methods without features have only a reason."""
    detail = open_detail(replace(PAGE, chosen=MethodQuery("slope")), 0)
    assert detail is not None
    assert () == detail.effects
    assert not detail.is_probability
    assert detail.reason


def test_a_block_of_a_very_long_page() -> None:
    """On a very long page, position and source are given, but no effects; long sources are cut."""
    html = "<main>" + "".join(f"<p>Row {n} of the barn book." for n in range(3_000)) + "</main>"
    detail = open_detail(key_of(html, "learned"), 2_500)
    assert detail is not None
    assert "Row 2500 " in detail.source
    assert detail.has_too_many
    assert () == detail.effects
    assert all(not each.is_place for each in detail.proposals)
    detail = open_detail(key_of(f"<p>{'rye and oats ' * 500}</p>"), 0)
    assert detail is not None
    assert (True, 1_200, 2_000) == (detail.is_cut, len(detail.source), len(detail.text))


def test_lines_that_the_result_has_not_are_told() -> None:
    """White space does not count; a label without text has no lines."""
    view = compare_with_label(
        "The old  rye stands.\nIn any wind.", "old rye\n\n Oats   are sown. \n"
    )
    lines = [(line.text, line.is_found) for line in view.lines]
    assert [("old rye", True), ("Oats are sown.", False)] == lines
    assert (1, False) == (view.n_missing, view.is_cut)
    assert 0 < view.score.f1 < 1
    assert [] == compare_with_label("Rye.", "").lines


ALL = replace(PAGE, chosen=MethodQuery("keep_all"))


def test_a_method_agrees_with_itself() -> None:
    """A method compared with itself has no differences."""
    seen = compare(PAGE, PAGE, "/x?block=")
    assert 1.0 == seen.f1
    assert 0 == seen.left.n_only == seen.right.n_only
    assert {"both", "none"} == {group.kind for group in seen.groups}
    assert 0 == seen.graph.count('class="left"')


def test_words_and_blocks_add_up() -> None:
    """Words of a method are its own and those of both; each block is in one group, in order."""
    seen = compare(PAGE, ALL, "/x?block=")
    assert seen == pickle.loads(pickle.dumps(seen))
    assert seen.n_word == seen.right.n_word
    assert seen.left.n_word == seen.n_both
    assert seen.right.n_only == seen.n_word - seen.n_both > 0
    assert sum(group.n_word for group in seen.groups) == seen.n_word
    assert 0 < seen.f1 < 1
    indices = [pair.index for group in seen.groups for pair in group.pairs]
    assert list(range(len(indices))) == indices
    for group in seen.groups:
        for pair in group.pairs:
            assert pair.right is not None
            assert ("differ" == group.kind) == (pair.left is None)
    assert seen.graph.count('class="right"') == sum("differ" == group.kind for group in seen.groups)


def test_text_from_script_data_is_the_methods_own() -> None:
    """Pages completed with script data for one method only can be compared."""
    body = " ".join(f"The {word} sack of rye was weighed at noon." for word in "abcdefghijklmnopqr")
    data = json.dumps({"@type": "NewsArticle", "articleBody": body * 2})
    html = f"<script type=application/ld+json>{data}</script><div>Home</div><div>Menu</div>"
    seen = compare(key_of(html), key_of(html, "learned"), "/x?block=")
    assert seen.n_word >= 100
    assert seen.n_both >= 100
    assert "Home" in {pair.whole for group in seen.groups for pair in group.pairs}


def test_a_long_page_shows_its_differences_first() -> None:
    """Blocks with agreement are omitted beyond the maximum."""
    key = key_of("".join(f"<p>Row {n}" for n in range(4_000)))
    seen = compare(key, key, "/x?block=")
    assert 1_000 == seen.n_hidden
    assert 3_000 == sum(len(group.pairs) for group in seen.groups)


def after(**rules: tuple[str, ...]) -> DocumentKey:
    """Return the key of the page with rules."""
    return replace(PAGE, rules=HostRules(Rules(**rules)))


def test_gains_and_losses_are_told_apart() -> None:
    """Gained and lost blocks are reported with their words, and only differences between rules."""
    change = preview(PAGE, after(keep=(".top p",), drop=(".about",)))
    assert change == pickle.loads(pickle.dumps(change))
    assert (1, 1) == (change.n_gained, change.n_lost)
    assert BANNER == change.gained[0].text
    assert NOTICE.startswith(change.lost[0].text.removesuffix("…"))
    assert (3, len(NOTICE.split())) == (change.words_gained, change.words_lost)
    assert change.n_word > 0
    ruled = after(drop=("article",))
    same, back = preview(ruled, ruled), preview(ruled, PAGE)
    assert (0, 0, 0, True) == (same.n_gained, same.n_lost, back.n_lost, back.n_gained > 2)


def test_many_blocks_are_counted_and_a_few_are_shown() -> None:
    """All changed blocks are counted, and the first are shown."""
    all_of_it = key_of("<ul>" + "".join(f"<li>Item {n} of the list" for n in range(50)) + "</ul>")
    change = preview(all_of_it, replace(all_of_it, rules=HostRules(Rules(drop=("li",)))))
    assert (50, 12) == (change.n_lost, len(change.lost))
    assert change.words_lost == change.n_word


def test_what_cannot_be_compared_is_told() -> None:
    """An invalid selector raises UsageError, unless it is old; a page's error is in the result."""
    with pytest.raises(UsageError, match='"p::" is not a CSS selector'):
        preview(PAGE, after(drop=("p::",)))
    assert 1 == preview(after(drop=("p::",)), after(drop=(".about",))).n_lost
    bad = replace(PAGE, source=PageSource(b"%PDF-1.7"))
    assert "PDF" in (preview(bad, bad).error or "")
