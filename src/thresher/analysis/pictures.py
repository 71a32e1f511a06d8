"""Pictures that are content, though they have no words to be judged by.

One is named by the page for those who share it. Others have the role of captions, as readers label
the pictures of a text. A page without a text is about a picture: a comic, a photograph, a drawing.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import quote, unquote, urlsplit

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.attributes import whole
from thresher.page.hidden import Hidden
from thresher.page.rows import BoolArray, sum_before
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, HEADINGS, flags_of
from thresher.roles import ROLES
from thresher.selection import Selection
from thresher.support.cached import cached_view

_PICTURES: Final = flags_of("amp-img img picture video")
_IMAGES: Final = flags_of("amp-anim amp-img img")
_A, _PICTURE = CODE_OF["a"], CODE_OF["picture"]
_HEADS: Final = flags_of("header"), flags_of("article main")
_BESIDE: Final = HEADINGS | flags_of("aside footer form nav th")
_AROUND: Final = flags_of("aside footer header nav")
_UNSHOWN: Final = np.uint8(~(Hidden.ARIA | Hidden.NOSCRIPT) & 0xFF)
_CAPTION: Final = ROLES.index("caption")
_METAS: Final = flags_of("meta")
_SHARED: Final = frozenset(
    "og:image og:image:url og:image:secure_url twitter:image twitter:image:src".split()
)
"""Names of the picture that a page has for those who share it."""
_FILE: Final = re.compile(r"\.(?:avif|gif|jpe?g|png|svg|webp)(?:\?|\Z)", re.IGNORECASE)
"""Ends of the addresses of pictures."""
_SIZE: Final = re.compile(r"(?:[-_@]\d{2,4}x\d{2,4}|-scaled|@\dx)\Z")
"""Ends of the names of files that are one picture in several sizes."""
_DECORATION: Final = re.compile(
    r"(?<![a-z])(?:avatar|icon|logo|placeholder|spacer)s?(?![a-z])", re.IGNORECASE
)
"""Classes and addresses of pictures that are not of a text."""
_MIN_NAME_CHARS, _MAX_NAME_CHARS = 6, 300
"""Characters of the name of a file by which a picture is recognised."""
_MIN_SIDE_PX: Final = 100
"""Minimum side of an illustration; what is smaller on both is a face, a tool or a thumbnail."""
_MAX_DIGITS: Final = 8
"""Digits from which a side is no number of pixels."""
_MAX_SHARED: Final = 16
"""Statements about shared pictures, such as their width, that are read."""
_MAX_WORDS_AROUND: Final = 60
"""Dropped words between the kept ones before and after a picture: a caption, names and a date."""
_MAX_WORDS_TO_SHARED: Final = 120
"""The same for the picture that the page names: a summary and tools, too."""
_MIN_ALT_LETTERS: Final = 4
"""Minimum letters of an alternative text that is looked for in the title."""
MAX_CAPTION_WORDS: Final = 100
"""Words of a figure's caption; a longer one is the text of a card."""
MAX_HEAD_WORDS: Final = 60
"""Words between the heading of a page and its text: a summary, names and a date."""


class _Dropped(NamedTuple):
    """Dropped pictures near kept text, which may belong to it."""

    places: npt.NDArray[np.intp]
    """Their leaves, as are the next; int[n_picture]."""
    below_heading: npt.NDArray[np.intp]
    """Pictures alone that are captions by their role, before much text is kept."""
    is_caption: BoolArray
    """Whether each is a caption by its role, at most with its words; bool[n_picture]."""


