"""A sheet shows every block once, under its number, with what a labeller needs."""

from __future__ import annotations

import re

from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.role_labels.desk import write_sheet
from thresher.page.parse import parse

_HTML = (
    """<nav id=top><ul class=menu><li><a href=/>Home</a><li><a href=/rye>Rye</a></ul></nav>
<main><h1>Rye</h1><p>It is in.</p><p hidden>Soon</p><div class=pic><img src=a alt="A field"></div>
<p>"""
    + "long " * 60
)


def sheet() -> str:
    """The sheet of a made-up page."""
    page = LabelledPage("mine", "rye", _HTML, url="https://mill.example/rye", lang="en")
    return write_sheet(page, parse(_HTML), "b1p2")


def test_every_block_has_its_number() -> None:
    """Every block number is there once."""
    numbers = re.findall(r"(?:^| · )\s*(\d+)~? ", sheet().partition("\n")[2], re.MULTILINE)
    assert [str(number) for number in range(len(parse(_HTML).blocks))] == numbers


def test_links_in_a_row_share_a_line() -> None:
    """Short links of one list are on one line."""
    assert "0 Home · 1 Rye  [links]" in sheet()


def test_containers_hidden_blocks_and_pictures_are_shown() -> None:
    """Containers have their names, hidden blocks a mark, pictures their alternative text."""
    assert "nav#top>ul.menu" in sheet()
    assert "4~ p: Soon" in sheet()
    assert "5 div.pic: (img A field)" in sheet()


def test_long_texts_are_cut_and_counted() -> None:
    """A long text is cut, and its words are counted."""
    assert re.search(r"6 p 60w: (long )+.*…$", sheet(), re.MULTILINE)
