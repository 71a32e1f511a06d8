"""Proposals of selectors for a block that also match on other pages of its site.

A rule made from a click should describe what an element is, not its position on one page. So names
with digits (`post-1234`, `css-1x2y`) are left out, as in `thresher.sites.keys`, and those that only
a build tool would generate (`kQbXz`), and names of a state (`is-open`). Elements are described by
id, class or a descriptive attribute; an element without any by its nearest ancestor that has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from thresher.page import Page
from thresher.page.tags import BLOCK
from thresher.sites.apply import find_rows
from thresher.sites.keys import PLAIN_NAME

MAX_PROPOSALS: Final = 6
_MAX_LEVELS: Final = 8
"""Ancestors of a block, itself included, that are considered: higher ones contain half the page."""
_MAX_CLASSES: Final = 3
"""Classes of an element that are tried, from the first: first classes name, later ones style."""
_MAX_NTH: Final = 200
"""Maximum siblings that a positional selector counts: beyond, it would not match on another page,
and finding it takes quadratic time."""
_SMALL_SHARE: Final = 0.2
"""Share of a page's words up to which a selector matches only a small box."""
_MAX_SHARE: Final = 0.6
"""Share of a page's words above which a rule would decide on most of the page."""
_TAG: Final = re.compile(rf"{PLAIN_NAME.pattern}|h[1-6]")
_VOWEL: Final = re.compile(r"[aeiouyAEIOUY\x80-\U0010FFFF]")
_HUMP: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""A word of a name written `likeThis` or `LikeHTML`."""
_MIN_HUMP_CHARS: Final = 3
"""Minimum letters of such words, on average, in names written by people."""
_MAX_CAPITALS: Final = 3
"""Maximum consecutive capitals in a name of several words."""
_MODULE: Final = re.compile(r"([A-Za-z]+(?:[-_][A-Za-z]+)*__)[A-Za-z0-9_-]{5,}")
"""A class of a CSS module: the original name, and a hash after two underscores."""
_STATE: Final = re.compile(
    r"(?:is|has|js|no)[-_].*|active|open|opened|closed|current|selected|hidden|visible|show|shown"
    r"|first|last|odd|even|clearfix|loaded|lazyload(?:ed)?",
    re.IGNORECASE,
)
_TELLING: Final = ("itemprop", "role", "data-testid", "data-component", "data-module")
"""Attributes that describe an element."""
_LANDMARKS: Final = frozenset(("article", "aside", "footer", "header", "main", "nav"))
_WHOLE: Final = frozenset(("html", "body"))


class Proposal(NamedTuple):
    """A selector, and what it matches on the page."""

    selector: str
    n_element: int
    n_block: int
    n_word: int
    is_place: bool
    """Whether it counts elements, so that it matches only on pages of the same structure."""


def propose_selectors(page: Page, block: int) -> tuple[Proposal, ...]:
    """Propose up to `MAX_PROPOSALS` selectors that match a block, the best guess first.

    First come those that match the block or a small box around it, the smallest first; then
    positional ones; then those that match more. Empty for a block that is not from the page's
    markup. Parses the page once more.
    """
    row = int(page.block_row[block])
    path = page.path(row)
    if path is None:
        return ()
    names = dict.fromkeys(_format_candidates(page, row))
    selectors = [*names, *_format_positions(page, row, path.css)]
    leaf = page.block_leaf[block]
    proposals = []
    for selector, matched in zip(selectors, find_rows(page, selectors), strict=True):
        flags = page.within(matched)
        if not flags[leaf]:
            continue
        leaves = flags[page.leaves]
        proposals.append(
            Proposal(
                selector,
                int(matched.sum()),
                int(page.blocks.any(leaves).sum()),
                int(page.leaf_words[leaves].sum()),
                selector not in names,
            )
        )
    return _rank(page, block, proposals)


def name_element(page: Page, row: int) -> tuple[str, ...]:
    """Return selectors of an element by its own names, the most descriptive first.

    Empty if it has none that would last.
    """
    return tuple(_format_element(page, row))


def _rank(page: Page, block: int, proposals: list[Proposal]) -> tuple[Proposal, ...]:
    n_word = max(int(page.leaf_words.sum()), 1)
    own = int(page.blocks.sums(page.leaf_words)[block])

    def kind(proposal: Proposal) -> int:
        if proposal.is_place:
            return 1
        small = max(_SMALL_SHARE * n_word, own)
        return 0 if proposal.n_word <= small else 2

    ranked = sorted(
        proposals, key=lambda proposal: (kind(proposal), proposal.n_block, len(proposal.selector))
    )
    distinct: dict[tuple[int, int], Proposal] = {}
    for proposal in ranked:
        if proposal.n_word <= max(_MAX_SHARE * n_word, own):
            distinct.setdefault((proposal.n_block, proposal.n_word), proposal)
    best = list(distinct.values())
    # For a single block a positional selector may be the only specific one.
    if any(proposal.is_place for proposal in best[MAX_PROPOSALS:]):
        best[MAX_PROPOSALS - 1] = next(proposal for proposal in best if proposal.is_place)
    return tuple(best[:MAX_PROPOSALS])


def _format_candidates(page: Page, row: int) -> Iterator[str]:
    """Yield selectors of a row and of its ancestors, from the inside out.

    The last is the row's own name below the nearest ancestor that has a name.
    """
    inner = page.name(row)
    rows = _block_ancestors(page, row)
    for level, at in enumerate(rows):
        steps = list(_format_element(page, at))
        yield from steps
        if level and steps and PLAIN_NAME.fullmatch(inner):
            yield f"{steps[0]} {inner}"  # every descendant with the same tag
    own = next(_format_element(page, row), "")
    anchor = next((step for at in rows[1:] for step in _format_element(page, at)), "")
    if own and anchor:
        yield f"{anchor} {own}"


def _block_ancestors(page: Page, row: int) -> list[int]:
    """Return a row and its block-level ancestors, except `html` and `body`."""
    rows: list[int] = []
    while row >= 0 and len(rows) < _MAX_LEVELS and page.name(row) not in _WHOLE:
        if BLOCK[page.tag[row]]:
            rows.append(row)
        row = int(page.parent[row])
    return rows


def _format_element(page: Page, row: int) -> Iterator[str]:
    """Yield the selectors of an element by its names, the most descriptive first."""
    tag = page.name(row)
    if not _TAG.fullmatch(tag):
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


def _format_positions(page: Page, row: int, path: str) -> Iterator[str]:
    """Yield the row's place below the nearest named element, and its whole path."""
    at, most = row, 0
    while at >= 0:
        most = max(most, int(page.nth_child[at]))
        at = int(page.parent[at])
    if most <= _MAX_NTH:
        yield _format_position(page, row)
        yield path


