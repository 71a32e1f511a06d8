"""Parts of a page that its own markup states to be of its text, or not.

Systems that many sites share mark what is no text in words that they document, the same in every
language: the links to edit a section, what no one prints, the licence around a book. This is known
of every page of such a system, so no probability decides. Nor does one of the line that opens what
is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from thresher.analysis.contents_lists import flag_contents_lists
from thresher.analysis.free_access import flag_pleas
from thresher.analysis.live_posts import find_live_posts
from thresher.analysis.mail_parts import flag_archive_links, flag_letter_footer
from thresher.analysis.no_text import flag_no_text
from thresher.analysis.toggles import find_openers
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF
from thresher.selection import Selection
from thresher.support.cached import cached_view

__all__ = ["StatedParts", "apply_stated_parts", "find_stated_parts", "states_article"]


class StatedParts(NamedTuple):
    """What a page states about its parts; bool[n_leaf]."""

    always: BoolArray
    """Leaves of the text."""
    never: BoolArray
    """Leaves that are no part of it, also inside those of the text."""


_Names = Mapping[str, str]
"""Attribute → words in it, some only of one tag: `tag.word`."""


class _System(NamedTuple):
    """The names by which a system marks parts of its pages."""

    signs: np.uint64
    """Parts of class names that only its pages have, as bits of `CLASS_PARTS`; none where an
    attribute is."""
    never: _Names
    """Those of what is no text."""
    always: _Names = MappingProxyType({})
    """Those of what is."""


_signs = CLASS_PARTS.bits
_SYSTEMS: Final = (
    # MediaWiki and the templates that its wikis share: remarks to editors are in `sup.noprint`,
    # their notices and links to sister projects in `metadata` (mediawiki.org, "Manual:Interface/IDs
    # and classes").
    _System(
        _signs(b"mw-body", b"mw-content-", b"mw-editsection", b"mw-parser-output"),
        {
            "class": "mw-editsection editsection mw-jump-link mw-indicators navbox vertical-navbox"
            " sup.noprint metadata printfooter catlinks toc",
            "id": "siteSub contentSub toc catlinks",
            "role": "navigation",
        },
    ),
    _System(
        _signs(b"dokuwiki"), {"class": "secedit btn_secedit editbutton_section", "id": "dw__toc"}
    ),
    # Discourse and Stack Exchange: the posts of a topic; who commented, as opposed to answered, is
    # beside it.
    _System(
        _signs(b"crawler-post", b"topic-post"),
        {"class": "post-menu-area div.title"},  # a title is that of a quotation
        {"class": "cooked"},
    ),
    _System(
        _signs(b"js-post-body"),
        {"class": "aside.s-notice comments-list post-signature post-taglist"},
        {"class": "h2.mb0 s-prose"},
    ),
    # Chapters of books (EPUB 3 Structural Semantics Vocabulary).
    _System(
        _signs(),
        {"epub:type": "landmarks page-list toc"},
        {"epub:type": "bodymatter chapter epilogue foreword introduction part preface prologue"},
    ),
    # Project Gutenberg: its header and its licence.
    _System(_signs(b"pg-boilerplate"), {"class": "pg-boilerplate"}),
    # Papers of arXiv and others in HTML (LaTeXML manual, "CSS classes").
    _System(
        _signs(b"ltx_"),
        {"class": "ltx_authors ltx_dates ltx_page_footer ltx_page_navbar"},
        {"class": "ltx_document"},
    ),
    # What editors of notes, wikis and blogs put between paragraphs.
    _System(
        _signs(b"page mono", b"page sans", b"page serif"),
        {},
        {"class": "div.page-body table.properties"},
    ),
    _System(_signs(b"wiki-content"), {}, {"class": "wiki-content"}),
    _System(
        _signs(b"kg-card"),
        {"class": "kg-button-card kg-cta-card kg-email-cta kg-signup-card"},
        {"class": "kg-card"},
    ),
    _System(_signs(b"subscription-widget"), {"class": "subscription-widget"}),
    # What is not read aloud beside a text: names and buttons.
    _System(_signs(b"speechify"), {"class": "div.speechify-ignore"}),
)
"""Systems whose markup is documented: MediaWiki, DokuWiki, Discourse, Stack Exchange, EPUB,
Project Gutenberg, LaTeXML, exports of Notion, Confluence, Ghost, Substack, Speechify."""
_REASONS: Final = (
    "part of the text, as the page's markup states",
    "no part of the text, as the page's markup states",
)
_ARTICLES: Final = ("Article", "Posting")
"""How the names of schema.org's types for articles end."""
_LISTS: Final = frozenset(("CollectionPage", "ItemList", "SearchResultsPage"))


