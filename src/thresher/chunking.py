"""Chunks: parts of a document's output of a limited size, cut at structural boundaries.

Output that is too large is cut at its loosest joins (`Join`): before headings of the highest rank,
then of the next, then between blocks, and so on. Neighbouring parts that fit into one chunk stay
together. A single piece that is too large is cut at line ends, sentences, words, or anywhere. A
chunk that begins within a table repeats the table's head.

What chunks are made from comes first: the kept headings, the pieces of an output, the estimate of
tokens.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from thresher.analysis.links import find_signs_of
from thresher.deadline import check_deadline, watch
from thresher.page import Page, Span
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, HEADINGS, flags_of
from thresher.page.text import count_at
from thresher.selection import Selection
from thresher.support.settings import Setting

# -- headings ----------------------------------------------------------------------------------

_LINKS: Final = flags_of("a")
_LEVEL_OF: Final = {CODE_OF[f"h{level}"]: level for level in range(1, 7)}


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, with the subheadings up to the next heading of its own or a higher rank."""

    level: int
    """1 to 6."""
    title: str
    block: int
    """The first of the page's blocks that it is written from."""
    children: tuple[Heading, ...] = ()


def find_headings(selection: Selection) -> tuple[Heading, ...]:
    """Return all kept headings with text, in order, without children."""
    page = selection.page
    heading = page.nearest(HEADINGS.take(page.tag))
    kept = selection.keep.nonzero()[0]
    rows = heading.take(page.leaves.take(kept))
    inside = rows >= 0
    if not inside.any():
        return ()
    blocks = page.blocks.of_leaf.take(kept[inside])
    keep = _without_signs(page, selection.keep, heading)
    texts = _read_blocks(page, keep, blocks[np.append(True, blocks[1:] != blocks[:-1])])
    titles: dict[int, list[str]] = {}
    first: dict[int, int] = {}
    for row, block in watch(zip(rows[inside].tolist(), blocks.tolist(), strict=True)):
        if block in texts:
            first.setdefault(row, block)
            titles.setdefault(row, []).append(texts.pop(block))
    headings = []
    for row, parts in watch(titles.items()):
        if title := " ".join(" ".join(parts).split()):
            headings.append(Heading(_LEVEL_OF[int(page.tag[row])], title, first[row]))
    return tuple(headings)


def _read_blocks(page: Page, keep: BoolArray, blocks: npt.NDArray[np.intp]) -> dict[int, str]:
    """Return block → text of its kept leaves; most blocks of headings have one."""
    start = page.blocks.start
    firsts, sizes = start.take(blocks), start.take(blocks + 1) - start.take(blocks)
    texts: dict[int, str] = {}
    gaps = None
    leaves = zip(firsts.tolist(), sizes.tolist(), strict=True)
    for block, (leaf, size) in watch(zip(blocks.tolist(), leaves, strict=True)):
        if size == 1 and keep[leaf]:
            texts[block] = page.leaf_text(leaf)
            continue
        if gaps is None:
            titled = np.zeros(len(page.blocks), np.bool_)
            titled[blocks] = True
            gaps = page.gaps_before(titled.take(page.blocks.of_leaf))
        texts[block] = page.block_text(block, keep, gaps)
    return texts


def _without_signs(page: Page, keep: BoolArray, heading: IntArray) -> BoolArray:
    """Return the kept leaves except those that only show a permalink of the heading around."""
    links = page.rows_of(_LINKS)
    links = links[heading.take(links) >= 0]
    if not links.size:
        return keep
    first, stop = page.leaf_offset.take(links), page.leaf_offset.take(page.end.take(links))
    signs = find_signs_of(page, links[count_at(keep, stop) > count_at(keep, first)])
    if not signs:
        return keep
    less = keep.copy()
    for link in signs:
        less[page.leaf_offset[link] : page.leaf_offset[page.end[link]]] = False
    return less


def outline_of(headings: Sequence[Heading]) -> tuple[Heading, ...]:
    """Arrange headings as a tree: each contains the following ones with a larger level number."""
    done: list[Heading] = []
    # From last to first: the children of a heading are complete when it is reached.
    for heading in reversed(headings):
        children = []
        while done and done[-1].level > heading.level:
            children.append(done.pop())
        done.append(replace(heading, children=tuple(children)))
    return tuple(reversed(done))


