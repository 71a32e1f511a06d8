"""HTML text → canonical HTML, the bytes from which the columns of a page are read.

Canonical HTML is the parser's tree, serialised (docs/adr/0002), without what would make the bytes
ambiguous: comments, and the content of raw-text elements (scripts, styles), which is not shown. The
source keeps them; `source_tree` parses it again for callers that need them. A script that holds a
formula is shown: it becomes a `math` element with the script's attributes and text.

The compiled step (native/html, docs/adr/0007) writes the same bytes without a tree, except for
pages that it refuses.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from thresher.deadline import check_deadline
from thresher.errors import InputError
from thresher.limits import MAX_NODES, check_canonical, check_nodes, limit_canonical
from thresher.native import CLOSED_AS_XML, TOO_LONG, Steps, kernel_with
from thresher.page.scan import IntArray
from thresher.page.source_tags import SourceTags

if TYPE_CHECKING:
    import turbohtml

_RAW_TEXT: Final = ("iframe", "noembed", "noframes", "script", "style")
"""Elements whose content the parser keeps as text although it is not text of the page."""
_MATH_TYPE: Final = re.compile(r"\s*math/(?:tex|asciimath)\s*(?:;|$)", re.IGNORECASE)
"""Type of scripts that hold a formula at the position where it is shown (MathJax 2, math/tex)."""
_PLAIN_TEXT: Final = ("plaintext", "xmp")
"""Obsolete elements that show raw text; read as `pre`, as the standard renders them."""
_ROOM_SHARE: Final = 8
"""One spare byte per this many source bytes, for end tags and escapes that the source omits."""
_ROOM_BYTES: Final = 4096
"""Spare bytes in any case. Output that does not fit is written again with the largest room."""
_ELEMENT_BYTES: Final = 32
"""Bytes of source per element in the first attempt. None of 516 pages of the corpora has less."""
_ROOM_ELEMENTS: Final = 256
"""Elements for which there is room in any case."""
_ELEMENT_GROWTH: Final = 8
"""Room in the next attempt. Only reconstructed formatting needs so many that the step refuses."""


def _is_compared(version: str) -> bool:
    """Return whether this version of the parser is installed, without importing it if possible."""
    spec = find_spec("turbohtml")
    if spec and spec.origin:
        # The folder of its metadata names the version; the import takes longer than extracting.
        installed_in = Path(spec.origin).parents[1]
        if any(installed_in.glob(f"turbohtml-{version}.*.dist-info")):
            return True
    import turbohtml

    return turbohtml.__version__.startswith(f"{version}.")


_IS_COMPARED: Final = _is_compared("1.15")
"""Whether the compiled step was compared with this version of the parser (`bench.agreement`)."""


class Canonical(NamedTuple):
    """A page as canonical HTML."""

    html: bytes
    tags: SourceTags
    """Where the tags of its elements are in the source."""


def _canonicalise_by_step(
    steps: Steps, utf8: bytes, max_nodes: int = MAX_NODES
) -> Canonical | None:
    if not _IS_COMPARED:
        return None
    written = _write(steps, utf8, max_nodes, asks=True)
    is_closed = written == CLOSED_AS_XML
    if is_closed:
        from thresher.page.xml_syntax import close_empty  # few pages need it

        closed = close_empty(utf8.decode()).html.encode()
        written = _write(steps, closed, max_nodes, asks=False)
    if not isinstance(written, tuple):
        return None
    html, places = written
    return Canonical(html, SourceTags(utf8, places, is_closed=is_closed))


def _write(
    steps: Steps, utf8: bytes, max_nodes: int, *, asks: bool
) -> tuple[bytes, IntArray] | int | None:
    """Canonicalise by the compiled step; return its status code if it fails."""
    most = limit_canonical(len(utf8))
    most_elements = max(max_nodes, MAX_NODES) + 1
    n_room = len(utf8) + len(utf8) // _ROOM_SHARE + _ROOM_BYTES
    n_element = len(utf8) // _ELEMENT_BYTES + _ROOM_ELEMENTS
    while True:
        n_element = min(n_element, most_elements)
        written = steps.canonicalise(utf8, n_room, n_element, asks)
        if written is None:
            return None
        check_deadline()
        size, (n_found,), html, places = written
        if size >= 0:
            return html.tobytes(), places[:n_found].copy()
        if size != TOO_LONG:
            return size
        if n_found == most_elements:
            check_nodes(None, max_nodes)
        if n_found == n_element:
            n_element *= _ELEMENT_GROWTH
        elif n_room < most:
            n_room = most
        else:
            check_canonical(most + 1, len(utf8))


@kernel_with(_canonicalise_by_step)
def canonicalise(utf8: bytes, max_nodes: int = MAX_NODES) -> Canonical:
    """Parse a page in UTF-8 to canonical HTML.

    LimitError if it exceeds `limit_canonical`. For a page that needs the parser, also if the time
    is up, or the tree may have more elements than both ``max_nodes`` and `MAX_NODES`.
    """
    _check_tree(utf8, max_nodes)
    tree = source_tree(utf8.decode(), positions=True)
    root = tree.root
    if root is None:
        raise InputError("the input has no element, not even an implied one")
    return Canonical(_serialise(root, len(utf8)), SourceTags(utf8, tree, is_closed=True))


def _check_tree(utf8: bytes, max_nodes: int) -> None:
    """Raise LimitError if the parser's tree may have too many elements."""
    from thresher.page.html_parser import check_attributes
    from thresher.page.reopening import is_within

    check_attributes(utf8)
    # A lower limit is checked once the exact number is known; until then this bound applies.
    if not is_within(utf8, max(max_nodes, MAX_NODES)):
        check_nodes(None, max_nodes)
    check_deadline()


