"""Labelled pages of made-up sites, for tests of training: stories, threads, and empty pages."""

from __future__ import annotations

import random
from typing import Final

from thresher.evaluation.corpora import LabelledPage
from thresher.training.learned.encoding import Encoding, fit_encoding
from thresher.training.learned.examples import Example, make_examples

__all__ = ["N_SITE", "make_pages", "prepare", "write_page"]

N_SITE: Final = 20
"""Sites of `make_pages`: more than a name must be seen on to be known."""
_WORDS: Final = (
    "barley bran chaff crop dough ear field flour grain grist harvest husk kernel loaf mill oats "
    "plough quern rye scythe sheaf sieve sower stalk stone straw thresh wheat wheel winnow"
).split()


def make_pages(n_site: int = N_SITE, *, corpus: str = "wcxb_dev") -> list[LabelledPage]:
    """Write two pages a site, of several kinds."""
    return [write_page(site, number, corpus) for site in range(n_site) for number in range(2)]


def prepare(n_site: int = N_SITE) -> tuple[list[Example], Encoding]:
    """Make examples of pages, and fit an encoding to them."""
    examples = list(make_examples(make_pages(n_site)))
    return examples, fit_encoding(examples)


def write_page(site: int, number: int, corpus: str = "wcxb_dev") -> LabelledPage:
    """Write a page of a site: every fifth site is a forum, every tenth page has no content."""
    luck = random.Random(1000 * site + number)
    is_forum = site % 5 == 4
    texts = [_write_text(luck) for _ in range(luck.randint(3, 6))]
    if (2 * site + number) % 10 == 9:
        texts = []
    wraps = ["<li class=post{0}>{1}"] if is_forum else ["<div class=c{0}>{1}</div>", "<p>{1}"]
    wrap, heading = luck.choice(wraps), "h3" if is_forum else "h1"
    story = "".join(wrap.format(site, text) for text in texts)
    name = " ".join(luck.choices(_WORDS, k=3)).title()
    main = f"<main class='site{site} entry-content'><{heading}>{name}</{heading}>{story}</main>"
    html = (
        f"<!doctype html><html><head><title>{name}</title></head><body>"
        f"<nav class=menu><ul>{_write_links(luck, 8)}</ul></nav>{main if texts else ''}"
        f"<aside class=related><h2>More</h2><ul>{_write_links(luck, 5)}</ul></aside>"
        f"<footer><ul>{_write_links(luck, 4)}</ul><p>All rights kept by mill {site}.</p></footer>"
    )
    return LabelledPage(
        corpus,
        f"{site}-{number}",
        html,
        url=f"https://news.mill{site}.example/{'topic' if is_forum else 'story'}/{number}",
        text="\n".join([name, *texts]) if texts else "",
        page_type="forum" if is_forum else "article",
    )


def _write_text(luck: random.Random) -> str:
    sentences = (
        f"{' '.join(luck.choices(_WORDS, k=luck.randint(6, 14))).capitalize()}." for _ in range(3)
    )
    return " ".join(sentences)


def _write_links(luck: random.Random, count: int) -> str:
    return "".join(f"<li><a href=/{i}>{luck.choice(_WORDS)}</a></li>" for i in range(count))
