"""Tokens of what a page declares about itself."""

from __future__ import annotations

from tests.helpers.data import cases
from thresher.features.declared import read_declared
from thresher.page.parse import parse


def read(html: str, url: str | None = None) -> set[int]:
    """Return the tokens of what a page declares."""
    found = read_declared(parse(html, url=url)).tolist()
    assert len(found) == len(set(found))
    return set(found)


def test_a_bare_page_declares_nothing() -> None:
    """Without declarations there are no tokens."""
    assert set() == read("<p>x") == read("<p>x", "not an address") == read("<p>x", "http://[")


@cases(__file__, "tokens")
def test_types_and_generators_are_tokens(html: str, n_token: int) -> None:
    """OpenGraph type, generator and the types of JSON-LD are read, each word once."""
    assert n_token == len(read(html + "<p>x"))


def test_equal_words_of_different_origin_are_different_tokens() -> None:
    """An article by OpenGraph and one by JSON-LD are two statements."""
    by_meta = read('<meta property="og:type" content="article"><p>x')
    by_script = read('<script>{"@type": "Article"}</script><p>x')
    assert 2 == len(by_meta | by_script)


def test_types_beyond_the_first_64_are_not_read() -> None:
    """A long list is repetitive: reading it to the end would add nothing."""
    items = "".join(f'{{"@type":"{kind}"}}' for kind in ["Item"] * 64 + ["Late"])
    assert 1 == len(read(f"<script>{items}</script><p>x"))


def test_words_and_shape_of_the_address_are_tokens() -> None:
    """The path counts, not the host: its words, its depth, and the shape of its last segment."""
    story = read("<p>x", "https://mill.example/news/old-stone-2")
    assert story == read("<p>y", "https://other.example/news/old-stone-2")
    assert 6 == len(story)  # news, old, stone; two parts, two hyphens, a digit
    assert 1 == len(read("<p>x", "https://mill.example/"))
    query = read("<p>x", "https://mill.example/news/old-stone-2?page=2") - story
    assert 1 == len(query)
    suffix = read("<p>x", "https://mill.example/news/old-stone-2.html") - story
    assert 2 == len(suffix)  # one for the word, one for its place
