"""Cards in a text that link another page or a file: one link, with its title."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.kept_page import KeptPage
from thresher.page.parts import CLASS_PARTS
from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.outline.boxes import MAX_ROWS, BoxParts, unmark
from thresher.writers.outline.permalinks import HEADINGS

__all__ = ["find_cards"]

_NAMED: Final = CLASS_PARTS.bits(b"bookmark", b"card", b"link-block", b"onebox", b"preview")
_CARD: Final = (
    rb"(?<![a-z])(?:bookmark|onebox|link-?block|(?:blog|link)-?card|link-?preview)(?![a-z])"
)
"""Classes of cards: Ghost, Notion, Discourse, Medium, Zhihu, themes of blogs in Japan."""
_LINKED: Final = rb"(?<![a-z])(?:card|preview)(?![a-z])"
"""Classes of what is a card if all of it is one link."""
_TITLE: Final = re.compile(r"(?<![a-z])title(?![a-z])", re.IGNORECASE)
_FILE: Final = re.compile(r"[^\s/]+\.\w{1,5}")
_A, _FIGURE = CODE_OF["a"], CODE_OF["figure"]
_LINKS: Final = flags_of("a")
_MAX_WORDS: Final = 80
"""Kept words of a card; what is longer is a text of its own."""


def find_cards(kept: KeptPage, parts: BoxParts) -> None:
    """Add the cards among the paragraphs of a text.

    A card shows one address, with a title; a list of cards is no text, and stays whole.
    """
    page = kept.page
    found = page.attributes
    named = found.row.take(found.classed(_NAMED, _CARD)).tolist()
    linked = found.row.take(found.classed(_NAMED, _LINKED)).tolist()
    files = found.row.take(found.named("download"))
    files = files[page.tag.take(files) == _A].tolist()
    if not (named or linked or files):
        return
    links = page.rows_of(_LINKS)
    whole = {*linked, *files} - {*named}
    stop = -1
    for row in sorted({*named, *whole}):
        n_word = kept.count(row, kept.words)
        if row < stop or not 0 < n_word <= _MAX_WORDS or page.end[row] - row > MAX_ROWS:
            continue
        link = _find_link(kept, row, links)
        if link is None or (row in whole and kept.count(link) != kept.count(row)):
            continue
        if kept.blocks_of(row) > 1 and _stands_in_text(kept, row):
            stop = int(page.end[row])
            _add_card(kept, parts, row, link)


def _find_link(kept: KeptPage, row: int, links: npt.NDArray[np.int64]) -> int | None:
    """Return the first link in a box if all lead to one address."""
    page = kept.page
    inside = links[slice(*links.searchsorted((row, page.end[row])))].tolist()
    inside = [link for link in inside if kept.count(link)]
    addresses = {page.attr(link, "href") for link in inside}
    return inside[0] if len(addresses) == 1 and addresses != {None} else None


def _stands_in_text(kept: KeptPage, row: int) -> bool:
    """Return whether there is more text than links around a box, and than in it."""
    box = kept.widen(row)
    around = int(kept.page.parent[box])
    if around > 0 and kept.page.tag[around] == _FIGURE:
        around = int(kept.page.parent[kept.widen(around)])
    if around < 0:
        return False
    n_own = kept.count(box, kept.words)
    n_linked = kept.count(around, kept.linked) - kept.count(box, kept.linked)
    n_plain = kept.count(around, kept.words) - n_own - n_linked
    return n_plain > max(n_own, n_linked)


def _add_card(kept: KeptPage, parts: BoxParts, row: int, link: int) -> None:
    """Write a box as its title, with the name of the file that it links."""
    page = kept.page
    title = _find_title(kept, row)
    if title is None:
        return
    shown, attrs = kept.leaves_of(title), page.attrs(link)
    if not page.in_link[page.leaves[shown]].all():
        return
    unmark(page, parts, row, shown[0])
    parts.links[link] = attrs.get("href", "")
    name: int | None = None
    if "download" in attrs:
        behind = [leaf for leaf in kept.leaves_of(row) if leaf > shown[-1]]
        name = next((leaf for leaf in behind if _is_file_name(kept, leaf)), None)
    if name is not None:
        parts.texts[int(page.leaves[name])] = f"({page.leaf_text(name).strip()})"
        parts.continued.append(name)
    parts.dropped.extend({*kept.leaves_of(row)} - {*shown, name})


def _find_title(kept: KeptPage, row: int) -> int | None:
    """Return the first heading in a box, else the first element named a title; of one block."""
    page = kept.page
    rows = [each for each in range(row, int(page.end[row])) if kept.count(each)]
    headings = (each for each in rows if HEADINGS[page.tag[each]])
    titles = (each for each in rows if _TITLE.search(page.attr(each, "class") or ""))
    title = next(headings, None) or next(titles, None)
    is_one = title is not None and kept.blocks_of(title) == 1 and kept.count(title, kept.words)
    return title if is_one else None


def _is_file_name(kept: KeptPage, leaf: int) -> bool:
    """Return whether a leaf alone in its block is the name of a file."""
    return _FILE.fullmatch(kept.page.leaf_text(leaf).strip()) is not None
