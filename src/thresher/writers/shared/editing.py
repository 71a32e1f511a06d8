"""A page's own source with rows removed or changed, and everything else unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import AnyStr, Final

import numpy as np
import numpy.typing as npt
import turbohtml
from turbohtml import Doctype, DocumentFragment, Element, Text

from thresher.deadline import check_deadline, watch
from thresher.page import Page
from thresher.page.canonical import canonicalise
from thresher.page.html_parser import parse_html
from thresher.page.parse import pair_elements
from thresher.page.source_positions import locate_tags
from thresher.page.tags import CODE_OF, TEXT
from thresher.page.xml_syntax import ATTRIBUTE, close_empty

_BODY: Final = CODE_OF["body"]

# -- replacements in the source ----------------------------------------------------------------
#
# Serialising a tree writes all of a page anew: quotes, letter case, character references, implied
# tags. Here each edit is a range of the source, found by the positions of tags that the parse
# recorded. Such a range is wrong where an end tag is missing in a place that the guess below does
# not foresee, or where the tree has content in another place than the source. So the caller
# compares the result with the page that the edits must give, and serialises a tree where they
# differ.

_Offsets = npt.NDArray[np.int64]
_Replacement = tuple[int, int, AnyStr]
"""Start and end in a source, and what takes the place."""
_UNKNOWN: Final = -1
_ATTRIBUTE: Final = re.compile(ATTRIBUTE)
_COMMENT: Final = re.compile(r"<!--(?>.*?-->|.*)", re.DOTALL)


class _NoPlaceError(Exception):
    """An edit has no clear place in the source."""


class _SourceRanges:
    """Where the rows of a page are in its source."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._source = page.source
        tags = locate_tags(page)[: page.n_own_row].astype(np.int64)
        self._open, self._opened, self._close, self._closing = tags.T
        n_source = len(self._source)
        starts = np.append(np.where(tags[:, 0] == _UNKNOWN, n_source, tags[:, 0]), n_source)
        self._next: _Offsets = np.minimum.accumulate(starts[::-1])[::-1]

    def cut(self, row: int, text: str = "") -> _Replacement[str]:
        """Return the replacement of an element or text; comments among a text stay.

        Scripts may count on these.
        """
        is_text = self._page.tag[row] == TEXT
        span = self._text_range(row) if is_text else self._element_range(row)
        if span is None:
            raise _NoPlaceError
        return *span, "".join(_COMMENT.findall(self._source[slice(*span)])) if is_text else text

    def cut_tags(self, row: int) -> Iterator[_Replacement[str]]:
        """Yield the removal of an element's tags."""
        tags = (self._open[row], self._opened[row]), (self._close[row], self._closing[row])
        for start, end in tags:
            if start == _UNKNOWN:
                raise _NoPlaceError
            yield int(start), int(end), ""

    def edit_attributes(
        self, row: int, attributes: Mapping[str, str | None]
    ) -> Iterator[_Replacement[str]]:
        """Yield replacements for attributes to set or, if None, remove."""
        if self._open[row] == _UNKNOWN:
            raise _NoPlaceError
        places = self._find_attributes(row)
        added = ""
        for name, value in attributes.items():
            written = "" if value is None else f'{name}="{escape(value)}"'
            if place := places.get(name):
                start, end = place
                while not written and self._source[start - 1].isspace():
                    start -= 1
                yield start, end, written
            elif written:
                added += f" {written}"
        if added:
            at = int(self._opened[row]) - 1
            at -= self._source[at - 1] == "/"
            yield at, at, added

    def _element_range(self, row: int) -> tuple[int, int] | None:
        if self._open[row] == _UNKNOWN:
            return None
        if self._closing[row] != _UNKNOWN:
            end = self._closing[row]
        elif self._page.end[row] == row + 1:
            end = self._opened[row]  # a void element, or an empty one
        else:
            end = self._content_end(row)
        return int(self._open[row]), int(end)

    def _text_range(self, row: int) -> tuple[int, int] | None:
        parent = int(self._page.parent[row])
        start = int(self._opened[parent])
        sibling = parent + 1
        while sibling < row:
            if self._page.tag[sibling] != TEXT:
                span = self._element_range(sibling)
                start = span[1] if span else _UNKNOWN
            sibling = int(self._page.end[sibling])
        close = self._close[parent]
        end = min(close if close != _UNKNOWN else self._content_end(parent), self._next[row])
        return (start, int(end)) if _UNKNOWN < start <= end else None

    def _content_end(self, row: int) -> int:
        """Return where an element without an end tag ends: at the next one, or with an ancestor."""
        end, parent = int(self._next[self._page.end[row]]), int(self._page.parent[row])
        while parent >= 0 and self._close[parent] == _UNKNOWN:
            parent = int(self._page.parent[parent])
        return min(end, int(self._close[parent])) if parent >= 0 else end

    def _find_attributes(self, row: int) -> dict[str, tuple[int, int]]:
        """Return where the attributes of a start tag are, by lower-case name; the first counts."""
        at, stop = int(self._open[row]), int(self._opened[row])
        at += 1 + len(self._page.name(row))
        places: dict[str, tuple[int, int]] = {}
        while match := _ATTRIBUTE.match(self._source, at, stop):
            at = match.end()
            places.setdefault(match["name"].lower(), (match.start("name"), at))
        return places


