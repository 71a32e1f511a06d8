"""The number of attributes of a tag, checked before the parser reads the page.

The parser compares each attribute of a tag with all others of the tag, and cannot look at the clock
within one: two million took it three seconds.
"""

from __future__ import annotations

import re
from typing import Final

from thresher.deadline import watch
from thresher.limits import MAX_ATTRIBUTES, check_attributes_of_tag
from thresher.page.xml_syntax import ATTRIBUTE

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
            check_attributes_of_tag(sum(1 for _ in attributes))
