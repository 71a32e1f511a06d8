"""Every pattern of the package is found with its use, and is linear."""

from __future__ import annotations

import re

import pytest

from bench.patterns.ambiguity import find_ambiguity
from bench.patterns.finding import Found, find_patterns

POSSESSIVE = {
    "thresher.page.xml_syntax._REST",
    "thresher.proxy.xhtml._TOKEN",
    "thresher.writers.shared.cutting._COMMENT",
    "thresher.writers.stream.markup._ATTRIBUTE",
    "thresher.writers.stream.markup._TAG",
}
"""Patterns whose repeats are possessive or atomic: they never go back into an attribute they have
read, which the analysis of ambiguity does not take in."""


OF_THE_REPOSITORY = {"thresher.native.table._SEPARATOR", "thresher.native.table._STEP"}
"""Patterns that only read a file of this repository."""


@pytest.fixture(scope="module")
def found() -> list[Found]:
    return list(find_patterns())


@pytest.mark.slow
def test_patterns_are_linear(found: list[Found]) -> None:
    """No page can make one of our patterns block the interpreter: see `bench.patterns`."""
    slow = [
        f"{each.place} ({each.use}): {ambiguity}"
        for each in found
        if each.place not in POSSESSIVE | OF_THE_REPOSITORY
        and (ambiguity := find_ambiguity(each.pattern, each.use))
    ]
    assert [] == slow
    # The modules of the proxy are found only where mitmproxy is installed.
    assert OF_THE_REPOSITORY <= {each.place for each in found}


@pytest.mark.slow
def test_patterns_are_found_wherever_they_stand(found: list[Found]) -> None:
    """Patterns are found in globals, tables and calls, of text and of bytes, with their use."""
    places = {each.place.partition(":")[0] for each in found}
    for place in (
        "thresher.writers.math.tex_images._COMMAND",
        "thresher.writers.fragment.embeds._VIEWERS",
        "thresher.analysis.metadata.visible._DATELINE",
        "thresher.analysis.metadata.build",
    ):
        assert place in places
    uses = {each.place: each.use for each in found}
    assert "search" == uses["thresher.analysis.metadata.visible._DATELINE"]  # handed on to a cache
    assert "fullmatch" == uses["thresher.analysis.tracking._REDIRECTS"]
    assert "match" == uses["thresher.analysis.embedded.scripts._STRING_STOPS"]
    assert all(isinstance(each.pattern, re.Pattern) for each in found)
