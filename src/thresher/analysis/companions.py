"""What belongs to the kept content of a page, though it was not selected for its words.

The labels of corpora mostly leave captions and embedded posts out, and pictures and players have no
words to be judged by. But a reader who sees a picture wants to know what it shows, and a text says
"as he wrote:" before a post. So formats that show pictures write these too: the captions of kept
pictures, and the posts, players and pictures among kept blocks.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, REPLACED, flags_of
from thresher.selection import Selection

__all__ = ["find_companions", "is_player"]

_AUDIO, _FIGCAPTION, _FIGURE, _VIDEO = (
    CODE_OF[name] for name in ("audio", "figcaption", "figure", "video")
)
_FRAMES: Final = flags_of("audio embed iframe object video")
_ASIDE: Final = flags_of("aside footer form nav")
_POST: Final = (
    rb"(?<![\w-])(?:twitter-(?:tweet|video)|instagram-media|tiktok-embed|bluesky-embed"
    rb"|mastodon-embed|reddit-(?:embed-bq|card)|text-post-media|fb-(?:post|video))(?![\w-])"
)
"""Classes of posts, as the embedding codes of networks write them."""
_CAPTION: Final = rb"(?<![\w-])wp-caption-text(?![\w-])"
_PICTURED: Final = rb"(?<![\w-])wp-caption(?![\w-])"
"""Classes of captions and of the boxes around picture and caption, without `figure`."""
_PLAYERS: Final = re.compile(
    r"(?:^|//|\.)(?:youtube(?:-nocookie)?\.com/(?:embed|v)|youtu\.be/|player\.vimeo\.com"
    r"|vimeo\.com/|dailymotion\.com/(?:embed|video|player)|geo\.dailymotion\.com"
    r"|players\.brightcove\.net|fast\.wistia\.|embed\.ted\.com|player\.twitch\.tv"
    r"|facebook\.com/plugins/(?:video|post)|bilibili\.com/player|streamable\.com/|jwplayer\.com"
    r"|rutube\.ru/play|ok\.ru/videoembed|vk\.com/video_ext|tiktok\.com/embed"
    r"|w\.soundcloud\.com/player|open\.spotify\.com/embed|codepen\.io/[\w-]+/embed"
    r"|platform\.(?:twitter|x)\.com/embed|instagram\.com/(?:p|reel|tv)/[\w-]+/embed)"
)
"""Addresses of players and posts that sites embed, from general knowledge."""
_ADDRESSES: Final = ("src", "data-src", "data", "data-lazy-src", "data-cookieblock-src")
_MAX_CAPTION_WORDS: Final = 100
"""Words of a figure's caption; a longer one is the text of a card."""


def find_companions(selection: Selection) -> BoolArray:
    """Flag the leaves to be written beside the kept ones; bool[n_leaf]."""
    page, keep = selection.page, selection.keep
    found = np.zeros_like(keep)
    chosen = page.leaves[keep]
    if chosen.size:
        rows = _flag_embeds(page)
        rows[: int(chosen[0])] = False
        rows[int(chosen[-1]) + 1 :] = False
        if rows.any():
            rows &= ~page.within(_ASIDE[page.tag])
            found |= page.within(rows)[page.leaves]
        found |= _find_captions(page, keep | found)
        if found.any():
            found &= ~keep & (page.hidden[page.leaves] == 0) & ~selection.dropped_by_rule
    return found


def is_player(address: str) -> bool:
    """Return whether an address is one of a player or post that sites embed."""
    return _PLAYERS.search(address.lower()) is not None


def _flag_embeds(page: Page) -> BoolArray:
    """Flag the elements that are posts and players of other sites; bool[n_row]."""
    rows = np.zeros(len(page), np.bool_)
    rows[page.attributes.row[page.attributes.matching("class", _POST)]] = True
    for row in np.flatnonzero(_FRAMES[page.tag]).tolist():
        attrs = page.attrs(row)
        is_own = page.tag[row] == _AUDIO or page.tag[row] == _VIDEO
        rows[row] = is_own or any(is_player(attrs.get(name, "")) for name in _ADDRESSES)
    return rows


def _find_captions(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the leaves of the captions of kept pictures; bool[n_leaf]."""
    captions = page.tag == _FIGCAPTION
    named = page.attributes.row[page.attributes.matching("class", _CAPTION)]
    captions[named] = True
    if not captions.any():
        return np.zeros_like(keep)
    boxes = page.tag == _FIGURE
    boxes[page.attributes.row[page.attributes.matching("class", _PICTURED)]] = True
    is_shown = keep & REPLACED[page.tag[page.leaves]]
    shown = np.concatenate(([0], np.cumsum(is_shown)))
    pictured = boxes & (shown[page.leaf_offset[page.end]] > shown[page.leaf_offset[:-1]])
    rows = captions.nonzero()[0]
    around = page.nearest(boxes)[page.parent[rows]]
    is_one = (around >= 0) & pictured[around] & (page.subtree_words[rows] <= _MAX_CAPTION_WORDS)
    captions[:] = False
    captions[rows[is_one]] = True
    found: BoolArray = page.within(captions)[page.leaves]
    return found
