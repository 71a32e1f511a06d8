"""Selectors of main content: one algorithm a file, all with the same signature, one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from thresher.algorithms import keep_all, link_ratio, prune_shake_purify
from thresher.algorithms.base import Algorithm, Parameter, Select

__all__ = ["ALGORITHMS", "DEFAULT_METHOD", "Algorithm", "Parameter", "Select"]

ALGORITHMS: Final[Mapping[str, Algorithm]] = {
    "keep_all": Algorithm(
        keep_all.select,
        keep_all.Params,
        summary="keeps everything; the baseline every other method is measured against",
        source="Arias, Deschacht, Moens 2009, baseline of tables 2 and 3",
    ),
    "link_ratio": Algorithm(
        link_ratio.select,
        link_ratio.Params,
        summary="drops containers with many links for their words, or little text",
        source="Elsts 2008, Extracting The Main Content From a Webpage",
    ),
    "prune_shake_purify": Algorithm(
        prune_shake_purify.select,
        prune_shake_purify.Params,
        summary="drops poison-worded elements, then blocks where links and tags outweigh words",
        source="Beer 2014, Simple HTML decluttering",
    ),
}
"""Every selector by name."""

DEFAULT_METHOD: Final = "prune_shake_purify"
