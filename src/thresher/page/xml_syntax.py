"""Elements that a page closes as XML does: `<script src="a.js"/>`.

To HTML such a tag is a start tag, and of elements that hold text alone the rest of the page becomes
that text. Pages that tools save, chapters of EPUB books and XHTML are written so. Their source is
read as if the end tag stood there: where no end tag ever comes, and, where the page says that it is
XML, where another start tag of the name comes first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["Closed", "close_empty"]

_NAMES: Final = ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")
"""Elements that hold text alone (HTML Living Standard, 13.2.6.2); `plaintext` never ends."""
_DECLARED_CHARS: Final = 4096
"""Characters in which a page says what it is."""
_DECLARATION: Final = re.compile(r"\s*<\?xml\s")
_ROOT: Final = re.compile(r"<html\s[^<>]*\bxmlns\s*=", re.IGNORECASE)


def _spell(name: str) -> str:
    return "".join(f"[{letter}{letter.upper()}]" for letter in name)


_MAY_BE_EMPTY: Final = re.compile(
    rf"<(?:{'|'.join(map(_spell, _NAMES))})(?=[\s/])"
    r"""(?>[^<>"'/]++|/(?!>)|"[^"<]*+"|'[^'<]*+')*+/>"""
)
"""Any such tag; spelled in both cases, for an expression that tells none apart is slower."""
_MARKUP: Final = re.compile(r"<(?:!--|(/?[a-zA-Z][^\s/>]*))")
_REST: Final = re.compile(
    r"""(?>[\s/]*(?!/?>)[^\s/>][^\s/>=]*+(?:\s*=\s*(?>"[^"]*"|'[^']*'|[^\s"'>][^\s>]*+|(?=>)))?)*+"""
    r"""([\s/]*+)>"""
)
"""What follows the name in a tag (13.2.5.32 to 40)."""
_TAG_OF: Final = {name: re.compile(rf"<(/?){_spell(name)}(?=[\s/>])") for name in _NAMES}
"""Start and end tags by their names."""
_END_OF: Final = {name: re.compile(rf"</{_spell(name)}(?=[\s/>])") for name in _NAMES}


@dataclass(frozen=True, slots=True)
class Closed:
    """A source with the end tags that it lacks."""

    html: str
    at: tuple[int, ...] = ()
    """Where end tags are put in the source, in order."""
    size: tuple[int, ...] = ()
    """How many characters each has."""

    def undo(self, offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Map offsets in ``html`` to the source; what lies in an end tag to where that is put."""
        if not self.at:
            return offsets
        before = np.array((0, *accumulate(self.size)))
        start = np.array(self.at) + before[:-1]
        passed = np.searchsorted(start, offsets, "right")
        # Of the last one before an offset only so much as is before it.
        last = np.maximum(passed - 1, 0)
        into = np.minimum(offsets - start[last], np.array(self.size)[last])
        return np.where(passed > 0, offsets - before[last] - into, offsets)


def close_empty(html: str) -> Closed:
    """Put an end tag behind each element of text that is closed as in XML.

    Cost: one search where there is none, else linear.
    """
    if not _MAY_BE_EMPTY.search(html):
        return Closed(html)
    head = html[:_DECLARED_CHARS]
    is_xml = bool(_DECLARATION.match(head) or _ROOT.search(head))
    pieces: list[str] = []
    at: list[int] = []
    end_of: dict[str, int] = {}
    """Where the next end tag of each name is, beyond the source where there is none."""
    done = place = 0
    while found := _MARKUP.search(html, place):
        if found[1] is None:
            place = html.find("-->", found.start() + 2)
            if place < 0:
                break
            continue
        rest = _REST.match(html, found.end())
        if rest is None:
            break  # it is cut off
        place, name = rest.end(), found[1].lower()
        if name not in _END_OF:
            continue
        # Each end tag is looked for once.
        if end_of.get(name, 0) < place:
            end = _END_OF[name].search(html, place)
            end_of[name] = end.start() if end else len(html)
        is_ended = end_of[name] < len(html)
        if is_ended and is_xml:
            # In XML the next tag of the name is no end tag; where it is, the page is none.
            following = _TAG_OF[name].search(html, place)
            is_ended = following is not None and following[1] == "/"
        if rest[1].endswith("/") and not is_ended:
            pieces += html[done:place], f"</{name}>"
            at.append(place)
            done = place
        else:
            place = end_of[name]
    return Closed("".join((*pieces, html[done:])), tuple(at), tuple(map(len, pieces[1::2])))