def paths_of(headings: Sequence[Heading]) -> list[tuple[str, ...]]:
    """Return for each heading the titles from its highest ancestor down to its own."""
    above: list[Heading] = []
    paths = []
    for heading in headings:
        while above and above[-1].level >= heading.level:
            above.pop()
        above.append(heading)
        paths.append(tuple(entry.title for entry in above))
    return paths


# -- layout of an output -----------------------------------------------------------------------
#
# A piece is cut only if it is too large: a paragraph, a heading, a row of a table, the text of an
# item, a code block.


class Join(IntEnum):
    """The closeness of a piece to the preceding one; the loosest joins are cut first.

    The values below `BLOCK` are levels of headings, 1 to 6, which begin a new section.
    """

    BLOCK = 7
    """Both are in the running text, or in different lists, tables or quotes."""
    PART = 8
    """Two items of a list, rows of a table, paragraphs of a quote."""
    INSIDE = 9
    """Parts of one item or row."""
    HEADED = 10
    """The preceding piece is the heading of this one."""
    CUT = 11
    """Both are parts of one piece that was too large."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A span of the output that is cut only if necessary."""

    start: int
    stop: int
    """Offsets in the output, without the white space and rules between pieces."""
    blocks: tuple[int, ...]
    """The page's blocks it was written from; empty for text from elsewhere."""
    join: int
    """A `Join`, or the level of the heading that it begins with."""
    head: tuple[int, int] | None = None
    """For a row of a table, the span of the table's head in the output; otherwise None."""


@dataclass(frozen=True, slots=True)
class OutputLayout:
    """The whole output of a document in one format, and its pieces in order."""

    text: str
    pieces: tuple[Piece, ...]


# -- tokens ------------------------------------------------------------------------------------
#
# Tokenizers differ, and each is larger than this package. In all of them a token is a frequent
# sequence of bytes. So common words of Latin letters are one or two tokens, those of digits and
# punctuation are short, and letters of other scripts are nearly one token each. The weights are a
# rule of thumb by script, in quarters of a token; docs/agents.md has the table.

QUARTERS: Final = 4
"""Units of a token."""

_LETTER: Final = 1
"""ASCII letters: four per token, as makers of tokenizers state for English."""
_SIGN: Final = 2
"""ASCII digits and punctuation, line ends, and letters of other European alphabets."""
_SYLLABLE: Final = 4
"""Characters of scripts that tokenizers rarely merge."""
_RARE: Final = 8
"""Characters beyond the basic plane: rare ideographs and pictures."""
_OTHER_SCRIPTS: Final = 0x0590
"""The first code point after the European alphabets: Latin, Greek, Cyrillic, Armenian."""
_SUPPLEMENTARY: Final = 0x10000


_ASCII: Final = np.array(
    [_LETTER if char.isalpha() else _SIGN * (char != " ") for char in map(chr, range(128))]
)
"""Weights of ASCII characters; a space is part of the following word."""


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text, rounded up."""
    return -(-int(token_offsets(text)[-1]) // QUARTERS)


def token_offsets(text: str) -> npt.NDArray[np.int64]:
    """Return the quarters of tokens before each character; int64[n_char + 1]."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    weights = np.where(codes < _OTHER_SCRIPTS, _SIGN, _SYLLABLE)
    weights[codes >= _SUPPLEMENTARY] = _RARE
    is_ascii = codes < _ASCII.size
    weights[is_ascii] = _ASCII[codes[is_ascii]]
    return np.concatenate(([0], np.cumsum(weights, dtype=np.int64)))


# -- chunks ------------------------------------------------------------------------------------

