"""Literals that compiled steps copy."""

from __future__ import annotations

from thresher.writers.json import join_literals


def test_literals_are_found_by_their_offsets() -> None:
    """Each literal must be cut out by its number, whatever letters it has."""
    literals = ["", "a", "", "mühle", "\ud800", "z"]
    joined, offset = join_literals(literals[2:], join_literals(literals[:2]))
    places = offset.tolist()
    cut = [joined[place : places[number + 1]] for number, place in enumerate(places[:-1])]
    assert literals == [each.decode("utf-8", "surrogatepass") for each in cut]
    assert len(joined) == places[-1]
