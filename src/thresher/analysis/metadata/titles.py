"""Titles freed of the site's name: "Cat saves dog | The Daily" → "Cat saves dog"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import combinations_with_replacement
from typing import Final

import numpy as np

from thresher.analysis.metadata.normalise import key_of
from thresher.page import Page

MAX_TITLE_CHARS: Final = 1000
"""Text read of a title or a heading, in characters."""
MIN_SITE_CHARS: Final = 3
"""Shortest site name recognised inside a longer piece, in letters."""
MIN_TITLE_WORDS: Final = 3
MIN_TITLE_CHARS: Final = 8
"""Minimum remaining words, or letters in scripts without spaces, if an unknown name is cut."""
MAX_SITE_WORDS: Final = 4
"""Longest unknown name that is cut, in words."""
MAX_KICKER_CHARS: Final = 25
"""Longest kicker, the word or two of a section before a headline, in characters."""
HOME_NAMES: Final = frozenset(("home", "homepage", "mainpage", "startseite", "accueil", "inicio"))
"""Names of the first page of a site, normalised by `key_of`."""
MIN_KEYWORDS: Final = 4
"""Minimum parts of a title that is a list of keywords."""
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
    r"(?:[|｜»«›‹—]|(?<=[^\x00-\x7f])_+|(?<=[^\w:./])_(?!_)"
    r"|(?<=[^:./_])(?:(?<![A-Z])_|_(?![A-Z]))(?![a-z\d_]))\s*"
    r"|(?<=[^\x00-\x7f])--+(?=[^\x00-\x7f])|(?<!\s)\s+[(\[](?=[^()\[\]]{1,30}[)\]]$))"
)
_MARK: Final = re.compile(r"\s[-–−·•¦‖/~:<>(\[]|[|｜»«›‹_—]|--")
"""Parts of which every separator has one. An underscore begins an identifier, such as a::_B, or
joins its words, before a small letter or between capitals: size_t, A_CONSTANT."""
_QUOTED: Final = re.compile(r"»(?!\s)[^»«]+(?<!\s)«|«(?!\s)[^»«]+(?<!\s)»")
"""A quotation, whose marks are separators elsewhere."""
_AS_SIGNS: Final = str.maketrans("»«", "\ue000\ue001")
_AS_QUOTES: Final = str.maketrans("\ue000\ue001", "»«")
_LOOSE: Final = re.compile(
    r"(:\s+|::|(?<=\S)-\s+|(?<!\s)\s+-(?=\S)|(?<=[^\x00-\x7f])-(?=[^\x00-\x7f]))"
)
"""Separators of a headline that the page shows, and parts of many others: "News::Rye is back"."""
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
        return _find_after_colon(title, site_keys, headings) or _cut_unspaced_name(title, site_keys)
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
    pieces = _split(title)
    if len(pieces) > 1 and pieces[-2].endswith(("(", "[")):
        pieces[-1] = pieces[-1].rstrip(")]")
    return pieces[::2]


def _split(title: str) -> list[str]:
    """Split a title at every separator; these are at the odd places."""
    # Many titles have none, and the expression is slow.
    if not _MARK.search(title):
        return [title]
    if _QUOTED.search(title):
        title = _QUOTED.sub(lambda quoted: quoted[0].translate(_AS_SIGNS), title)
    pieces = _SEPARATOR.split(title, maxsplit=MAX_PIECES)
    return [piece.translate(_AS_QUOTES) for piece in pieces]


def lists_keywords(parts: Sequence[str]) -> bool:
    """Return whether the parts of a title are keywords for search engines, which begin alike."""
    firsts = {words[0].casefold() for part in parts if (words := part.split())}
    return len(parts) >= MIN_KEYWORDS and len(firsts) == 1


def find_shown_part(page: Page, title: str, cut: str, site_keys: Collection[str]) -> str | None:
    """Return the longest run of whole pieces of a title that a block of the page shows by itself.

    Pages without headings show their headline in a `div` or in bold. None if a block shows ``cut``,
    the title without the name of the site, or no run of some words.
    """
    runs = _find_runs(title)
    if not runs:
        return None
    n_char = page.blocks.sums(page.leaf_chars)[:MAX_SHOWN_BLOCKS]
    blocks = np.flatnonzero((n_char > 0) & (n_char <= len("".join(title.split())))).tolist()
    shown = {key_of(page.block_text(block)[:MAX_TITLE_CHARS]) for block in blocks}
    if key_of(cut) in shown:
        return None
    parts = (run for key, run in runs.items() if key in shown and not is_site_name(run, site_keys))
    return max(parts, key=len, default=None)


def _find_runs(title: str) -> dict[str, str]:
    """Return the proper runs of pieces of a title, as between colons, of some words, by key."""
    pieces = [part for piece in _split(title) for part in _LOOSE.split(piece)]
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


def is_worded_like(one: str, other: str) -> bool:
    """Return whether two texts have at least two thirds of the words of the longer one."""
    first, second = (set(_WORD.findall(text.casefold())) for text in (one, other))
    return 0 < 2 * max(len(first), len(second)) <= 3 * len(first & second)


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


def _find_after_colon(
    title: str, site_keys: Collection[str], headings: Sequence[str]
) -> str | None:
    """Return the heading that ends a title which begins with another: "The Mill: Rye is back"."""
    keys = {key_of(heading) for heading in headings}
    name, colon, rest = title.partition(": ")
    is_named = colon and key_of(rest) in keys and key_of(name) in {*keys, *site_keys}
    return rest.strip() if is_named else None


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