MIN_CHUNK_CHARS: Final = 50
"""Minimum limit, in characters. Smaller chunks would be parts of sentences."""
CHUNK_CHARS: Final = Setting(
    "max_chars", "integer", 2000, "maximum size of a chunk", unit="characters", low=MIN_CHUNK_CHARS
)
"""The limit of a chunk, as an argument."""
CHUNK_TOKENS: Final = Setting(
    "max_tokens",
    "integer",
    None,
    "maximum size of a chunk, as estimated",
    unit="tokens",
    low=20,
    is_optional=True,
)
"""The same in tokens of a language model."""
BREAKS: Final = (
    re.compile(r"\n"),
    re.compile(r"[.!?…][\"'”’»)\]]*(?=\s)|[。！？][」』”’）]*"),
    re.compile(r"\s"),
)
"""Patterns after which a piece can be cut, the best first: lines, sentences, words."""
_MAX_GAP_CHARS: Final = 200
"""Characters of markup between two blocks that one span may hold."""
_MAX_SPANS: Final = 100
"""Spans of a chunk; if there are more, they become one, as each chunk of a large row would list
those of the whole row."""
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
    """The span of the page's source that contains the kept parts of its blocks, and what was left
    out between them."""
    repeated: str = ""
    """Beginning of ``text`` that is not at ``start`` in the output: the head of the table that is
    continued here, and a line end."""
    spans: tuple[Span, ...] = ()
    """The same without what was left out: the spans of its blocks, in order; neighbouring blocks
    with nothing but a little markup between them are in one."""
    byte_spans: tuple[Span, ...] = ()
    """The same, as offsets in `Page.utf8`: in the page's file, if that is UTF-8 without byte-order
    mark."""


class _Limit(NamedTuple):
    """A limit of chunks: in characters, or in quarters of tokens."""

    most: int
    offsets: Sequence[int]
    """How much is before each character of the output."""
    line_end: int
    """How much a line end is."""

    def measure(self, start: int, stop: int) -> int:
        """Return how much a span of the output is."""
        return int(self.offsets[stop] - self.offsets[start])

    def reach(self, start: int) -> int:
        """Return the furthest end of a span that is within the limit; past ``start`` at least."""
        return max(bisect_right(self.offsets, self.offsets[start] + self.most) - 1, start + 1)


