"""thresher.analysis.contents_lists: tables of contents, by where their links lead."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tests.helpers.trees import soups
from thresher.analysis.contents_lists import find_contents_lists
from thresher.page import Page
from thresher.page.parse import parse

_CHAPTERS = "<h2 id=a>Ebbe</h2><p>eins</p><h2 id=b>Flut</h2><p>zwei</p>"
_LINKS = '<a href="#a">Ebbe</a>', '<a href="#b">Flut</a>'
_ITEMS = "".join(f"<li>{link}</li>" for link in _LINKS)


def _read_other(page: Page) -> list[str]:
    """Return the texts outside of tables of contents."""
    flags = np.zeros(len(page), np.bool_)
    flags[find_contents_lists(page)] = True
    rows = page.leaves[~page.within(flags)[page.leaves]]
    return [page.text_of(row).strip() for row in rows.tolist()]


@pytest.mark.parametrize(
    "contents",
    [
        f"<ul>{_ITEMS}</ul>",
        f"<div><p>Inhalt</p><ul>{_ITEMS}</ul></div>",
        f"<h2>Inhaltsverzeichnis</h2><ul>{_ITEMS}</ul>",
        f"<details><summary>Auf dieser Seite</summary><nav><ol>{_ITEMS}</ol></nav></details>",
        "<table>" + "".join(f"<tr><td>{link}<td>1.2" for link in _LINKS) + "</table>",
        f"<p>{' | '.join(_LINKS)}</p>",
        f"<ul><li>{_LINKS[0]}<ul><li>{_LINKS[1]}</ul></ul>",
        f"<ul><li><a href=#top>Das Meer</a><ul>{_ITEMS}</ul></ul>",
    ],
)
def test_links_to_the_headings_below_are_a_table_of_contents(contents: str) -> None:
    """Such links are found with their label and numbers, in lists, tables and lines."""
    html = f"<h1 id=top>Das Meer</h1><p>vorn</p>{contents}{_CHAPTERS}"
    assert _read_other(parse(html)) == ["Das Meer", "vorn", "Ebbe", "eins", "Flut", "zwei"]


@pytest.mark.parametrize(("text", "is_found"), [("Ebbe", True), ("Ebbe und Flut", False)])
def test_heading_of_the_same_words_is_a_missing_target(text: str, is_found: bool) -> None:
    """Links that scripts lead to headings without ids are found by their words."""
    chapters = f"<h2>{text}</h2><p>eins</p><h2 id=b>Flut</h2><p>zwei</p>"
    html = f"<h1>Das Meer</h1><ul>{_ITEMS}</ul>{chapters}"
    assert is_found == bool(find_contents_lists(parse(html)))


@pytest.mark.parametrize(
    "target",
    [
        '<a name="{0}"></a><h2>{1}</h2>',
        '<h2><a id="{0}"></a>{1}</h2>',
        '<section id="{0}"><h2>{1}</h2></section>',
    ],
)
def test_targets_may_stand_around_in_and_before_headings(target: str) -> None:
    """The anchor of a heading is wherever systems put it."""
    chapters = target.format("a", "Ebbe") + "<p>eins</p>" + target.format("b", "Flut")
    html = f"<h1>Das Meer</h1><ul>{_ITEMS}</ul>{chapters}"
    assert _read_other(parse(html)) == ["Das Meer", "Ebbe", "eins", "Flut"]


@pytest.mark.parametrize(
    "contents",
    [
        f"<ul><li>{_LINKS[0]} comes first</li><li>{_LINKS[1]}</li></ul>",
        f"<ul><li>{_LINKS[1]}</li><li>{_LINKS[0]}</li></ul>",
        f"<ul><li>{_LINKS[0]}</li></ul>",
        f"<table><tr><td>{_LINKS[0]}<td>{_LINKS[1]}<tr><td>Tide<td>high</table>",
        '<ul><li><a href="#c">eins</a><li><a href="#d">zwei</a></ul><p id=c>c<p id=d>d',
    ],
)
def test_other_lists_of_links_are_none(contents: str) -> None:
    """Not those with other words, in another order, of one link, in a table, or to paragraphs."""
    page = parse(f"<h1>Das Meer</h1>{contents}{_CHAPTERS}")
    assert [] == find_contents_lists(page)


def test_the_heading_of_a_part_stays() -> None:
    """A heading above smaller ones is not the label of their table of contents."""
    part = f"<h1>Das Meer</h1><p>vorn</p><h2>Gezeiten</h2><ul>{_ITEMS}</ul>"
    page = parse(part + _CHAPTERS.replace("h2", "h3"))
    assert "Gezeiten" in _read_other(page)


@given(soups())
def test_any_page_is_read(html: str) -> None:
    """What is found are elements of the page."""
    page = parse(html)
    rows = find_contents_lists(page)
    assert set(rows) <= set(range(len(page))) - set(page.leaves.tolist())
