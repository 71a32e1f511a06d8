"""The headline that a page shows, and titles freed of the site's name.

"Cat saves dog | The Daily" → "Cat saves dog".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.links import find_signs_of
from thresher.analysis.metadata.normalise import key_of, plain_text
from thresher.analysis.word_exports import find_title
from thresher.page import Page
from thresher.page.blocks import SPACE, join_leaves
from thresher.page.hidden import Hidden
from thresher.page.parts import SYSTEM_PARTS
from thresher.page.tags import CODE_OF, flags_of
from thresher.support.cached import cached_lookup, cached_property, cached_view

MIN_SITE_CHARS: Final = 3
"""Shortest site name recognised inside a longer piece, in letters."""
MIN_TITLE_WORDS: Final = 3
MIN_TITLE_CHARS: Final = 8
"""Minimum remaining words, or letters in scripts without spaces, if an unknown name is cut."""
MAX_SITE_WORDS: Final = 4
"""Longest unknown name that is cut, in words."""
MAX_KICKER_CHARS: Final = 25
"""Longest kicker, the word or two of a section before a headline, in characters."""
MAX_PIECES: Final = 50
MAX_RUN_PIECES: Final = 25
"""Maximum number of pieces and separators of a title whose runs are looked for on the page."""
MAX_SHOWN_BLOCKS: Final = 600
"""Maximum number of blocks, from the first, in which a part of the title is looked for."""
MIN_TRAIL_CHARS: Final = 12
"""Minimum letters of a first piece before such pieces."""
MAX_TRAIL_SHARE: Final = 1 / 3
"""Largest size of each of the last pieces, of at least two, that name sections and the site: their
letters by those of the first."""
_SEPARATOR: Final = re.compile(
    r"((?<!\s)\s+(?:[-–—−·•|¦‖/~:]|::|>>|<<)\s+|(?:(?<!\s)\s+)?"
    r"(?:[|｜»«›‹—]|(?<![A-Za-z\d])_|_(?![a-z\d]))\s*"
    r"|(?<=[^\x00-\x7f])--+(?=[^\x00-\x7f])|(?<!\s)\s+[(\[](?=[^()\[\]]{1,30}[)\]]$))"
)
_MARK: Final = re.compile(r"\s[-–−·•¦‖/~:<>(\[]|[|｜»«›‹_—]|--")
"""Parts of which every separator has one. An underscore before a small letter joins the words of an
identifier, such as size_t."""
_QUOTED: Final = re.compile(r"»(?!\s)[^»«]+(?<!\s)«|«(?!\s)[^»«]+(?<!\s)»")
"""A quotation, whose marks are separators elsewhere."""
_AS_SIGNS: Final = str.maketrans("»«", "\ue000\ue001")
_AS_QUOTES: Final = str.maketrans("\ue000\ue001", "»«")
_COLON: Final = re.compile(r"(:\s+)")
_WORD: Final = re.compile(r"\w+")
_BARS: Final = "|｜¦‖"
"""Separators of headline and site that are never part of a headline."""


def cut_site_name(
    title: str, site_keys: Collection[str], headings: Sequence[str], path: str = ""
) -> str:
    """Cut the site's name, and anything beyond it, off either end of a title.

    ``site_keys`` are its known names normalised by `key_of`; ``headings`` show where the headline
    ends; a last piece that names a folder of ``path`` is a section. A short last piece after a bar
    is cut even if it is unknown.
    """
    pieces = _split(title)
    if len(pieces) == 1:
        return _find_after_colon(title, headings) or _cut_unspaced_name(title, site_keys)
    heading = _heading_within(pieces, headings)
    if heading:
        return heading
    pieces = _cut_slogan(pieces, site_keys)
    folders = path.casefold()[: path.rfind("/") + 1]
    while len(pieces) > 2 and (
        is_site_name(pieces[-1], site_keys) or _folder_of(pieces[-1]) in folders
    ):
        pieces = pieces[:-2]
    while len(pieces) > 2 and is_site_name(pieces[0], site_keys):
        pieces = pieces[2:]
    pieces = _cut_trail(pieces)
    if len(pieces) > 2 and _ends_in_unknown_name("".join(pieces[:-2]), *pieces[-2:]):
        pieces = pieces[:-2]
    return "".join(pieces).strip()


def split_title(title: str) -> list[str]:
    """Split a title where the name of its site, or of a section, may begin or end."""
    return _split(title)[::2]


def _split(title: str) -> list[str]:
    """Split a title at every separator; these are at the odd places."""
    # Many titles have none, and the expression is slow.
    if not _MARK.search(title):
        return [title]
    if _QUOTED.search(title):
        title = _QUOTED.sub(lambda quoted: quoted[0].translate(_AS_SIGNS), title)
    pieces = _SEPARATOR.split(title, maxsplit=MAX_PIECES)
    return [piece.translate(_AS_QUOTES) for piece in pieces]


def find_shown_part(page: Page, title: str, cut: str, site_keys: Collection[str]) -> str | None:
    """Return the longest run of whole pieces of a title that a block of the page shows by itself.

    Pages without headings show their headline in a `div` or in bold. None if a block shows ``cut``,
    the title without the name of the site, or no run of some words.
    """
    runs = _find_runs(title)
    if not runs:
        return None
    n_word = page.blocks.sums(page.leaf_words)[:MAX_SHOWN_BLOCKS]
    blocks = np.flatnonzero((n_word > 0) & (n_word <= len(_WORD.findall(title)))).tolist()
    shown = {key_of(page.block_text(block)[:MAX_TITLE_CHARS]) for block in blocks}
    if key_of(cut) in shown:
        return None
    parts = (run for key, run in runs.items() if key in shown and not is_site_name(run, site_keys))
    return max(parts, key=len, default=None)


def _find_runs(title: str) -> dict[str, str]:
    """Return the proper runs of pieces of a title, between colons too, of some words, by key."""
    pieces = [part for piece in _split(title) for part in _COLON.split(piece)]
    runs = {}
    if len(pieces) <= MAX_RUN_PIECES:
        for first, last in combinations_with_replacement(range(0, len(pieces), 2), 2):
            run = "".join(pieces[first : last + 1]).strip()
            if last - first < len(pieces) - 1 and _has_some_words(run):
                runs[key_of(run)] = run
    return runs


def _has_some_words(text: str) -> bool:
    """Return whether a text is longer than most names."""
    unspaced = not text.isascii() and len(key_of(text)) >= MIN_TITLE_CHARS
    return unspaced or len(text.split()) >= MIN_TITLE_WORDS


def is_site_name(text: str, site_keys: Collection[str]) -> bool:
    """Return whether a text is only a name of the site."""
    key = key_of(text)
    if not key or key in site_keys:
        return True
    plain = key.removeprefix("the").removesuffix("com").removesuffix("org").removesuffix("net")
    if len(plain) < MIN_SITE_CHARS:
        return False
    # "BBC News" for BBC, "Daily" for thedaily.example: one contains most of the other.
    return any(
        (plain in site and 2 * len(plain) > len(site))
        or (site in key and len(site) >= MIN_SITE_CHARS and 2 * len(site) >= len(key))
        for site in site_keys
    )


def cut_kicker(shown: str, stated: str) -> str | None:
    """Return the stated headline if the shown one only has a kicker before it.

    None if there is no kicker, or a colon makes it part of the headline.
    """
    kicker = shown.removesuffix(stated).rstrip()
    if 0 < len(kicker) <= MAX_KICKER_CHARS and len(kicker) < len(shown) and kicker[-1] != ":":
        return stated if len(stated.split()) >= MIN_TITLE_WORDS else None
    return None


def shares_most_words(one: str, other: str) -> bool:
    """Return whether at least half of the words of the shorter text are in the other."""
    if one == other:
        return bool(_WORD.search(one))
    first, second = (set(_WORD.findall(text.casefold())) for text in (one, other))
    fewer = min(len(first), len(second))
    if not fewer:
        return False
    keys = key_of(one), key_of(other)
    # In scripts without spaces, the whole text is one word.
    contained = not one.isascii() and (keys[0] in keys[1] or keys[1] in keys[0])
    return contained or 2 * len(first & second) >= fewer


def _cut_slogan(pieces: list[str], site_keys: Collection[str]) -> list[str]:
    """Cut the name of the site and what stands behind it: "… | The Daily - News that matters"."""
    for place in range(2, len(pieces) - 2, 2):
        is_bar = pieces[place - 1].strip() in _BARS
        if is_bar and key_of(pieces[place]) in site_keys:
            title, rest = "".join(pieces[: place - 1]), "".join(pieces[place + 1 :])
            return pieces[: place - 1] if len(key_of(title)) > len(key_of(rest)) else pieces
    return pieces


def _cut_trail(pieces: list[str]) -> list[str]:
    """Cut two or more short last pieces: "Rye is back in the fields - Farming - Sheaf"."""
    first, *rest = (len(key_of(piece)) for piece in pieces[::2])
    is_trail = first >= MIN_TRAIL_CHARS and len(rest) > 1
    return pieces[:1] if is_trail and max(rest) <= MAX_TRAIL_SHARE * first else pieces


def _find_after_colon(title: str, headings: Sequence[str]) -> str | None:
    """Return the heading that ends a title which begins with another: "The Mill: Rye is back"."""
    keys = {key_of(heading): heading for heading in headings}
    name, colon, rest = title.partition(": ")
    return rest.strip() if colon and key_of(name) in keys and key_of(rest) in keys else None


def _cut_unspaced_name(title: str, site_keys: Collection[str]) -> str:
    """Cut a known name off a title in a script without spaces: "标题-新华网"."""
    first, hyphen, name = title.rpartition("-")
    is_title = bool(hyphen) and not first.isascii() and len(key_of(first)) >= MIN_TITLE_CHARS
    return first.strip() if is_title and key_of(name) in site_keys else title


def _folder_of(section: str) -> str:
    """Return the folder that a section may have in an address: "World News" → "/world-news/"."""
    return f"/{'-'.join(section.casefold().split())}/"


def _ends_in_unknown_name(title: str, separator: str, name: str) -> bool:
    """Return whether a short last piece after a bar leaves a title that is long enough."""
    unspaced = not title.isascii() and len(key_of(title)) >= MIN_TITLE_CHARS
    # An underscore is a bar only in scripts without spaces.
    is_bar = separator.strip() in (f"{_BARS}_" if unspaced else _BARS)
    return is_bar and _has_some_words(title) and len(name.split()) <= MAX_SITE_WORDS


def _heading_within(pieces: list[str], headings: Sequence[str]) -> str | None:
    """Return the run of whole pieces that equals one of the page's headings, as in the title."""
    wanted = {key_of(heading) for heading in headings} - {""}
    for first in (0, 2):
        for last in range(len(pieces), first, -2):
            run = "".join(pieces[first:last])
            if last - first < len(pieces) and key_of(run) in wanted:
                return run.strip()
    return None


