"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re

import pytest

from thresher.support.late_pattern import compile_late


def test_the_methods_are_those_of_the_pattern() -> None:
    """A late pattern finds what the pattern finds, with its flags."""
    late = compile_late("(a+)b", re.IGNORECASE)
    found = late.search("xAAb")
    assert found is not None
    assert found[1] == "AA"
    assert late.sub("", "AabcAB") == "c"
    assert late.pattern == "(a+)b"


def test_an_invalid_pattern_raises_when_it_is_used() -> None:
    """Nothing is compiled before the first use."""
    late = compile_late(b"(")
    with pytest.raises(re.error):
        late.search(b"x")
