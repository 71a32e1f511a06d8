"""The HTML parser, called so that a deadline is kept on long pages, and on tags of many attributes.

The parser compares each attribute of a tag with all others of the tag, and cannot look at the clock
within one: two million took it three seconds. So attributes are counted before it reads the page.
"""

from __future__ import annotations

import re
from typing import Final

import turbohtml

from thresher.deadline import check_deadline, watch
from thresher.errors import LimitError
from thresher.limits import ATTRIBUTES, MAX_ATTRIBUTES
from thresher.page.xml_syntax import ATTRIBUTE

_PIECE_CHARS: Final = 2**18
"""Characters that are parsed between two looks at the clock: up to 30 ms."""
_MAX_WHOLE_CHARS: Final = 2**23
"""Characters of a page with a shadow root: only as a whole are they parsed as templates. At most
0.5 s; of 4,061 real pages the largest has 5.3 million."""
_SHADOW_ROOT: Final = "shadowrootmode"


def parse_html(html: str, *, positions: bool) -> turbohtml.Document:
    """Parse a page into the parser's tree, as a browser with scripts turned off would.

    Declarative shadow roots stay templates. With ``positions`` elements know where their tags are.
    LimitError if the time is up, and for over 8 million characters with a shadow root.
    """
    is_long = len(html) > _PIECE_CHARS
    if is_long and _SHADOW_ROOT not in html.lower():
        parser = turbohtml.IncrementalParser(positions=positions, source_locations=positions)
        for start in range(0, len(html), _PIECE_CHARS):
            check_deadline()
            parser.feed(html[start : start + _PIECE_CHARS])
        check_deadline()
        return parser.close()
    if len(html) > _MAX_WHOLE_CHARS:
        what = "characters of a page with shadow roots"
        raise LimitError(what, limit=_MAX_WHOLE_CHARS, value=len(html))
    return turbohtml.parse(
        html,
        positions=positions,
        source_locations=positions,
        allow_declarative_shadow_roots=False,
    )


_MIN_BYTES: Final = 2 * MAX_ATTRIBUTES
"""Bytes that so many attributes take at least."""
_TAG: Final = re.compile(
    rf"(?P<begin><[a-zA-Z][^ \t\n\f\r/>]*+)(?>{ATTRIBUTE}){{0,{MAX_ATTRIBUTES + 1}}}+".encode()
)
"""A tag as far as it can matter."""
_ATTRIBUTE: Final = re.compile(ATTRIBUTE.encode())


def check_attributes(utf8: bytes) -> None:
    """Raise LimitError if a tag may have more than `MAX_ATTRIBUTES`; ones of one name count each.

    What looks like a tag in a script counts too.
    """
    if len(utf8) < _MIN_BYTES:
        return
    for tag in watch(_TAG.finditer(utf8)):
        if tag.end() - tag.start() > _MIN_BYTES:
            attributes = watch(_ATTRIBUTE.finditer(utf8, tag.end("begin"), tag.end()))
            if (n_attribute := sum(1 for _ in attributes)) > MAX_ATTRIBUTES:
                raise LimitError(ATTRIBUTES, limit=MAX_ATTRIBUTES, value=n_attribute)
