"""Drop containers with many links for their words, or with little text.

Source: Janis Elsts, "Extracting The Main Content From a Webpage", 2008 (a PHP class, itself after
Perl's HTML::ContentExtractor).
Idea: content is text without many links. A first pass removes uninteresting tags and takes the
page's averages: links per word, and characters per text block. A second pass, children before
parents, deletes a container whose links per word exceed the average × 1.30, or whose remaining text
is shorter than the average block.
Counts: links and words of a deleted child still count for its parent, its length does not; words
inside links do not count; a container without words has ratio 1. The root is never deleted.
Score: limit − ratio of the innermost container, so content is above 0 as far as links go.
Departures and known failures: docs/algorithms/link_ratio.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.tags import CODE_OF, TEXT
from thresher.selection import Selection
from thresher.support.settings import setting

_CONTAINER_TAGS: Final = tuple(
    "div table td th tr tbody thead tfoot col colgroup ul ol html center span".split()
)
_REMOVED_TAGS: Final = tuple(
    "script noscript style form meta input iframe embed hr img link label".split()
)
_DEFAULT_RATIO: Final = 0.04
"""Links per word on a page without words outside links; the source's initial value."""

_KEPT, _REMOVED, _LINKS, _SHORT, _FEW_WORDS, _PHRASE = range(6)


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters, with names and values as in the source where given."""

    max_link_ratio: float | None = setting(
        None,
        "links a word above which a container goes; auto: the page's average × factor",
        unit="links a word",
        low=0,
    )
    min_chars: float | None = setting(
        None,
        "characters below which a container goes; auto: the page's average text block",
        unit="characters",
        low=0,
    )
    ratio_factor: float = setting(1.30, "factor on the average links a word", unit="ratio", low=0)
    min_words: int = setting(0, "words below which a container goes", unit="words", low=0)
    image_words: int = setting(
        0,
        "words that an image counts for; 0 removes images, as the source does",
        unit="words",
        low=0,
    )
    phrases: tuple[str, ...] = setting(
        (),
        "a container whose own text holds one of these goes, as in the source's Perl ancestor",
        phrases=True,
    )
    container_tags: tuple[str, ...] = setting(_CONTAINER_TAGS, "tags that are decided on")
    removed_tags: tuple[str, ...] = setting(_REMOVED_TAGS, "tags removed with all they hold")
    ignore_length_tags: tuple[str, ...] = setting(("span",), "containers that may be short")


def select(page: Page, params: Params) -> Selection:
    """Keep the content outside deleted containers and removed tags."""
    removed_tags = set(params.removed_tags)
    if params.image_words:
        removed_tags.discard("img")
    removed = page.tagged(removed_tags)
    live = ~page.within(removed)
    own_text = _own_texts(page, live)

    max_ratio, min_chars = _average(page, params, live, own_text)
    is_link = (page.tag == CODE_OF["a"]) & live
    words, links = _unlinked_words(page, params, live), page.subtree_sums(is_link) - is_link
    ratio = np.where(words > 0, links / np.maximum(words, 1), 1.0)

    container = page.tagged(params.container_tags) & live
    container[0] = False
    verdict = np.zeros(len(page), np.int8)
    verdict[container & (words < params.min_words)] = _FEW_WORDS
    verdict[container & (ratio > max_ratio)] = _LINKS
    if params.phrases:
        verdict[_phrase_rows(page, params.phrases, container, own_text)] = _PHRASE
    exempt = page.tagged(params.ignore_length_tags)
    verdict[exempt & (verdict == _FEW_WORDS)] = _KEPT
    _delete_short(page, verdict, container & ~exempt, own_text, min_chars)
    verdict[removed] = _REMOVED

    decided = page.nearest(verdict != _KEPT)
    around = page.nearest(container)
    return Selection.of_rows(
        page,
        "link_ratio",
        decided < 0,
        score=np.where(around >= 0, max_ratio - ratio[around], max_ratio),
        reason_code=np.where(decided >= 0, verdict[decided], _KEPT),
        reasons=(
            "enough text and few links",
            "inside a tag that is always removed",
            f"more than {max_ratio:.3f} links a word",
            f"less than {min_chars:.0f} characters of text",
            f"less than {params.min_words} words",
            "holds a phrase of the blacklist",
        ),
    )


def _own_texts(page: Page, live: npt.NDArray[np.bool_]) -> dict[int, str]:
    """Return element row → its own text, trimmed, for elements with text."""
    parts: dict[int, list[str]] = {}
    rows = np.flatnonzero((page.tag == TEXT) & live)
    starts, stops = page.text_offset[rows], page.text_offset[rows + 1]
    for parent, start, stop in watch(
        zip(page.parent[rows].tolist(), starts.tolist(), stops.tolist(), strict=True)
    ):
        parts.setdefault(parent, []).append(page.text[start:stop])
    return {row: "".join(texts).strip() for row, texts in watch(parts.items())}


def _average(
    page: Page, params: Params, live: npt.NDArray[np.bool_], own_text: dict[int, str]
) -> tuple[float, float]:
    """Return the two thresholds: as set, or the page's averages (the source's first pass)."""
    is_link = page.tag == CODE_OF["a"]
    text = (page.tag == TEXT) & live & ~is_link[page.parent]
    rows = np.flatnonzero(text)
    max_ratio, min_chars = params.max_link_ratio, params.min_chars
    if max_ratio is None:
        words = int((page.words_before[rows + 1] - page.words_before[rows]).sum())
        links = int(np.count_nonzero(is_link & live))
        max_ratio = params.ratio_factor * links / words if words else _DEFAULT_RATIO
    if min_chars is None:
        chars = int((page.text_offset[rows + 1] - page.text_offset[rows]).sum())
        blocks = np.unique(page.parent[rows]).size
        min_chars = chars / blocks if blocks else 0.0
    return max_ratio, min_chars


def _unlinked_words(
    page: Page, params: Params, live: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    """Count each row's words outside links below it; int64[n_row]."""
    own = np.diff(page.words_before) * live
    own += params.image_words * (page.tagged(["img"]) & live)
    total = page.subtree_sums(own)
    return np.where(page.in_link, total, total - page.subtree_sums(own * page.in_link))


def _phrase_rows(
    page: Page, phrases: tuple[str, ...], container: npt.NDArray[np.bool_], own_text: dict[int, str]
) -> list[int]:
    """Return the innermost containers of texts that contain a phrase, ignoring case."""
    wanted = [phrase.casefold() for phrase in phrases]
    around = page.nearest(container)
    hits = {
        int(around[row])
        for row, text in own_text.items()
        if any(phrase in text.casefold() for phrase in wanted)
    }
    return sorted(hits - {-1})


def _delete_short(
    page: Page,
    verdict: npt.NDArray[np.int8],
    candidates: npt.NDArray[np.bool_],
    own_text: dict[int, str],
    min_chars: float,
) -> None:
    """Mark candidates whose text, without deleted parts, is too short.

    Rows are visited backwards, so children come before their parents.
    """
    chars = [0] * len(page)
    for row, text in own_text.items():
        chars[row] = len(text)
    parents, verdicts = page.parent.tolist(), verdict.tolist()
    may_be_short = candidates.tolist()
    for row in watch(np.flatnonzero(page.tag != TEXT)[:0:-1].tolist()):
        if may_be_short[row] and not verdicts[row] and chars[row] < min_chars:
            verdict[row] = verdicts[row] = _SHORT
        if not verdicts[row]:
            chars[parents[row]] += chars[row]
