"""Helper for tests of filters: filter a page with only the named filters switched on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import turbohtml

from thresher.filters import NO_FILTERS, BlockList, Filtered, Filters, filter_page
from thresher.filters.disposal import HIDING_STYLE
from thresher.page import Page
from thresher.page.parse import parse
from thresher.writers.shared.editing import serialise_source

URL: Final = "https://site.example/dir/page"
ADS: Final = BlockList.parse(["||ads.example^", "@@||good.ads.example^"])


def only(**values: Any) -> Filters:
    """Return filters that are all off but for these settings."""
    return replace(NO_FILTERS, **values)


def run(html: str, url: str | None = URL, **values: Any) -> Filtered:
    """Filter a page with a list that blocks ``ads.example``."""
    return filter_page(parse(html, url=url), only(**values), ADS)


def body_of(html: str, url: str | None = URL, **values: Any) -> str:
    """Return the body of a filtered page, without its tags."""
    return strip_body(run(f"<body>{html}", url, **values).html)


def keep_a(page: Page) -> npt.NDArray[np.bool_]:
    """Return a selection of the texts `a` of a page."""
    return np.array([page.leaf_text(leaf) == "a" for leaf in range(page.leaves.size)])


def strip_body(html: str) -> str:
    """Return what is in the body, spelled canonically, but for the style of hidden elements."""
    tree = turbohtml.parse(html, allow_declarative_shadow_roots=False)
    body = serialise_source(tree).partition("<body>")[2].removesuffix("</body></html>")
    return body.removesuffix(f'<style data-thresher="style">{HIDING_STYLE}</style>')
