"""Texts in JSON-LD about its page."""

from __future__ import annotations

import json

import pytest

from thresher.analysis.embedded.scripts import read_texts

CASES = {
    "body": ({"@type": "Article", "articleBody": "x"}, [("[0].articleBody", "x")]),
    "body in parts": ({"articleBody": ["x", "y"]}, [("[0].articleBody", "x\n\ny")]),
    "body without a type": ({"articleBody": "x"}, [("[0].articleBody", "x")]),
    "main entity": (
        {"@type": "WebPage", "mainEntity": {"@type": "Article", "articleBody": "x"}},
        [("[0].mainEntity.articleBody", "x")],
    ),
    "graph": (
        {"@graph": [{"@type": "WebSite"}, {"articleBody": "x"}]},
        [("[1].articleBody", "x")],
    ),
    "post": (
        {"@type": "DiscussionForumPosting", "text": "x"},
        [("[0].text", ["x"])],
    ),
    "product": ({"@type": ["Product"], "description": "x"}, [("[0].description", ["x"])]),
    "description of an article": ({"@type": "Article", "description": "x"}, []),
    "text of something else": ({"@type": "Comment", "text": "x"}, []),
    "body of what it links": ({"@type": "Article", "hasPart": {"articleBody": "x"}}, []),
    "no text": ({"articleBody": 7, "@type": "Product", "description": None}, []),
    "type that is none": ({"@type": {"a": 1}, "description": "x"}, []),
}


@pytest.mark.parametrize(("value", "expected"), CASES.values(), ids=CASES)
def test_read_texts(value: object, expected: list[tuple[str, object]]) -> None:
    """Only what is said to be the page's own text comes out, with its place."""
    assert expected == list(read_texts(json.dumps(value)))


def test_read_texts_of_a_recipe() -> None:
    """A recipe is its description, what goes in, and the steps in order."""
    recipe = {
        "@type": "Recipe",
        "description": "Soup",
        "recipeIngredient": ["salt", "leek"],
        "recipeInstructions": [{"@type": "HowToStep", "text": "Boil"}, "Stir", {"image": "x"}],
    }
    [(path, text)] = read_texts(json.dumps(recipe))
    assert "[0].description, recipeIngredient, recipeInstructions" == path
    assert [
        "Soup",
        {"type": "ul", "children": ["salt", "leek"]},
        {"type": "ol", "children": ["Boil", "Stir"]},
    ] == text


@pytest.mark.parametrize("script", ["", "{", "[" * 100_000, "null"])
def test_read_texts_when_broken(script: str) -> None:
    """Invalid JSON has no text."""
    assert [] == list(read_texts(script))
