"""Headings and signatures with what belongs to them, and bars of links to neighbouring pages.

A reader of a heading wants what it announces: code, a table or a list directly after it are kept. A
heading under which all was dropped announces nothing; on pages that tell a story it is dropped too.
Manuals describe each function below its signature, which has few words of prose and may be dropped
where its description stays; they repeat links to the previous and next page, which are dropped.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.landmarks import Landmarks
from thresher.algorithms.learned.page_type import PAGE_TYPES, story_probability
from thresher.features import Features
from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import CODE_OF, flags_of

__all__ = [
    "find_announced_parts",
    "find_bare_headings",
    "find_bars",
    "find_section_headings",
    "find_signatures",
    "tells_story",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.integer]

_A, _BUTTON, _DT = CODE_OF["a"], CODE_OF["button"], CODE_OF["dt"]
_HEADINGS: Final = flags_of("h2 h3 h4 h5 h6")
_LEVELS: Final = np.sum([level * flags_of(f"h{level}") for level in range(1, 7)], axis=0)
"""Level of a heading by tag, 0 for others."""
# As in `uniform`: announced parts wcxb_dev -.013; bare headings wcxb_dev +.005, newspaper4k_424
# +.020, magic_html +.028, zh_finance +.049, and without a bound of their probability wcxb_dev -.074
# and dragnet -.070; signatures at most -.01.
_MIN_PROBABILITY: Final = 0.2
"""Mean probability per word from which a part after its heading is kept."""
_MAX_LINKS: Final = 0.3
"""Link density above which a part is a list of links."""
_MAX_HEADING_PROBABILITY: Final = 0.7
"""Probability above which a heading is kept without anything under it."""
_DOCUMENTATION: Final = PAGE_TYPES.index("documentation")
_MIN_LIST_LINKS: Final = 0.5
"""Share of the dropped words under a heading in links from which these are links to other pages.
With the shipped weights (2026-11-25, a script outside the repository, every third page), word F1 in
points: wcxb_dev +.004, newspaper4k_424 +.007, dragnet +.009; others 0."""
_MAX_LIST_HEADING_WORDS: Final = 10
"""Words of a heading that may announce them; a longer one says something, as below a picture."""
_MIN_STORY: Final = 0.5
"""Probability that a page tells something from which signatures and such headings count."""
_SIGNATURE: Final = re.compile(
    rb"(?i)(?:^|[\s_-])(?:code-?header|decl(?:aration)?|member-?(?:name|signature)|memproto"
    rb"|method-?(?:name|signature|synopsis)|prototype|sig|signature|src|synopsis|term)(?:$|[\s_-])"
)
"""Class names of signatures: Haddock, rustdoc, Sphinx, Javadoc, Doxygen, DocBook, Dokka, YARD."""
_CLASS: Final = b' class="'
_MIN_SIGNATURE: Final = 0.1
"""Probability from which a signature is kept."""
_LEVELS_UP: Final = 2
"""Elements around a block that may have such a class."""
_NEIGHBOUR: Final = re.compile(
    rb'(?i) (?:accesskey="[nphu]"'
    rb'|rel="(?:[^"]* )?(?:contents|home|index|next|prev(?:ious)?|start|up)[ "])'
)
"""Attributes of links to the next page, the previous one, the chapter and the manual, with the keys
of Texinfo and DocBook."""
_MIN_BAR_LINKS: Final = 0.5
"""Share of a bar's words in links, and of these in links to neighbouring pages."""


def tells_story(types: npt.NDArray[np.floating]) -> bool:
    """Return whether a page tells something: it does not merely list or sell."""
    return story_probability(types) >= _MIN_STORY


def find_announced_parts(
    page: Page,
    features: Features,
    landmarks: Landmarks,
    keep: BoolArray,
    probability: FloatArray,
) -> BoolArray:
    """Flag dropped lists, tables and code directly after a kept heading; bool[n_block]."""
    found = np.zeros(keep.size, np.bool_)
    after = landmarks.follow_kept(keep)
    spans = zip(landmarks.first[after].tolist(), landmarks.stop[after].tolist(), strict=True)
    for start, end in spans:
        heading = int(page.block_row[start - 1])
        if not _HEADINGS[page.tag[heading]] or keep[start:end].any():
            continue
        words = features.words[start:end]
        # Pictures have no words, and may be buttons, such as those of networks to share on.
        weights = words if words.any() else np.ones_like(words)
        likely = (weights * probability[start:end]).sum() >= _MIN_PROBABILITY * weights.sum()
        around = int(page.parent[heading])
        inside = page.block_leaf[start] < page.end[max(int(page.parent[around]), 0)]
        links = landmarks.link_words[start:end]
        if likely and inside and links.sum() <= _MAX_LINKS * words.sum():
            found[start:end] = True
    return found


