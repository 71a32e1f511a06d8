"""Crunch's filters: remove boilerplate from a page but keep its look and layout."""

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
    parse_filters,
    write_filters,
)
from thresher.filters.stages import first_stage

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
