"""Blocks that belong to the kept content of a page, though not selected for their words.

The labels of corpora mostly leave captions and embedded posts out, and pictures have no words to be
judged by. Formats that show pictures write these too: figures in kept text, the captions of kept
pictures and tables, posts and players among kept blocks, who said what is quoted, footnotes, and
headings that are taken for the title.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from thresher.analysis.footnotes import find_dropped_notes
from thresher.analysis.metadata import PageTitle
from thresher.analysis.metadata.headline import headline_of
from thresher.analysis.metadata.normalise import key_of
from thresher.analysis.metadata.titles import shares_most_words
from thresher.analysis.narrow_copies import find_narrow_copies
from thresher.analysis.pictures import MAX_CAPTION_WORDS, MAX_HEAD_WORDS, find_illustrations
from thresher.analysis.stated_parts import find_stated_parts
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import CODE_OF, HEADINGS, REPLACED, flags_of
from thresher.roles import ROLES
from thresher.selection import Selection
from thresher.support.late import compile_late

_ASIDE, _BODY, _FIGCAPTION, _FIGURE, _QUOTE = (
    CODE_OF[name] for name in "aside body figcaption figure blockquote".split()
)
FRAMES: Final = flags_of(
    "amp-audio amp-dailymotion amp-iframe amp-video amp-vimeo amp-youtube audio embed iframe object"
    " video"
)
"""Elements that show sound, videos or other pages."""
_PLAYS: Final = FRAMES & ~flags_of("amp-iframe embed iframe object")  # always players
_FIGURES: Final = flags_of("figure")
_CAPTIONS: Final = flags_of("caption figcaption")
_TABLE_CAPTIONS: Final = flags_of("caption")
_TABLE = CODE_OF["table"]
_QUOTES, _BUTTONS = flags_of("blockquote"), flags_of("button")
_SPEAKERS: Final = flags_of("cite footer")
"""Elements in a quote that say who said it."""
_EMBEDS: Final = FRAMES | _QUOTES
_BESIDE: Final = flags_of("aside footer form nav")
_POST: Final = re.compile(
    rb' class="(?:[^"]* )?(?:twitter-(?:tweet|video)|instagram-media|tiktok-embed|bluesky-embed'
    rb'|mastodon-embed|reddit-(?:embed-bq|card)|text-post-media)[ "]'
)
"""The class of a post, a `blockquote`, as the embedding codes of networks write it."""
_NAMED: Final = CLASS_PARTS.bits(b"caption")
_CAPTION: Final = rb"(?<![\w-])wp-caption-text(?![\w-])"
_CAPTIONED: Final = rb"(?<![a-z])caption(?![a-z])"
_PICTURED: Final = rb"(?<![\w-])wp-caption(?![\w-])"
"""Classes of captions, of what may be one, and of the boxes around picture and caption, without
`figure`."""
_PLAYERS: Final = compile_late(
    r"(?:^|//|\.)(?:youtube(?:-nocookie)?\.com/(?:embed|v)|youtu\.be/|player\.vimeo\.com"
    r"|vimeo\.com/|dailymotion\.com/(?:embed|video|player)|geo\.dailymotion\.com"
    r"|players\.brightcove\.net|fast\.wistia\.|embed\.ted\.com|player\.twitch\.tv"
    r"|facebook\.com/plugins/(?:video|post)|bilibili\.com/player|streamable\.com/|jwplayer\.com"
    r"|rutube\.ru/play|ok\.ru/videoembed|vk\.com/video_ext|tiktok\.com/embed"
    r"|w\.soundcloud\.com/player|open\.spotify\.com/embed|codepen\.io/[\w-]+/embed"
    r"|platform\.(?:twitter|x)\.com/embed|instagram\.com/(?:p|reel|tv)/[\w-]+/embed)"
)
"""Addresses of players and posts that sites embed, from general knowledge."""
ADDRESSES: Final = ("src", "data-src", "data", "data-lazy-src", "data-cookieblock-src")
"""Attributes with the address of what a frame shows; some hold it until it is scrolled to."""
_BOX_NAMES: Final = CLASS_PARTS.bits(b"admonition", b"alert", b"custom-block")
_BOX: Final = (
    rb"(?<![\w-])(?:(?:theme-)?admonition|admonitionblock|custom-block|markdown-alert"
    rb"|alert-(?:danger|info|success|warning))(?![\w-])"
)
"""Classes of notes and warnings in documentation, part of the text around them."""
_NOTE_NAMES: Final = CLASS_PARTS.bits(b"admonition")
_NOTE: Final = rb"(?<![\w-])(?:(?:theme-)?admonition|admonitionblock)(?![\w-])"
"""Those of them that nothing else has."""
_CAPTION_ROLE, _TITLE_ROLE = ROLES.index("caption"), ROLES.index("title")
_CAPTION_REACH: Final = 3
"""Blocks from a picture to its caption by its role: a credit, or two links to larger files."""
_LEVELS_UP: Final = 4
"""Elements around a figure of which the first with other words says where it stands."""
_MIN_KEPT: Final = 0.8
"""Share of these words that must be kept, and of those of a quote with its attribution."""
_MAX_LINKED: Final = 0.5
"""Share of a figure's words in links above which it is a teaser of another page."""
_H1: Final = flags_of("h1")
_MIN_WORDS_TO_CARD: Final = 200
"""Kept words before a heading that says the title again, if it is that of a card."""
_MAX_WORDS_IN_CARD: Final = 20
"""Dropped words below the heading of a card: who wrote a recipe, how it is rated, buttons."""
_MAX_NOTE_WORDS: Final = 200
"""Words of a footnote; more, to which a number leads, are a part of the page."""
_MAX_ATTRIBUTION_WORDS: Final = 20
"""Words of who said something; more dropped words are another part of the page."""