# -- the headline shown ----------------------------------------------------------------------------

MAX_HEADINGS: Final = 8
MIN_MATCH_CHARS: Final = 8
"""Minimum letters of an h2 or h3 that is matched with the title."""
NEAR_BLOCKS: Final = (4, 12)
"""Blocks before and after the headline that may describe the article."""
MIN_SURE_CHARS: Final = 20
"""Minimum letters of an h1 that is not the name of a site. On every twelfth page of 15 corpora the
title is the same with and without this rule (516 pages, 2026-11-23)."""
MAX_LEAVES: Final = 100
MAX_TITLE_CHARS: Final = 1000
"""Text read of a title or a heading, in characters."""

_A, _BUTTON, _SPAN = (CODE_OF[name] for name in ("a", "button", "span"))
_MAY_BE_CUT: Final = flags_of("a button")
_XENFORO: Final = SYSTEM_PARTS.bits(b"p-title-value")
_PREFIX: Final = frozenset(("label", "label-append"))
"""Classes of the kind of a thread before its title, and of the gap between the two: XenForo."""
_NO_GAP: Final = np.zeros(1, np.uint8)
_ARTICLE: Final = flags_of("article main")
_H1, _LOWER_HEADINGS, _TITLES = flags_of("h1"), flags_of("h2 h3"), flags_of("title")
_NAV: Final = flags_of("nav")
_STORY: Final = flags_of("article")
_SPOKEN: Final = np.uint8(Hidden.SPOKEN)
_UNSEEN: Final = np.uint8(Hidden.TEMPLATE | Hidden.ATTRIBUTE)