def apply_replacements(source: AnyStr, replacements: list[_Replacement[AnyStr]]) -> AnyStr | None:
    """Return the source with its replacements; None if they overlap."""
    pieces: list[AnyStr] = []
    done = 0
    for start, end, text in sorted(replacements, key=lambda replacement: replacement[:2]):
        if start < done or end < start:
            return None
        pieces += source[done:start], text
        done = end
    pieces.append(source[done:])
    return source[:0].join(pieces)


# -- edits, and the canonical HTML that they give ----------------------------------------------
#
# Rows are ranges of the page's canonical HTML, so an edit is made there without a tree. This is
# what a copy of the source with the same edits is compared with (`edit_page`).

_TEXT_ESCAPES: Final = str.maketrans({"&": "&amp;", "\xa0": "&nbsp;", "<": "&lt;", ">": "&gt;"})
"""What the parser escapes in texts (HTML Living Standard, 13.3)."""
_VALUE_ESCAPES: Final = _TEXT_ESCAPES | str.maketrans({'"': "&quot;"})
"""What it escapes in values of attributes."""


@dataclass(frozen=True, slots=True)
class Edits:
    """Edits of a page, by row; inside removed rows only ``removed`` may refer to rows.

    They are applied in the order of the fields.
    """

    removed: npt.NDArray[np.integer]
    """Elements and texts; int[n]."""
    attributes: Mapping[int, Mapping[str, str | None]] = field(default_factory=dict)
    """Row of an element → attributes to set, or with None to remove."""
    unwrapped: tuple[int, ...] = ()
    """Elements whose tags are removed, and whose children stay."""
    replaced: Mapping[int, str] = field(default_factory=dict)
    """Row of an element → the text that replaces it."""
    appended: str = ""
    """Markup added at the end of the body; a frameset page has none."""


def edit_canonical(page: Page, edits: Edits) -> bytes | None:
    """Return the canonical HTML of the edited page; None if the edits overlap.

    A result that the parser would read as another page equals no canonical HTML, so it is
    harmless to a comparison.
    """
    if len(page) != page.n_own_row:
        return None  # rows of other pages have ranges of their own
    return apply_replacements(page.buffer, list(_find_canonical_replacements(page, edits)))


def _find_canonical_replacements(page: Page, edits: Edits) -> Iterator[_Replacement[bytes]]:
    starts, stops = page.open_start, page.close_stop
    removed = edits.removed
    for start, stop in watch(zip(starts[removed].tolist(), stops[removed].tolist(), strict=True)):
        yield start, stop, b""
    for row, attributes in watch(edits.attributes.items()):
        start, stop = int(starts[row]), int(page.open_stop[row])
        yield start, stop, _set_attributes(page.buffer[start:stop], attributes)
    for row in watch(edits.unwrapped):
        yield int(starts[row]), int(page.open_stop[row]), b""
        yield int(page.close_start[row]), int(stops[row]), b""
    for row, text in watch(edits.replaced.items()):
        yield int(starts[row]), int(stops[row]), _encode(text.translate(_TEXT_ESCAPES))
    body = np.flatnonzero(page.tag == _BODY)
    if edits.appended and body.size:
        at = int(page.close_start[body[0]])
        yield at, at, _canonicalise_content(edits.appended)


def _set_attributes(tag: bytes, attributes: Mapping[str, str | None]) -> bytes:
    """Set or, if None, remove attributes of a canonical start tag."""
    for name, value in attributes.items():
        key = _encode(f' {name}="')  # in no value, where quotation marks are escaped
        written = b"" if value is None else key + _encode(value.translate(_VALUE_ESCAPES)) + b'"'
        start = tag.find(key)
        stop = tag.index(b'"', start + len(key)) + 1 if start >= 0 else len(tag) - 1
        tag = tag[: start if start >= 0 else stop] + written + tag[stop:]
    return tag


def _canonicalise_content(markup: str) -> bytes:
    html = _canonicalise(f"<!DOCTYPE html><body>{markup}")
    return html.partition(b"<body>")[2].rpartition(b"</body>")[0]


def _canonicalise(html: str) -> bytes:
    return canonicalise(_encode(html)).html


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "replace")


# -- edited pages ------------------------------------------------------------------------------


def edit_page(page: Page, edits: Edits) -> str:
    """Return the edited source of a page.

    What is kept is the same to the character, unless the source is so malformed that an edit has no
    clear place in it; then it is serialised canonically, except for scripts, styles and comments.
    """
    try:
        cut = apply_replacements(page.source, list(_find_replacements(page, edits)))
    except _NoPlaceError:
        cut = None
    read = None if cut is None else _canonicalise(cut)
    check_deadline()
    if cut is not None and read == edit_canonical(page, edits):
        return cut
    # Canonical HTML may be read as another page, which only a tree can tell.
    tree = parse_source(page)
    element_of = pair_elements(page, tree)
    check_deadline()
    written = _edit_tree(page, edits, tree, element_of)
    return cut if cut is not None and read == _canonicalise(written) else written


