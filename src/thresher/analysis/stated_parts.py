"""Parts of a page that its own markup states to be of its text, or not.

What is known of every page of a system (`thresher.analysis.systems`) needs no probability. Nor does
what is not free, lines that are no text on pages of any system, what surrounds an e-mail, and what
opens or goes on with what is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from thresher.analysis.contents_lists import find_contents_lists
from thresher.analysis.kept_page import find_continued_lists, find_openers, opens_menu
from thresher.analysis.live_posts import find_live_posts
from thresher.analysis.narrow_copies import find_hidden_copies, find_narrow_copies
from thresher.analysis.systems import flag_by_systems
from thresher.deadline import check_deadline, watch
from thresher.page import Page
from thresher.page.hidden import Hidden
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import CELLS, HEADINGS, SUBHEADINGS, flags_of
from thresher.selection import Selection
from thresher.support.cached import cached_view

if TYPE_CHECKING:
    from thresher.analysis.structured import Entity, JsonValue

_UNDONE: Final = CLASS_PARTS.bits(b"expand", b"loader", b"loading", b"skeleton", b"spinner")
_UNDONE_NAMES: Final = rb"(?<![a-z])(?:expand-control|load(?:er|ing)|skeleton|spinner)(?![a-z])"
_DOTS: Final = ("...", "…", "⋯")
_MAX_UNDONE_WORDS: Final = 6
_RIGHTS: Final = "©"
_MAX_RIGHTS_WORDS: Final = 15
_MAX_WORDS_BEHIND: Final = 30
_PICTURED: Final = flags_of("figcaption figure")
_BUTTONS: Final = flags_of("button")
_NO_CONTROLS: Final = CELLS | HEADINGS | flags_of("dt pre summary")
"""Elements in which a button is a part of the text."""
_OPENING: Final = ("aria-controls", "aria-expanded", "aria-haspopup")
"""Attributes of buttons that show another part of a page."""
_MAX_BUTTON_WORDS: Final = 4
_MENUS: Final = flags_of("nav")
_MAX_HEADING_WORDS: Final = 8
_NOTES: Final = "data-footnotes"
"""The attribute of a section of notes that GitHub and most other readers of Markdown write."""


def find_no_text(page: Page) -> list[int]:
    """Find the lines that are no text on pages of any system."""
    finders = (_find_undone, _find_rights, _find_note_headings, _find_bare_menus)
    return [row for find in finders for row in find(page)]


def _find_undone(page: Page) -> list[int]:
    """Find what asks for a text, or tells of it, where a script will put it: "Loading…"."""
    attributes = page.attributes
    rows = attributes.rows_classed(_UNDONE, _UNDONE_NAMES)
    words = page.subtree_words[rows]
    rows = rows[(words > 0) & (words <= _MAX_UNDONE_WORDS)]
    return [row for row in rows.tolist() if page.text_of(row).rstrip().endswith(_DOTS)]


def _find_rights(page: Page) -> list[int]:
    """Find the leaves of blocks near the end of a page that begin with the sign of rights."""
    before, blocks = page.words_before, page.blocks
    rows = page.block_leaf
    block = int(before[rows].searchsorted(before[-1] - _MAX_RIGHTS_WORDS - _MAX_WORDS_BEHIND))
    leaves: list[int] = []
    if block == rows.size or _RIGHTS not in page.text[page.text_offset[rows[block]] :]:
        return leaves
    bounds = blocks.start[block:].tolist()
    for first, stop in pairwise(bounds):
        n_word = page.leaf_words[first:stop].sum()
        if n_word <= _MAX_RIGHTS_WORDS and page.leaf_text(first).lstrip().startswith(_RIGHTS):
            leaves += page.leaves[first:stop].tolist()
    if leaves and page.rows_of(_PICTURED).size:
        pictured = page.within(_PICTURED[page.tag])
        leaves = [row for row in leaves if not pictured[row]]
    return leaves


def _find_note_headings(page: Page) -> list[int]:
    """Find the headings of sections of notes that no one sees."""
    headings = page.rows_of(HEADINGS)
    spoken = headings[(page.hidden[headings] & np.uint8(Hidden.SPOKEN)) != 0].tolist()
    return [row for row in spoken if page.attr(int(page.parent[row]), _NOTES) is not None]


def _find_bare_menus(page: Page) -> list[int]:
    """Find the menus with nothing but a heading: "In this article", with a list by a script."""
    menus = page.rows_of(_MENUS)
    words = page.subtree_words[menus]
    menus = menus[(words > 0) & (words <= _MAX_HEADING_WORDS)]
    if not menus.size:
        return []
    others = sum_before(np.diff(page.words_before) * ~page.within(SUBHEADINGS[page.tag]))
    bare: list[int] = menus[others[page.end[menus]] == others[menus]].tolist()
    return bare


# -- mails and letters -----------------------------------------------------------------------------

# Archives mark where a message begins and ends by comments, since they read their own pages again.

_PRE: Final = flags_of("pre")
_LIST_TAGS: Final = flags_of("dir menu ol ul")
_CELL: Final = flags_of("td")
_TABLE: Final = flags_of("table")
_OF_SITES: Final = flags_of("article footer header main nav")
"""Elements that no letter has."""
_UNSUBSCRIBE: Final = rb"unsub|opt-?out"
"""Addresses by which a letter is cancelled, whatever service sends it."""
_MAX_FOOTER_WORDS: Final = 120
_MIN_TABLES: Final = 2
"""Tables of a letter, which are its layout."""


class _Marks(NamedTuple):
    """Comments of an archiver around its parts of a page, each there once."""

    begin: str
    """After this is the message, or its head."""
    end: str
    """After this is only navigation."""
    only_lists: bool
    """Whether only the lists before the message are navigation."""


_ARCHIVERS: Final = (
    _Marks("<!--beginarticle-->", "<!--endarticle-->", only_lists=True),  # Mailman's Pipermail
    _Marks('<!-- body="start" -->', '<!-- body="end" -->', only_lists=True),  # Hypermail
    _Marks("<!--X-TopPNI-End-->", "<!--X-Body-of-Message-End-->", only_lists=False),  # MHonArc
)


_MAX_PRE: Final = 4
"""Elements among which public-inbox has its message, `b`; behind it are the thread, from `r` on,
and how to reply."""


class _Archive(NamedTuple):
    """Parts of a page of an archive; bool[n_row]."""

    links: BoolArray
    """What is put before and after a message."""
    head: BoolArray
    """The title of a message, its author and date."""


def find_archive_parts(page: Page) -> _Archive | None:
    """Find what an archive puts around a message; None if it is none."""
    if not page.rows_of(_PRE).size:
        return None
    source = page.source
    for row in page.rows_of(_PRE)[:_MAX_PRE].tolist():
        if page.attr(row, "id") == "b" and "r" in page.attributes.distinct("id").words:
            behind = np.arange(len(page)) >= page.end[row]
            return _Archive(behind, np.zeros(len(page), np.bool_))
    for marks in _ARCHIVERS:
        begin, end = source.find(marks.begin), source.rfind(marks.end)
        if not 0 <= begin < end or source.find(marks.begin, begin + 1) >= 0:
            continue
        start = page.source_spans[:, 0]
        before = (start >= 0) & (start < begin) & (page.subtree_sums(start >= begin) == 0)
        head = np.zeros_like(before)
        if marks.only_lists:
            for first in page.rows_of(HEADINGS)[:1].tolist():
                head[first:] = before[first:]
            before &= _LIST_TAGS[page.tag]
        return _Archive(before | (start >= end), head)
    return None


def find_letter_footers(page: Page) -> list[int]:
    """Find the cells in which a letter can be cancelled."""
    if page.rows_of(_OF_SITES).size or page.rows_of(_TABLE).size < _MIN_TABLES:
        return []
    links = page.attributes.rows_matching("href", _UNSUBSCRIBE)
    cells = page.nearest(_CELL[page.tag], links)
    cells = cells[cells >= 0]
    words = page.words_before[page.end[cells]] - page.words_before[cells]
    is_footer = (words <= _MAX_FOOTER_WORDS) & (2 * words <= page.words_before[-1])
    footers: list[int] = cells[is_footer].tolist()
    return footers


# -- what is not free ------------------------------------------------------------------------------

# Publishers say so to search engines: `isAccessibleForFree` of schema.org on the work, and on each
# part that is not free, with its `cssSelector` (Google Search Central, "Subscription and paywalled
# content").

_KEY: Final = "isAccessibleForFree"
_SIGN: Final = _KEY.encode()
_FALSE: Final = re.compile(r"(?:https?://schema\.org/)?false", re.IGNORECASE)
_SELECTOR: Final = re.compile(r"([.#])([\w-]+)")
"""A selector of one class or id, as nearly all that are stated."""
_ATTRIBUTES: Final = {".": "class", "#": "id"}
_MAX_PARTS: Final = 64
_MAX_TEASER_WORDS: Final = 150
_WALLS: Final = CLASS_PARTS.bits(b"barrier", b"wall")
_WALL: Final = re.compile(
    r"(?:^|[\s_-])(?:meter(?:ed)?|offer|pay|piano|reg(?:istration)?|subscri(?:be|ber|ption))"
    r"[_-]?(?:barrier|wall)(?![a-z])",
    re.IGNORECASE,
)
"""Names of the box that stands where the text stops."""
_MAX_PLEA_WORDS: Final = 200
_WHOLE: Final = flags_of("html body main article")
"""Elements around the text, whose names may say that it has a wall."""


def is_teaser(page: Page, keep: BoolArray) -> bool:
    """Return whether a page states that its text is not free, and shows its beginning only.

    ``keep``, bool[n_leaf], flags the kept leaves. If the elements that are not free hold text, the
    page has it, although a reader may be shown less.
    """
    if page.leaf_words[keep].sum() > _MAX_TEASER_WORDS:
        return False
    paid = find_paid_parts(page)
    if paid is None or page.leaf_words[page.within(paid)[page.leaves]].any():
        return False
    has_parts = any(next(_read_selectors(work), None) for work in _find_paid_works(page))
    return has_parts or bool(find_pleas(page))


def find_pleas(page: Page) -> list[int]:
    """Find the boxes in which a page asks its readers to pay.

    Only of pages whose text is not free: there a wall is not one of stone.
    """
    walls = page.attributes.rows_classed(_WALLS)
    walls = walls[[bool(_WALL.search(page.attr(row, "class") or "")) for row in walls.tolist()]]
    if not walls.size or (paid := find_paid_parts(page)) is None:
        return []
    is_text = page.within(paid) | (page.subtree_sums(paid) > 0) | _WHOLE[page.tag]
    is_short = page.subtree_words[walls] <= _MAX_PLEA_WORDS
    pleas: list[int] = walls[~is_text[walls] & is_short].tolist()
    return pleas


@cached_view
def find_paid_parts(page: Page) -> BoolArray | None:
    """Flag the elements that the page states not to be free, bool[n_row].

    None if it does not state that its text, or some part of it, costs anything.
    """
    works = _find_paid_works(page)
    if not works:
        return None
    flags = np.zeros(len(page), np.bool_)
    for work in works:
        for sign, name in _read_selectors(work):
            values = page.attributes.distinct(_ATTRIBUTES[sign])
            flags[values.rows_with_word(name)] = True
    return flags


def _find_paid_works(page: Page) -> list[Entity]:
    if _SIGN not in page.utf8:
        return []
    from thresher.analysis import structured  # few pages say so

    works = (*structured.find_json_ld(page), *structured.read_microdata(page))
    return [work for work in works if _is_paid(work)]


def _is_paid(entity: Entity) -> bool:
    values = _as_list(entity.get(_KEY))
    return any(_FALSE.fullmatch(str(value)) for value in values if not isinstance(value, dict))


def _read_selectors(work: Entity) -> Iterator[tuple[str, str]]:
    """Yield sign and name of the selectors of a work's parts that are not free."""
    for part in _as_list(work.get("hasPart"))[:_MAX_PARTS]:
        if isinstance(part, dict) and _is_paid(part):
            for selector in _as_list(part.get("cssSelector"))[:_MAX_PARTS]:
                for piece in str(selector).split(",")[:_MAX_PARTS]:
                    if match := _SELECTOR.fullmatch(piece.strip()):
                        yield match[1], match[2]


