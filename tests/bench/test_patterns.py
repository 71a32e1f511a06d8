"""Patterns are found with their use, and ambiguous ones are told from linear ones."""

from __future__ import annotations

import re

import pytest

from bench.pattern_ambiguity import find_ambiguity
from bench.patterns import Found, find_patterns

LINEAR = {
    "a loop that ends the match": ("a+", "search"),
    "a loop behind what it cannot read": (r"(?<!\s)\s+$", "search"),
    "a tag without a tag in it": ("<[^<>]*>", "search"),
    "a loop that leaves nothing to the next": ("a*+a*b", "match"),
    "one character of two": ("(?:a|b)*c", "match"),
    "a whole word": (r"\b\w+\b!", "search"),
    "what is counted": ("x?x?x?y{0,30}z", "search"),
    "at the beginning of a text": (r"^\s*a", "search"),
    "a loop that gives back one": ("[A-Z]+(?![a-z])|[A-Z]?[a-z]+", "search"),
    "languages": (r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*", "fullmatch"),
    "the same again": (r"(\d\d?)([./-])(\d\d?)\2(?:\d{4})", "search"),
}
OTHERS = {
    "two loops in a row": ("a*a*b", "match", "polynomial"),
    "two loops with what may be missing between": (r"\d+[.,]?\d*x", "match", "polynomial"),
    "a loop in a loop": ("(a*)*b", "match", "exponential"),
    "parts of words": (r"(?:\w+\s*)*!", "match", "exponential"),
    "counted in a loop": (r"a(?:\d{1,3},?)+b", "match", "exponential"),
    "a loop that begins anywhere": ("a+b", "search", "anywhere"),
    "white space at the end": (r"\s+$", "search", "anywhere"),
    "a tag": ("<[^>]*>", "search", "anywhere"),
    "the dearer one of two": ("(?:a+b|a)", "search", "anywhere"),
    "looking far ahead": ("(?=[^<]*<)b", "search", "anywhere"),
    "at the beginning of a line": (r"(?m)^\s*a", "search", "anywhere"),
    "what a picture's text is": (r"\\[A-Za-z]{2,}(?=.*[{^_])", "search", "polynomial"),
    "CDATA": (r"(?s)<!\[CDATA\[(.*?)%?\s*\]\]>", "match", "polynomial"),
    "a word before a name": (r"(?:^|[\s_-])\w*publish", "search", "anywhere"),
}
POSSESSIVE = {
    "thresher.page.attribute_counts._ATTRIBUTE",
    "thresher.page.attribute_counts._TAG",
    "thresher.page.xml_syntax._REST",
    "thresher.proxy.rewrite._TOKEN",
    "thresher.writers.shared.editing._COMMENT",
    "thresher.writers.stream.markup._ATTRIBUTE",
    "thresher.writers.stream.markup._TAG",
}
"""Patterns whose repeats are possessive or atomic: they never go back into an attribute they have
read, which the analysis of ambiguity does not take in."""
TO_THE_END = {"thresher.feeds.reading._PROLOG", "thresher.feeds.reading._TOKEN"}
"""Patterns that match wherever they get to: what is not closed is read to the end of the text."""
OF_THE_REPOSITORY = {"thresher.native.table._SEPARATOR", "thresher.native.table._STEP"}
"""Patterns that only read a file of this repository."""


@pytest.mark.parametrize(("pattern", "use"), LINEAR.values(), ids=list(LINEAR))
def test_linear_patterns_are_not_ambiguous(pattern: str, use: str) -> None:
    """A linear pattern never has two ways of matching a text that must both be tried."""
    assert find_ambiguity(re.compile(pattern), use) is None


@pytest.mark.parametrize(("pattern", "use", "kind"), OTHERS.values(), ids=list(OTHERS))
def test_other_patterns_are_ambiguous(pattern: str, use: str, kind: str) -> None:
    """An ambiguous pattern is reported with the text that it matches in two ways, and its cost."""
    ambiguity = find_ambiguity(re.compile(pattern), use)
    assert ambiguity
    assert ambiguity.stretch
    assert kind == ambiguity.kind


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
        "thresher.writers.fragment.media._VIEWERS",
        "thresher.analysis.metadata.visible.DATELINES",
        "thresher.analysis.metadata.normalise",
    ):
        assert place in places
    uses = {each.place: each.use for each in found}
    assert "search" == uses["thresher.analysis.metadata.visible.DATELINES"]  # in a tuple
    assert "fullmatch" == uses["thresher.analysis.links._REDIRECTS"]
    assert "match" == uses["thresher.analysis.embedded.scripts._STRING_STOPS"]
    assert all(isinstance(each.pattern, re.Pattern) for each in found)
