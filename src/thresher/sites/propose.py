"""Selectors to propose for a block: rules that hold on the next page of its site too.

A rule made from a click should name what the thing is, not where it happened to be. So names with
digits (`post-1234`, `css-1x2y`) are left out, as in `thresher.sites.keys`, and those that only a
build tool would make (`kQbXz`), and names of a state (`is-open`). Elements are named by id, class
or an attribute that says what they are; one without any by the nearest around it that has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from thresher.page import Page
from thresher.page.tags import BLOCK
from thresher.sites.apply import find_rows

__all__ = ["Proposal", "propose_selectors"]

MAX_PROPOSALS: Final = 6
_MAX_LEVELS: Final = 8
"""Elements around a block, itself included, that are looked at: farther ones hold half the page."""
_MAX_CLASSES: Final = 3
"""Classes of an element that are tried, those that come first: the first ones name, later ones
style."""
_MAX_NTH: Final = 200
"""Siblings that a place counts, at most: farther along it would not hold on another page, and to
find it takes time that grows with the square."""
_SMALL_SHARE: Final = 0.2
"""Share of a page's words up to which what a selector names is no more than a box of it."""
_MAX_SHARE: Final = 0.6
"""Share of a page's words from which on a rule would decide on most of the page."""
_NAME: Final = re.compile(r"-?[A-Za-z_\x80-\U0010FFFF][A-Za-z_\-\x80-\U0010FFFF]*")
_VOWEL: Final = re.compile(r"[aeiouyAEIOUY\x80-\U0010FFFF]")
_HUMP: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""A word of a name written `likeThis` or `LikeHTML`."""
_MIN_HUMP_CHARS: Final = 3
"""Letters that such words have on average, at least, where a person wrote them."""
_MAX_CAPITALS: Final = 3
"""Capitals in a row that a name of several words has, at most."""
_MODULE: Final = re.compile(r"([A-Za-z]+(?:[-_][A-Za-z]+)*__)[A-Za-z0-9_-]{5,}")
"""A class of a CSS module: what was written, and a hash behind two underscores."""
_STATE: Final = re.compile(
    r"(?:is|has|js|no)[-_].*|active|open|opened|closed|current|selected|hidden|visible|show|shown"
    r"|first|last|odd|even|clearfix|loaded|lazyload(?:ed)?",
    re.IGNORECASE,
)
_TELLING: Final = ("itemprop", "role", "data-testid", "data-component", "data-module")
"""Attributes that say what an element is."""
_LANDMARKS: Final = frozenset(("article", "aside", "footer", "header", "main", "nav"))
_WHOLE: Final = frozenset(("html", "body"))


class Proposal(NamedTuple):
    """A selector, and what it names on the page."""

    selector: str
    n_element: int
    n_block: int
    n_word: int
    is_place: bool
    """Whether it counts elements, so that it holds only where pages are built alike."""


def propose_selectors(page: Page, block: int) -> tuple[Proposal, ...]:
    """Propose up to `MAX_PROPOSALS` selectors that name a block, the best guess first.

    First come those that name the block or a small box around it, the smallest first; then its
    place; then what is more than a box. Empty for a block that is not of the page's markup. Parses
    the page once more.
    """
    row = int(page.block_row[block])
    path = page.path(row)
    if path is None:
        return ()
    names = dict.fromkeys(_spell_candidates(page, row))
    selectors = [*names, *_spell_places(page, row, path.css)]
    leaf = page.block_leaf[block]
    proposals = []
    for selector, found in zip(selectors, find_rows(page, selectors), strict=True):
        flags = page.within(found)
        if not flags[leaf]:
            continue
        leaves = flags[page.leaves]
        proposals.append(
            Proposal(
                selector,
                int(found.sum()),
                int(page.blocks.any(leaves).sum()),
                int(page.leaf_words[leaves].sum()),
                selector not in names,
            )
        )
    return _rank(page, block, proposals)


def _rank(page: Page, block: int, proposals: list[Proposal]) -> tuple[Proposal, ...]:
    """Order the proposals, and leave out those that name the same as one before."""
    n_word = max(int(page.leaf_words.sum()), 1)
    own = int(page.blocks.sums(page.leaf_words)[block])

    def kind(proposal: Proposal) -> int:
        if proposal.is_place:
            return 1
        small = max(_SMALL_SHARE * n_word, own)
        return 0 if proposal.n_word <= small else 2

    ranked = sorted(proposals, key=lambda each: (kind(each), each.n_block, len(each.selector)))
    distinct: dict[tuple[int, int], Proposal] = {}
    for each in ranked:
        if each.n_word <= max(_MAX_SHARE * n_word, own):
            distinct.setdefault((each.n_block, each.n_word), each)
    best = list(distinct.values())
    # Of one block alone its place may be all there is to say.
    if any(each.is_place for each in best[MAX_PROPOSALS:]):
        best[MAX_PROPOSALS - 1] = next(each for each in best if each.is_place)
    return tuple(best[:MAX_PROPOSALS])


def _spell_candidates(page: Page, row: int) -> Iterator[str]:
    """Yield selectors of a row and of what is around it, from the inside out."""
    inner = page.name(row)
    for level, at in enumerate(_rows_around(page, row)):
        steps = list(_spell_element(page, at))
        yield from steps
        if level and steps and _NAME.fullmatch(inner):
            yield f"{steps[0]} {inner}"  # every element like it in there
    yield from _spell_anchored(page, row)


def _spell_anchored(page: Page, row: int) -> Iterator[str]:
    """Yield the row's own names below the nearest element around it that has a name."""
    own = list(_spell_element(page, row))
    around = _rows_around(page, row)[1:]
    anchor = next((step for at in around for step in _spell_element(page, at)), "")
    if own and anchor:
        yield f"{anchor} {own[0]}"


