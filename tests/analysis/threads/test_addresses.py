"""Addresses of links tell of persons, boards and posts."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.parts import find_parts_in
from thresher.analysis.threads.hints import (
    _MEMBER,
    _PERSON_PARTS,
    _POST,
    _POST_PARTS,
    _PROFILE,
    LinkAddresses,
)
from thresher.page.parse import parse

PAGE = parse(
    "<link href='/u/x'><a id=a href='/author/x'>a</a><a id=b href='/Member.php?u=1'>b</a>"
    "<a id=c href='?p=1#p12'>c</a><a id=d href='/news/x'>d</a><a id=e href='/@rye'>e</a>"
    "<a id=f href='/author/x'>f</a>"
)


def called(flags: np.ndarray) -> list[str]:
    """Return the ids of flagged elements."""
    return [PAGE.attrs(row).get("id", "") for row in np.flatnonzero(flags).tolist()]


def test_links_tell_of_members_and_posts() -> None:
    """Addresses of profiles, of members of boards and of numbered posts are known."""
    links = LinkAddresses(PAGE)
    assert ["a", "b", "e", "f"] == called(links.profiles)
    assert ["b"] == called(links.members)
    assert ["c"] == called(links.posts)
    assert ["a", "b", "d", "e", "f"] == called(links.without_fragment)


@pytest.mark.parametrize("pattern", [_PROFILE, _MEMBER], ids=["profile", "member"])
@given(data=st.data())
def test_addresses_of_persons_have_a_part_to_look_for(
    pattern: re.Pattern[bytes], data: st.DataObject
) -> None:
    """Whatever matches contains one of the parts."""
    address = data.draw(st.from_regex(pattern)).lower()
    assert find_parts_in([b'"' + address], _PERSON_PARTS)[0]


@given(st.from_regex(_POST))
def test_addresses_of_posts_have_a_part_to_look_for(address: bytes) -> None:
    """Whatever matches contains one of the parts."""
    assert find_parts_in([address.lower()], _POST_PARTS)[0]
