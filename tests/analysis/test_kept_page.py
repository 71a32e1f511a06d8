"""What is kept in the elements of a page, and lines that open what follows."""

from __future__ import annotations

import numpy as np
import pytest

import thresher
from tests.helpers.data import cases
from thresher.analysis.kept_page import KeptPage, find_continued_lists, find_openers, find_toggles
from thresher.page.parse import parse
from thresher.writers.formats import FormatName

PAGE = parse("<main><div><h2>a b</h2></div><p>c <a href=d>e f</a></p></main>")
ROW = {PAGE.name(row): row for row in range(len(PAGE))}


def test_counts_are_of_kept_leaves_only() -> None:
    """Leaves, words and blocks of an element must be counted as far as they are kept."""
    kept = KeptPage(PAGE, np.array([True, False, True]))
    assert [0, 2] == kept.leaves_of(ROW["main"])
    assert 4 == kept.count(ROW["main"], kept.words)
    assert 2 == kept.count(ROW["main"], kept.linked)
    assert 2 == kept.blocks_of(ROW["main"])
    assert ROW["p"] == kept.widen(ROW["a"])


def _write(html: str, format: FormatName = "markdown") -> str:
    return thresher.extract(f"<p>before{html}<p>after", method="keep_all").write(format)


@pytest.mark.parametrize(
    "html",
    [
        '<div class="elementor-toggle-item"><div class="elementor-tab-title"><a>Why?</a></div>'
        '<div class="elementor-tab-content"><p>So.</p></div></div>',
        '<div class="expand-container"><div class="expand-control"><span>Why?</span></div>'
        '<div class="expand-content"><p>So.</p></div></div>',
        "<div><div><button aria-expanded=false>Why?</button></div><div><p>So.</p></div></div>",
        "<section><button aria-expanded=false>Why?</button><div>So.</div></section>",
        "<div><div aria-expanded=false><div>Why?</div><div><svg></svg></div></div><p>So.</p></div>",
        "<div><p><button aria-expanded=false><span>Why?</span><span>Show/Hide</span></button></p>"
        "<p>So.</p></div>",
        "<details><summary>Why?</summary><p>So.</p></details>",
    ],
)
def test_toggle_is_details_with_a_summary(html: str) -> None:
    """The line that opens a box must be bold in Markdown, and a summary in HTML."""
    assert "before\n\n**Why?**\n\nSo.\n\nafter" == _write(html)
    written = _write(html, "html")
    assert "<summary>" in written
    assert written.count("<details>") == written.count("</details>") == 1


@cases(__file__, "plain")
def test_line_is_plain_when_it_opens_nothing(html: str, expected: str) -> None:
    """Headings stay headings; tabs, and buttons after or without content, open no box."""
    assert f"before\n\n{expected}\n\nafter" == _write(html)


@cases(__file__, "kept")
def test_line_is_kept_with_what_it_opens(html: str, is_added: bool) -> None:
    """A dropped line that opens a box must be kept where most words in the box are, only there."""
    page = parse(html.format("<p>And so on.</p>"))
    keep = np.arange(page.leaves.size) == 1
    expected = [is_added, *[False] * (page.leaves.size - 1)]
    assert expected == find_openers(page, keep).tolist()


@pytest.mark.parametrize(("n_dropped", "is_added"), [(1, True), (2, False)])
def test_answer_is_kept_with_its_question(n_dropped: int, is_added: bool) -> None:
    """What a kept line opens is kept, unless that of most lines is dropped."""
    page = parse("<details><summary>Why?</summary><p>Rye.</p></details>" * 3 + "<p>End.")
    dropped = [2 * number + 1 for number in range(n_dropped)]
    keep = ~np.isin(np.arange(page.leaves.size), dropped)
    assert (dropped if is_added else []) == np.flatnonzero(find_openers(page, keep)).tolist()


@pytest.mark.parametrize(
    ("attributes", "is_added"), [("start=3", True), ("start=4", False), ("", False)]
)
def test_list_that_goes_on_is_kept(attributes: str, is_added: bool) -> None:
    """A list belongs to a kept one if its first number is the next."""
    page = parse(f"<ol><li>Rye<li>Oats</ol><p>And</p><ol {attributes}><li>Barley</ol>")
    keep = np.array([True, True, True, False])
    assert [False, False, False, is_added] == find_continued_lists(page, keep).tolist()


def test_heading_in_a_summary_is_kept_alone() -> None:
    """Links beside the heading that opens a box stay dropped."""
    page = parse(
        "<details><summary><a>Source</a><h4>Why?</h4></summary><p>And so on.</p></details>"
    )
    assert [False, True, False] == find_openers(page, np.array([False, False, True])).tolist()


@pytest.mark.parametrize("player", ["video", "audio", "object"])
def test_player_is_no_toggle(player: str) -> None:
    """A player whose class says that it expands is kept itself, and nothing in it is."""
    html = f'<p>before</p><{player} class="expand"><source src="/a"></{player}>'
    page = parse(html)
    assert player == page.name(int(page.leaves[-1]))
    assert {} == find_toggles(KeptPage(page, np.ones(page.leaves.size, np.bool_)))