@dataclass(frozen=True)
class Headline:
    """The headline of one page; computed on demand, at most once."""

    page: Page

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The texts of the first h1 elements, and of an h2 or h3 that the title contains."""
        rows = {*self._first_level.tolist(), self.row} - {0}
        texts = (plain_text(self._text_of(row)) for row in sorted(rows))
        return tuple(text for text in texts if text)

    @property
    def text(self) -> str | None:
        """The text of the h1 that the title contains, else of the first h1; None without any."""
        is_h1 = self.row in self._first_level
        return plain_text(self._text_of(self.row)) or None if is_h1 else None

    @property
    def confirmed(self) -> str | None:
        """The text of an h1 too long for the name of a site, if the page's title begins with it.

        It is the page's title then, whatever else states one; None otherwise.
        """
        text = self.text or ""
        key = key_of(text)
        is_whole = len(key) >= MIN_SURE_CHARS and len(split_title(text)) == 1
        return text if is_whole and key_of(self._title).startswith(key) else None

    @property
    def is_one_of_several(self) -> bool:
        """Whether there are several h1 elements, which are then headings of sections."""
        return self._first_level.size > 1

    @cached_property
    def row(self) -> int:
        """The heading row that the title contains, h1 first, else the first h1; 0 for none."""
        row, _ = self._find_in_title(self._first_level)
        if row:
            return self._find_named_first(row) or self._find_named_beside(row) or row
        row, length = self._find_in_title(self._lower_levels)
        if length >= MIN_MATCH_CHARS:
            return row
        first = int(self._first_level[0]) if self._first_level.size else 0
        return self._find_numbered() or first

    def _find_in_title(self, rows: npt.NDArray[np.intp]) -> tuple[int, int]:
        """Find the heading that the title contains, and its letters; 0 and 0 for none."""
        whole = key_of(self._title)
        keys = ((key_of(self._text_of(row)), row) for row in rows.tolist())
        named = [(len(key), -row) for key, row in keys if key and key in whole]
        if len(named) > 1:
            # Others are the name of the site, outside the article, or part of the longest.
            within = self.page.within(_ARTICLE[self.page.tag])
            length, row = max(named, key=lambda heading: (bool(within[-heading[1]]), *heading))
        else:
            length, row = max(named, default=(0, 0))
        return -row, length

    @cached_property
    def _title(self) -> str:
        titles = self.page.rows_of(_TITLES)
        return self.page.text_of(titles.item(0))[:MAX_TITLE_CHARS] if titles.size else ""

    def _find_named_first(self, row: int) -> int:
        """Find another heading that begins a title which ends with this h1; 0 for none.

        "Buffer | Node.js Documentation" is about buffers, though the manual's name is the h1.
        """
        name = key_of(self._text_of(row))
        if not key_of(self._title).endswith(name):
            return 0  # as of most titles; splitting one takes longer
        pieces = [key_of(piece) for piece in split_title(self._title)]
        if len(pieces) < 2 or name != pieces[-1]:
            return 0
        firsts = pieces[0], "".join(pieces[:-1])
        rows = (*self._first_level.tolist(), *self._lower_levels.tolist())
        others = [heading for heading in self._first_level.tolist() if heading != row]
        # Of a wiki's "how_to:rye [Wiki]", the first piece is the name of a file.
        other = others[0] if len(others) == 1 and self._title.rstrip().endswith("]") else 0
        return next(
            (heading for heading in rows if key_of(self._text_of(heading)) in firsts), other
        )

    def _find_numbered(self) -> int:
        """Find a lower heading that ends with the title, as "Chapter 6. Rye" does; 0 for none."""
        whole, first = key_of(self._title), key_of(split_title(self._title)[0])
        if len(first) < MIN_MATCH_CHARS:
            return 0
        for row in self._lower_levels.tolist():
            key = key_of(self._text_of(row))
            # Of the first part of a title, as of "Rye - Manual", the rest is but a number.
            if key.endswith(whole) or (key.endswith(first) and key.removesuffix(first).isdigit()):
                return int(row)
        return 0

    def _find_named_beside(self, row: int) -> int:
        """Find a lower heading that, with a blog's name as this h1, is the title; 0 for none."""
        above = row
        while above >= 0:
            if _ARTICLE[self.page.tag.item(above)]:
                return 0
            above = self.page.parent.item(above)
        whole, name = key_of(self._title), key_of(self._text_of(row))
        both = (whole.removeprefix(name), whole.removesuffix(name))
        wanted = [key for key in both if MIN_MATCH_CHARS <= len(key) < len(whole)]
        if not wanted:
            return 0
        keys = {key_of(self._text_of(heading)): heading for heading in self._lower_levels.tolist()}
        return next((keys[key] for key in wanted if key in keys), 0)

    @cached_property
    def _first_level(self) -> npt.NDArray[np.intp]:
        title = find_title(self.page)
        rows = np.array([title]) if title else self._rows_of(_H1)
        if not rows.size:
            rows = self._find_declared()
        in_article = self.page.within(_STORY.take(self.page.tag)).take(rows)
        spoken = (self.page.hidden.take(rows) & _SPOKEN) != 0
        # GitHub has the name of a project for screen readers, and the heading of its README.
        is_told = in_article
        if not in_article.any() and spoken.any():
            whole = key_of(self._title)
            is_told = np.array([key_of(self._text_of(row)) in whole for row in rows.tolist()])
        headings: npt.NDArray[np.intp] = rows[is_told | ~spoken]
        return headings

    def _find_declared(self) -> npt.NDArray[np.intp]:
        """Find the elements that are headings of the first level by their role."""
        levels = self.page.attributes.values("aria-level")
        rows = [row for row, level in levels.items() if level.strip() == "1"]
        is_heading = [(self.page.attr(row, "role") or "").strip() == "heading" for row in rows]
        return np.array(rows, np.intp)[is_heading]

    @cached_property
    def _lower_levels(self) -> npt.NDArray[np.intp]:
        return self._rows_of(_LOWER_HEADINGS)

    def _rows_of(self, headings: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
        """Find the first visible headings with these tags."""
        page = self.page
        rows = page.rows_of(headings)
        if not rows.size:
            return rows
        is_seen = (page.hidden.take(rows) & _UNSEEN) == 0
        if headings is _LOWER_HEADINGS:
            is_seen &= ~page.within(_NAV.take(page.tag)).take(rows)
        is_filled = page.chars_before.take(page.end.take(rows)) > page.chars_before.take(rows)
        visible: npt.NDArray[np.intp] = rows[is_seen & is_filled][:MAX_HEADINGS]
        return visible

    @cached_lookup
    def _text_of(self, row: int) -> str:
        return read_heading(self.page, row)

    @cached_property
    def block(self) -> int:
        """The block of the headline, −1 for none."""
        return self._block_at(self.row) if len(self.page.blocks) and self.row else -1

    def is_near(self, row: int) -> bool:
        """Return whether an element begins in one of the blocks near it."""
        before, after = NEAR_BLOCKS
        return self.block >= 0 and -before <= self._block_at(row) - self.block <= after

    def _block_at(self, row: int) -> int:
        leaf = min(int(self.page.leaf_offset[row]), self.page.leaves.size - 1)
        return int(self.page.blocks.of_leaf[leaf])


@cached_view
def headline_of(page: Page) -> Headline:
    """Return the headline of a page, which is found once."""
    return Headline(page)


def read_heading(page: Page, row: int) -> str:
    """Return the text of a heading without buttons and the sign of its permalink."""
    first, last = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
    tags = page.tag[row : page.end[row]]
    parts: list[int] = []
    if _MAY_BE_CUT.take(tags).any():
        parts = (row + np.flatnonzero(tags == _BUTTON)).tolist()
        parts += find_signs_of(page, row + np.flatnonzero(tags == _A))
    if page.attributes.system_parts & _XENFORO:
        spans = (row + np.flatnonzero(tags == _SPAN)).tolist()
        names = [(span, (page.attr(span, "class") or "").split()) for span in spans]
        parts += [span for span, words in names if not _PREFIX.isdisjoint(words)]
    if last - first == 1 and not parts:
        return join_leaves([page.leaf_text(first)], _NO_GAP)[:MAX_TITLE_CHARS]
    keep = np.ones(min(last - first, MAX_LEAVES), np.bool_)
    for part in parts:
        start, stop = page.leaf_offset[part], page.leaf_offset[page.end[part]]
        keep[start - first : stop - first] = False
    leaves = (first + np.flatnonzero(keep)).astype(np.int32)
    near = np.zeros(page.leaves.size, np.bool_)
    near[first : first + keep.size] = True
    gaps = page.gaps_of(leaves, page.gaps_before(near))
    gaps[1:][np.diff(page.blocks.of_leaf[leaves]) > 0] = SPACE
    return join_leaves(page.leaf_texts(leaves), gaps)[:MAX_TITLE_CHARS]


def join_words(page: Page, row: int, between_blocks: str = " ") -> str:
    """Join the texts in an element, with a space between inline elements."""
    first, last = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
    last = min(last, first + MAX_LEAVES)
    parts: list[str] = []
    length = 0
    for leaf in range(first, last):
        new_block = leaf > first and page.blocks.of_leaf[leaf] != page.blocks.of_leaf[leaf - 1]
        parts += [between_blocks if new_block else " ", " ".join(page.leaf_text(leaf).split())]
        length += len(parts[-1])
        if length > MAX_TITLE_CHARS:
            break
    return "".join(parts[1:]).replace(" ,", ",").replace(" .", ".")
