"""Words in classes and ids that mark bylines, dates and unrelated parts of a page."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np

from thresher.page import Page
from thresher.page.parts import PartBits, Parts, find_parts
from thresher.page.scan import IntArray
from thresher.support.cached import cached_view

__all__ = ["BYLINES", "DATELINES", "PARTS", "UNRELATED", "NameMarks", "find_named"]

PARTS: Final = Parts(
    *(b"aut", b"by", b"contributor", b"creator", b"journalist", b"reporter", b"writer"),
    *(b"dat", b"fecha", b"posted", b"publish", b"time", b"zeit"),
    *(b"carousel", b"comment", b"copyright", b"disqus", b"footer", b"latest-", b"most-read"),
    *(b"newsletter", b"popular", b"promo", b"recommend", b"related", b"respond", b"sidebar"),
    *(b"teaser", b"trending", b"widget"),
)
"""Parts of names that mark elements. Looking for all of them first takes a tenth of the time of the
expressions."""


class NameMarks(NamedTuple):
    """Words in a class or id, lower-case, that mark elements of one kind."""

    pattern: re.Pattern[bytes]
    parts: np.uint64
    """Bits of `PARTS`; every match has one of these parts in it."""
    marking: np.uint64 = np.uint64(0)
    """Those of them that are matches wherever they occur."""


BYLINES: Final = NameMarks(
    re.compile(
        rb"by[_-]?line|author(?!i)|(?:^|[\s_-])(?:writers?|contributors?|autor|auteur|autore|creator"
        rb"|posted-?by|written-?by|reporter|journalist)(?=$|[\s_-])"
    ),
    PARTS.bits(*(b"by", b"aut", b"writer", b"contributor", b"creator", b"reporter", b"journalist")),
)
"""Bylines, but not authority or authorised."""
DATELINES: Final = NameMarks(
    re.compile(
        rb"(?:publish(?:ed)?-?_?date|(?:^|[\s_-])(?:date|datum|fecha|data|pub-?_?date|date-?_?line"
        rb"|published|publish|posted|post-?_?date|entry-?_?date|time-?_?stamp|pubtime|datetime|time"
        rb"|zeit|byline))(?:[_-]?(?:on|time|published|publish|line|text))?(?=$|[\s_-])"
    ),
    PARTS.bits(b"dat", b"fecha", b"publish", b"posted", b"time", b"zeit", b"by"),
)
"""Dates."""
UNRELATED: Final = NameMarks(
    re.compile(
        rb"comment|respond|related|sidebar|widget|(?:^|\s)(?:site-?)?footer|popular|recommend|teaser"
        rb"|promo|trending|most-read|latest-(?:news|posts|stories)|newsletter|disqus|carousel"
        rb"|copyright"
    ),
    PARTS.bits(
        *(b"comment", b"respond", b"related", b"sidebar", b"widget", b"footer", b"popular"),
        *(b"recommend", b"teaser", b"promo", b"trending", b"most-read", b"latest-", b"newsletter"),
        *(b"disqus", b"carousel", b"copyright"),
    ),
    PARTS.bits(
        *(b"comment", b"respond", b"related", b"sidebar", b"widget", b"popular", b"recommend"),
        *(b"teaser", b"promo", b"trending", b"most-read", b"newsletter", b"disqus", b"carousel"),
        b"copyright",
    ),
)
"""Unrelated parts."""
_ATTRIBUTES: Final = ("class", "id")


def find_named(page: Page, marks: NameMarks) -> IntArray:
    """Find the elements whose class or id has one of some words, in order."""
    parts = zip(_ATTRIBUTES, _read_parts(page), strict=True)
    classed, named = (_find_in(page, attribute, each, marks) for attribute, each in parts)
    if not named.size:
        return classed
    found = np.zeros(len(page), np.bool_)
    found[classed] = found[named] = True
    return found.nonzero()[0].astype(np.int32)


def _find_in(page: Page, attribute: str, parts: PartBits, marks: NameMarks) -> IntArray:
    """Find the elements of which one attribute has a mark, in order."""
    values, search = page.attributes.distinct(attribute), marks.pattern.search
    maybe = (parts & marks.parts).nonzero()[0]
    if not maybe.size:
        return values.row[:0]
    buffer, sure = page.buffer, int(marks.marking)
    columns = (maybe, parts.take(maybe), values.start.take(maybe), values.stop.take(maybe))
    found = zip(*(column.tolist() for column in columns), strict=True)
    return values.rows_with(
        [
            number
            for number, each, start, stop in found
            if each & sure or search(buffer[start:stop].lower())
        ]
    )


@cached_view
def _read_parts(page: Page) -> tuple[PartBits, ...]:
    """Return the bits of `PARTS` in each distinct value of `_ATTRIBUTES`."""
    attributes = page.attributes
    values = map(attributes.distinct, _ATTRIBUTES)
    return tuple(find_parts(page.buffer, each.start, each.stop, PARTS) for each in values)