def find_bare_headings(
    page: Page,
    features: Features,
    landmarks: Landmarks,
    keep: BoolArray,
    probability: FloatArray,
    *,
    types: npt.NDArray[np.floating],
) -> BoolArray:
    """Flag kept headings under which words were dropped and nothing is kept; bool[n_block].

    Above links to other pages all that are short; above other words no probable ones, and none on
    shop, list and service pages, where headings are the names of what is shown.
    """
    found = np.zeros(keep.size, np.bool_)
    heading = page.block_row
    places = _HEADINGS.take(page.tag.take(heading)).nonzero()[0]
    starts = features.chain.row_stop.take(heading.take(places))
    # Most headings have a kept block behind them.
    maybe = keep.take(places) & (starts < keep.size) & ~keep.take(starts, mode="clip")
    if not maybe.any():
        return found
    doubtful = (probability.take(places) <= _MAX_HEADING_PROBABILITY) & tells_story(types)
    level = _LEVELS[page.tag[heading[places]]]
    kept, dropped = sum_before(keep), sum_before(features.words * ~keep)
    linked = sum_before(landmarks.link_words * ~keep)
    for place in np.flatnonzero(maybe).tolist():
        start, row = int(starts[place]), heading[places[place]]
        others = (level[place + 1 :] <= level[place]) & (heading[places[place + 1 :]] != row)
        stop = int(places[place + 1 + others.argmax()]) if others.any() else keep.size
        words, links = dropped[stop] - dropped[start], linked[stop] - linked[start]
        is_short = features.words[places[place]] <= _MAX_LIST_HEADING_WORDS
        is_over = bool(doubtful[place]) or (is_short and links >= _MIN_LIST_LINKS * words)
        found[places[place]] = kept[stop] == kept[start] and words > 0 and is_over
    return found


def find_section_headings(
    page: Page,
    features: Features,
    keep: BoolArray,
    probability: FloatArray,
    types: npt.NDArray[np.floating],
) -> BoolArray:
    """Flag dropped headings directly before a kept block of their container; bool[n_block].

    Only in documentation: elsewhere the network knows headings that are none of the text.
    """
    found = np.zeros(keep.size, np.bool_)
    if types.argmax() != _DOCUMENTATION:
        return found
    chain = features.chain
    places = (~keep[:-1] & keep[1:] & (probability[:-1] >= _MIN_PROBABILITY)).nonzero()[0]
    places = places[_HEADINGS[page.tag[page.block_row[places]]] & (features.words[places] > 0)]
    found[places] = places + 1 < chain.stop[0, places]
    return found


def find_signatures(
    page: Page, features: Features, keep: BoolArray, probability: FloatArray
) -> BoolArray:
    """Flag dropped signatures and terms directly before a kept description; bool[n_block]."""
    found = np.zeros(keep.size, np.bool_)
    before = (
        ~keep[:-1] & keep[1:] & (probability[:-1] >= _MIN_SIGNATURE) & (features.words[:-1] > 0)
    )
    blocks = before.nonzero()[0]
    rows, row_stop = page.block_row.take(blocks), features.chain.row_stop
    # More than the block and what it describes is no signature.
    is_whole = row_stop.take(rows) <= blocks + 1
    for block, around in zip(blocks[is_whole].tolist(), rows[is_whole].tolist(), strict=True):
        row = around
        for _ in range(_LEVELS_UP):
            if row_stop[row] > block + 1 or page.tag[row] == _BUTTON:
                break
            if page.tag[row] == _DT or _is_named_signature(page, row):
                found[block] = True
                break
            row = max(int(page.parent[row]), 0)
    return found


def _is_named_signature(page: Page, row: int) -> bool:
    """Return whether an element has one of the classes of signatures."""
    buffer, stop = page.buffer, page.open_stop[row]
    at = buffer.find(_CLASS, page.open_start[row], stop)
    if at < 0:
        return False
    start = at + len(_CLASS)
    return _SIGNATURE.search(buffer[start : buffer.index(b'"', start)]) is not None


def find_bars(page: Page, features: Features, landmarks: Landmarks, keep: BoolArray) -> BoolArray:
    """Flag kept blocks that consist of links to neighbouring pages; bool[n_block]."""
    n_link = landmarks.link_words
    linked = keep & (n_link >= _MIN_BAR_LINKS * features.words) & (n_link > 0)
    if not linked.any():
        return linked
    leaves = (linked.take(page.blocks.of_leaf) & (page.leaf_link_words > 0)).nonzero()[0]
    around = page.nearest(page.tag == _A).take(page.leaves.take(leaves)).tolist()
    leads = {row: _leads_to_neighbour(page, row) for row in set(around)}
    if not any(leads.values()):
        return np.zeros(keep.size, np.bool_)
    near = np.zeros(page.leaves.size, np.bool_)
    near[leaves] = [leads[row] for row in around]
    chars = page.leaf_chars
    n_near = page.blocks.sums(chars * near)
    n_linked = page.blocks.sums(chars * page.in_link[page.leaves])
    return linked & (n_near > 0) & (n_near >= _MIN_BAR_LINKS * n_linked)


def _leads_to_neighbour(page: Page, row: int) -> bool:
    """Return whether a link says that it leads to a neighbouring page, or the manual."""
    start, stop = int(page.open_start[row]), int(page.open_stop[row])
    return _NEIGHBOUR.search(page.buffer, start, stop) is not None
