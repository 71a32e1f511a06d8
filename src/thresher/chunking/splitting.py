"""Chunks: parts of a document's output of a limited size, cut at structural boundaries.

Output that is too large is cut at its loosest joins (`thresher.chunking.layout.Join`): before
headings of the highest rank, then of the next, then between blocks, and so on. Neighbouring parts
that fit into one chunk stay together. A single piece that is too large is cut at line ends,
sentences, words, or anywhere. A chunk that begins within a table repeats the table's head.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from thresher.chunking.layout import Join, OutputLayout, Piece
from thresher.chunking.outline import Heading, find_headings, paths_of
from thresher.deadline import watch
from thresher.page import Span
from thresher.selection import Selection
from thresher.support.setting import Setting

__all__ = ["BREAKS", "CHUNK_CHARS", "MIN_CHUNK_CHARS", "Chunk", "split"]

MIN_CHUNK_CHARS: Final = 50
"""Smallest limit, in characters. Smaller chunks would be parts of sentences."""
CHUNK_CHARS: Final = Setting(
    "max_chars",
    "integer",
    2000,
    "maximum size of a chunk",
    unit="characters",
    low=MIN_CHUNK_CHARS,
)
"""The limit of a chunk, as an argument."""
BREAKS: Final = (
    re.compile(r"\n"),
    re.compile(r"[.!?…][\"'”’»)\]]*(?=\s)|[。！？][」』”’）]*"),
    re.compile(r"\s"),
)
"""Patterns after which a piece can be cut, the best first: lines, sentences, words."""
_MAX_TITLE_CHARS: Final = 200
"""Characters of a heading's title that each of its chunks has: no chunk outgrows its text."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a document's output."""

    text: str
    """Its part of the output, preceded by ``repeated``."""
    headings: tuple[str, ...]
    """Titles of its headings, the highest first; one that it begins with is the last. Of those
    longer than 200 characters the beginning."""
    blocks: tuple[int, ...]
    """The page's blocks that it was written from."""
    start: int
    stop: int
    """Offsets in the output: ``output[start:stop]`` is ``text`` without ``repeated``."""
    source: Span | None
    """The span of the page's source that contains the kept parts of its blocks."""
    repeated: str = ""
    """Beginning of ``text`` that is not at ``start`` in the output: the head of the table that is
    continued here, and a line end."""


def split(layout: OutputLayout, selection: Selection, max_chars: int) -> tuple[Chunk, ...]:
    """Split an output into chunks of at most ``max_chars`` characters, in order.

    Every piece is in one chunk, or if it is larger, in several consecutive ones. Between chunks are
    only white space and rules. The head of a continued table is repeated if it takes up at most
    half of a chunk.
    """
    pieces = tuple(
        part for piece in watch(layout.pieces) for part in _cut(piece, layout.text, max_chars)
    )
    headings = find_headings(selection)
    begins = [heading.block for heading in headings]
    paths = [(), *paths_of([_shorten(heading) for heading in headings])]
    sources = _Sources(selection)
    chunks = []
    for first, stop in watch(_divide(pieces, 0, len(pieces), max_chars)):
        part = pieces[first:stop]
        blocks = sources.blocks_of(part)
        start, end = part[0].start, part[-1].stop
        repeated = _repeat_head(part[0], layout.text, max_chars)
        chunks.append(
            Chunk(
                text=repeated + layout.text[start:end],
                headings=paths[bisect_right(begins, blocks[0])] if blocks else (),
                blocks=blocks,
                start=start,
                stop=end,
                source=sources.find(blocks),
                repeated=repeated,
            )
        )
    return tuple(chunks)


def _shorten(heading: Heading) -> Heading:
    """Return a heading with a title that every chunk below it can have."""
    title = heading.title
    if len(title) <= _MAX_TITLE_CHARS:
        return heading
    return replace(heading, title=f"{title[: _MAX_TITLE_CHARS - 1].rstrip()}…")


