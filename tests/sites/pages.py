"""A small site: stories in one template, and a page of another."""

from __future__ import annotations

from thresher.page import Page
from thresher.page.parse import parse

__all__ = ["BANNER", "NOTICE", "form", "stories", "story"]

NOTICE = (
    "Our mill has ground rye and wheat for the villages along the river since the old bridge was"
    " built, and visitors are welcome on Saturdays when the great wheel turns for everyone to see."
)
"""Reads like content, and stands below every story."""
BANNER = "The Mill Gazette"
_TOPICS = ("rye", "barley", "oats", "spelt", "millet", "maize", "wheat", "clover")
_THINGS = ("farmers", "bakers", "millers", "brewers", "traders", "gardeners", "teachers", "weavers")


def story(number: int) -> str:
    """Return the HTML of one story; no two have a sentence in common."""
    topic, thing = _TOPICS[number % 8], _THINGS[(number * 3 + number // 8) % 8]
    paragraphs = "".join(
        f"<p>In {topic} week {word} the {thing} of the valley {verb} what the {word} field"
        f" of {topic} had given them, and said that {thing} elsewhere should {verb} it too.</p>"
        for word, verb in (("first", "counted"), ("second", "weighed"), ("last", "praised"))
    )
    return (
        "<!doctype html><meta property='og:type' content='article'>"
        '<script type="application/ld+json">{"@type": "NewsArticle"}</script>'
        f"<title>On {topic} and {thing}</title><body class='post-{number}'>"
        f"<div class='top'><p>{BANNER}</p><ul><li><a href='/'>Home</a><li><a href='/a'>About</a>"
        f"</ul></div><main><article class='story post-{number}'><h1>On {topic} and {thing}</h1>"
        f"<p class='byline'>By {thing} number {number}, <time>{1 + number % 28} May 2026</time></p>"
        f"<div class='text'>{paragraphs}</div></article>"
        f"</main><section class='about box'><p>{NOTICE}</p></section>"
        f"<footer><p>{number} visitors. All rights reserved.</p></footer>"
    )


def form() -> str:
    """Return the HTML of a page that is not like the stories."""
    return (
        "<!doctype html><title>Write to us</title><section id='contact'><form><fieldset>"
        "<label>Your name</label><label>Your letter</label><button>Send</button>"
        "</fieldset></form></section><aside class='map'><figure><figcaption>The way to us."
        "</figcaption></figure></aside>"
    )


def stories(*numbers: int) -> list[Page]:
    """Return the pages of some stories."""
    return [parse(story(number)) for number in numbers]