def find_companions(selection: Selection) -> BoolArray:
    """Flag the leaves to be written beside the kept ones; bool[n_leaf]."""
    page, keep = selection.page, selection.keep
    companions = np.zeros(keep.size, np.bool_)
    chosen = page.leaves[keep]
    if not chosen.size:
        return companions
    # Boxes and embeds count between the heading of the page and the last kept leaf, which are a
    # small part of most pages; and notes of documentation directly behind that.
    first, last = _find_heading(page, int(chosen[0])), int(chosen[-1])
    boxes = page.attributes.rows_classed(_BOX_NAMES, _BOX, first, len(page))
    if boxes.size and boxes[-1] > last:
        notes = page.attributes.rows_classed(_NOTE_NAMES, _NOTE, last + 1, len(page))
        notes = notes[page.leaf_offset[notes] == keep.nonzero()[0][-1] + 1]
        boxes = np.append(boxes[boxes <= last], notes)
    if boxes.size or _EMBEDS.take(page.tag[first : last + 1]).any():
        rows = _flag_embeds(page, first, last)
        rows[boxes] = True
        if rows.any():
            rows &= ~page.within(_BESIDE[page.tag])
            companions |= page.within(rows)[page.leaves]
    companions |= find_figures(page, keep) | _find_attributions(page, keep)
    companions |= find_illustrations(selection, first)
    companions |= _find_captioned(page, keep)
    shown = keep | companions
    if REPLACED.take(page.tag.take(page.leaves[shown])).any() or page.rows_of(_TABLE_CAPTIONS).size:
        companions |= _find_captions(page, shown) | _find_by_role(selection, shown)
        shown = keep | companions
    for note in find_dropped_notes(page, shown):
        if page.leaf_words[note.first : note.stop].sum() <= _MAX_NOTE_WORDS:
            companions[note.first : note.stop] = True
    if companions.any():
        companions &= ~keep & (page.hidden[page.leaves] == 0) & ~selection.dropped_by_rule
        stated = find_stated_parts(page)
        companions &= ~stated.never if stated else True
        companions &= ~find_narrow_copies(page, keep | companions)
        if page.rows_of(_BUTTONS).size:
            companions &= ~page.within(_BUTTONS[page.tag])[page.leaves]
    return companions


def find_section_headings(selection: Selection, read_title: Callable[[], PageTitle]) -> BoolArray:
    """Flag the headings before a kept text that are taken for the title, and are not it.

    Below the title of a manual its first section begins; far below it a card, as of a recipe, says
    it again. bool[n_leaf]; the title is only read where there are such.
    """
    page, codes = selection.page, selection.role_code
    headings = np.zeros(selection.keep.size, np.bool_)
    if codes is None:
        return headings
    blocks = [
        block
        for block in (codes == _TITLE_ROLE).nonzero()[0].tolist()
        if _begins_kept(page, selection.keep, block)
    ]
    if not blocks:
        return headings
    title, headline = read_title().text or "", headline_of(page)
    # Of several sections, the title is written above the first, unless that has its heading.
    own = headline.block if headline.is_one_of_several else -1
    for block in blocks if title else ():
        text = page.block_text(block)
        is_title = not _is_far_down(page, selection.keep, block) and (
            shares_most_words(text, title) or key_of(text) in key_of(title)
        )
        if block != own and not is_title:
            headings[page.blocks.start[block] : page.blocks.start[block + 1]] = True
    headings &= ~selection.dropped_by_rule & (page.hidden[page.leaves] == 0)
    return headings