def find_illustrations(selection: Selection, heading: int) -> BoolArray:
    """Flag the dropped pictures of the kept text below a heading, given by its row; bool[n_leaf].

    These are captions by their role, and the first picture that the page names as its own, which
    may also stand above the heading.
    """
    page, keep = selection.page, selection.keep
    flags = np.zeros(keep.size, np.bool_)
    dropped = _find_dropped(selection, heading)
    if dropped is None:
        return flags
    flags[dropped.below_heading] = True
    if not dropped.places.size:
        return flags
    places, blocks = dropped.places, page.blocks.of_leaf.take(dropped.places)
    rows = page.leaves.take(places)
    attrs = [page.attrs(row) for row in watch(rows.tolist())]
    is_small = np.array([_is_small(each) for each in attrs])
    is_decoration = is_small | [_says_decoration(each, "class", "src") for each in attrs]
    # A block may have a picture with its caption.
    illustrated = np.zeros(len(page.blocks), np.bool_)
    illustrated[blocks[dropped.is_caption & ~is_decoration]] = True
    illustrated[blocks[is_decoration]] = False
    flags |= illustrated.take(page.blocks.of_leaf)
    may_lead = ~is_small & [not _says_decoration(each, "src", "alt") for each in attrs]
    names = _read_shared(page) if may_lead.any() else ()
    may_lead &= [_has_file(page, row, names) for row in watch(rows.tolist())]
    if may_lead.any() and not _is_shown(page, keep, names):
        # The logo of a site is in its header; that of an article has the lead picture.
        in_header, in_article = (page.within(flagged[page.tag])[rows] for flagged in _HEADS)
        may_lead &= (places >= page.leaf_offset[heading]) | ~in_header | in_article
        flags[places[may_lead][:1]] = True
    return flags


def _find_dropped(selection: Selection, heading: int) -> _Dropped | None:
    """Find the dropped pictures that may belong to kept text; None on most pages."""
    page, keep, judgement = selection.page, selection.keep, selection.judgement
    before = page.words_before
    first = page.leaf_offset[before.searchsorted(before[heading] - _MAX_WORDS_TO_SHARED)]
    last = keep.size - 1 - int(keep[::-1].argmax())
    places = (_PICTURES.take(page.tag.take(page.leaves)) & ~keep)[first:].nonzero()[0] + first
    if not places.size:
        return None
    start, kept_words = int(page.leaf_offset[heading]), sum_before(page.leaf_words * keep)
    head_stop = int(kept_words.searchsorted(MAX_HEAD_WORDS)) - 1
    stop = max(last, head_stop)
    places = places[(places < stop) & (page.hidden.take(page.leaves.take(places)) == 0)]
    # On a forum they show who wrote a post.
    is_forum = bool(judgement and judgement.page_types[0][0] == "forum")
    if not places.size or is_forum or (roles := selection.role_code) is None:
        return None
    blocks = page.blocks.of_leaf.take(places)
    own, linked = (
        page.blocks.sums(counts).take(blocks) for counts in (page.leaf_words, page.leaf_link_words)
    )
    is_caption = (roles.take(blocks) == _CAPTION) & (places >= start)
    in_head = is_caption & (own == 0) & (places < head_stop)
    is_caption &= (own <= MAX_CAPTION_WORDS) & (2 * linked <= own)
    words = sum_before(page.leaf_words)
    edges = np.concatenate(([first - 1, start], keep.nonzero()[0], [stop]))  # none is kept before
    following = edges.searchsorted(places)
    around = words[edges[following]] - words[edges[following - 1] + 1] - own
    is_near = (around <= _MAX_WORDS_TO_SHARED) & (places < last)
    is_caption &= around <= _MAX_WORDS_AROUND
    chosen = (in_head | is_near).nonzero()[0]
    chosen = chosen[_is_part_of_text(page, page.leaves.take(places.take(chosen)))]
    near, below_heading = chosen[is_near[chosen]], chosen[in_head[chosen]]
    return _Dropped(places[near], places[below_heading], is_caption[near])


def _is_shown(page: Page, keep: BoolArray, names: tuple[bytes, ...]) -> bool:
    """Return whether a picture with one of some names is kept."""
    rows = page.leaves[keep]
    rows = rows[_IMAGES.take(page.tag.take(rows))]
    return any(_has_file(page, row, names) for row in watch(rows.tolist()))


def _is_part_of_text(page: Page, rows: IntArray) -> BoolArray:
    """Return which pictures stand in no heading or box beside a text, and link only to pictures."""
    if not rows.size:
        return np.zeros(0, np.bool_)
    links = page.nearest(page.tag == _A, rows).tolist()
    is_part = [
        link < 0 or bool(_FILE.search(page.attr(link, "href") or "")) for link in watch(links)
    ]
    return np.array(is_part, np.bool_) & ~page.within(_BESIDE.take(page.tag)).take(rows)


def _is_small(attrs: Mapping[str, str]) -> bool:
    """Return whether a picture is small; 0 stands for a side that follows from the other."""
    sides = [attrs.get(name, "").strip().removesuffix("px") for name in ("width", "height")]
    return all(
        side.isdecimal() and len(side) < _MAX_DIGITS and 0 < int(side) < _MIN_SIDE_PX
        for side in sides
    )


