"""The advertisement remover (section 3): removes what lists name by host, address or element.

Besides src and href, which the paper inspects, today's pages use srcset, attributes that a script
copies to src, and the attributes of objects and videos. Boxes that a script would fill are
recognised by the names that advertisers ask sites to give them; filter lists also name elements by
class, id, the start of an attribute, or a selector.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

import numpy as np

from thresher.algorithms.crunch.ads import host_of
from thresher.analysis.links import find_base, resolve_link
from thresher.deadline import watch
from thresher.filters.address_rules import KINDS, Request
from thresher.filters.blocklist import ad_rules_of
from thresher.filters.filter_context import FilterContext
from thresher.filters.hiding_rules import HidingRules, keys_of
from thresher.page.parse import pair_elements
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, TEXT, flags_of
from thresher.support.cached import cached_view
from thresher.writers.shared.editing import parse_source

_ATTRIBUTES: Final = ("src", "href", "data-src", "data", "poster")
_SETS: Final = ("srcset", "data-srcset", "imagesrcset")
"""Attributes with several addresses (HTML Living Standard, 4.8.4.2.1)."""
_IN_SET: Final = re.compile(r"(?:[a-z][a-z0-9+.-]{0,30}:)?//[^\s,]+", re.IGNORECASE)
_NEVER: Final = flags_of("html head body base frame frameset form")
"""Elements that are never removed: the page itself, forms, which may be needed, and those whose
removal would affect other elements."""
_LOADS: Final[dict[str, dict[int, int]]] = {
    "src": {
        CODE_OF["script"]: KINDS["script"],
        CODE_OF["img"]: KINDS["image"],
        CODE_OF["input"]: KINDS["image"],
        CODE_OF["iframe"]: KINDS["subdocument"],
        CODE_OF["embed"]: KINDS["object"],
        **dict.fromkeys((CODE_OF[name] for name in ("audio", "video", "source")), KINDS["media"]),
    },
    "data": {CODE_OF["object"]: KINDS["object"]},
}
"""Attribute → element → kind of the request that it makes."""
_SLOT_WORDS: Final = (b"ad", b"banner", b"outbrain", b"ob-widget", b"taboola", b"rc-widget")
_SLOT_NAMES: Final = (
    # Google's, by its publishers' help; Taboola's and Outbrain's by their guides; sites' own.
    rb"(?<![\w-])(?:(?:adsbygoogle|google-auto-placed|outbrain|ob-widget|advertisement|carbonads"
    rb"|(?:gpt|dfp)-ad|ad[-_]?(?:slot|unit|banner|container|wrapper|placeholder)|banner-ad)(?![\w-])"
    rb"|div-gpt-ad|google_ads|taboola-|outbrain_|rc-widget-|ad[-_]?slot[-_])"
)
_LABELS: Final = frozenset(
    (
        "ad,ads,advert,advertisement,advertisements,advertising,sponsored,promoted,paid content"
        ",anzeige,werbung,annonce,publicité,pub,publicidad,publicidade,anuncio,anúncio,pubblicità"
        ",advertentie,reklam,reklama,reklame,annons,mainos,реклама,广告,廣告,広告,광고,إعلان"
        ",continue reading the main story,scroll to continue,advertisement - continue reading below"
    ).split(",")
)
"""Labels beside an advertisement that mean nothing without it."""
_MAX_LABEL_CHARS: Final = max(map(len, _LABELS))
_MAX_SLOT_WORDS: Final = 12
"""Words of a label and a line naming the ad network; a sentence has more."""


def find_ads(context: FilterContext) -> BoolArray:
    """Flag the elements with an address at a blocked host, or that load one; bool[n_row]."""
    rules = ad_rules_of(context.filters, context.blocklist)
    if rules.excepts_site(context.host):
        return np.zeros(len(context.page), np.bool_)
    ads = hosts_within(context, lambda host: rules.blocks_host(host, context.host))
    if rules.has_addresses:
        rows = [row for row, request in _requests(context) if rules.stops(request)]
        ads |= context.page.flag(rows) & ~_NEVER[context.page.tag]
    return ads


@cached_view
def _requests(context: FilterContext) -> list[tuple[int, Request]]:
    """Return the elements that load something, and what."""
    page = context.page
    base = find_base(page) or page.url or ""
    requests: list[tuple[int, Request]] = []
    for attribute, kind_of in _LOADS.items():
        for row, address in context.values(attribute).items():
            if kinds := kind_of.get(int(page.tag[row])):
                url = resolve_link(address, base)
                with suppress(ValueError):
                    if "[" in url:
                        urlsplit(url)  # an error if no address is in the brackets
                    requests.append((row, Request(url, kinds, context.host)))
    return requests


def hosts_within(context: FilterContext, is_blocked: Callable[[str], bool]) -> BoolArray:
    """Flag the elements that refer to a host which is blocked; bool[n_row]."""
    rows: list[int] = []
    for host, of_host in _rows_of_hosts(context).items():
        if is_blocked(host):
            rows += of_host
    return context.page.flag(rows) & ~_NEVER[context.page.tag]


@cached_view
def _rows_of_hosts(context: FilterContext) -> dict[str, list[int]]:
    """Return host → elements that refer to it."""
    rows_of: dict[str, list[int]] = {}
    for name in _ATTRIBUTES:
        for row, address in context.values(name).items():
            if "//" in address and (host := host_of(address)):
                rows_of.setdefault(host, []).append(row)
    for name in _SETS:
        for row, addresses in context.values(name).items():
            for address in _IN_SET.findall(addresses):
                if host := host_of(address):
                    rows_of.setdefault(host, []).append(row)
    return rows_of


def find_slots(context: FilterContext) -> BoolArray:
    """Flag the boxes whose names mark them as advertisement slots and that contain little text.

    A box with such a name but more words than a label is not one: pages about advertisements use
    these names too. bool[n_row].
    """
    page = context.page
    if ad_rules_of(context.filters, context.blocklist).excepts_site(context.host):
        return np.zeros(len(page), np.bool_)
    named = context.named(_SLOT_WORDS, _SLOT_NAMES)
    words = page.subtree_words
    slots: BoolArray = named & (words <= _MAX_SLOT_WORDS) & ~_NEVER[page.tag]
    return slots


def find_labels(context: FilterContext, boxes: BoolArray) -> BoolArray:
    """Flag the texts in some boxes that only label an advertisement; bool[n_row].

    Boxes with more words than a label are skipped.
    """
    page = context.page
    words = page.subtree_words
    near = page.within(boxes & (words <= _MAX_SLOT_WORDS))[page.leaves]
    short = page.leaves[(page.leaf_chars <= _MAX_LABEL_CHARS) & (page.leaf_chars > 0) & near]
    rows = [
        row
        for row in short[page.tag[short] == TEXT].tolist()
        if " ".join(page.text_of(row).split()).casefold().strip("-–—:·[]() ") in _LABELS
    ]
    return context.page.flag(rows)


def find_listed(context: FilterContext) -> BoolArray:
    """Flag the elements that a rule of a list hides; bool[n_row].

    A page is parsed again only if it has a name of a selector that is more than a name.
    """
    rules = ad_rules_of(context.filters, context.blocklist)
    lists = [
        block_list.hiding for block_list in (rules.listed, rules.own) if len(block_list.hiding)
    ]
    host = context.host
    if not lists or rules.excepts_site(host) or rules.excepts_site(host, "elemhide"):
        return np.zeros(len(context.page), np.bool_)
    is_generic = not rules.excepts_site(host, "generichide")
    rows_of = _rows_of_names(context)
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
    listed: BoolArray = context.page.flag(rows) | _select(context, others)
    return listed & ~_NEVER[context.page.tag]


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
    return context.page.flag(rows)


@cached_view
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
                prefix = selectors.get(value[:length])
                if (
                    prefix
                    and prefix.selector not in excepted
                    and (not prefix.tag or tag[row] == CODE_OF.get(prefix.tag, -1))
                ):
                    yield row
