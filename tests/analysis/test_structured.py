"""Structured data of pages: results, and robustness against any page."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import soups
from thresher.analysis.structured import Structured, guess_language
from thresher.page.parse import parse


def read(html: str) -> Structured:
    return Structured(parse(html))


def script(content: str) -> str:
    return f'<script type="application/ld+json">{content}</script>'


def test_json_ld_of_all_scripts_is_in_order() -> None:
    """Objects in lists and graphs come out one by one, in the order of the page."""
    first = script('[{"name": "a"}, [{"name": "b"}]]')
    graph = {"@context": "https://schema.org", "@graph": [{"name": "c"}, {"name": "d"}]}
    found = read(first + script(json.dumps(graph)) + script('{"name": "e"}')).json_ld
    assert ["a", "b", "c", "d", "e"] == [entity["name"] for entity in found]


def test_json_ld_when_one_script_is_broken_keeps_the_others() -> None:
    """Invalid JSON affects only its own script."""
    assert ({"name": "a"},) == read(script("{") + script('{"name": "a"}')).json_ld


def test_json_ld_of_a_script_without_an_end_is_read() -> None:
    """Up to the end of the source, even in a drawing; a script in a template counts too."""
    begun = '<script type="application/ld+json">{"name": "R&amp;D"}'
    assert ({"name": "R&amp;D"},) == read(begun).json_ld
    assert ({"name": "R&D"},) == read(f"<svg>{begun}").json_ld
    assert ({"name": "R&amp;D"},) == read(f"<template>{begun}</script>").json_ld
    assert () == read(begun.replace(">{", "/>{").replace("<script", "<svg><script")).json_ld


def test_json_ld_when_type_has_case_spaces_or_parameters_is_read() -> None:
    """The type of a script is compared as a media type."""
    html = '<script type=" Application/LD+JSON; charset=utf-8">{"name": "a"}</script>'
    assert ({"name": "a"},) == read(html).json_ld


def test_meta_when_repeated_keeps_all_in_order_by_lower_case_name() -> None:
    """Names, properties and http-equiv share one table; empty contents are left out."""
    html = (
        '<meta name="DC.Creator" content=" Ada "><meta name="dc.creator" content="Tom">'
        '<meta property="og:title" content="Rye"><meta http-equiv="Content-Language" content="en">'
        '<meta name="keywords" content=" "><meta content="x"><meta name="">'
    )
    found = read(html)
    assert {
        "dc.creator": ["Ada", "Tom"],
        "og:title": ["Rye"],
        "content-language": ["en"],
    } == found.meta
    assert {"og:title": ["Rye"]} == found.opengraph
    assert {"dc.creator": ["Ada", "Tom"]} == found.dublin_core


def test_links_when_a_rel_has_several_words_are_found_by_each() -> None:
    """An address is listed under every word of its rel."""
    html = '<link rel="canonical" href="/a"><a rel="License nofollow" href="/b">x</a><a rel=x>y</a>'
    found = read(html)
    assert [["/a"], ["/b"], ["/b"], []] == [
        found.linked(rel) for rel in ("canonical", "license", "nofollow", "x")
    ]


def test_document_when_it_has_language_base_and_title() -> None:
    """Language, base and title are read as written; a drawing's title is not the page's."""
    html = '<html lang=en-GB><base href="/a/"><svg><title>x</title></svg><title>Rye &amp; oats'
    found = read(html)
    assert ("en-GB", "/a/", "Rye & oats") == (found.html_lang, found.base_href, found.title)


def test_structured_when_the_page_has_none_is_empty() -> None:
    """A page without structured data gives nothing."""
    found = read("<p>Rye")
    assert ((), (), {}, []) == (
        *(found.json_ld, found.microdata, found.meta),
        found.linked("canonical"),
    )
    assert (None, None, None) == (found.base_href, found.html_lang, found.title)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The farmers thresh their rye before the rain, as they have always done.", "eng"),
        ("Die Bauern dreschen ihren Roggen vor dem Regen, wie sie es immer getan haben.", "deu"),
        ("农民在下雨前打谷", "cmn"),
    ],
)
def test_guess_language_when_text_is_plain(text: str, code: str) -> None:
    """Plain sentences are recognised."""
    found = guess_language(text)
    assert found is not None
    assert code == found.code


def test_guess_language_when_there_are_no_letters_is_none() -> None:
    """Digits and symbols have no language."""
    assert guess_language("2024 – 05") is None


@given(soups(), st.text())
def test_read_structured_never_fails_on_tag_soup(soup: str, text: str) -> None:
    """Structured data of any page must be valid JSON."""
    found = read(soup + script(text) + f"<div itemscope itemprop=a {text}>")
    json.dumps([found.json_ld, found.microdata, found.meta, found.linked("a")], allow_nan=False)


def test_meta_when_the_content_is_called_value() -> None:
    """A value counts where there is no content."""
    html = "<meta name=author value=Ada><meta name=date content=2024-05-03 value=x>"
    assert {"author": ["Ada"], "date": ["2024-05-03"]} == read(html).meta
