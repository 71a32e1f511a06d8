"""Algorithms that select main content: one a file, all with the same signature, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from thresher.algorithms.base import Algorithm, LazyAlgorithm, Select
from thresher.errors import UsageError
from thresher.support.quoting import quote

__all__ = ["ALGORITHMS", "DEFAULT_METHOD", "Algorithm", "MethodName", "Select", "find_algorithm"]


MethodName: TypeAlias = Literal[
    "learned",
    "keep_all",
    "bte",
    "largest_body",
    "slope",
    "crunch",
    "link_quota",
    "density_lines",
    "link_ratio",
    "ccb",
    "accb",
    "text_to_tag",
    "max_density",
    "prune_shake_purify",
]
ALGORITHMS: Final[Mapping[Any, Algorithm]] = {
    "learned": LazyAlgorithm(
        "learned",
        summary="keeps what a network, trained on labelled pages, takes for content",
        source="Thresher; trained by `thresher train`",
        knows_sites=True,
    ),
    "keep_all": LazyAlgorithm(
        "classics.keep_all",
        summary="keeps everything; the baseline every other method is measured against",
        source="Arias, Deschacht, Moens 2009, baseline of tables 2 and 3",
    ),
    "bte": LazyAlgorithm(
        "classics.bte",
        summary="keeps the one region with the most words inside and the most tags outside",
        source="Finn, Kushmerick, Smyth 2001, Fact or fiction (Body Text Extraction)",
    ),
    "largest_body": LazyAlgorithm(
        "classics.largest_body",
        summary="keeps the one container with the most words of its own",
        source="McKeown et al. 2001, Columbia Multi-document Summarization",
    ),
    "slope": LazyAlgorithm(
        "classics.slope",
        summary="keeps the long regions in which the curve of tags over tokens is flat",
        source="Pinto et al. 2002, QuASM (document slope curves)",
    ),
    "crunch": LazyAlgorithm(
        "crunch",
        summary="deletes advertisements, link lists, form fields and empty tables, top-down",
        source="Gupta, Kaiser, Neistadt, Grimm 2003, DOM-based Content Extraction",
    ),
    "link_quota": LazyAlgorithm(
        "classics.link_quota",
        summary="drops blocks whose text is mostly links, the smallest first",
        source="Mantratzis, Orgun, Cassidy 2005, DOM-structure block analysis",
    ),
    "density_lines": LazyAlgorithm(
        "classics.density_lines",
        summary="keeps lines that needed few bytes of markup for their text",
        source="Champandard 2007, The Easy Way to Extract Useful Text from Arbitrary HTML",
    ),
    "link_ratio": LazyAlgorithm(
        "classics.link_ratio",
        summary="drops containers with many links for their words, or little text",
        source="Elsts 2008, Extracting The Main Content From a Webpage",
    ),
    "ccb": LazyAlgorithm(
        "classics.ccb",
        summary="keeps text that, blurred with its surroundings, is still text rather than markup",
        source="Gottron 2008, Content Code Blurring",
    ),
    "accb": LazyAlgorithm(
        "classics.accb",
        summary="content code blurring that leaves anchors out, for text full of links",
        source="Gottron 2008, Content Code Blurring, the adapted form",
    ),
    "text_to_tag": LazyAlgorithm(
        "classics.text_to_tag",
        summary="keeps lines of the HTML with much text for their tags, smoothed and clustered",
        source="Weninger, Hsu 2008, Text-to-Tag Ratio; Weninger, Hsu, Han 2010, CETR",
    ),
    "max_density": LazyAlgorithm(
        "classics.max_density",
        summary="keeps the region of long strings close together, around the longest",
        source="Arias, Deschacht, Moens 2009, Language independent content extraction",
    ),
    "prune_shake_purify": LazyAlgorithm(
        "classics.prune_shake_purify",
        summary="drops poison-worded elements, then blocks where links and tags outweigh words",
        source="Beer 2014, Simple HTML decluttering",
    ),
}
"""Every algorithm by name, in the order of its publication; any text can be looked up."""

DEFAULT_METHOD: Final = "learned"


def find_algorithm(name: str) -> Algorithm:
    """Return the algorithm of a name; UsageError if there is none."""
    if name not in ALGORITHMS:
        raise UsageError(f"unknown method {quote(name)}; one of {', '.join(ALGORITHMS)}")
    return ALGORITHMS[name]
