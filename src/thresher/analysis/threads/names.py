"""The names of a page's rows, and what the words in them say of posts and their parts.

They are the distinct values of classes and ids, and custom elements. Most occur many times on a
page, so each value is searched once. Names are English on boards of all languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.attributes import number_spans
from thresher.page.parts import Parts, find_parts
from thresher.page.scan import IntArray
from thresher.page.tags import OTHER
from thresher.support.bounded_cache import bounded_cache

NAME, AUTHOR, MAYBE_AUTHOR, DATE, SCORE, BODY, BOILERPLATE, QUESTION, ANSWER, ACCEPTED, PROFILE = (
    1 << bit for bit in range(11)
)
"""Bits of `MarkupHints.bits`. NAME: the bare name; AUTHOR: an element that names the author;
MAYBE_AUTHOR: one that may; PROFILE: a panel about the author."""
AUTHOR_OR_DATE: Final = NAME | AUTHOR | MAYBE_AUTHOR | DATE
"""The bits that detect threads; the others are for parts of posts, which most pages lack."""

_CAMEL: Final = re.compile(rb"(?<=[a-z0-9])(?=[A-Z])")


def _words(pattern: str) -> re.Pattern[bytes]:
    """Compile a pattern of whole words of a name, ignoring white space in the pattern."""
    joined = "".join(pattern.split())
    return re.compile(rf"(?:^|[\s_:./-])(?:{joined})(?=$|[\s_:./-])".encode())


_MAX_NAMES: Final = 8192
"""Size of the cache of name bits; a page has some hundred names."""
_PATTERNS: Final = (
    (NAME, _words("fn|p-name|display-?name|nick-?name|bigusername|hnuser")),
    (
        AUTHOR,
        re.compile(
            rb"author(?!i[tz]|-?(?:bio|box|avatar|img|image|pic|date|meta))|user-?name"
            rb"|(?:^|[\s_-])(?:posted-?by|commenter|poster(?!_ip)|p-author|member-?name|user-?link"
            rb"|creator|authi|nick|screen-?name|comment-?by|cmt-?user)(?=$|[\s_-])"
        ),
    ),
    (
        MAYBE_AUTHOR,
        _words("user|member|byline|name|vcard|handle|person|owner|by|postuser|user-?details"),
    ),
    (
        DATE,
        re.compile(
            rb"(?:^|[\s_-])(?:time|when|age|posted|posted-?(?:on|at)|published|created"
            rb"|(?:post|comment|pub|reply|msg)-?time|time-?(?:ago|stamp)|dateline|live-?timestamp"
            rb"|relative-time|local-time|pubdate|postdetails|submitted|smalltext)(?=$|[\s_-])"
            rb"|(?<!up)date(?!d|-?by|-?pick)|timestamp|timeago"
        ),
    ),
    (
        SCORE,
        _words(
            """(?:up-?)?vote(?:s|rs?)?|score|points?|likes?|(?:up-?)?vote-?count|upvotecount|like-?count
            |likecount|votecount|karma|thumbs?-?up|helpful|vote-?count-?post|rating-?count|kudos"""
        ),
    ),
    (
        BODY,
        re.compile(
            rb"(?:^|[\s_-])(?:content|body|text|message|msg|entry|markdown|md|s-prose|prose"
            rb"|e-content|cooked|inner|reviewbody|articlebody|commenttext|commtext"
            rb"|(?:post|comment|message|msg|reply|answer|review)-?(?:body|text|content|message)"
            rb"|usertext-body|bb-?wrapper|t[_-]f|p-content|userhtml)(?=$|[\s_\d-])"
        ),
    ),
    (
        BOILERPLATE,
        _words(
            """buttons?|btns?|actions?|controls?|tools?|toolbar|reply-?link|reply
            |replylink|share|sharing|menu|dropdown|flag|report|votes?|voting|vote|avatar|nav
            |navbar|pagination|permalink|perma|like|likes|badges?|edited|last-?edit|lastedit
            |modified|options|quick-?reply|rating|reactions?|ratings|breadcrumbs?|js-menu|attribution
            |moderatorbar|(?:post|comment|message)-?(?:links|footer|foot|buttons|controls|tools
            |actions|actionbar|options|menu|head|header|meta)|heading|meta|metadata|postbuttons
            |tagline|flat-list|entry-utility|says|collapse|expand|toggle|expando|notices?|says
            |screen-reader-text|sr-only|visually-hidden|hidden|ad|ads|advert|adsbygoogle|banner
            |sponsor|promo"""
        ),
    ),
    (QUESTION, _words("question|questions?-?(?:detail|page|body|header|post|content)|qa-question")),
    (ANSWER, re.compile(rb"(?:^|[\s_:./-])(?:suggested|accepted)?-?answers?(?=$|[\s_\d:./-])")),
    (
        ACCEPTED,
        _words(
            """accepted-?answer|is-?accepted|accepted|best-?answer|solution|solved-?post
            |answer-?accepted|marked-?solution|is-?solution|has-?solution|message-?-?solution"""
        ),
    ),
    (
        PROFILE,  # and signatures: both are of the author, not of the post
        _words(
            """post-?profile|profile|user-?info|user-?details|author-?info|message-?user|poster
            |post-?author|pls|user-?panel|user-?card|userinfo-?extra|user-?block|author-?box
            |authorinfo|user-?stats|mini-?profile|avatar|user-?avatar|favatar|usercp
            |post-?signature|signature|sig|cite-?user|author-?details|author-?panel|post-?user"""
        ),
    ),
)
AUTHOR_OR_DATE_PARTS: Final = Parts(
    *(
        b"fn name nick user auth post comment cmt creator member by vcard handle person"
        b" owner screen time when age publ created date submitted smalltext"
    ).split(),
)
"""Every name with a bit of `AUTHOR_OR_DATE` has one of these in it; most names have none."""

PROPERTIES: Final = {
    b"author": AUTHOR,
    b"creator": AUTHOR,
    b"datepublished": DATE,
    b"datecreated": DATE,
    b"commenttime": DATE,
    b"upvotecount": SCORE,
    b"text": BODY,
    b"articlebody": BODY,
    b"commenttext": BODY,
    b"reviewbody": BODY,
    b"acceptedanswer": ACCEPTED | ANSWER,
    b"suggestedanswer": ANSWER,
}
"""Schema.org properties."""
PROPERTY_PARTS: Final = Parts(
    *(
        b"author creator datepublished datecreated commenttime upvotecount text articlebody"
        b" reviewbody answer"
    ).split(),
)
"""Each of these properties has one of these in it; most values of other attributes have none."""


def split_name(value: bytes) -> bytes:
    """Return a name in lower case, with camel case split by hyphens."""
    return value if value.islower() else _CAMEL.sub(b"-", value).lower()


@bounded_cache(_MAX_NAMES)
def property_bits(value: bytes) -> int:
    """Return the bits of all schema.org properties in an itemprop or rel."""
    bits = 0
    for word in value.lower().split():
        bits |= PROPERTIES.get(word, 0)
    return bits


_NOT_OF_POST: Final = re.compile(rb"reputation|user|member|badge|author")
_HOLDER: Final = re.compile(rb"(?:content|body|text|message|markdown)s?$")
"""Names of containers, whatever other words they have."""


def _search_for(wanted: int) -> Callable[[bytes], int]:
    """Return a function of a class or id: those of some bits that its names have."""
    patterns = [(bit, pattern) for bit, pattern in _PATTERNS if bit & wanted]

    @bounded_cache(_MAX_NAMES)  # as some classes are too long to be: they have dozens of names
    def search(name: bytes) -> int:
        name = split_name(name)
        bits = sum(bit for bit, pattern in patterns if pattern.search(name))
        if bits & SCORE and _NOT_OF_POST.search(name):
            bits &= ~SCORE
        if bits and _HOLDER.search(name):
            bits &= ~(PROFILE | BOILERPLATE | AUTHOR | MAYBE_AUTHOR | NAME)
        return bits

    @bounded_cache(_MAX_NAMES)  # the same few are on all pages of a site
    def search_all(value: bytes) -> int:
        bits = 0
        for name in value.lstrip(b"#<").split():
            bits |= search(name)
        return bits

    return search_all


author_or_date_bits: Final = _search_for(AUTHOR_OR_DATE)
part_bits: Final = _search_for(~AUTHOR_OR_DATE)


# -- the names of rows -----------------------------------------------------------------------------

Bits = npt.NDArray[np.uint16]

MAX_NAME_BYTES: Final = 500
"""Bytes read of one value; longer ones are not real names."""
_DIGITS: Final = b"0123456789"
_QUOTE: Final = b'"'
_SEPARATOR: Final = b"\0"


@dataclass(frozen=True, eq=False)
class RowNames:
    """The distinct values of classes and ids, and names of custom elements."""

    buffer: bytes
    row: IntArray
    """The row of each entry, one entry for each value of a row; int32[n_entry].

    First those of classes, then those of ids, then custom elements.
    """
    value: IntArray
    """The value of each entry: an index into the other fields; int32[n_entry]."""
    start: IntArray
    """Where each value starts in the buffer; int32[n_value].

    That of an id starts with the quote before it, that of an element with the < before it.
    """
    stop: IntArray
    """Where it stops there; int32[n_value]."""
    bare: bytes
    """The values without digits, each followed by NUL."""
    bare_start: IntArray
    """Where each starts there; int32[n_value]."""
    bare_stop: IntArray
    """Where it stops there; int32[n_value]."""

    def find(self, parts: Parts) -> npt.NDArray[np.intp]:
        """Return the indices of the values that have one of some parts, without their digits."""
        return find_parts(self.bare, self.bare_start, self.bare_stop, parts).nonzero()[0]

    def texts(self, values: npt.NDArray[np.integer] | None = None) -> list[bytes]:
        """Return some of the values, or all: ids with a # prefix, elements with a < prefix."""
        start, stop = self.start, self.stop
        if values is not None:
            start, stop = start.take(values), stop.take(values)
        buffer, spans = self.buffer, zip(start.tolist(), stop.tolist(), strict=True)
        texts = [buffer[first:last] for first, last in spans]
        # No class begins with a quote: it would be escaped.
        return [b"#" + text[1:] if text[:1] == _QUOTE else text for text in texts]


