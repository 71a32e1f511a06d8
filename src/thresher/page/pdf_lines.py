"""The paragraphs of a document that pdf2htmlEX converted, which writes each line as a `div`.

A line goes on with the next in the same size, unless it is short and ends a sentence or is in
another font. The number of a page is its footer; other numbers stay alone. A space of the layout
between two runs of letters is dropped if the document has both as one word elsewhere, and the
second run only behind the first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from thresher.deadline import watch
from thresher.page.rearranging import Markup, Rewrite
from thresher.page.tags import CODE_OF

if TYPE_CHECKING:
    from thresher.page.page import Page

_NUMBER: Final = "data-page-no"
"""The attribute of pages with their numbers, in hexadecimal."""
_LINE: Final = rb"(?<![^\s\0])t(?![^\s\0])"
_SIZE: Final = re.compile(r"(?<!\S)fs[0-9a-f]+(?!\S)")
_FONT: Final = re.compile(r"(?<!\S)ff[0-9a-f]+(?!\S)")
_HEXADECIMAL: Final = re.compile(r"[0-9a-f]{1,8}")
_SENTENCE: Final = re.compile(r"[.!?:…][^\w.!?:…]*$")
_BROKEN: Final = re.compile(r"[^\W\d_]-$")
_HYPHEN: Final = re.compile(rb"-(?:\s|<[^<>-]*>)*\Z")
_LETTER: Final = rb"[A-Za-z\x80-\xff]"
"""A byte of a letter in UTF-8, and of some other characters."""
_WORD: Final = re.compile(_LETTER + rb"+")
_GAP: Final = re.compile(
    rb"(?<!%(letter)s)(?P<first>%(letter)s+)"
    rb'(?P<gap><span class="_ _\w{1,3}"> </span>)(?=(?P<second>%(letter)s+))' % {b"letter": _LETTER}
)
"""Two runs of letters, and between them a space that may only be one of the layout."""
_SHORT: Final = 0.6
"""Share of the longest line, below which a line may be the last of its paragraph."""
_DIV: Final = CODE_OF["div"]
_MIN_DEPTH: Final = 2
"""Depth from which a line may be in a box of a page."""


class _Line(NamedTuple):
    row: int
    size: str | None
    font: str | None
    text: str

    @property
    def is_number(self) -> bool:
        return not any(map(str.isalpha, self.text))


def join_lines(page: Page) -> Iterator[Rewrite]:
    """Make lines paragraphs, and the first, alone in its size, the title."""
    lines = _find_lines(page)
    if not lines:
        return
    sizes = [line.size for line in lines]
    if lines[0].size and sizes.count(lines[0].size) == 1:
        yield from _rename(page, lines[0].row, b"h1")
    for parent, group in groupby(lines, key=lambda line: page.parent.item(line.row)):
        box = list(group)
        number = _read_number(page.attr(page.parent.item(parent), _NUMBER))
        for line in {box[0], box[-1]}:
            if line.text == number:
                yield from _rename(page, line.row, b"footer")
        longest = max(len(line.text) for line in box)
        for line, following in watch(list(pairwise(box))):
            if _touch(page, line, following) and _goes_on(line, following, longest):
                yield from _join(page, line, following)
    yield from _close_gaps(page, lines)


def _close_gaps(page: Page, lines: Sequence[_Line]) -> Iterator[Rewrite]:
    """Drop the spaces within words, which come from ligatures of a font: "of fice"."""
    text = "\n".join(line.text for line in lines).encode(errors="replace")
    words = Counter(_WORD.findall(text))
    gaps = [
        (gap["first"] + gap["second"], gap["second"], gap.span("gap"))
        for line in watch(lines)
        for gap in _GAP.finditer(
            page.buffer, page.open_stop.item(line.row), page.close_start.item(line.row)
        )
    ]
    n_pair = Counter(gap[:2] for gap in gaps)
    for word, second, (start, stop) in gaps:
        if words[word] and words[second] == n_pair[word, second]:
            yield Rewrite(start, stop)


def _find_lines(page: Page) -> list[_Line]:
    attributes = page.attributes
    classes = attributes.values_of(attributes.matching("class", _LINE))
    return [
        _Line(row, _find(_SIZE, names), _find(_FONT, names), " ".join(page.text_of(row).split()))
        for row, names in sorted(classes.items())
        if page.tag[row] == _DIV and page.depth[row] >= _MIN_DEPTH
    ]


def _find(pattern: re.Pattern[str], names: str) -> str | None:
    match = pattern.search(names)
    return match[0] if match else None


def _read_number(value: str | None) -> str:
    return str(int(value, 16)) if value and _HEXADECIMAL.fullmatch(value) else ""


def _touch(page: Page, line: _Line, following: _Line) -> bool:
    stop, start = page.close_stop.item(line.row), page.open_start.item(following.row)
    return not page.buffer[stop:start].strip()


def _goes_on(line: _Line, following: _Line, longest: int) -> bool:
    if line.size != following.size or line.is_number or following.is_number:
        return False
    ends = line.font != following.font or _SENTENCE.search(line.text)
    return not (ends and len(line.text) < _SHORT * longest)


def _join(page: Page, line: _Line, following: _Line) -> Iterator[Rewrite]:
    """Put a space between two lines, or nothing in place of the hyphen of a broken word."""
    close, stop = page.close_start.item(line.row), page.open_stop.item(following.row)
    if not (_BROKEN.search(line.text) and following.text[:1].islower()):
        yield Rewrite(close, stop, (Markup(b" "),))
        return
    start = page.open_stop.item(line.row)
    hyphen = _HYPHEN.search(page.buffer[start:close])
    if hyphen:
        yield Rewrite(start + hyphen.start(), start + hyphen.start() + 1)
    yield Rewrite(close, stop)


def _rename(page: Page, row: int, name: bytes) -> Iterator[Rewrite]:
    start, close, stop = (
        column.item(row) for column in (page.open_start, page.close_start, page.close_stop)
    )
    tag = page.start_tag(row).replace(b"div", name, 1)
    yield Rewrite(start, start + len(page.start_tag(row)), (Markup(tag, (start,)),))
    yield Rewrite(close, stop, (Markup(b"</%s>" % name),))
