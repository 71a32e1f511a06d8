"""Words in names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.analysis.threads import names as markup_names
from thresher.analysis.threads.names import (
    ACCEPTED,
    AUTHOR,
    AUTHOR_OR_DATE,
    AUTHOR_OR_DATE_PARTS,
    BODY,
    BOILERPLATE,
    DATE,
    NAME,
    PROFILE,
    PROPERTIES,
    PROPERTY_PARTS,
    SCORE,
    author_or_date_bits,
    part_bits,
    property_bits,
    split_name,
)


def bits_of(value: bytes, bit: int) -> int:
    """Return the bits of a value that are read together with one of them."""
    return (author_or_date_bits if bit & AUTHOR_OR_DATE else part_bits)(value)


@pytest.mark.parametrize(
    ("value", "bit"),
    [
        (b"comment-author vcard", AUTHOR),
        (b"userName", AUTHOR),
        (b"hnuser", NAME),
        (b"post-date", DATE),
        (b"js-vote-count", SCORE),
        (b"likeCount", SCORE),
        (b"comment_text", BODY),
        (b"bbWrapper", BODY),
        (b"postprofile", PROFILE),
        (b"signature restrain", PROFILE),
        (b"comment-reply-link reply", BOILERPLATE),
        (b"accepted-answer", ACCEPTED),
    ],
)
def test_names_say_what_they_hold(value: bytes, bit: int) -> None:
    """The names of the parts of posts must be known in all their spellings."""
    assert bits_of(value, bit) & bit


@pytest.mark.parametrize(
    ("value", "bit"),
    [
        (b"authority", AUTHOR),
        (b"author-avatar", AUTHOR),
        (b"updated-by", DATE),
        (b"reputation-score", SCORE),
        (b"message-userContent", PROFILE),
        (b"textile", BODY),
    ],
)
def test_names_do_not_say_what_they_only_contain(value: bytes, bit: int) -> None:
    """A word inside another word, or for another thing, must not match."""
    assert not bits_of(value, bit) & bit


@pytest.mark.parametrize(
    "pattern", [p for bit, p in markup_names._PATTERNS if bit & AUTHOR_OR_DATE]
)
@given(data=st.data())
def test_what_is_looked_for_first_is_in_all_names(
    pattern: re.Pattern[bytes], data: st.DataObject
) -> None:
    """The quick test must not rule out a name of an author or a date."""
    name = data.draw(st.from_regex(pattern))
    assert any(part in name for part in AUTHOR_OR_DATE_PARTS.texts)


def test_properties_are_words_of_a_value() -> None:
    """In any case; each has a part that is looked for first."""
    assert AUTHOR | DATE == property_bits(b"x Author datePublished")
    assert all(any(part in word for part in PROPERTY_PARTS.texts) for word in PROPERTIES)


def test_names_are_split_at_capitals() -> None:
    """Camel case must be split into words."""
    assert b"post-body-2" == split_name(b"postBody-2")
