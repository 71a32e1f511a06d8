"""Prune poison-worded elements, then shake off blocks where links and tags outweigh words.

Source: Daniel Beer, "Simple HTML decluttering", 2014 (a Perl script that is not available; this
follows its description).
Idea: *prune*, top-down, deletes tags such as script, and elements with a poison word in a class
name. *Shake* then scores every block by Words − 2·LinkWords − Tags over the remaining
subtree (LinkWords are the words inside links, Tags its elements, itself included). A block that
scores 0 or more is kept with all its ancestors; one below 0 is deleted unless it contains a kept
one. Counts of deleted blocks are passed up too, so each decision is independent. A *blessed* word
in a class name (author, byline) keeps an element with its contents and all its ancestors.
*Purify*, the flattening to approved tags, is what the writers' allow-list does.
Score: that of the innermost block, so content is at 0 and above.
Departures and known failures: docs/algorithms/prune_shake_purify.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.tags import TEXT
from thresher.selection import Selection
from thresher.support.settings import setting

_BLOCK_TAGS: Final = tuple(
    "div section article aside nav header footer main form table td tr ul ol dl".split()
)
"""Tags "expected to enclose a logical section"; the description names div and section."""
_PRUNED_TAGS: Final = tuple(
    "script style applet embed iframe object button input select textarea nav footer aside".split()
)
"""The description names script; tags without prose, and the three sectioning tags that HTML itself
defines as outside the main content, are ours (`bench.soak` measures each). `noscript` is not among
them: some forums put the whole page there for browsers without scripts."""

_KEPT, _AROUND_KEPT, _BLESSED, _PRUNED_TAG, _POISONED, _SHAKEN = range(6)
_REASONS: Final = (
    "words outweigh links and tags",
    "no block of its own, or around one that is kept",
    "blessed by a class name",
    "inside a tag that is always pruned",
    "poison word in a class name",
    "links and tags outweigh words",
)


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of `prune_shake_purify`."""

    # Both weights are the source's, "chosen by trial and error".
    link_weight: float = setting(2.0, "score lost for a word inside a link", unit="words", low=0)
    tag_weight: float = setting(1.0, "score lost for a tag", unit="words", low=0)
    poison_words: tuple[str, ...] = setting(
        ("comment", "promo", "popup"),
        "an element with one of these in a class name is pruned",
        phrases=True,
    )
    blessed_words: tuple[str, ...] = setting(
        ("author", "byline"), "an element with one of these in a class name is kept", phrases=True
    )
    pruned_tags: tuple[str, ...] = setting(_PRUNED_TAGS, "tags that are pruned")
    block_tags: tuple[str, ...] = setting(_BLOCK_TAGS, "tags that are decided on")


def select(page: Page, params: Params) -> Selection:
    """Keep the content that is neither pruned nor shaken off."""
    poisoned = _class_holds(page, params.poison_words) & ~page.tagged(["html", "body"])
    pruned_tag = page.tagged(params.pruned_tags)
    live = ~page.within(poisoned | pruned_tag)

    words = np.diff(page.words_before) * live
    tags = (page.tag != TEXT) & live
    cost = params.link_weight * (words * page.in_link) + params.tag_weight * tags
    score = page.subtree_sums(words - cost)

    block = page.tagged(params.block_tags) & live
    blessed = _class_holds(page, params.blessed_words) & live
    keeps = (block & (score >= 0)) | blessed
    under_blessed = page.within(blessed)
    shaken = block & (page.subtree_sums(keeps) == 0) & ~under_blessed

    gone = poisoned | pruned_tag | shaken
    cause = page.nearest(gone)
    around = page.nearest(block)
    verdict = np.where((around >= 0) & (score[around] >= 0), _KEPT, _AROUND_KEPT)
    verdict[under_blessed] = _BLESSED
    of_cause = np.select([poisoned, pruned_tag], [_POISONED, _PRUNED_TAG], _SHAKEN)
    return Selection.of_rows(
        page,
        "prune_shake_purify",
        cause < 0,
        score=np.where(around >= 0, score[around], 0.0),
        reason_code=np.where(cause >= 0, of_cause[cause], verdict),
        reasons=_REASONS,
    )


def _class_holds(page: Page, words: Iterable[str]) -> npt.NDArray[np.bool_]:
    """Flag the elements with one of these words in their class attribute, letter case ignored."""
    patterns = [re.escape(word.lower().encode()) for word in words if word]
    return page.flag(page.attributes.rows_matching("class", *patterns))