def apply_stated_parts(selection: Selection, allowed: BoolArray) -> Selection:
    """Return a selection with what the page states; of blocks, only allowed ones are added.

    ``allowed`` is bool[n_block]. Nothing is added to a selection of nothing.
    """
    if not selection.keep.any():
        return selection
    page, blocks, keep = selection.page, selection.page.blocks, selection.keep
    addable = (allowed & ~selection.block_keep).take(blocks.of_leaf)
    stated = find_stated_parts(page)
    if stated:
        keep = keep | (stated.always & addable)
    keep = keep | (find_openers(page, keep) & addable)
    if stated:
        keep &= ~stated.never
    if (keep == selection.keep).all():
        return selection
    kept, n_reason = blocks.any(keep), len(selection.reasons)
    reason_code = selection.reason_code.copy()
    reason_code[kept & ~selection.block_keep] = n_reason
    reason_code[selection.block_keep & ~kept] = n_reason + 1
    reasons = (*selection.reasons, *_REASONS)
    return replace(selection, keep=keep, reason_code=reason_code, reasons=reasons)


@cached_view
def find_stated_parts(page: Page) -> StatedParts | None:
    """Find what a page states about its parts; None for nothing, as on most pages."""
    never, always = np.zeros((2, len(page)), np.bool_)
    for system in _SYSTEMS:
        if not system.signs or page.attributes.class_parts & system.signs:
            _flag_named(page, system.never, never)
            _flag_named(page, system.always, always)
    for flags in (
        *(flag_archive_links(page), flag_contents_lists(page), flag_letter_footer(page)),
        *(flag_pleas(page), flag_no_text(page)),
    ):
        if flags is not None:
            never |= flags
    live = find_live_posts(page)
    if live:
        always |= live.parts
        never[live.labels] = True
    if not never.any() and not always.any():
        return None
    return StatedParts(*(page.within(flags)[page.leaves] for flags in (always, never)))


def _flag_named(page: Page, names: _Names, flags: BoolArray) -> None:
    """Flag the elements with one of some names, in place; bool[n_row]."""
    for attribute, words in names.items():
        if not page.attributes.named(attribute).size:
            continue
        values = page.attributes.distinct(attribute)
        for word in words.split():
            tag, _, name = word.rpartition(".")
            rows = values.rows_with(values.words.get(name, []))
            flags[rows[page.tag[rows] == CODE_OF[tag]] if tag else rows] = True


def states_article(page: Page) -> bool:
    """Return whether a page states that it is one article, as a list in an encyclopaedia is.

    It has one article of schema.org, and no list.
    """
    from thresher.analysis.json_ld import as_list  # noqa: PLC0415 - of listings only
    from thresher.analysis.structured import Structured  # noqa: PLC0415

    stated = Structured(page)
    entities = (*stated.json_ld, *stated.microdata)
    kinds = [[str(kind) for kind in as_list(entity.get("@type"))] for entity in entities]
    articles = [each for each in kinds if any(kind.endswith(_ARTICLES) for kind in each)]
    return len(articles) == 1 and not any(map(_LISTS.intersection, kinds))