def split(
    layout: OutputLayout, selection: Selection, max_chars: int | None, max_tokens: int | None = None
) -> tuple[Chunk, ...]:
    """Split an output into chunks of at most so many characters and estimated tokens, in order.

    Every piece is in one chunk, or if it is larger, in several consecutive ones. Between chunks are
    only white space and rules. The head of a continued table is repeated if it takes up at most
    half of a chunk.
    """
    limits = []
    if max_chars is not None:
        limits.append(_Limit(max_chars, range(len(layout.text) + 1), 1))
    if max_tokens is not None:
        offsets = cast("Sequence[int]", token_offsets(layout.text))
        limits.append(_Limit(max_tokens * QUARTERS, offsets, int(token_offsets("\n")[-1])))
    pieces = tuple(
        part for piece in watch(layout.pieces) for part in _cut(piece, layout.text, limits)
    )
    headings = find_headings(selection)
    begins = [heading.block for heading in headings]
    paths = [(), *paths_of([_shorten(heading) for heading in headings])]
    sources = _Sources(selection)
    parts = [pieces[slice(*edges)] for edges in watch(_divide(pieces, limits))]
    origins = [sources.find(part) for part in watch(parts)]
    in_bytes = _count_bytes(selection.page.source, {span for _, spans in origins for span in spans})
    chunks = []
    for part, (blocks, spans) in watch(zip(parts, origins, strict=True)):
        start, end = part[0].start, part[-1].stop
        head = _head_before(part[0], limits)
        repeated = layout.text[slice(*head)] + "\n" if head else ""
        chunks.append(
            Chunk(
                text=repeated + layout.text[start:end],
                headings=paths[bisect_right(begins, blocks[0])] if blocks else (),
                blocks=blocks,
                start=start,
                stop=end,
                source=_join_spans(spans) if spans else None,
                spans=spans,
                byte_spans=tuple(Span(in_bytes[low], in_bytes[high]) for low, high in spans),
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


def _divide(pieces: Sequence[Piece], limits: Sequence[_Limit]) -> Iterator[tuple[int, int]]:
    """Yield the first piece of each chunk and one past its last; each single piece must fit."""
    waiting = [(0, len(pieces))] if pieces else []
    while waiting:
        first, stop = waiting.pop()
        if _fits(pieces, first, stop, limits):
            yield first, stop
            continue
        loosest = min(piece.join for piece in pieces[first + 1 : stop])
        edges = [i for i in range(first + 1, stop) if pieces[i].join == loosest]
        parts: list[tuple[int, int]] = []
        for begin, end in zip((first, *edges), (*edges, stop), strict=True):
            if parts and _fits(pieces, parts[-1][0], end, limits):
                parts[-1] = (parts[-1][0], end)
            else:
                parts.append((begin, end))
        waiting.extend(reversed(parts))


def _fits(pieces: Sequence[Piece], first: int, stop: int, limits: Sequence[_Limit]) -> bool:
    begin, end = pieces[first], pieces[stop - 1].stop
    head = _head_before(begin, limits)
    return all(
        limit.measure(begin.start, end) + (_measure_head(head, limit) if head else 0) <= limit.most
        for limit in limits
    )


def _head_before(piece: Piece, limits: Sequence[_Limit]) -> tuple[int, int] | None:
    """Return the span that is repeated before a piece that begins a chunk; None for none."""
    head = piece.head
    if head is None:
        return None
    for limit in limits:
        size = _measure_head(head, limit)
        if 2 * size > limit.most or size + limit.measure(piece.start, piece.stop) > limit.most:
            return None
    return head


def _measure_head(head: tuple[int, int], limit: _Limit) -> int:
    return limit.measure(*head) + limit.line_end


def _cut(piece: Piece, text: str, limits: Sequence[_Limit]) -> Iterator[Piece]:
    """Cut a piece that is too large, each part as long as possible with the best break."""
    start, join = piece.start, piece.join
    if min(limit.reach(start) for limit in limits) < piece.stop:
        piece = replace(piece, head=None)  # a part of a row is not a row
    while (reach := min(limit.reach(start) for limit in limits)) < piece.stop:
        check_deadline()
        stop = _find_break(text, start, reach)
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
        ends = [match.end() for match in pattern.finditer(text, middle, stop)]
        if ends:
            return ends[-1]
    return stop


class _Sources:
    """The blocks of chunks, and their spans in the source.

    A piece that was cut into a thousand chunks has its blocks in each of them, so what is found for
    a block, and for a piece, is cached.
    """

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self._of_block: dict[int, Span | None] = {}
        self._piece: tuple[int, ...] | None = None
        """The blocks of the piece that the last chunk was a part of, if it was one."""
        self._last: tuple[tuple[int, ...], tuple[Span, ...]] = ((), ())

    def find(self, part: Sequence[Piece]) -> tuple[tuple[int, ...], tuple[Span, ...]]:
        """Return the distinct blocks of pieces, and the spans of what is kept of them."""
        piece = part[0].blocks if len(part) == 1 else None
        if piece is None or piece is not self._piece:
            blocks = tuple(dict.fromkeys(block for one in part for block in one.blocks))
            self._piece, self._last = piece, (blocks, self._find_all(blocks))
        return self._last

    def _find_all(self, blocks: tuple[int, ...]) -> tuple[Span, ...]:
        spans: list[Span] = []
        before = -1
        for block in blocks:
            if span := self._find(block):
                is_next = bool(spans) and block == before + 1
                if is_next and 0 <= span.start - spans[-1].stop <= _MAX_GAP_CHARS:
                    spans[-1] = Span(spans[-1].start, span.stop)
                else:
                    spans.append(span)
            before = block
        return tuple(spans) if len(spans) <= _MAX_SPANS else (_join_spans(spans),)

    def _find(self, block: int) -> Span | None:
        if block not in self._of_block:
            page = self._selection.page
            leaves = np.arange(*page.blocks.start[block : block + 2])
            rows = page.leaves[leaves[self._selection.keep[leaves]]]
            spans = [span for span in page.find_source_spans(rows) if span]
            self._of_block[block] = _join_spans(spans) if spans else None
        return self._of_block[block]


def _join_spans(spans: Sequence[Span]) -> Span:
    return Span(min(span.start for span in spans), max(span.stop for span in spans))


def _count_bytes(source: str, spans: Iterable[Span]) -> dict[int, int]:
    """Return the offsets in UTF-8 of the ends of spans, in one pass over the source."""
    counted, here, n_byte = {}, 0, 0
    for offset in watch(sorted({offset for span in spans for offset in span})):
        n_byte += len(source[here:offset].encode())
        counted[offset] = n_byte
        here = offset
    return counted