def _begins_kept(page: Page, keep: BoolArray, block: int) -> bool:
    """Return whether a block is a dropped heading before kept words.

    Below the heading of a card there may be dropped words.
    """
    start, stop = page.blocks.start[block : block + 2].tolist()
    words = page.leaf_words
    following = stop + int((keep[stop:] & (words[stop:] > 0)).argmax()) if stop < keep.size else 0
    if keep[start:stop].any() or not (words[start:stop].any() and keep[following]):
        return False
    n_below = words[stop:following].sum()
    if n_below > _MAX_WORDS_IN_CARD or (n_below and not _is_far_down(page, keep, block)):
        return False
    row = int(page.block_leaf[block])
    return bool(page.nearest(HEADINGS[page.tag], np.array([row]))[0] >= 0)


def _is_far_down(page: Page, keep: BoolArray, block: int) -> bool:
    """Return whether so many kept words are above a block that it may head a card."""
    start = page.blocks.start[block]
    return bool(page.leaf_words[:start][keep[:start]].sum() >= _MIN_WORDS_TO_CARD)


def _find_heading(page: Page, first: int) -> int:
    """Return the row of the page's heading shortly before the first kept leaf, else this leaf."""
    headings = page.rows_of(_H1)
    place = int(headings.searchsorted(first)) - 1
    if place < 0:
        return first
    row = int(headings[place])
    words = page.words_before[first] - page.words_before[page.end[row]]
    return row if words <= MAX_HEAD_WORDS else first


def is_player(address: str) -> bool:
    """Return whether an address is one of a player or post that sites embed."""
    return _PLAYERS.search(address.lower()) is not None


def _flag_embeds(page: Page, first: int, last: int) -> BoolArray:
    """Flag the elements, from one row to another, that are posts and players; bool[n_row]."""
    rows = np.zeros(len(page), np.bool_)
    for row in watch((first + np.flatnonzero(_EMBEDS[page.tag[first : last + 1]])).tolist()):
        if page.tag[row] == _QUOTE:
            post = _POST.search(page.buffer, page.open_start[row], page.open_stop[row])
            rows[row] = post is not None
        elif _PLAYS[page.tag[row]]:
            rows[row] = True
        else:
            attrs = page.attrs(row)
            rows[row] = any(is_player(attrs[name]) for name in ADDRESSES if name in attrs)
    return rows


