"""Parts of spans are found in one pass, with the compiled step and with numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.kernel_comparison import call_both
from tests.helpers.parts import find_parts_in
from thresher.page.parts import CLASS_PARTS, Parts, find_parts

PARTS = Parts(b"tip", b"note", b"no-", b"x")


def find(values: list[bytes], parts: Parts = PARTS) -> list[list[bytes]]:
    """Return the parts that are found in each value, by kernel and definition alike."""
    ends = np.cumsum([0, *map(len, values)]).astype(np.int32)
    found = call_both(find_parts, b"".join(values), ends[:-1], ends[1:], parts)
    return [[part for part in parts.texts if bits & parts.bits(part)] for bits in found]


def test_parts_are_found_in_each_span() -> None:
    """Anywhere in it and in any case, but not across the edge of two."""
    values = [b"tooltip x", b"NOTE no-note", b"", b"t", b"ip", b"n\xc3\xb6te", b"X"]
    assert [[b"tip", b"x"], [b"note", b"no-"], [], [], [], [], [b"x"]] == find(values)


def test_texts_outside_a_page_are_searched_alike() -> None:
    """Each text of a list has its own bits; without any there are none."""
    bits = [int(PARTS.bits(b"tip")), 0, int(PARTS.bits(b"note", b"no-"))]
    assert bits == find_parts_in([b"TIPS", b"ti", b"no-note"], PARTS).tolist()
    assert [] == find_parts_in([], PARTS).tolist()


@given(st.lists(st.text("tipnoex- TIPNOX\x00é").map(str.encode), max_size=6))
def test_any_values_give_what_a_search_gives(values: list[bytes]) -> None:
    """For each part and value."""
    expected = [[part for part in PARTS.texts if part in value.lower()] for value in values]
    assert expected == find(values)


def test_unknown_parts_are_errors() -> None:
    """A bit of one that is not searched would never be found."""
    with pytest.raises(ValueError, match="not in tuple"):
        PARTS.bits(b"hint")


def test_all_parts_have_a_bit() -> None:
    """Of 32, and the step takes them."""
    assert [list(CLASS_PARTS.texts)] == find([b" ".join(CLASS_PARTS.texts)], CLASS_PARTS)
