"""What names say."""

from __future__ import annotations

import pytest

from thresher.threads.wording import (
    ACCEPTED,
    AUTHOR,
    BODY,
    CHAFF,
    DATE,
    NAME,
    PROFILE,
    SCORE,
    bits_of,
    split_name,
)


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
        (b"comment-reply-link reply", CHAFF),
        (b"accepted-answer", ACCEPTED),
    ],
)
def test_names_say_what_they_hold(value: bytes, bit: int) -> None:
    """The names of the parts of posts must be known in all their spellings."""
    assert bits_of(value) & bit


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
    """A word inside another word, or of another thing, must say nothing."""
    assert not bits_of(value) & bit


def test_names_are_split_at_capitals() -> None:
    """Camel case must read as words."""
    assert b"post-body-2" == split_name(b"postBody-2")
