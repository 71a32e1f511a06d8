"""A page in markup of our own: whole, marked, and with nothing of the page's own markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given

from tests.helpers.trees import soups
from thresher.app.annotated import MAX_BLOCKS, BlockStyle, annotate, window_of
from thresher.page import Page
from thresher.page.parse import parse

CLASSES = re.compile(r"[a-z0-9 ]+")
HOSTILE = (
    "<p onclick=alert(1) style='position:fixed' id=live class='x\"><script>alert(2)</script>'>a"
    "<script>alert(3)</script><img src=x onerror=alert(4) alt='\"><svg onload=alert(5)>'>"
    "<a href='javascript:alert(6)'>&lt;script&gt;alert(7)&lt;/script&gt;</a>"
    "<iframe src=evil></iframe><svg><a xlink:href=x>b</a></svg><form action=evil><input name=csrf>"
    "<button formaction=evil>c</button></form><x-evil>d</x-evil><base href=evil><meta refresh>"
)


class Reader(HTMLParser):
    """Reads what was written, and refuses what is not ours."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.blocks: list[int] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ("div", "span", "a", "br", "hr")
        for name, value in attrs:
            assert name in ("class", "id", "href", "aria-label", "data-b")
            if name == "class":
                assert CLASSES.fullmatch(value or "")
            if name == "href":
                assert re.fullmatch(r"/x\?y=1&block=\d+#block", value or "")
            if name == "id":
                self.blocks.append(int((value or "")[1:]))
        if tag not in ("br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def shown(page: Page, start: int = 0, stop: int | None = None) -> tuple[str, Reader]:
    """Write blocks of a page, and read them."""
    stop = len(page.blocks) if stop is None else stop
    styles = [BlockStyle("kept hi9", f"Block {index + 1}") for index in range(start, stop)]
    keep = page.leaf_words > 0
    markup = annotate(page, keep, styles, start, "/x?y=1&block=")
    reader = Reader()
    reader.feed(markup)
    reader.close()
    assert not reader.open
    return markup, reader


def test_nothing_of_a_hostile_page_is_markup() -> None:
    """Elements, attributes and addresses are ours; texts are texts."""
    markup, reader = shown(parse(HOSTILE))
    assert "&lt;script&gt;alert(7)" in markup
    assert "<svg onload" not in markup
    assert "alert(1)" not in markup
    assert "image: " in "".join(reader.text)


@given(soups())
def test_every_block_is_shown_once_and_in_order(html: str) -> None:
    """Whatever the page is, each block has one number, and all its text is there."""
    page = parse(html)
    _, reader = shown(page)
    assert list(range(len(page.blocks))) == reader.blocks
    letters = re.sub(r"\s", "", "".join(reader.text))
    for leaf in range(page.leaves.size):
        assert re.sub(r"\s", "", page.leaf_text(leaf)) in letters


def test_a_part_of_a_long_page_is_within_its_own_elements() -> None:
    """A part is shown as it is in the whole: in the list it is of."""
    page = parse("<nav><ul>" + "".join(f"<li>Item {n}" for n in range(50)) + "</ul></nav><p>End.")
    markup, reader = shown(page, 20, 30)
    assert list(range(20, 30)) == reader.blocks
    assert markup.startswith('<div class="area nav"><div class="ul"><div class="li">')
    text = "".join(reader.text)
    assert "Item 20" in text
    assert "Item 19" not in text
    assert "Item 30" not in text


def test_deep_nesting_is_flat_to_the_eye() -> None:
    """A page nested a hundred thousand deep has few elements inside each other."""
    page = parse("<div>" * 100_000 + "<blockquote>" * 500 + "deep")
    markup, reader = shown(page)
    assert "deep" in "".join(reader.text)
    assert markup.count("<div") < 100


@pytest.mark.parametrize(
    ("n_block", "block", "expected"),
    [
        (0, 0, (0, 0)),
        (5, 99, (0, 5)),
        (2 * MAX_BLOCKS, MAX_BLOCKS, (MAX_BLOCKS, 2 * MAX_BLOCKS)),
        (MAX_BLOCKS + 1, MAX_BLOCKS, (MAX_BLOCKS, MAX_BLOCKS + 1)),
    ],
)
def test_a_block_is_in_its_part(n_block: int, block: int, expected: tuple[int, int]) -> None:
    """Parts are the same whichever of their blocks is asked for."""
    assert expected == window_of(n_block, block)
    assert "" == annotate(parse(""), parse("").leaf_words > 0, [], 0, "")
