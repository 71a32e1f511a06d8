"""Every pattern of the package is found with its use, and is linear."""

from __future__ import annotations

import re

import pytest

from bench.pattern_ambiguity import find_ambiguity
from bench.patterns import Found, find_patterns

POSSESSIVE = {
    "thresher.page.attribute_counts._ATTRIBUTE",
    "thresher.page.attribute_counts._TAG",
    "thresher.page.xml_syntax._REST",
    "thresher.proxy.rewrite._TOKEN",
    "thresher.writers.shared.cutting._COMMENT",
    "thresher.writers.stream.markup._ATTRIBUTE",
    "thresher.writers.stream.markup._TAG",
}
"""Patterns whose repeats are possessive or atomic: they never go back into an attribute they have
read, which the analysis of ambiguity does not take in."""


TO_THE_END = {"thresher.feeds.mending._PROLOG", "thresher.feeds.mending._TOKEN"}
"""Patterns that match wherever they get to: what is not closed is read to the end of the text."""
OF_THE_REPOSITORY = {"thresher.native.table._SEPARATOR", "thresher.native.table._STEP"}
"""Patterns that only read a file of this repository."""


@pytest.mark.slow
def test_patterns_are_found_and_linear() -> None:
    """No page can make one of our patterns block the interpreter: see `bench.patterns`."""
    found = list(find_patterns())
    check_that_all_are_found(found)
    slow = [
        f"{each.place} ({each.use}): {ambiguity}"
        for each in found
        if each.place not in POSSESSIVE | TO_THE_END | OF_THE_REPOSITORY
        and (ambiguity := find_ambiguity(each.pattern, each.use))
    ]
    assert [] == slow


def check_that_all_are_found(found: list[Found]) -> None:
    """Check that patterns of globals, tables and calls, of text and of bytes, have their use."""
    # The modules of the proxy are found only where mitmproxy is installed.
    assert OF_THE_REPOSITORY <= {each.place for each in found}
    places = {each.place.partition(":")[0] for each in found}
    for place in (
        "thresher.writers.math.tex._COMMAND",
        "thresher.writers.fragment.embeds._VIEWERS",
        "thresher.analysis.metadata.visible.DATELINES",
        "thresher.analysis.metadata.normalise",
    ):
        assert place in places
    uses = {each.place: each.use for each in found}
    assert "search" == uses["thresher.analysis.metadata.visible.DATELINES"]  # in a tuple
    assert "fullmatch" == uses["thresher.analysis.links._REDIRECTS"]
    assert "match" == uses["thresher.analysis.embedded.scripts._STRING_STOPS"]
    assert all(isinstance(each.pattern, re.Pattern) for each in found)
