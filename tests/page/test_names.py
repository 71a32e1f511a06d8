"""Names in a byte buffer are compared by their packed words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.page.names import MAX_NAME_BYTES, pack_between, pack_names, pack_names_at
from thresher.page.tags import NAMES

_names = st.text(alphabet="abp-1\u00e9\u540d", min_size=1, max_size=20)


@given(st.lists(_names, min_size=1, max_size=8), _names)
def test_pack_names_at_finds_exactly_the_equal_names(names: list[str], wanted: str) -> None:
    """Packed names are equal exactly if the names are, whichever byte ends them."""
    wanted = wanted.encode()[:MAX_NAME_BYTES].decode(errors="ignore") or "a"
    buffer = "".join(f"{name}{'> '[i % 2]}" for i, name in enumerate(names)).encode()
    sizes = [len(name.encode()) + 1 for name in names]
    starts = np.cumsum([0, *sizes[:-1]])
    found, known = pack_names_at(buffer, starts, b" >"), pack_names(wanted)
    same = (found.low == known.low) & (found.high == known.high)
    assert [name == wanted for name in names] == same.tolist()


@pytest.mark.parametrize("size", [1, 7, 8, 9, 14, 15])
def test_pack_names_at_end_of_buffer(size: int) -> None:
    """A name that the buffer's end cuts off is read without reaching beyond it."""
    found, known = pack_names_at(b"x" * size, np.array([0]), b" >"), pack_names("x" * size)
    assert (known.low[0], known.high[0]) == (found.low[0], found.high[0])


def test_pack_names_at_of_a_long_name() -> None:
    """A name longer than any known one equals none of its beginnings."""
    found = pack_names_at(b"abcdefghijklmnopqrst ", np.array([0]), b" >")
    known = pack_names(*("abcdefghijklmno"[:size] for size in range(1, 16)))
    assert not ((known.low == found.low) & (known.high == found.high)).any()


@given(st.lists(st.text("ab", max_size=20), min_size=1, max_size=8))
def test_pack_between_reads_up_to_sixteen_bytes(names: list[str]) -> None:
    """Names with known ends are packed up to their 16th byte, zero-padded."""
    stops = np.cumsum([len(name) for name in names])
    starts = stops - [len(name) for name in names]
    found = pack_between("".join(names).encode(), starts, stops)
    read = np.stack(found, axis=1).tobytes()
    assert b"".join(name[:16].encode().ljust(16, b"\0") for name in names) == read


def test_pack_names_of_a_name_that_is_too_long() -> None:
    """A name that does not fit into two words is refused; bytes count, not letters."""
    with pytest.raises(ValueError, match="15 bytes"):
        pack_names("div", "\u00e9" * 8)


def test_keys_of_the_known_tag_names() -> None:
    """No two known tag names share a key, so one search finds a name."""
    assert len(NAMES) == np.unique(pack_names(*NAMES).key).size