def _rows_around(page: Page, row: int) -> list[int]:
    """Return a row and the block-level elements around it, but for the whole page's."""
    rows: list[int] = []
    while row >= 0 and len(rows) < _MAX_LEVELS and page.name(row) not in _WHOLE:
        if BLOCK[page.tag[row]]:
            rows.append(row)
        row = int(page.parent[row])
    return rows


def _spell_element(page: Page, row: int) -> Iterator[str]:
    """Yield the selectors that name an element by what it is called, the most telling first."""
    tag = page.name(row)
    if not _NAME.fullmatch(tag) and not re.fullmatch(r"h[1-6]", tag):
        return
    attributes = page.attrs(row)
    own_id = attributes.get("id") or ""
    if _is_lasting(own_id):
        yield f"#{own_id}"
    names = (attributes.get("class") or "").split()
    classes = [name for name in names if _is_lasting(name)]
    for name in classes[:_MAX_CLASSES]:
        yield f"{tag}.{name}"
    if len(classes) > 1:
        yield f"{tag}.{classes[0]}.{classes[1]}"
    for module in filter(None, map(_MODULE.fullmatch, names[:_MAX_CLASSES])):
        if module[0] not in classes:
            yield f'{tag}[class*="{module[1]}"]'
    for name in _TELLING:
        value = attributes.get(name) or ""
        if _is_lasting(value):
            yield f'{tag}[{name}="{value}"]'
    if tag in _LANDMARKS:
        yield tag


def _spell_places(page: Page, row: int, path: str) -> Iterator[str]:
    """Yield the row's place below the nearest named element, and its whole path."""
    at, most = row, 0
    while at >= 0:
        most = max(most, int(page.nth_child[at]))
        at = int(page.parent[at])
    if most <= _MAX_NTH:
        yield _spell_place(page, row)
        yield path


def _spell_place(page: Page, row: int) -> str:
    """Spell the row's place below the nearest element that has a name of its own."""
    steps: list[str] = []
    at = row
    while at >= 0 and page.name(at) not in _WHOLE:
        named = next(_spell_element(page, at), None) if at != row else None
        if named:
            return " > ".join([named, *steps[::-1]])
        tag = page.name(at)
        plain = _NAME.fullmatch(tag) or re.fullmatch(r"h[1-6]", tag)
        steps.append(
            f"{tag}:nth-of-type({page.nth_of_type[at]})"
            if plain
            else f":nth-child({page.nth_child[at]})"
        )
        at = int(page.parent[at])
    return " > ".join(["body", *steps[::-1]])


def _is_lasting(name: str) -> bool:
    """Say whether a name is one that a person gave to a kind of thing."""
    return (
        _NAME.fullmatch(name) is not None
        and _VOWEL.search(name) is not None
        and not _STATE.fullmatch(name)
        and not any(map(_is_made, re.split("[-_]+", name)))
    )


def _is_made(word: str) -> bool:
    """Say whether a part of a name has capitals where no person writes them."""
    humps = _HUMP.findall(word)
    if len(humps) < 2:
        return False
    capitals = max(len(hump) if hump.isupper() else 0 for hump in humps)
    return capitals > _MAX_CAPITALS or len(word) < _MIN_HUMP_CHARS * len(humps)