def _serialise(root: turbohtml.Element, n_source: int) -> bytes:
    """Serialise the tree of a source of ``n_source`` bytes, within the limits of bytes and time.

    In pieces, because as a whole the parser would need four bytes per character, twice.
    """
    pieces, n_byte = [], 0
    for piece in root.serialize_iter():
        pieces.append(piece.encode())
        n_byte += len(pieces[-1])
        check_canonical(n_byte, n_source)
        check_deadline()
    return b"".join(pieces)


def source_tree(html: str, *, positions: bool = False) -> turbohtml.Document:
    """Parse HTML into the parser's own tree, whose elements correspond one to one to a Page's.

    Declarative shadow roots stay templates: their content belongs to the page. With ``positions``
    each element has its position in the source as returned by `close_empty`.
    """
    # Most pages are read by the compiled step, and need no parser.
    from thresher.page.html_parser import parse_html
    from thresher.page.xml_syntax import close_empty

    tree = parse_html(close_empty(html).html, positions=positions)
    check_deadline()
    _make_canonical(tree)
    return tree


def canonicalise_fragment(markup: str) -> bytes:
    """Canonicalise a fragment of markup, wrapped in one `<div>`.

    Scripts and styles are left out with their tags, except formulas. LimitError as for a page.
    """
    utf8 = markup.encode()
    _check_tree(utf8, MAX_NODES)
    import turbohtml

    tree = turbohtml.parse_fragment(markup, positions=False)
    for element in tree.find_all(["script", "style"]):
        if not _is_formula(element):
            element.decompose()
    _make_canonical(tree)
    return _serialise(tree, len(utf8))


def _make_canonical(tree: turbohtml.Document | turbohtml.Element) -> None:
    """Remove what would make the serialised tree ambiguous."""
    import turbohtml.clean

    html = turbohtml.Namespace.HTML
    # A list, because the loop changes the tree.
    for element in list(tree.iter_elements((*_RAW_TEXT, *_PLAIN_TEXT))):
        if element.namespace is not html:
            continue
        if element.tag in _PLAIN_TEXT:
            element.tag = "pre"
        elif _is_formula(element):
            element.tag = "math"
        else:
            element.clear()
    turbohtml.clean.strip_comments_node(tree)


def _is_formula(element: turbohtml.Element) -> bool:
    return element.tag == "script" and bool(_MATH_TYPE.match(element.attr("type") or ""))