def _find_replacements(page: Page, edits: Edits) -> Iterator[_Replacement[str]]:
    ranges = _SourceRanges(page)
    for row in watch(edits.removed.tolist()):
        yield ranges.cut(row)
    for edit in watch(edits.attributes.items()):
        yield from ranges.edit_attributes(*edit)
    for row in edits.unwrapped:
        yield from ranges.cut_tags(row)
    for row, text in edits.replaced.items():
        yield ranges.cut(row, escape(text))
    body = np.flatnonzero(page.tag[: page.n_own_row] == _BODY)
    if edits.appended and body.size:
        # After the end tag of the body too, it becomes the last child (13.2.6.4.19).
        at = len(page.source)
        yield at, at, edits.appended


def _edit_tree(
    page: Page, edits: Edits, tree: turbohtml.Document, element_of: Mapping[int, Element]
) -> str:
    """Apply the edits to a tree, and return it serialised canonically.

    Elements that are not in the source, as those of a frame's `srcdoc`, are not edited.
    """
    remove_rows(page, element_of, edits.removed)
    in_source = element_of.keys()
    for row in watch(edits.attributes.keys() & in_source):
        attributes, attrs = edits.attributes[row], element_of[row].attrs
        for name, value in attributes.items():
            if value is not None:
                attrs[name] = value
            elif name in attrs:
                del attrs[name]
    for row in watch([row for row in edits.unwrapped if row in in_source]):
        element_of[row].unwrap()
    for row in watch(edits.replaced.keys() & in_source):
        element_of[row].replace_with(Text(edits.replaced[row]))
    body = np.flatnonzero(page.tag == _BODY)
    if edits.appended and body.size:
        fragment = turbohtml.parse_fragment(edits.appended, positions=False)
        element_of[int(body[0])].extend(list(fragment.children))
    check_deadline()
    return serialise_source(tree)


def parse_source(page: Page) -> turbohtml.Document:
    """Parse the source of a page into a tree whose elements pair with its rows."""
    html = close_empty(page.source).html
    check_deadline()
    tree = parse_html(html, positions=False)
    for element in tree.find_all("plaintext"):
        if element.namespace is turbohtml.Namespace.HTML:
            element.tag = "pre"  # its own end tag would be read as text
    return tree


def serialise_source(tree: turbohtml.Document) -> str:
    """Serialise a tree of `parse_source`.

    Canonical HTML (HTML Living Standard, 13.3) writes all doctypes the same; here the identifiers
    are kept, because they decide how a browser lays the page out (13.2.6.4.1, quirks mode).
    """
    return "".join(
        _format_doctype(node) if isinstance(node, Doctype) else node.html for node in tree.children
    )


def remove_rows(
    page: Page, element_of: Mapping[int, Element], rows: npt.NDArray[np.integer]
) -> None:
    """Remove elements and texts from the tree of `parse_source`; this must be the first edit.

    ``element_of`` is the result of `pair_elements` for it; rows that it does not have stay.
    """
    is_text = page.tag[rows] == TEXT
    texts = rows[is_text]
    unwanted = set(texts.tolist())
    for parent in watch(np.unique(page.parent[texts]).tolist()):
        if (element := element_of.get(parent)) is not None:
            _remove_texts(page, element_of, parent, element, unwanted)
    for row in watch(rows[~is_text].tolist()):
        if (element := element_of.get(row)) is not None:
            element.decompose()


def _format_doctype(doctype: Doctype) -> str:
    identifiers = [doctype.public_id, doctype.system_id]
    if identifiers == [None, None]:
        return doctype.html
    quoted = [
        "" if text is None else f"'{text}'" if '"' in text else f'"{text}"' for text in identifiers
    ]
    keyword = "SYSTEM" if doctype.public_id is None else "PUBLIC"
    return f"<!DOCTYPE {' '.join((doctype.name, keyword, *filter(None, quoted)))}>"


def _remove_texts(
    page: Page, element_of: Mapping[int, Element], parent: int, element: Element, unwanted: set[int]
) -> None:
    """Remove the children of one element that are the texts of unwanted rows.

    Comments may split a text of the page; elements do not, so they are counted.
    """
    places: set[int] = set()
    wanted: set[int] = set()  # a text with added line breaks goes as a whole
    n_element = 0
    child = parent + 1
    while child < page.end[parent]:
        if page.tag[child] == TEXT:
            (places if child in unwanted else wanted).add(n_element)
        n_element += child in element_of
        child = int(page.end[child])
    places -= wanted
    n_element = 0
    children = list(element.children)
    if len(children) == 1 and isinstance(children[0], DocumentFragment):
        children = list(children[0].children)  # of a template
    for node in children:
        if isinstance(node, Element):
            n_element += 1
        elif isinstance(node, Text) and n_element in places:
            node.extract()
