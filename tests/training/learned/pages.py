"""Labelled pages of made-up sites, for tests of training: stories, threads, and empty pages."""

from __future__ import annotations

import random
from typing import Final

import numpy as np

from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.role_labels.labels import RoleLabel, digest_html
from thresher.page.parse import parse
from thresher.page.tags import flags_of
from thresher.roles import ROLES
from thresher.training.learned.encoding import Encoding, fit_encoding
from thresher.training.learned.examples import Example, make_examples

N_SITE: Final = 20
"""Number of sites of `make_pages`: more than the number on which a known name must occur."""
_TAGS_OF: Final = {"title": "h1 h3", "navigation": "nav", "related": "aside", "legal": "footer"}
"""Elements whose blocks have some role; all others are the body."""
_WORDS: Final = (
    "barley bran chaff crop dough ear field flour grain grist harvest husk kernel loaf mill oats "
    "plough quern rye scythe sheaf sieve sower stalk stone straw thresh wheat wheel winnow"
).split()


def make_pages(n_site: int = N_SITE) -> list[LabelledPage]:
    """Write two pages per site, of several kinds."""
    return [write_page(site, number) for site in range(n_site) for number in range(2)]


def prepare() -> tuple[list[Example], Encoding]:
    """Make examples of pages, half of them with role labels, and fit an encoding to them."""
    pages = make_pages()
    labels = {(page.corpus, page.id): (label_roles(page),) for page in pages[::2]}
    examples = list(make_examples(pages, labels))
    return examples, fit_encoding(examples)


def label_roles(labelled: LabelledPage) -> RoleLabel:
    """Label the roles of a page that `write_page` wrote."""
    page = parse(labelled.html, url=labelled.url)
    roles = np.full(len(page.blocks), ROLES.index("body"), np.int8)
    for role, tags in _TAGS_OF.items():
        inside = page.within(flags_of(tags)[page.tag])[page.block_leaf]
        roles[inside] = ROLES.index(role)
    return RoleLabel(labelled.corpus, labelled.id, digest_html(labelled.html), "r1", roles)


def write_page(site: int, number: int) -> LabelledPage:
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
        "wcxb_dev",
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