def _says_decoration(attrs: Mapping[str, str], *names: str) -> bool:
    """Return whether one of some attributes says that a picture is not of a text."""
    return any(_DECORATION.search(attrs.get(name, "")) for name in names)


def find_shared_picture(page: Page) -> int:
    """Return the row of the first image whose file the page names for those who share it; else −1.

    A file is recognised by its name in any size and of any kind.
    """
    names = _read_shared(page)
    rows = page.rows_of(_IMAGES).tolist() if names else []
    return next((row for row in watch(rows) if _has_file(page, row, names)), -1)


@cached_view
def _read_shared(page: Page) -> tuple[bytes, ...]:
    """Return the names, in small letters, of the files that the page names for those who share it.

    Each is given with and without percent signs.
    """
    start, stop, find = page.open_start.item, page.open_stop.item, page.buffer.find
    rows = page.rows_of(_METAS).tolist()
    rows = [row for row in watch(rows) if find(b":image", start(row), stop(row)) >= 0]
    metas = [page.attrs(row) for row in rows[:_MAX_SHARED]]
    urls = [
        meta.get("content") or meta.get("value", "")  # some systems write value instead
        for meta in metas
        if not _SHARED.isdisjoint((meta.get("property"), meta.get("name")))
    ]
    names = {name for url in urls if (name := _read_name(url))}
    names |= {quote(name, errors="surrogatepass") for name in names}
    return tuple(sorted(name.lower().encode(errors="surrogatepass") for name in names))


def _has_file(page: Page, row: int, names: tuple[bytes, ...]) -> bool:
    """Return whether a picture, or a source of it, has a file with one of some names."""
    if not names:
        return False
    parent = int(page.parent[row])
    first = parent if parent >= 0 and page.tag[parent] == _PICTURE else row
    markup = page.buffer[page.open_start[first] : page.open_stop[page.end[first] - 1]].lower()
    behind = (rest for name in names for rest in markup.split(name)[1:])
    return any(not rest[:1].isalnum() for rest in behind)


def _read_name(url: str) -> str:
    """Return the name of a file without its size and kind, "" if it tells none."""
    try:
        path = urlsplit(url).path
    except ValueError:
        return ""
    file = posixpath.basename(unquote(path))
    if len(file) > _MAX_NAME_CHARS:
        return ""
    name = _drop_size(file)
    # A short name is only known in full: "/mill.jpg".
    return name if len(name) >= _MIN_NAME_CHARS else f"/{file}" * (len(file) >= _MIN_NAME_CHARS)


def read_stem(url: str) -> str:
    """Return what the addresses of one picture in several sizes share."""
    path = url.partition("?")[0]
    return _drop_size(path) if _FILE.search(path) else url


def _drop_size(path: str) -> str:
    """Return the address of a file without its size and kind."""
    return _SIZE.sub("", _FILE.sub("", path))


def find_lone_picture(page: Page) -> int:
    """Return the block of the picture that a page is about, and nothing else; −1 for none.

    It is the one that the page names as its own, or that the title names too; a logo has the name
    of the site, and is in a link to its first page or beside the content.
    """
    from thresher.analysis.metadata.evidence import PageEvidence  # seldom
    from thresher.analysis.metadata.normalise import key_of
    from thresher.analysis.structured import read_title

    rows = page.leaves[_IMAGES[page.tag[page.leaves]]]
    rows = rows[((page.hidden[rows] & _UNSHOWN) == 0) & ~page.within(_AROUND[page.tag])[rows]]
    if not rows.size or page.attributes.rows_matching("type", whole(rb"password")).size:
        return -1
    evidence = PageEvidence(page)
    title = key_of(read_title(page) or "")
    names = _read_shared(page)
    in_link = page.within(page.tag == _A)
    for row in watch(rows.tolist()):
        block = int(page.blocks.of_leaf[page.leaf_offset[row]])
        first, stop = page.blocks.start[block : block + 2].tolist()
        if page.leaf_words[first:stop].any():
            continue
        attrs = page.attrs(row)
        alt = key_of(attrs.get("alt", ""))
        if alt in evidence.site_keys:
            continue
        is_titled = len(alt) >= _MIN_ALT_LETTERS and alt in title and alt != title
        if _has_file(page, row, names) or (is_titled and not in_link[row]):
            return block
    return -1
