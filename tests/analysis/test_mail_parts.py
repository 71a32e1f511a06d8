"""thresher.analysis.stated_parts: archives around a message, and footers of letters."""

from __future__ import annotations

import pytest

from thresher.analysis.stated_parts import flag_archive_links, flag_letter_footer
from thresher.page import Page
from thresher.page.parse import parse
from thresher.page.rows import BoolArray

_LINKS = "<ul><li><a href=1.html>Previous</a><li><a href=3.html>Next</a></ul>"
_LETTER = (
    "<table><tr><td><table><tr><td>The roof will be mended before winter comes, says Ada.</td></tr>"
    '<tr><td>{}<br><a href="{}">Cancel</a></td></tr></table></td></tr></table>'
)


def _read_other(page: Page, flags: BoolArray | None) -> list[str]:
    rows = page.leaves if flags is None else page.leaves[~page.within(flags)[page.leaves]]
    return [page.text_of(row).strip() for row in rows.tolist()]


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>Knots</h1>{_LINKS}<!--beginarticle--><pre>A bend.</pre><!--endarticle-->{_LINKS}"
        "<a href=l>More of the list</a>",
        f'<h1>Knots</h1>{_LINKS}<!-- body="start" --><pre>A bend.</pre><!-- body="end" -->{_LINKS}',
        f"<!--X-TopPNI--><p>[<a href=1>Date Prev</a>]</p>{_LINKS}<!--X-TopPNI-End--><h1>Knots</h1>"
        "<!--X-Body-of-Message--><pre>A bend.</pre><!--X-Body-of-Message-End-->[<a href=1>Prev]",
    ],
)
def test_archives_are_taken_off_their_messages(html: str) -> None:
    """Head and text of a message stay, the archive's links go."""
    page = parse(html)
    assert ["Knots", "A bend."] == _read_other(page, flag_archive_links(page))


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>Knots</h1>{_LINKS}<pre>A bend.</pre>",
        f"<!--beginarticle-->{_LINKS}<pre>A bend.</pre>",
        "<!--endarticle--><pre>A bend.</pre><!--beginarticle-->",
        "<!--beginarticle--><pre>A bend.</pre><!--beginarticle--><p>A knot.</p><!--endarticle-->",
    ],
)
def test_other_pages_are_no_archives(html: str) -> None:
    """Both marks are needed, each once and in order."""
    assert flag_archive_links(parse(html)) is None


@pytest.mark.parametrize("address", ["https://m.example/unsub", "/u/opt-out?id=3"])
def test_the_cell_that_cancels_a_letter_is_its_footer(address: str) -> None:
    """It is found by its link's address, in any language."""
    page = parse(_LETTER.format("Sie haben sich angemeldet.", address))
    others = _read_other(page, flag_letter_footer(page))
    assert ["The roof will be mended before winter comes, says Ada."] == others


def test_other_cells_are_no_footers() -> None:
    """Not of a page of a site, without such a link, or with most of the text."""
    footer = _LETTER.format("Sie haben sich angemeldet.", "/unsub")
    assert flag_letter_footer(parse(f"<main>{footer}</main>")) is None
    assert flag_letter_footer(parse(_LETTER.format("Mehr", "/more"))) is None
    assert flag_letter_footer(parse(_LETTER.format("word " * 60, "/unsub"))) is None
