"""The two stages of filtering: what goes from every page, and what only from an article.

Advertisements, consent dialogs, tracking and pixels are unwanted on every page. Menus and lists of
links are boilerplate beside an article, but the content of a portal, a list or an application.
"""

from __future__ import annotations

from dataclasses import replace

from thresher.filters.settings import Filters

__all__ = ["first_stage"]


def first_stage(filters: Filters) -> Filters:
    """Return filters that leave everything a person may work with.

    Those that look for boilerplate are off. The filters of tags and attributes, off by default,
    stay as set, and so do link lists that always go: whoever switches them on wants them on every
    page.
    """
    return replace(
        filters,
        link_lists="always" if filters.link_lists == "always" else "off",
        empty_tables=False,
        shrink_cells=False,
        newsletters=False,
        removed_links=False,
    )