def find_figures(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the dropped pictures and captions of figures that stand in kept text; bool[n_leaf].

    Around a teaser's picture the words are dropped, or its caption is a link; around an
    illustration of the text most words are kept, or part of the figure is.
    """
    flags = np.zeros(keep.size, np.bool_)
    figures = page.rows_of(_FIGURES)
    if not figures.size:
        return flags
    end = page.end.take(figures)
    words = page.words_before.take(end) - page.words_before.take(figures)
    linked = page.link_words_before.take(end) - page.link_words_before.take(figures)
    figures = figures[(words <= MAX_CAPTION_WORDS) & (linked <= _MAX_LINKED * words)]
    if not figures.size:
        return flags
    first, stop = page.leaf_offset.take(figures), page.leaf_offset.take(page.end.take(figures))
    before = sum_before(keep)
    kept = before.take(stop) - before.take(first)
    partly = (kept < stop - first).nonzero()[0]
    sums = _WordSums(page, keep)
    pairs = zip(figures.take(partly).tolist(), kept.take(partly).tolist(), strict=True)
    for row, n_kept in watch(pairs):
        if n_kept or _stands_in_kept_text(page, sums, row):
            flags[sums.leaves_of(row)] = True
    flags &= ~keep
    if flags.any():
        flags &= ~page.within(_BESIDE.take(page.tag)).take(page.leaves)
        in_caption = page.within(page.tag == _FIGCAPTION).take(page.leaves)
        flags &= in_caption | REPLACED.take(page.tag.take(page.leaves))
    return flags


def _stands_in_kept_text(page: Page, sums: _WordSums, row: int) -> bool:
    """Return whether most words are kept in the element around a figure that has others."""
    own, around = sums.of(row), row
    for _ in range(_LEVELS_UP):
        around = int(page.parent[around])
        if around < 0 or page.tag[around] == _BODY:
            return False
        whole = sums.of(around)
        if whole.words > own.words:
            return whole.kept - own.kept >= _MIN_KEPT * (whole.words - own.words)
    return False


def _find_attributions(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the dropped leaves of kept quotes, or of an `aside` around one, that say who said it."""
    flags = np.zeros(keep.size, np.bool_)
    quotes = page.rows_of(_QUOTES)
    if quotes.size:
        around = page.parent[quotes]
        quotes = np.concatenate((quotes, around[page.tag[around] == _ASIDE]))
        sums = _WordSums(page, keep)
        spoken = _WordSums(page, keep | page.within(_SPEAKERS.take(page.tag)).take(page.leaves))
        for row in watch(quotes.tolist()):
            words, kept = sums.of(row)
            is_quoted = kept > 0 and spoken.of(row).kept == words
            is_quoted |= _MIN_KEPT * words <= kept
            if is_quoted and kept < words <= kept + _MAX_ATTRIBUTION_WORDS:
                flags[sums.leaves_of(row)] = True
    return flags


class _Words(NamedTuple):
    """The words of an element: all, and the kept ones."""

    words: int
    kept: int


class _WordSums:
    """Words before each leaf, from which those of any element follow."""

    def __init__(self, page: Page, keep: BoolArray) -> None:
        # Single values of a memory view are read several times as fast as those of an array.
        self._end, self._leaf_offset = page.end.data, page.leaf_offset.data
        self._words, self._kept = page.words_before.data, sum_before(page.leaf_words * keep).data

    def of(self, row: int) -> _Words:
        """Count the words of an element."""
        words, kept, offset, end = self._words, self._kept, self._leaf_offset, self._end[row]
        return _Words(words[end] - words[row], kept[offset[end]] - kept[offset[row]])

    def leaves_of(self, row: int) -> slice:
        """Return the leaves of an element."""
        return slice(self._leaf_offset[row], self._leaf_offset[self._end[row]])


def _find_captioned(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the dropped pictures directly above kept captions; bool[n_leaf]."""
    flags = np.zeros(keep.size, np.bool_)
    rows = page.attributes.rows_classed(_NAMED, _CAPTIONED)
    if not rows.size:
        return flags
    above = page.leaf_offset[rows] - 1
    above = above[(above >= 0) & (page.leaf_offset[page.end[rows]] > above + 1)]
    if above.size:
        is_picture = REPLACED[page.tag[page.leaves[above]]]
        flags[above[keep[above + 1] & is_picture]] = True
    return flags & ~keep


def _find_by_role(selection: Selection, shown: BoolArray) -> BoolArray:
    """Flag the dropped leaves that are captions by their role, of shown pictures; bool[n_leaf]."""
    page, roles = selection.page, selection.role_code
    captions = np.flatnonzero(roles == _CAPTION_ROLE)  # none without roles
    if captions.size:
        # A heading is that of what follows: of a caption, too ("Figure 2."), or else of a section.
        is_heading = HEADINGS.take(page.tag.take(page.block_row.take(captions)))
        leads = np.append(np.diff(captions) == 1, False) & ~np.append(is_heading[1:], True)
        captions = captions[(~is_heading | leads) & ~page.blocks.any(shown).take(captions)]
    if not captions.size:
        return np.zeros_like(shown)
    pictures = page.blocks.any(shown & REPLACED.take(page.tag.take(page.leaves)))
    before = sum_before(pictures)
    near = before.take(captions) > before.take(np.maximum(captions - _CAPTION_REACH, 0))
    words = page.blocks.sums(page.leaf_words).take(captions)
    linked = page.blocks.sums(page.leaf_link_words).take(captions)
    flags = np.zeros(len(page.blocks), np.bool_)
    # "Download this picture" is a link, and nothing else.
    flags[captions[near & (linked < words) & (words <= MAX_CAPTION_WORDS)]] = True
    return flags.take(page.blocks.of_leaf)


def _find_captions(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the leaves of the captions of kept pictures and tables; bool[n_leaf]."""
    attributes = page.attributes
    tagged, named = page.rows_of(_CAPTIONS), attributes.classed(_NAMED, _CAPTION)
    if not tagged.size and not named.size:
        return np.zeros(keep.size, np.bool_)
    captions = np.zeros(len(page), np.bool_)
    captions[tagged] = captions[attributes.row.take(named)] = True
    boxes = page.tag == _FIGURE
    boxes[attributes.rows_classed(_NAMED, _PICTURED)] = True
    tables = page.tag == _TABLE
    pictured = np.zeros(len(page), np.bool_)
    for around, shown in ((boxes, keep & REPLACED[page.tag[page.leaves]]), (tables, keep)):
        rows, before = around.nonzero()[0], sum_before(shown)
        is_one = before[page.leaf_offset[page.end[rows]]] > before[page.leaf_offset[rows]]
        pictured[rows[is_one]] = True
    boxes |= tables
    if not pictured.any():
        return np.zeros(keep.size, np.bool_)
    rows = captions.nonzero()[0]
    holders = page.nearest(boxes)[page.parent[rows]]
    is_one = (holders >= 0) & pictured[holders] & (page.subtree_words[rows] <= MAX_CAPTION_WORDS)
    captions[:] = False
    captions[rows[is_one]] = True
    flags: BoolArray = page.within(captions)[page.leaves]
    return flags