def read_row_names(page: Page) -> RowNames:
    """Read the names of a page's rows."""
    attributes = page.attributes
    others = (page.tag == OTHER).nonzero()[0]
    names = page.names(others)
    is_custom = np.array(["-" in name for name in names], np.bool_)
    size = np.array([len(name.encode()) for name in names], np.int32)[is_custom]
    others = others[is_custom]
    classes, ids = attributes.named("class"), attributes.named("id")
    values = np.concatenate((classes, ids))
    first = np.concatenate((attributes.start.take(values), page.open_start.take(others) + 1))
    last = np.concatenate((attributes.stop.take(values), first[values.size :] + size))
    start = first.copy()
    start[classes.size :] -= 1
    stop = np.minimum(last, first + MAX_NAME_BYTES)
    number, example = number_spans(page.buffer, start, stop)
    start, stop = start.take(example), stop.take(example)
    spans = zip(start.tolist(), stop.tolist(), strict=True)
    bare = [page.buffer[slice(*span)].translate(None, _DIGITS) + _SEPARATOR for span in spans]
    sizes = np.array([len(text) for text in bare], np.int32)
    ends = sizes.cumsum(dtype=np.int32)
    return RowNames(
        page.buffer,
        np.concatenate((attributes.row.take(values), others), dtype=np.int32),
        number,
        start,
        stop,
        b"".join(bare),
        ends - sizes,
        ends - 1,
    )