def _format_position(page: Page, row: int) -> str:
    """Return the row's position below its nearest ancestor that has a name."""
    steps: list[str] = []
    at = row
    while at >= 0 and page.name(at) not in _WHOLE:
        named = next(_format_element(page, at), None) if at != row else None
        if named:
            return " > ".join([named, *steps[::-1]])
        tag = page.name(at)
        steps.append(
            f"{tag}:nth-of-type({page.nth_of_type[at]})"
            if _TAG.fullmatch(tag)
            else f":nth-child({page.nth_child[at]})"
        )
        at = int(page.parent[at])
    return " > ".join(["body", *steps[::-1]])


def _is_lasting(name: str) -> bool:
    """Return whether a name was probably chosen by a person for a kind of element."""
    return (
        PLAIN_NAME.fullmatch(name) is not None
        and _VOWEL.search(name) is not None
        and not _STATE.fullmatch(name)
        and not any(map(_is_generated, re.split("[-_]+", name)))
    )


def _is_generated(word: str) -> bool:
    """Return whether a part of a name has capitals where no person would write them."""
    humps = _HUMP.findall(word)
    if len(humps) < 2:
        return False
    capitals = max(len(hump) if hump.isupper() else 0 for hump in humps)
    return capitals > _MAX_CAPITALS or len(word) < _MIN_HUMP_CHARS * len(humps)
