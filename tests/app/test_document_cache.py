"""A page that is looked at again is not worked on again."""

from __future__ import annotations

from dataclasses import replace

from tests.sites.pages import NOTICE, story
from thresher.app.document_cache import DocumentKey, open_document
from thresher.app.method_form import MethodQuery
from thresher.app.page_cache import Source
from thresher.limits import Limits
from thresher.sites import HostRules, Rules

PAGE = DocumentKey(
    Source(story(1), "https://www.mill.example/1"), MethodQuery(), Limits(), HostRules()
)


def test_the_same_look_is_the_same_document() -> None:
    """Another method, other rules or other bytes are another."""
    document = open_document(PAGE)
    assert document is open_document(replace(PAGE))
    for other in (
        replace(PAGE, chosen=MethodQuery("slope")),
        replace(PAGE, source=Source(story(2))),
        replace(PAGE, rules=HostRules(Rules(drop=(".about",)))),
    ):
        assert document is not open_document(other)


def test_rules_hold() -> None:
    """They are those of the page's own host."""
    everything = replace(PAGE, chosen=MethodQuery("keep_all"))
    assert NOTICE in open_document(everything).text
    ruled = replace(everything, rules=HostRules(Rules(drop=(".about",))))
    assert NOTICE not in open_document(ruled).text


def test_large_pages_are_not_remembered() -> None:
    """A few of them would take the memory that the next page needs."""
    large = replace(
        PAGE, source=Source("<p>Rye." + " " * 1_000_001), chosen=MethodQuery("keep_all")
    )
    assert open_document(large) is not open_document(large)