def _as_list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]


# -- what systems state ----------------------------------------------------------------------------


class StatedParts(NamedTuple):
    """What a page states about its parts; bool[n_leaf]."""

    always: BoolArray
    """Leaves of the text."""
    never: BoolArray
    """Leaves that are no part of it, also inside those of the text."""


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
    check_deadline()
    page, blocks, keep = selection.page, selection.page.blocks, selection.keep
    addable = (allowed & ~selection.block_keep).take(blocks.of_leaf)
    stated = find_stated_parts(page)
    if stated:
        keep = keep | (stated.always & addable)
    keep = keep | ((find_openers(page, keep) | find_continued_lists(page, keep)) & addable)
    check_deadline()
    if stated:
        keep &= ~stated.never
    keep = keep & ~find_narrow_copies(page, keep)
    keep &= ~find_hidden_copies(page, keep)
    controls = _find_controls(page, keep)
    if controls.size:
        keep &= ~page.within(controls)[page.leaves]
    if (keep == selection.keep).all():
        return selection
    kept, n_reason = blocks.any(keep), len(selection.reasons)
    reason_code = selection.reason_code.copy()
    reason_code[kept & ~selection.block_keep] = n_reason
    reason_code[selection.block_keep & ~kept] = n_reason + 1
    reasons = (*selection.reasons, *_REASONS)
    return replace(selection, keep=keep, reason_code=reason_code, reasons=reasons)


