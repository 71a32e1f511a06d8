"""Crunch's filters: remove boilerplate from a page but keep its look and layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thresher.support.late import late_names

if TYPE_CHECKING:
    from thresher.filters.apply import Filtered, filter_page
    from thresher.filters.blocklist import NO_HOSTS, BlockList, own_blocklist
    from thresher.filters.settings import (
        GROUPS,
        NO_FILTERS,
        SETTINGS,
        Filters,
        add_filter_options,
        change_filters,
        filters_from_args,
        filters_from_form,
        filters_from_mapping,
        filters_from_table,
        first_stage,
        parse_filters,
        write_filters,
    )

__all__ = [
    "GROUPS",
    "NO_FILTERS",
    "NO_HOSTS",
    "SETTINGS",
    "BlockList",
    "Filtered",
    "Filters",
    "add_filter_options",
    "change_filters",
    "filter_page",
    "filters_from_args",
    "filters_from_form",
    "filters_from_mapping",
    "filters_from_table",
    "first_stage",
    "own_blocklist",
    "parse_filters",
    "write_filters",
]

_MODULES: Final = {
    "thresher.filters.apply": "Filtered filter_page",
    "thresher.filters.blocklist": "NO_HOSTS BlockList own_blocklist",
    "thresher.filters.settings": "GROUPS NO_FILTERS SETTINGS Filters add_filter_options"
    " change_filters filters_from_args filters_from_form filters_from_mapping filters_from_table"
    " first_stage parse_filters write_filters",
}
"""Module → the public names that it defines."""

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(__name__, _MODULES)
