"""Upper bound for the number of elements in a page's tree, computed from its tags before parsing.

Formatting elements that a block leaves open are reconstructed in the next one (HTML Living
Standard, 13.2.4.3): 500 `<b>` in one paragraph are repeated in each of the thousand after it, and
50 kB become half a million elements. The parser builds them all before it reports their number, so
callers check here first. The list of active formatting elements is followed from tag to tag without
a tree; wherever tags do not determine what happens to it, all its elements are assumed to stay.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.deadline import check_deadline, watch
from thresher.page.xml_syntax import any_case

if TYPE_CHECKING:
    import turbohtml

_MAX_REOPENED: Final = 512
"""Maximum of elements reconstructed after one tag: the parser (turbohtml 1.15) nests no deeper."""
_MAX_BLOCKS: Final = 8
"""Blocks between a formatting element and its end tag that the adoption agency algorithm handles,
one per round (13.2.6.4.7); with as many, the element may stay in the list."""
_MAX_CLONES: Final = 3
"""Elements that it adds per round, besides the one that is ended."""
_MAX_EQUAL: Final = 3
"""Maximum of elements equal in name and attributes in the list; more drop the first (13.2.4.3)."""
_MAX_FOLLOWED: Final = 10_000
"""Open formatting elements whose end tags are followed; beyond, they count as never ended."""

_FORMATTING: Final = frozenset(
    tuple("a b big code em font i nobr s small strike strong tt u".split())
)
_ONE_AT_A_TIME: Final = frozenset(("a", "nobr"))
"""Elements of which another one ends the previous."""
_CELLS: Final = frozenset(("caption", "td", "th"))
_TABLE_PARTS: Final = frozenset(("col", "colgroup", "tbody", "tfoot", "thead", "tr"))
_OBJECTS: Final = frozenset(("applet", "marquee", "object", "template"))
_FOREIGN: Final = frozenset(("math", "svg"))
_FORMATTING_START: Final = re.compile(rf"<(?:{'|'.join(sorted(_FORMATTING))})[\s/>]", re.IGNORECASE)
_ROOT: Final = ""
_TABLE: Final = "table"

_Kind = tuple[str, tuple[tuple[str, str], ...]]


@dataclass(slots=True, eq=False)
class _Entry:
    """A formatting element in the list."""

    kind: _Kind
    n_block: int
    """Preceding tags that may begin a block."""
    is_gone: bool = False


@dataclass(slots=True)
class _Frame:
    """Formatting between two elements that limit the scope of end tags."""

    name: str
    """Name of the element that it begins with; `_ROOT` if unknown."""
    named: defaultdict[str, list[_Entry]] = field(default_factory=lambda: defaultdict(list))
    """Its formatting elements by name, in order; some may be gone."""
    by_kind: defaultdict[_Kind, deque[_Entry]] = field(default_factory=lambda: defaultdict(deque))
    """The same without those gone, by name and attributes."""
    n_entry: int = 0

    def last(self, name: str) -> _Entry | None:
        """Return the last formatting element of a name."""
        entries = self.named[name]
        while entries and entries[-1].is_gone:
            entries.pop()
        return entries[-1] if entries else None

    def add(self, kind: _Kind, n_block: int) -> None:
        """Add an element, and drop the first equal one if there are too many."""
        same = self.by_kind[kind]
        if len(same) >= _MAX_EQUAL:
            self.remove(same[0])
        entry = _Entry(kind, n_block)
        self.named[kind[0]].append(entry)
        same.append(entry)
        self.n_entry += 1

    def remove(self, entry: _Entry) -> None:
        """Remove the first or the last of several equal elements."""
        same = self.by_kind[entry.kind]
        same.popleft() if same[0] is entry else same.pop()
        entry.is_gone = True
        self.n_entry -= 1

    def take_in(self, inner: _Frame) -> None:
        """Take over the formatting of an inner frame."""
        for name, entries in inner.named.items():
            self.named[name] += entries
        for kind, same in inner.by_kind.items():
            self.by_kind[kind] += same
        self.n_entry += inner.n_entry


class _Formatting:
    """A superset of the list of active formatting elements."""

    def __init__(self) -> None:
        self.n_element = 0
        """Elements so far, reconstructed ones included."""
        self._frames = [_Frame(_ROOT)]
        self._n_stuck = 0
        """Elements of which it is unknown whether they were ended."""
        self._n_block = 0
        self._foreign: list[str] = []
        """Open elements of a drawing or formula, while they nest."""
        self._is_in_select = False
        self._is_mixed = False
        """Whether a drawing or a `<noscript>` was not nested: then it is unknown what is text."""

    @property
    def is_mixed(self) -> bool:
        """True if text of the tokenizer may be markup, as a style in a drawing is."""
        return (
            self._is_mixed
            or self._is_in_select
            or bool(self._foreign)
            or any(frame.name == "template" for frame in self._frames)
        )

    def start(self, token: turbohtml.Token, tag: str) -> None:
        self.n_element += 1
        if self._foreign or tag in _FOREIGN:
            self._leave()
            self._n_stuck += tag in _FORMATTING
            if not token.self_closing:
                self._foreign.append(tag)
        elif tag in _FORMATTING:
            self._start_formatting(tag, tuple(token.attrs or ()))
        else:
            self._leave()
            self._n_block += 1
            self._start_other(tag)

    def end(self, tag: str) -> None:
        self._leave()
        self._is_in_select &= tag != "select"
        top = self._frames[-1].name
        if self._foreign:
            if self._foreign.pop() != tag:
                self.mix()
        elif tag in _FORMATTING:
            self._end_formatting(tag)
        elif tag == _TABLE and top in _CELLS:
            self._frames.pop()
            self._end_table()
        elif tag == _TABLE == top:
            self._end_table()
        elif tag == top or (tag == "tr" and top in ("td", "th")):
            self._frames.pop()
        elif tag in _OBJECTS or (top in _OBJECTS and (tag in _CELLS or tag in (_TABLE, "tr"))):
            self._lose_track()

    def raw(self, text: str) -> None:
        """Process text that the parser may treat as markup."""
        self._n_stuck += sum(1 for _ in _FORMATTING_START.finditer(text))
        self.n_element += text.count("<") * (1 + self._most_open())
        self.mix()

    def mix(self) -> None:
        """Treat all that follows both as text and as markup."""
        self._is_mixed = True
        self._lose_track()

    def _most_open(self) -> int:
        return min(sum(frame.n_entry for frame in self._frames[-2:]) + self._n_stuck, _MAX_REOPENED)

    def _leave(self) -> None:
        """Leave all open formatting, as any tag may; it is reconstructed after it."""
        self.n_element += self._most_open()

    def _start_formatting(self, tag: str, attrs: tuple[tuple[str, str], ...]) -> None:
        if tag in _ONE_AT_A_TIME:
            self._leave()
            before = self._find_ended(tag)
            if before and tag == "a":  # regardless of what its end tag would do
                self._frames[-1].remove(before)
        if self._frames[-1].n_entry >= _MAX_FOLLOWED:
            self._lose_track()
        self._frames[-1].add((tag, attrs), self._n_block)

    def _end_formatting(self, tag: str) -> None:
        entry = self._find_ended(tag)
        if entry and self._n_block - entry.n_block < _MAX_BLOCKS:
            self._frames[-1].remove(entry)

    def _find_ended(self, tag: str) -> _Entry | None:
        """Return the element ended here, if known, and count the clones this may need."""
        entry = self._frames[-1].last(tag)
        if entry or self._n_stuck:
            n_block = self._n_block - entry.n_block if entry else _MAX_BLOCKS
            n_clone = 1 + min(self._most_open() - 1, _MAX_CLONES)
            self.n_element += min(n_block, _MAX_BLOCKS) * n_clone
        return entry

    def _start_other(self, tag: str) -> None:
        if tag == _TABLE:
            if self._frames[-1].name == _TABLE:
                self._end_table()
            self._frames.append(_Frame(_TABLE))
        elif tag in _CELLS or tag in _TABLE_PARTS:
            if self._frames[-1].name in _CELLS:
                self._frames.pop()
            if self._frames[-1].name != _TABLE:
                self._lose_track()
            elif tag in _CELLS:
                self._frames.append(_Frame(tag))
        elif tag in _OBJECTS:
            self._frames.append(_Frame(tag))
        elif tag == "select":
            self._is_in_select = True
            self._lose_track()

    def _end_table(self) -> None:
        """End a table; formatting in it, but outside cells, continues after it."""
        ended = self._frames.pop()
        self._frames[-1].take_in(ended)

    def _lose_track(self) -> None:
        """Start over; elements in the list stay there forever."""
        self._is_mixed |= any(frame.name == "template" for frame in self._frames)
        self._n_stuck += sum(frame.n_entry for frame in self._frames)
        self._frames = [_Frame(_ROOT)]
        self._foreign = []


_MAX_SHARE: Final = 2
"""Apparent start tags, in multiples of the limit, above which a page certainly exceeds it."""


_RAW: Final = frozenset(
    ("iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", "title", "xmp")
)
_WHOLE: Final = re.compile(
    r"""</?[a-z][^<>"']*(?:"[^"<>]*"[^<>"']*|'[^'<>]*'[^<>"']*)*>|<!--(?!-?>)[^-]*(?:-[^-]+)*-->""",
    re.DOTALL | re.IGNORECASE,
)
"""Tags and comments that end unambiguously."""
_FORMATTING_TAG: Final = re.compile(
    # Both cases are listed, because a case-insensitive expression does not jump to the next <.
    rf"<(?:{'|'.join(map(any_case, sorted(_FORMATTING - {'a'})))})(?=[\s/>])[^>]*".encode()
)
_LONGEST_NAME: Final = 1 + max(map(len, _FORMATTING)) + 1
"""Bytes by which `_FORMATTING_TAG` recognises a tag, at most."""
_SEARCHED_BYTES: Final = 2**18
"""Bytes that are searched between two looks at the clock."""
_LINK: Final = re.compile(rb"<[aA](?=[\s/>])")
_LESS_THAN: Final = ord("<")


def is_within(utf8: bytes, max_elements: int) -> bool:
    """Return whether a page's tree certainly has at most so many elements, except implied ones.

    Cost: linear; 0.1 µs per tag, 2 µs if there are very many and much formatting, next to nothing
    for pages of a few thousand tags.
    """
    n_mark = int(np.count_nonzero(np.frombuffer(utf8, np.uint8) == _LESS_THAN))
    if n_mark * (1 + _MAX_REOPENED) <= max_elements:
        return True
    n_open = _count_kinds(utf8)
    n_moved = _MAX_BLOCKS * (1 + _MAX_CLONES) if n_open else 0
    if n_mark * (1 + n_moved + n_open) <= max_elements:
        return True
    # In scripts and comments some are not tags, but nowhere most of them.
    if n_mark - utf8.count(b"</") - utf8.count(b"<!") > _MAX_SHARE * max_elements:
        return False
    formatting = _Formatting()
    return all(n_element <= max_elements for n_element in _follow(formatting, utf8.decode()))


def _count_kinds(utf8: bytes) -> int:
    """Count the formatting elements that can be open at once: three of each kind, and one link."""
    n_of = Counter(_find_formatting(utf8))
    kinds = set(n_of)
    n_link = int(_LINK.search(utf8) is not None)
    # A value may contain a >, and tags that differ after it are distinct.
    cut = {tag for tag in kinds if tag.count(b'"') % 2 or tag.count(b"'") % 2}
    n_cut = sum(n_of[tag] for tag in cut)
    return min(n_link + _MAX_EQUAL * (len(kinds) - len(cut)) + n_cut, _MAX_REOPENED)


def _find_formatting(utf8: bytes) -> Iterator[bytes]:
    """Yield the tags of formatting elements other than links, up to the first > of each."""
    start = 0
    while start < len(utf8):
        check_deadline()
        stop = start + _SEARCHED_BYTES
        if whole := utf8.rfind(b">", start, stop) + 1:
            yield from _FORMATTING_TAG.findall(utf8, start, whole)
            start = whole
        elif begun := _FORMATTING_TAG.search(utf8, start, stop):
            end = utf8.find(b">", stop)
            start = end if end >= 0 else len(utf8)
            yield utf8[begun.start() : start]
        else:
            start = stop - _LONGEST_NAME


def _follow(formatting: _Formatting, html: str, *, is_inner: bool = False) -> Iterator[int]:
    """Process the tags of a page; yield the bound of the elements so far.

    ``is_inner`` for the text of a `<noscript>`: scripts are off, so it is markup.
    """
    import turbohtml  # most pages are read by the compiled step

    start_tag, end_tag = turbohtml.TokenType.START_TAG, turbohtml.TokenType.END_TAG
    opened = ""
    for token in watch(turbohtml.tokenize(html, resolve_references=False)):
        tag = token.tag
        if tag is not None and token.type == start_tag:
            formatting.start(token, tag)
            opened = tag
        elif tag is not None and token.type == end_tag:
            formatting.end(tag)
            opened = ""
        elif "<" in (text := token.data or ""):
            is_noscript = opened == "noscript"
            if is_noscript and not (formatting.is_mixed or is_inner or "<" in _WHOLE.sub("", text)):
                yield from _follow(formatting, text, is_inner=True)
            elif is_noscript or formatting.is_mixed:
                formatting.raw(text)
        yield formatting.n_element
    if is_inner and opened in _RAW:
        formatting.mix()
