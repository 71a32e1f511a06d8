"""Tables of contents: elements with nothing but links to the headings below them.

They are recognised by where their links lead, whatever system wrote them, in any language.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.links import InnerLink, find_inner_links
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.rows import sum_before
from thresher.page.tags import CODE_OF, HEADINGS, flags_of

_Rows = npt.NDArray[np.int64]

_MIN_LINKS: Final = 2
_MAX_LABEL_WORDS: Final = 6
_MAX_NUMBER_WORDS: Final = 2
"""Words of the number of an entry outside its link, such as "1.2" or "•"."""
_ITEMS: Final = flags_of("dd li")
_PARTS: Final = flags_of("dd dt li tbody td tfoot th thead tr")
"""Elements without which a list or a table would have a hole."""
_MARGIN: Final = 4
"""Leaves before and after the links of a page that may be numbers of entries."""
_TITLE: Final = CODE_OF["h1"]


def find_contents_lists(page: Page) -> list[int]:
    """Find the elements that are tables of contents, and their labels.

    All their words but numbers are in two or more links, each to a heading further down than that
    of the link before; to one of the same words if its target is missing.
    """
    headings = page.rows_of(HEADINGS)
    if headings.size < _MIN_LINKS or page.attributes.inner_links.size < _MIN_LINKS:
        return []
    every = np.ones(page.leaves.size, np.bool_)
    links = find_inner_links(page, every)
    texts: dict[str, int] = {}
    if any(link.target < 0 for link in links):
        # Scripts of GitHub and others find headings without ids by their texts.
        texts = {_read(page, row): row for row in reversed(headings.tolist())}
    leading = [
        (link.row, target)
        for link in links
        if (target := link.target if link.target >= 0 else texts.get(_read(page, link.row), -1))
        > link.row
    ]
    if len(leading) < _MIN_LINKS:
        return []
    rows, targets = (np.array(column) for column in zip(*leading, strict=True))
    heading = _find_headings(page, headings, targets)
    leads_down = heading >= page.end[rows]
    rows, heading = rows[leads_down], heading[leads_down]
    others = _count_others(page, np.union1d(rows, _find_own(page, headings, links)))
    n_link = page.subtree_sums(page.flag(rows))
    is_pure = (others[page.end] == others[:-1]) & (n_link >= _MIN_LINKS)
    is_pure &= ~_PARTS[page.tag]
    is_pure &= ~page.below(is_pure | _ITEMS[page.tag])
    lists: list[int] = []
    for row in watch(np.flatnonzero(is_pure).tolist()):
        first, stop = np.searchsorted(rows, (row, page.end[row])).tolist()
        path = heading[first:stop]
        if path[0] >= page.end[row] and (path[1:] > path[:-1]).all():
            lists.append(_with_label(page, row, others, n_link))
            lists += _find_label(page, row, headings).tolist()
    return lists


def _find_own(page: Page, headings: _Rows, links: list[InnerLink]) -> _Rows:
    """Return the links to the title above them, with which the lists of docutils begin."""
    upward = [(link.row, link.target) for link in links if 0 <= link.target < link.row]
    if not upward:
        return np.zeros(0, np.int64)
    rows, targets = (np.array(column) for column in zip(*upward, strict=True))
    heading = _find_headings(page, headings, targets)
    is_title = (heading >= 0) & (heading < rows) & (page.tag[heading] == _TITLE)
    own: _Rows = rows[is_title]
    return own


def _read(page: Page, row: int) -> str:
    return " ".join(page.text_of(row).split()).casefold()


def _find_headings(page: Page, headings: _Rows, targets: _Rows) -> _Rows:
    """Return the heading around each target, or the one that it begins with; −1 for neither."""
    place = np.searchsorted(headings, targets, side="right")
    before = headings[np.maximum(place - 1, 0)]
    is_inside = (before <= targets) & (page.end[before] > targets)
    after = headings[np.minimum(place, headings.size - 1)]
    begins = (after > targets) & (page.words_before[after] == page.words_before[targets])
    return np.where(is_inside, before, np.where(begins, after, -1))


def _count_others(page: Page, links: _Rows) -> npt.NDArray[np.int64]:
    """Count the words before each row outside some links, without numbers; int64[n_row + 1]."""
    linked = page.within(page.flag(links))[page.leaves]
    words = np.where(linked, 0, page.leaf_words)
    near = np.flatnonzero(linked)
    first, stop = (max(0, near[0] - _MARGIN), near[-1] + _MARGIN) if near.size else (0, 0)
    inside = words[first:stop]
    short = first + np.flatnonzero((inside > 0) & (inside <= _MAX_NUMBER_WORDS))
    texts = page.leaf_texts(short)
    words[short[[not any(map(str.isalpha, text)) for text in texts]]] = 0
    return sum_before(words)[page.leaf_offset]


def _with_label(
    page: Page, row: int, others: npt.NDArray[np.int64], n_link: npt.NDArray[np.int64]
) -> int:
    """Return the element around a table of contents and its label, or the table's row."""
    above, end = int(page.parent[row]), int(page.end[row])
    if above < 0 or n_link[above] > n_link[row]:
        return row
    label = others[row] - others[above]
    is_all = others[page.end[above]] == others[end]
    return above if is_all and 0 < label <= _MAX_LABEL_WORDS else row


def _find_label(page: Page, row: int, headings: _Rows) -> _Rows:
    """Return the heading above a table of contents, if the section has nothing else; int64[0…1]."""
    place = int(np.searchsorted(headings, row))
    label: _Rows = headings[max(place - 1, 0) : place]
    after = headings[place : place + 1]
    if not label.size or not after.size:
        return label[:0]
    before, words = page.words_before, np.diff(page.words_before[[row, page.end[row]]])
    is_alone = before[after] - before[page.end[label]] == words
    is_short = before[page.end[label]] - before[label] <= _MAX_LABEL_WORDS
    # A title stands above the text, the heading of a part above smaller ones.
    is_same = (page.tag[after] <= page.tag[label]) & (page.tag[label] != _TITLE)
    chosen: _Rows = label[is_alone & is_short & is_same]
    return chosen