def _divide(
    pieces: Sequence[Piece], first: int, stop: int, max_chars: int
) -> Iterator[tuple[int, int]]:
    """Yield the first piece of each chunk and one past its last; each single piece must fit."""
    waiting = [(first, stop)] if first < stop else []
    while waiting:
        first, stop = waiting.pop()
        if _fits(pieces, first, stop, max_chars):
            yield first, stop
            continue
        loosest = min(piece.join for piece in pieces[first + 1 : stop])
        edges = [i for i in range(first + 1, stop) if pieces[i].join == loosest]
        parts: list[tuple[int, int]] = []
        for begin, end in zip((first, *edges), (*edges, stop), strict=True):
            if parts and _fits(pieces, parts[-1][0], end, max_chars):
                parts[-1] = (parts[-1][0], end)
            else:
                parts.append((begin, end))
        waiting.extend(reversed(parts))


def _fits(pieces: Sequence[Piece], first: int, stop: int, max_chars: int) -> bool:
    begin = pieces[first]
    return pieces[stop - 1].stop - begin.start + _count_head(begin, max_chars) <= max_chars


def _count_head(piece: Piece, max_chars: int) -> int:
    """Count the characters repeated before a piece that begins a chunk."""
    if piece.head is None:
        return 0
    count = piece.head[1] - piece.head[0] + 1
    fits = 2 * count <= max_chars and count + piece.stop - piece.start <= max_chars
    return count if fits else 0


def _repeat_head(piece: Piece, text: str, max_chars: int) -> str:
    if piece.head is None or not _count_head(piece, max_chars):
        return ""
    return text[slice(*piece.head)] + "\n"


def _cut(piece: Piece, text: str, max_chars: int) -> Iterator[Piece]:
    """Cut a piece that is too large, each part as long as possible with the best break."""
    start, join = piece.start, piece.join
    if piece.stop - start > max_chars:
        piece = replace(piece, head=None)  # a part of a row is not a row
    while piece.stop - start > max_chars:
        stop = _find_break(text, start, start + max_chars)
        if end := len(text[start:stop].rstrip()):
            yield replace(piece, start=start, stop=start + end, join=join)
            join = Join.CUT
        start = stop
        while start < piece.stop and text[start].isspace():
            start += 1
    if start < piece.stop:
        yield replace(piece, start=start, join=join)


def _find_break(text: str, start: int, stop: int) -> int:
    """Return where to cut in the second half of a span: at its end if there is no break."""
    middle = (start + stop) // 2
    for pattern in BREAKS:
        ends = [found.end() for found in pattern.finditer(text, middle, stop)]
        if ends:
            return ends[-1]
    return stop


class _Sources:
    """Source spans of the blocks of chunks.

    A piece that was cut into a thousand chunks has its blocks in each of them, so the span of each
    block, and of one piece's blocks, is cached.
    """

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self._of_block: dict[int, Span | None] = {}
        self._piece: tuple[int, ...] | None = None
        self._blocks: tuple[int, ...] = ()
        self._last: tuple[tuple[int, ...], Span | None] = ((), None)

    def blocks_of(self, part: Sequence[Piece]) -> tuple[int, ...]:
        """Return the distinct blocks of pieces; for the parts of one piece, the same tuple."""
        if len(part) > 1:
            return tuple(dict.fromkeys(block for piece in part for block in piece.blocks))
        if part[0].blocks is not self._piece:
            self._piece = part[0].blocks
            self._blocks = tuple(dict.fromkeys(self._piece))
        return self._blocks

    def find(self, blocks: tuple[int, ...]) -> Span | None:
        """Return the source span from the first kept leaf of blocks to the last."""
        if blocks is not self._last[0]:
            spans = [self._find(block) for block in blocks]
            self._last = blocks, _join_spans(span for span in spans if span)
        return self._last[1]

    def _find(self, block: int) -> Span | None:
        if block not in self._of_block:
            page = self._selection.page
            leaves = np.arange(*page.blocks.start[block : block + 2])
            rows = page.leaves[leaves[self._selection.keep[leaves]]]
            spans = page.find_source_spans(rows)
            self._of_block[block] = _join_spans(span for span in spans if span)
        return self._of_block[block]


def _join_spans(spans: Iterable[Span]) -> Span | None:
    known = list(spans)
    if not known:
        return None
    return Span(min(span.start for span in known), max(span.stop for span in known))
