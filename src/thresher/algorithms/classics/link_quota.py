"""Drop block elements whose text is mostly links.

Source: Mantratzis, Orgun and Cassidy, "Separating XHTML content from navigation clutter using
DOM-structure block analysis", 2005, as described in its abstract and in Arias et al. 2009.
Idea: menus, link lists and text advertisements are blocks whose text is links. The link quota of a
block is the characters inside links over all characters of its text. A block above the threshold
is dropped with its contents. The smallest blocks are judged first, and dropped text no longer
counts for enclosing blocks; so both a list and the box around several lists are found, and an
element that contains both menu and article is judged by the article.
Score: threshold − quota of the deciding block, so content is at 0 and above.
Departures and known failures: docs/algorithms/link_quota.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.selection import Selection
from thresher.support.settings import setting

_BLOCK_TAGS: Final = tuple(
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption"
    " figure footer form h1 h2 h3 h4 h5 h6 header hgroup li main menu nav ol p pre search section"
    " summary table tbody td tfoot th thead tr ul".split()
)
"""Block-level elements of HTML, old and new, that contain text or lists; not html and body."""

_FEW_LINKS, _MANY_LINKS = range(2)


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of `link_quota`."""

    max_quota: float = setting(
        0.5,
        "share of link characters above which a block goes",
        unit="share of characters",
        low=0,
        high=1,
    )
    recount: bool = setting(True, "leave what a dropped block held out of the blocks around it")
    block_tags: tuple[str, ...] = setting(_BLOCK_TAGS, "tags that are judged")


def select(page: Page, params: Params) -> Selection:
    """Keep the content outside blocks with a high link quota."""
    block = page.tagged(params.block_tags)
    block[0] = False
    own = np.diff(page.chars_before)
    chars, link_chars = page.subtree_sums(own), page.subtree_sums(own * page.in_link)
    if params.recount:
        chars, link_chars = _recount(page, block, chars, link_chars, params.max_quota)
    quota = link_chars / np.maximum(chars, 1)

    around, dropped = page.nearest(block), page.nearest(block & (quota > params.max_quota))
    decider = np.where(dropped >= 0, dropped, around)
    return Selection.of_rows(
        page,
        "link_quota",
        dropped < 0,
        score=params.max_quota - np.where(decider >= 0, quota[decider], 0.0),
        reason_code=np.where(dropped >= 0, _MANY_LINKS, _FEW_LINKS),
        reasons=("in blocks of few links", f"in a block of more than {params.max_quota:.0%} links"),
    )


def _recount(
    page: Page,
    block: npt.NDArray[np.bool_],
    chars: npt.NDArray[np.int64],
    link_chars: npt.NDArray[np.int64],
    max_quota: float,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Subtract the text of dropped blocks from enclosing blocks, the innermost first.

    Rows are visited backwards, so children come before their parents.
    """
    rows = np.flatnonzero(block)
    outer = page.nearest(block | (page.parent < 0))[page.parent[rows]]
    left, left_links = chars.copy(), link_chars.copy()
    gone: dict[int, int] = {}
    gone_links: dict[int, int] = {}
    for row, parent, all_chars, all_links in zip(
        rows[::-1].tolist(),
        outer[::-1].tolist(),
        chars[rows[::-1]].tolist(),
        link_chars[rows[::-1]].tolist(),
        strict=True,
    ):
        lost, lost_links = gone.get(row, 0), gone_links.get(row, 0)
        if lost:
            left[row] -= lost
            left_links[row] -= lost_links
        if (all_links - lost_links) / max(all_chars - lost, 1) > max_quota:
            lost, lost_links = all_chars, all_links
        if lost:
            gone[parent] = gone.get(parent, 0) + lost
            gone_links[parent] = gone_links.get(parent, 0) + lost_links
    return left, left_links
