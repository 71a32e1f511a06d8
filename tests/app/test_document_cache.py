"""Cache of extracted documents."""

from __future__ import annotations

from dataclasses import replace

from tests.sites.pages import NOTICE, story
from thresher.app.engine import DocumentKey, PageSource, open_document
from thresher.app.method_form import MethodQuery
from thresher.limits import Limits
from thresher.sites import HostRules, Rules

PAGE = DocumentKey(
    PageSource(story(1), "https://www.mill.example/1"), MethodQuery(), Limits(), HostRules()
)


def test_the_same_look_is_the_same_document() -> None:
    """Equal keys share a document; another method, rules or bytes do not."""
    document = open_document(PAGE)
    assert document is open_document(replace(PAGE))
    for other in (
        replace(PAGE, chosen=MethodQuery("slope")),
        replace(PAGE, source=PageSource(story(2))),
        replace(PAGE, rules=HostRules(Rules(drop=(".about",)))),
    ):
        assert document is not open_document(other)


def test_rules_hold() -> None:
    """The rules of the page's host apply."""
    everything = replace(PAGE, chosen=MethodQuery("keep_all"))
    assert NOTICE in open_document(everything).text
    ruled = replace(everything, rules=HostRules(Rules(drop=(".about",))))
    assert NOTICE not in open_document(ruled).text


def test_large_pages_are_not_remembered() -> None:
    """Large pages are not cached."""
    large = replace(
        PAGE, source=PageSource("<p>Rye." + " " * 1_000_001), chosen=MethodQuery("keep_all")
    )
    assert open_document(large) is not open_document(large)
