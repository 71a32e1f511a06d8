"""Helper for tests of filters: filter a page with only the named filters switched on."""

from __future__ import annotations

from typing import Any, Final

from thresher.filters import NO_FILTERS, BlockList, Filtered, Filters, filter_page
from thresher.page.parse import parse
from thresher.support.setting_tables import from_table
from thresher.support.settings import format_values

__all__ = ["ADS", "URL", "body_of", "only", "run"]

URL: Final = "https://site.example/dir/page"
ADS: Final = BlockList.parse(["||ads.example^", "@@||good.ads.example^"])


def only(**values: Any) -> Filters:
    """Return filters that are all off but for these settings."""
    table = {name: getattr(NO_FILTERS, name) for name in format_values(NO_FILTERS)}
    return from_table(Filters, table | values)


def run(html: str, url: str | None = URL, **values: Any) -> Filtered:
    """Filter a page with a list that blocks ``ads.example``."""
    return filter_page(parse(html, url=url), only(**values), ADS)


def body_of(html: str, url: str | None = URL, **values: Any) -> str:
    """Return the body of a filtered page, without its tags."""
    written = run(f"<body>{html}", url, **values).html
    return written.partition("<body>")[2].removesuffix("</body></html>")
