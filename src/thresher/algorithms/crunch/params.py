"""The parameters of crunch: a switch and settings for every filter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from thresher.support.settings import setting

_CELL_TAGS: Final = tuple("td th aside nav header footer ul ol dl".split())
"""The paper decides on table cells; today's pages use the others for groups of links."""
_REMOVED_TAGS: Final = tuple("form input button select noscript".split())
"""Tags that the authors' program removes by default and a mask can represent."""
_SUBSTANCE_TAGS: Final = tuple(
    "img a iframe input button textarea select audio canvas embed math object svg video".split()
)
"""Up to `select` the defaults of the authors' program; the others are visible just as `img`."""


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters; defaults are the paper's, or without one those of the authors' program."""

    remove_ads: bool = setting(True, "drop elements whose src or href leads to a host of ad_hosts")
    ad_hosts: tuple[str, ...] | None = setting(
        None, "advertisers, each as host or ||host^, with subdomains; auto: Thresher's own list"
    )
    remove_link_lists: bool = setting(True, "drop links and text of cells with many links")
    max_link_ratio: float = setting(
        0.25,  # of the authors' program: the paper gives no value
        "links a word outside links above which a cell is a link list",
        unit="links a word",
        low=0,
        high=1000,
    )
    letters_per_word: float = setting(
        5.0,  # section 3 of the paper
        "letters outside links that count as one word",
        unit="letters",
        low=0.1,
    )
    whole_cells: bool = setting(False, "of link lists, drop pictures and fields too")
    cell_tags: tuple[str, ...] = setting(_CELL_TAGS, "tags that can be link lists")
    box_tags: tuple[str, ...] = setting(
        ("div", "section"),  # today's layout elements, as cells were in 2003
        "tags that can be link lists where they hold no other of these and cell_tags",
    )
    remove_text_links: bool = setting(False, "drop every link without a picture, with its text")
    remove_image_links: bool = setting(True, "drop every link with a picture, with its text")
    remove_images: bool = setting(True, "drop images and drawings that are in no link")
    removed_tags: tuple[str, ...] = setting(_REMOVED_TAGS, "tags dropped with all they hold")
    remove_empty_tables: bool = setting(True, "drop tables in which the filters left no substance")
    substance_tags: tuple[str, ...] = setting(
        _SUBSTANCE_TAGS, "tags that are substance: a table with one of them is not empty"
    )
    min_table_chars: int = setting(
        1,  # as in the authors' program
        "characters, less white space, that are substance in a table",
        unit="characters",
        low=0,
    )
    keep_portals: bool = setting(True, "leave pages as they are that are nothing but links")
    min_content_words: float = setting(
        40.0,  # two or three sentences: docs/algorithms/crunch.md has the run that set it
        "words outside links that a page must have left to be no portal",
        unit="words",
        low=0,
    )
