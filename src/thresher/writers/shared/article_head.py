"""Headline, lead, byline and lead picture of an article, restored where a method drops them.

Methods report the title as metadata, and training labels mostly exclude the lines below it. On a
page that is written in place a reader misses them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Final

import numpy as np

from thresher.analysis.companions import is_player
from thresher.analysis.pictures import find_shared_picture
from thresher.chunking import find_headings
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, HEADINGS, flags_of
from thresher.roles import ROLES
from thresher.selection import Selection

_FIGURE, _H1, _TIME, _TITLE = (CODE_OF[name] for name in "figure h1 time title".split())
_NOT_SHOWN: Final = flags_of("noscript template")
_BETWEEN: Final = re.compile(r"\s[|\u2013\u2014\u00b7:\u00bb-]\s")
"""Separators between the parts of a title."""
_MIN_NAME_CHARS: Final = 20
"""Characters from which a heading within the title is not a coincidence, as a section heading may
be."""
_HEADLINE: Final = re.compile(r'"headline"\s*:\s*"((?:[^"\\]|\\.){1,500})"')
_TITLE_PROPERTIES: Final = frozenset(("og:title", "twitter:title"))
_MAX_TITLES: Final = 32
"""Distinct titles of a page that headings are compared with. Most have one to four: `<title>`,
`og:title`, `twitter:title` and the `headline` in JSON-LD."""
_RESUME: Final = re.compile(
    r"(?:'s |\u2019s )?\b(?:résumé|resume|curriculum vitae|cv|lebenslauf)\b(?: (?:of|de|von|di))?"
)
"""Words beside a name in the title of a résumé, folded."""
_MAX_LEAD_BLOCKS: Final = 6
"""Blocks between headline and content that may belong to the headline: a subtitle, names, a date,
a picture with its caption."""
_MAX_LEAD_WORDS: Final = 60
_MAX_LEAD_LINKS: Final = 0.5
"""Link density of these blocks: above it they are a menu or share buttons."""
_MAX_BETWEEN_BLOCKS: Final = 25
"""Blocks between headline and content that are looked at one by one."""
_MAX_BETWEEN_WORDS: Final = 80
"""Words of such a block; a lead has fewer."""
_HEAD_ROLES: Final = [ROLES.index(name) for name in ("title", "byline", "date", "body", "caption")]
_NAMES: Final = (
    rb"(?<![a-z0-9])(?:by-?line|authors?|dek|standfirst|sub-?title|sub-?head(?:line)?|lede|lead"
    rb"|intro|excerpt|teaser-?text|post-?meta|entry-?meta|article-?meta|pub-?date|dateline)"
    rb"(?![a-z0-9])"
)
_AUTHOR: Final = rb"(?<![a-z])author(?![a-z])"


def keep_article_head(selection: Selection) -> Selection:
    """Return the selection with the head of the article kept too.

    That is the only `h1` of a page, or else the heading that matches its title, the lead and byline
    between it and the content, the picture that the page names as its own, and embedded videos
    within the content. Returns the same selection if nothing is kept or nothing is to be added.
    Blocks that the user's rules exclude stay excluded. Roles are computed only if there are blocks
    between headline and content.
    """
    if not selection.keep.any():
        return selection
    page = selection.page
    headline = _find_headline(selection)
    added = np.zeros_like(selection.keep)
    if headline.any():
        added |= headline
        start = int(page.blocks.of_leaf[headline][-1]) + 1
        # A method may keep the headline itself, and not what is below it.
        kept = page.blocks.of_leaf[selection.keep]
        below = int(np.searchsorted(kept, start))
        if below < kept.size and start < kept[below]:
            added |= _find_lead(selection, start, int(kept[below]))
    added |= find_lead_media(page, selection.keep | added)
    added &= ~selection.dropped_by_rule
    if not (added & ~selection.keep).any():
        return selection
    return replace(selection, keep=selection.keep | added)


def _find_headline(selection: Selection) -> BoolArray:
    """Flag the leaves of the headline; bool[n_leaf]."""
    page = selection.page
    titles = _read_titles(page)
    parts = _split_titles(titles)
    shown = ~page.within(_NOT_SHOWN[page.tag])
    sole = np.flatnonzero((page.tag == _H1) & shown)
    leaves = np.zeros_like(selection.keep)
    if sole.size == 1:
        row = int(sole[0])
        leaves[slice(*page.leaf_span(row))] = True
        if leaves.any() and (not titles or _is_title(page.text_of(row), titles, parts)):
            return leaves
        # The only `h1` is the name of the site, so a heading below is the headline.
    headings = replace(selection, keep=page.nearest(HEADINGS[page.tag])[page.leaves] >= 0)
    for heading in watch(find_headings(headings) if titles else ()):
        if _is_title(heading.title, titles, parts):
            leaves |= page.blocks.of_leaf == heading.block
            break
    return leaves


def _find_lead(selection: Selection, start: int, stop: int) -> BoolArray:
    """Flag the leaves of the lead and byline between two blocks; bool[n_leaf]."""
    page = selection.page
    of_leaf = page.blocks.of_leaf
    between: BoolArray = (of_leaf >= start) & (of_leaf < stop)
    if _is_lead(page, start, stop):
        return between
    near = between & (of_leaf < start + _MAX_BETWEEN_BLOCKS)
    attributes = page.attributes
    rows = page.tag == _TIME
    for name, pattern in (
        *(("class", _NAMES), ("id", _NAMES)),
        *(("rel", _AUTHOR), ("itemprop", _AUTHOR)),
    ):
        rows[attributes.rows_matching(name, pattern)] = True
    marked = page.within(rows & (page.subtree_words <= _MAX_BETWEEN_WORDS))[page.leaves]
    chosen = page.blocks.any(marked & near)
    if selection.role_code is not None:
        chosen |= np.isin(selection.role_code, _HEAD_ROLES)
    words, links = page.blocks.sums(page.leaf_words), page.blocks.sums(page.leaf_link_words)
    chosen &= (words <= _MAX_BETWEEN_WORDS) & ((links <= _MAX_LEAD_LINKS * words) | (words < 8))
    lead: BoolArray = near & chosen[of_leaf]
    return lead


def _read_titles(page: Page) -> list[str]:
    """Return the titles that a page gives itself, folded: `<title>`, metadata and JSON-LD."""
    rows = np.flatnonzero(page.tag == _TITLE)
    titles = [page.text_of(int(rows[0]))] if rows.size else []
    contents = page.attributes.values("content")
    for name in ("property", "name"):
        for row, value in page.attributes.values(name).items():
            if value.strip().lower() in _TITLE_PROPERTIES:
                titles.append(contents.get(row, ""))
    headline = _HEADLINE.search(page.source)
    if headline:
        try:
            titles.append(str(json.loads(f'"{headline[1]}"', strict=False)))
        except ValueError:
            titles.append(headline[1])
    folded = dict.fromkeys(title for unfolded in titles if (title := _fold(unfolded)))
    return list(islice(folded, _MAX_TITLES))


def _split_titles(titles: Sequence[str]) -> frozenset[str]:
    """Return the titles, and the parts of them that a heading may consist of."""
    parts = ((title, _RESUME.sub("", title).strip(), *_BETWEEN.split(title)) for title in titles)
    return frozenset(chain.from_iterable(parts)) - {""}


def _is_title(heading: str, titles: Sequence[str], parts: frozenset[str]) -> bool:
    """Return whether a title equals a heading, has it as a part, or contains it if it is long."""
    name = _fold(heading)
    return name in parts or (
        len(name) >= _MIN_NAME_CHARS and any(name in title for title in titles)
    )


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def _is_lead(page: Page, start: int, stop: int) -> bool:
    """Return whether the blocks after a headline belong to it."""
    if not start < stop <= start + _MAX_LEAD_BLOCKS:
        return False
    leaves = (page.blocks.of_leaf >= start) & (page.blocks.of_leaf < stop)
    n_word = int(page.leaf_words[leaves].sum())
    n_link = int(page.leaf_link_words[leaves].sum())
    return n_word <= _MAX_LEAD_WORDS and n_link <= _MAX_LEAD_LINKS * n_word


# -- picture and videos ------------------------------------------------------------------------

_VIDEOS: Final = flags_of("amp-dailymotion amp-video amp-vimeo amp-youtube video")
_FRAMES: Final = flags_of("amp-iframe embed iframe object")
_ASIDE: Final = flags_of("aside footer nav")
_MAX_FIGURE_WORDS: Final = 100


def find_lead_media(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the leaves to be kept beside those selected, ``keep``; bool[n_leaf]."""
    rows = np.zeros(len(page), np.bool_)
    picture = find_shared_picture(page)
    if picture >= 0:
        rows[_with_caption(page, picture)] = True
    chosen = page.leaves[keep]
    if chosen.size:
        first, last = int(chosen[0]), int(chosen[-1])
        is_video = _VIDEOS[page.tag]
        if _FRAMES[page.tag].any():
            for name in ("src", "data-src", "data"):
                for row, address in page.attributes.values(name).items():
                    if _FRAMES[page.tag[row]] and is_player(address):
                        is_video[row] = True
        is_video[:first] = False
        is_video[last + 1 :] = False
        if is_video.any():
            rows |= is_video & ~page.within(_ASIDE[page.tag])
    if not rows.any():
        return np.zeros(keep.size, np.bool_)
    media: BoolArray = page.within(rows)[page.leaves]
    return media


def _with_caption(page: Page, row: int) -> slice:
    """Return the rows of the figure around a picture, or of the picture alone."""
    box = row
    while box > 0 and page.tag[box] != _FIGURE:
        box = int(page.parent[box])
    if box > 0 and page.subtree_words[box] <= _MAX_FIGURE_WORDS:
        return slice(box, int(page.end[box]))
    return slice(row, int(page.end[row]))