def _find_controls(page: Page, keep: BoolArray) -> BoolArray:
    """Flag kept buttons that are blocks of their own and open no text; bool[n_row], or empty.

    One with a heading, such as a question above its answer, is none.
    """
    rows = page.rows_of(_BUTTONS)
    if not rows.size:
        return np.zeros(0, np.bool_)
    first, stop = page.leaf_offset.take(rows), page.leaf_offset.take(page.end.take(rows))
    words = page.subtree_words.take(rows)
    is_one = (first < stop) & (words > 0) & (words <= _MAX_BUTTON_WORDS)
    rows, first, stop = rows[is_one], first[is_one], stop[is_one]
    blocks = page.blocks
    is_one = keep.take(first) & (blocks.start.take(blocks.of_leaf.take(first)) == first)
    is_one &= blocks.start.take(blocks.of_leaf.take(stop - 1) + 1) == stop
    rows = rows[is_one]
    if not rows.size:
        return np.zeros(0, np.bool_)
    rows = rows[~page.within(_NO_CONTROLS[page.tag])[rows]]
    rows = rows[page.subtree_sums(HEADINGS.take(page.tag))[rows] == 0]
    opening = page.attributes.rows_named(*_OPENING)
    opening = np.intersect1d(rows, opening).tolist()
    toggles = [row for row in watch(opening) if not opens_menu(page, row)]
    return page.flag(np.setdiff1d(rows, toggles))


@cached_view
def find_stated_parts(page: Page) -> StatedParts | None:
    """Find what a page states about its parts; None for nothing, as on most pages."""
    never, always = flag_by_systems(page)
    for find in (find_contents_lists, find_letter_footers, find_pleas, find_no_text):
        never[find(page)] = True
    archive = find_archive_parts(page)
    if archive:
        always |= archive.head
        never |= archive.links
    live = find_live_posts(page)
    if live:
        always |= live.parts
        never[live.labels] = True
    if not never.any() and not always.any():
        return None
    return StatedParts(*(page.within(flags)[page.leaves] for flags in (always, never)))


def states_article(page: Page) -> bool:
    """Return whether a page states that it is one article, as a list in an encyclopaedia is.

    It has one article of schema.org, and no list.
    """
    from thresher.analysis import structured  # of listings only

    entities = (*structured.find_json_ld(page), *structured.read_microdata(page))
    kinds = [[str(kind) for kind in structured.as_list(entity.get("@type"))] for entity in entities]
    articles = [types for types in kinds if any(kind.endswith(_ARTICLES) for kind in types)]
    return len(articles) == 1 and not any(map(_LISTS.intersection, kinds))
