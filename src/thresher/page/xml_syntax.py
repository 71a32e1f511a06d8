"""Repair of raw-text elements that are self-closed as in XML: `<script src="a.js"/>`.

In HTML such a tag is a start tag, and the rest of the page becomes the element's text. Pages saved
by tools, chapters of EPUB books and XHTML contain them. The missing end tag is inserted if none
follows, or, on a page that declares itself as XML, if another start tag of the name comes first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

_NAMES: Final = ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")
"""Elements that contain only text (HTML Living Standard, 13.2.6.2); `plaintext` never ends."""
_DECLARED_CHARS: Final = 4096
"""Characters searched for the declaration that a page is XML."""
_SPACE: Final = r" \t\n\f\r"
"""White space of HTML (Infra Standard, 4.6), for use in brackets; ``\\s`` is more in Python."""
_DECLARATION: Final = re.compile(rf"[{_SPACE}]*<\?xml[{_SPACE}]")
_ROOT: Final = re.compile(rf"<html[{_SPACE}][^<>]*\bxmlns[{_SPACE}]*=", re.IGNORECASE)


def any_case(name: str) -> str:
    """Return a pattern of a name in lower and upper case, faster than one that ignores case."""
    return "".join(f"[{letter}{letter.upper()}]" for letter in name)


_MAY_BE_EMPTY: Final = re.compile(
    rf"<(?:{'|'.join(map(any_case, _NAMES))})(?=[{_SPACE}/])"
    r"""(?>[^<>"'/]++|/(?!>)|"[^"<]*+"|'[^'<]*+')*+/>"""
)
"""Any such tag; both cases are listed, because a case-insensitive expression is slower."""
_MARKUP: Final = re.compile(rf"<(?:!--|(/?[a-zA-Z][^{_SPACE}/>]*))")
ATTRIBUTE: Final = (
    rf"""[{_SPACE}/]*(?!/?>)(?P<name>[^{_SPACE}/>][^{_SPACE}/>=]*+)"""
    rf"""(?:[{_SPACE}]*=[{_SPACE}]*(?>"[^"]*"|'[^']*'|[^{_SPACE}"'>][^{_SPACE}>]*+|(?=>)))?"""
)
"""An attribute of a tag as written, with what is before it (13.2.5.32 to 39)."""
_REST: Final = re.compile(rf"(?>{ATTRIBUTE})*+(?P<end>[{_SPACE}/]*+)>")
"""Rest of a tag after its name (13.2.5.32 to 40)."""
_TAG_OF: Final = {name: re.compile(rf"<(/?){any_case(name)}(?=[{_SPACE}/>])") for name in _NAMES}
"""Start and end tags by their names."""
_END_OF: Final = {name: re.compile(rf"</{any_case(name)}(?=[{_SPACE}/>])") for name in _NAMES}


@dataclass(frozen=True, slots=True)
class Closed:
    """A source with its missing end tags inserted."""

    html: str
    at: tuple[int, ...] = ()
    """Offsets in the source at which end tags are inserted, in order."""
    size: tuple[int, ...] = ()
    """Characters of each inserted end tag."""

    def undo(self, offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Map offsets in ``html`` to the source; those in an inserted tag to its position."""
        if not self.at:
            return offsets
        before = np.array((0, *accumulate(self.size)))
        start = np.array(self.at) + before[:-1]
        passed = np.searchsorted(start, offsets, "right")
        # Of the last tag before an offset, only the part before the offset counts.
        last = np.maximum(passed - 1, 0)
        into = np.minimum(offsets - start[last], np.array(self.size)[last])
        return np.where(passed > 0, offsets - before[last] - into, offsets)


def close_empty(html: str) -> Closed:
    """Insert an end tag after each raw-text element that is self-closed as in XML.

    Cost: one search if there is none, otherwise linear.
    """
    if not _MAY_BE_EMPTY.search(html):
        return Closed(html)
    head = html[:_DECLARED_CHARS]
    is_xml = bool(_DECLARATION.match(head) or _ROOT.search(head))
    pieces: list[str] = []
    at: list[int] = []
    end_of: dict[str, int] = {}
    """Offset of the next end tag of each name, the length of the source if there is none."""
    done = place = 0
    while match := _MARKUP.search(html, place):
        if match[1] is None:
            place = html.find("-->", match.start() + 2)
            if place < 0:
                break
            continue
        rest = _REST.match(html, match.end())
        if rest is None:
            break  # truncated
        place, name = rest.end(), match[1].lower()
        if name not in _END_OF:
            continue
        # Each end tag is searched for once.
        if end_of.get(name, 0) < place:
            end = _END_OF[name].search(html, place)
            end_of[name] = end.start() if end else len(html)
        is_ended = end_of[name] < len(html)
        if is_ended and is_xml:
            # In XML the next tag of the name is not an end tag; if it is, the page is not XML.
            following = _TAG_OF[name].search(html, place)
            is_ended = following is not None and following[1] == "/"
        if rest["end"].endswith("/") and not is_ended:
            pieces += html[done:place], f"</{name}>"
            at.append(place)
            done = place
        else:
            place = end_of[name]
    return Closed("".join((*pieces, html[done:])), tuple(at), tuple(map(len, pieces[1::2])))
