"""Joining pieces of a buffer."""

from __future__ import annotations

import numpy as np

from thresher.page.scan import IntArray
from thresher.writers.outline.pieces import Pieces, Rank


def at(*places: int) -> IntArray:
    return np.array(places, np.int32)


def test_pieces_are_in_order_of_position_when_joined() -> None:
    """Slices must come in the order of the buffer, whatever order they were given in."""
    pieces = Pieces()
    pieces.cut(at(4, 0), at(6, 2))
    pieces.cut(at(2), at(4))
    assert b"abcdef" == pieces.join(b"abcdefgh")


def test_pieces_at_one_position_are_in_order_of_rank_when_joined() -> None:
    """End tags must come before start tags, and slices last."""
    pieces = Pieces()
    pieces.cut(at(2), at(3))
    pieces.put(at(2), Rank.OPEN_RUN, b"<p>")
    pieces.put(at(2), Rank.GAP, b" ")
    pieces.put(at(2), Rank.CLOSE_RUN, b"</p>")
    pieces.move(at(2), Rank.OPEN_LINK, at(0), at(1))
    assert b"</p> <p>ac" == pieces.join(b"abc")


def test_literals_are_not_slices_when_their_index_is_a_position() -> None:
    """A literal must not be joined to the slice before it, whatever its index."""
    pieces = Pieces()
    pieces.put(at(9), Rank.GAP, b"x")
    pieces.put(at(1), Rank.GAP, b"y")
    pieces.cut(at(0), at(1))
    assert b"ayx" == pieces.join(b"abcdefghij")


def test_pieces_are_elsewhere_when_they_are_diverted() -> None:
    """What is in a span must come at its new place, in order, between what opens and closes it."""
    pieces = Pieces()
    pieces.cut(at(0, 2, 4), at(2, 4, 6))
    pieces.put(at(3), Rank.GAP, b"-")
    pieces.put(at(6), Rank.CLOSE_RUN, b"</p>")
    pieces.divert(np.array([[2, 4], [4, 5]], np.int32), at(6, 6), [b"<i>", b"<b>"], b"</>")
    pieces.cut(at(6), at(8))
    assert b"ab</p><i>cd-</><b>ef</>gh" == pieces.join(b"abcdefgh")
