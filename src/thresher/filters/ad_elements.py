"""Elements that filter lists name: by class, id, the start of an attribute, or a selector."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

import numpy as np

from thresher.deadline import watch
from thresher.filters.ad_rules import ad_rules_of
from thresher.filters.filter_context import BoolArray, FilterContext
from thresher.filters.hiding_rules import HidingRules, keys_of
from thresher.page.parse import pair_elements
from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.shared.editing import parse_source

__all__ = ["find_listed"]

_NEVER: Final = flags_of("html head body base form frame frameset")
"""The page itself, and forms, which may be needed."""


def find_listed(context: FilterContext) -> BoolArray:
    """Flag the elements that a rule of a list hides; bool[n_row].

    A page is parsed again only if it has a name of a selector that is more than a name.
    """
    rules = ad_rules_of(context.filters, context.blocklist)
    lists = [each.hiding for each in (rules.listed, rules.own) if len(each.hiding)]
    host = context.host
    if not lists or rules.excepts_site(host) or rules.excepts_site(host, "elemhide"):
        return np.zeros(len(context.page), np.bool_)
    is_generic = not rules.excepts_site(host, "generichide")
    rows_of = context.once(_rows_of_names)
    excepted = rules.own.hiding.excepted_on(host)
    rows: list[int] = []
    others: list[str] = []
    for hiding in lists:
        for selector in hiding.wanted(host, rows_of, is_generic=is_generic):
            keys = keys_of(selector)
            if selector in excepted or (keys and rows_of.keys().isdisjoint(keys)):
                continue
            if keys == (selector,):
                rows += rows_of[selector]
            else:
                others.append(selector)
        if is_generic:
            rows += _rows_with_prefix(context, hiding, excepted | hiding.excepted_on(host))
    found: BoolArray = context.flag(rows) | _select(context, others)
    return found & ~_NEVER[context.page.tag]


def _select(context: FilterContext, selectors: Sequence[str]) -> BoolArray:
    """Flag the rows that any selector matches; bool[n_row]. Invalid ones match nothing."""
    page = context.page
    if not selectors:
        return np.zeros(len(page), np.bool_)
    tree = parse_source(page)
    row_of = {element: row for row, element in pair_elements(page, tree).items()}
    rows: list[int] = []
    for selector in watch(selectors):
        with suppress(ValueError):
            rows += [row_of[element] for element in tree.select(selector) if element in row_of]
    return context.flag(rows)


def _rows_of_names(context: FilterContext) -> dict[str, list[int]]:
    """Return ``.class`` and ``#id`` → rows of the elements that have it."""
    rows_of: dict[str, list[int]] = {}
    for mark, name in ((".", "class"), ("#", "id")):
        for row, value in context.values(name).items():
            for word in value.split():
                rows_of.setdefault(mark + word, []).append(row)
    return rows_of


def _rows_with_prefix(
    context: FilterContext, hiding: HidingRules, excepted: frozenset[str]
) -> Iterator[int]:
    """Yield the rows that a selector such as ``a[href^="…"]`` matches."""
    tag = context.page.tag
    for name, of_length in hiding.prefixes.items():
        for row, value in context.values(name).items():
            for length, selectors in of_length.items():
                found = selectors.get(value[:length])
                if (
                    found
                    and found.selector not in excepted
                    and (not found.tag or tag[row] == CODE_OF.get(found.tag, -1))
                ):
                    yield row
