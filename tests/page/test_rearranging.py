"""Canonical HTML is rewritten in linear time, and each element known by its place."""

from __future__ import annotations

import numpy as np

from thresher.page.rearranging import Markup, Moved, Rewrite, rearrange

BUFFER = b"<a></a><b></b><c></c>"
STARTS = np.array([0, 7, 14], np.int32)


def rewrite(*rewrites: Rewrite) -> tuple[bytes, list[int]]:
    """Return the rewritten buffer and the elements in it."""
    html, order = rearrange(BUFFER, STARTS, list(rewrites))
    return html, order.tolist()


def test_markup_replaces_and_is_added() -> None:
    """A start tag that is replaced stays the element; a new one is none."""
    renamed = Rewrite(7, 10, (Markup(b"<x>", (7,)),))
    added = Rewrite(14, 14, (Markup(b"<y></y>", (-1,)),))
    assert (b"<a></a><x></b><y></y><c></c>", [0, 1, -1, 2]) == rewrite(added, renamed)


def test_moved_part_is_written_once_with_the_rewrites_in_it() -> None:
    """It is left out where it was."""
    moved = Rewrite(0, 7), Rewrite(17, 17, (Moved(0, 7),))
    renamed = Rewrite(0, 3, (Markup(b"<x>", (0,)),))
    assert (b"<b></b><c><x></a></c>", [1, 2, 0]) == rewrite(*moved, renamed)


def test_part_is_moved_into_a_moved_part() -> None:
    """As where a shadow tree is in the slot of another."""
    inner = Rewrite(0, 7), Rewrite(10, 10, (Moved(0, 7),))
    outer = Rewrite(7, 14), Rewrite(17, 17, (Moved(7, 14),))
    assert (b"<c><b><a></a></b></c>", [2, 1, 0]) == rewrite(*inner, *outer)


def test_rewrites_in_a_replaced_part_do_not_count() -> None:
    """What replaces it does."""
    replaced = Rewrite(7, 14, (Markup(b"x"),))
    assert (b"<a></a>x<c></c>", [0, 2]) == rewrite(replaced, Rewrite(10, 10, (Markup(b"y"),)))
