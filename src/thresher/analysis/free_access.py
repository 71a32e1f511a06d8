"""Whether a page states that its text is not free, and which of its elements that is.

Publishers say so to search engines: `isAccessibleForFree` of schema.org on the work, and on each
part that is not free, with its `cssSelector` (Google Search Central, "Subscription and paywalled
content").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of
from thresher.support.cached import cached_view

if TYPE_CHECKING:
    from thresher.analysis.json_ld import Entity, JsonValue

__all__ = ["find_paid_parts", "flag_pleas", "is_teaser"]

_KEY: Final = "isAccessibleForFree"
_SIGN: Final = _KEY.encode()
_FALSE: Final = re.compile(r"(?:https?://schema\.org/)?false", re.IGNORECASE)
_SELECTOR: Final = re.compile(r"([.#])([\w-]+)")
"""A selector of one class or id, as nearly all that are stated."""
_ATTRIBUTES: Final = {".": "class", "#": "id"}
_MAX_PARTS: Final = 64
"""Parts of a work that are looked at."""
_MAX_TEASER_WORDS: Final = 150
_WALLS: Final = CLASS_PARTS.bits(b"barrier", b"wall")
_WALL: Final = re.compile(
    r"(?:^|[\s_-])(?:meter(?:ed)?|offer|pay|piano|reg(?:istration)?|subscri(?:be|ber|ption))"
    r"[_-]?(?:barrier|wall)(?![a-z])",
    re.IGNORECASE,
)
"""Names of the box that stands where the text stops."""
_MAX_PLEA_WORDS: Final = 200
_WHOLE: Final = flags_of("html body main article")
"""Elements around the text, whose names may say that it has a wall."""


def is_teaser(page: Page, keep: BoolArray) -> bool:
    """Return whether a page states that its text is not free, and shows its beginning only.

    ``keep``, bool[n_leaf], flags the kept leaves. If the elements that are not free hold text, the
    page has it, although a reader may be shown less.
    """
    if page.leaf_words[keep].sum() > _MAX_TEASER_WORDS:
        return False
    paid = find_paid_parts(page)
    if paid is None or page.leaf_words[page.within(paid)[page.leaves]].any():
        return False
    return any(map(_has_selector, _find_paid_works(page))) or flag_pleas(page) is not None


def flag_pleas(page: Page) -> BoolArray | None:
    """Flag the boxes in which a page asks its readers to pay, bool[n_row]; None if there are none.

    Only of pages whose text is not free: there a wall is not one of stone.
    """
    walls = page.attributes.row[page.attributes.classed(_WALLS)]
    walls = walls[[bool(_WALL.search(page.attr(row, "class") or "")) for row in walls.tolist()]]
    if not walls.size or (paid := find_paid_parts(page)) is None:
        return None
    words = page.words_before[page.end[walls]] - page.words_before[walls]
    is_text = page.within(paid) | (page.subtree_sums(paid) > 0) | _WHOLE[page.tag]
    walls = walls[~is_text[walls] & (words <= _MAX_PLEA_WORDS)]
    found = np.zeros(len(page), np.bool_)
    found[walls] = True
    return found if walls.size else None


@cached_view
def find_paid_parts(page: Page) -> BoolArray | None:
    """Flag the elements that the page states not to be free, bool[n_row].

    None if it does not state that its text, or some part of it, costs anything.
    """
    works = _find_paid_works(page)
    if not works:
        return None
    found = np.zeros(len(page), np.bool_)
    for work in works:
        for sign, name in _read_selectors(work):
            values = page.attributes.distinct(_ATTRIBUTES[sign])
            found[values.rows_with(values.words.get(name, []))] = True
    return found


def _find_paid_works(page: Page) -> list[Entity]:
    if _SIGN not in page.utf8:
        return []
    from thresher.analysis.structured import Structured  # noqa: PLC0415 - few pages say so

    stated = Structured(page)
    return [each for each in (*stated.json_ld, *stated.microdata) if _is_paid(each)]


def _has_selector(work: Entity) -> bool:
    return next(_read_selectors(work), None) is not None


def _is_paid(entity: Entity) -> bool:
    values = _as_list(entity.get(_KEY))
    return any(_FALSE.fullmatch(str(value)) for value in values if not isinstance(value, dict))


def _read_selectors(work: Entity) -> Iterator[tuple[str, str]]:
    """Yield sign and name of the selectors of a work's parts that are not free."""
    for part in _as_list(work.get("hasPart"))[:_MAX_PARTS]:
        if isinstance(part, dict) and _is_paid(part):
            for selector in _as_list(part.get("cssSelector"))[:_MAX_PARTS]:
                for each in str(selector).split(",")[:_MAX_PARTS]:
                    if match := _SELECTOR.fullmatch(each.strip()):
                        yield match[1], match[2]


def _as_list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]
