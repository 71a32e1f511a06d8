"""Nothing is lost, duplicated or invented, whatever is kept, and violations are detected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.corpora import write_corpus
from tests.helpers.fixture_pages import document_keeping
from tests.helpers.trees import soups
from thresher import Document, Selection, WriteOptions
from thresher.algorithms import MethodName
from thresher.evaluation.fidelity.cases import read_cases
from thresher.evaluation.fidelity.check import main
from thresher.evaluation.fidelity.properties import PROPERTIES, Violation, check, compare_shown
from thresher.extraction import document_of, extract
from thresher.page.parse import parse

CASES = {case.id: case for case in read_cases()}
Write = Callable[[Document, WriteOptions], str]
Spoil = Callable[[str, str, Write], list[Violation]]


def keeping(html: str, seed: int) -> Document:
    """Keep random blocks of a page."""
    page = parse(html, url="https://site.example/")
    n_block = len(page.blocks)
    return document_of(
        Selection.of_blocks(
            page,
            "by lot",
            np.random.default_rng(seed).random(n_block) < 0.6,
            score=np.zeros(n_block, np.float32),
            reason_code=np.zeros(n_block, np.int16),
            reasons=("by lot",),
        )
    )


@given(soups(), st.integers(0, 9))
def test_all_hold_on_soup(html: str, seed: int) -> None:
    """All properties hold on any tag soup, whatever is kept of it."""
    assert [] == list(check(keeping(html, seed)))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("method", ["keep_all", "learned"])
def test_nothing_is_invented_on_our_pages(name: str, method: MethodName) -> None:
    """Every word that is written is on the page."""
    document = extract(CASES[name].html, url=CASES[name].url, method=method)
    assert [] == [each for each in check(document) if each.property == "invented"]


@pytest.fixture
def spoil(monkeypatch: pytest.MonkeyPatch) -> Spoil:
    """Write one format of a page by another function, and return the violations found."""

    def run(html: str, format: str, write: Write) -> list[Violation]:
        monkeypatch.setattr(f"thresher.writers.{format}.write", write)
        return list(check(document_keeping(html)))

    return run


def names(violations: list[Violation]) -> list[tuple[str, str]]:
    return [(each.property, each.format) for each in violations]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("rye\n\noats", []),
        ("rye", [("once", "markdown")]),
        ("rye\n\noats\n\noats", [("once", "markdown"), ("characters", "markdown")]),
        (
            "rye\n\noats\n\nwheat",
            [(name, "markdown") for name in ("once", "invented", "characters")],
        ),
        ("oats\n\nrye\n\n1985", []),
        ("rye oats", [("blocks", "markdown")]),
        ("r\n\nye\n\noats", [(name, "markdown") for name in ("invented", "spaces", "blocks")]),
        ("# rye oats", []),
    ],
)
def test_violations_are_detected(
    spoil: Spoil, written: str, expected: list[tuple[str, str]]
) -> None:
    """A lost, duplicated or invented word, or a changed block, is reported; order is free."""
    found = spoil("<p>rye</p><p>oats</p>", "markdown", lambda document, options: written)
    assert expected == names(found)


def test_formula_of_a_picture_is_not_invented(spoil: Spoil) -> None:
    """The TeX of a formula that is a picture is not text of the page, but not invented either."""
    html = "<p>rye <img src=/f.png alt='a_{rye}'></p>"
    assert [] == spoil(html, "markdown", lambda document, options: "rye $a_{rye}$")


@pytest.mark.parametrize("format", ["html", "text"])
def test_other_formats_are_checked_too(spoil: Spoil, format: str) -> None:
    """The words of HTML and plain text are counted as well."""
    found = spoil("<p>rye oats", format, lambda document, options: "rye")
    assert [("once", format)] == names(found)


def test_a_violation_shows_both_texts(spoil: Spoil) -> None:
    """The details of a violation have the expected and the actual text."""
    (found,) = spoil("<p>rye oats", "text", lambda document, options: "rye barley")
    assert found == Violation("once", "text", "'ryeoats' became 'ryebarley'")
    assert found.property in PROPERTIES


def test_buttons_of_headings_and_heads_of_posts_are_no_violations() -> None:
    """What is left out and put in on purpose is neither lost nor invented."""
    html = "<h2>Grain <button>2x</button></h2><p>rye</p>"
    assert [] == list(check(document_keeping(html)))
    case = CASES["forum-discourse"]
    assert [] == list(check(extract(case.html, url=case.url)))


def test_cards_and_labels_of_captions_are_no_violations() -> None:
    """Card descriptions are left out, and labels joined to their captions, on purpose."""
    text = "<p>Most of the people who spoke wanted the building kept, whatever it should hold.</p>"
    html = (
        f'{text}<div class="link-block"><a href="/a"><h2>Knots</h2><p>A list</p></a>'
        f'</div>{text}<div class="caption"><h4>Figure 2.</h4><p>The slope.</p></div>{text}'
    )
    assert [] == list(check(extract(html, method="keep_all")))


@pytest.mark.parametrize(
    ("html", "written", "expected"),
    [
        ("<p>a rye b", "<p>a rye b", []),
        ("<p>r<b>y</b>e", "<p>r<em>y</em>e", []),
        ("<p>r<b>y</b>e", "<p>r ye", ["spaces"]),
        ("<p>rye", "<p>r<br>ye", ["spaces"]),
        ("<p>a rye", "<p>arye", ["spaces"]),
        ("<p>a</p><p>b", "<p>ab", ["spaces"]),
        ("<p>a</p><p>b", "<p>a b", []),
        ("<p>a<br>b", "<p>ab", ["spaces"]),
        ("<p>r<b class=x>y</b>e", "<p>r y e", []),
        ("<p>a<i class=x></i>b", "<p>a b", []),
        ("<p><a href=/a>a</a><a href=/b>b</a>", "<p>a b", []),
        ("<p>r\u00adye", "<p>rye", []),
        ("<p>rye", "<p>rye*", ["characters"]),
        ("<p>rye", "<p>rye 1", []),
        ("<p><q>rye</q>", "<p>“rye”", []),
        ("<table><tr><td><ul><li>a</ul>", "<p>- a", []),
        ("<p>a<ruby>b<rt>c</ruby>", "<p>ab(c)", []),
        ("<p>a <math><mi>b</mi></math> c", "<p>a <math><mi>x</mi></math> c", []),
    ],
)
def test_differences_are_found(html: str, written: str, expected: list[str]) -> None:
    """Only what elements without a class leave together is a word, and lines and blocks part."""
    page = parse(f"<body>{html}")
    keep = np.ones(page.leaves.size, np.bool_)
    found = compare_shown(page, keep, parse(f"<body>{written}"))
    assert expected == [name for name, _ in found]


def test_dropped_texts_and_added_ones_do_not_count() -> None:
    """What is between kept texts may be dropped, and known additions are no inventions."""
    page = parse("<body><p>a<b>b</b>c")
    keep = np.array([True, False, True])
    assert [] == list(compare_shown(page, keep, parse("<body><p>a c")))
    assert [] == list(compare_shown(page, keep, parse("<body><p>x a c"), ["x"]))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of three pages without labels, of which one is none."""
    pages = ({"html": html, "id": html} for html in ("<p>rye", "%PDF-1.7", "<p>oats"))
    return write_corpus(tmp_path, "mills", pages)


def test_pages_are_counted(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pages without violation give a row of zeros and status 0."""
    assert 0 == main([str(corpus)])
    assert "| mills | 2 | 0 | 0 | 0 | 0 | 0 |" in capsys.readouterr().out


def test_violations_are_reported(
    corpus: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A violation is named with its page, counted, and makes the status 1."""
    monkeypatch.setattr("thresher.writers.markdown.write", lambda document, options: "wheat")
    output = tmp_path / "table.md"
    assert 1 == main([str(corpus), "--pages", "1", "--every", "2", "-o", str(output)])
    assert "| mills | 1 | 1 | 1 | 0 | 1 | 0 |" in output.read_text()
    assert "check: <p>rye: invented, markdown: wheat" in capsys.readouterr().err


def test_without_corpora_the_usage_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Corpora are named, or come from the environment."""
    monkeypatch.delenv("THRESHER_CORPORA", raising=False)
    assert 2 == main([])
