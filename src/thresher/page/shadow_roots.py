"""Declarative shadow roots: what an element shows, with the children of the element in its slots.

(DOM Living Standard, 4.2.2; HTML Living Standard, 4.12.3.)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from thresher.deadline import watch
from thresher.page.rearranging import Markup, Moved, Rewrite
from thresher.page.tags import CODE_OF, OTHER, TEXT, flags_of

if TYPE_CHECKING:
    from thresher.page.page import Page

_SLOT, _TEMPLATE = CODE_OF["slot"], CODE_OF["template"]
_HOSTS: Final = flags_of(
    "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span"
)
_ROOT: Final = b"shadow-root"
"""Name in place of `template`, whose content is not shown."""
_MODES: Final = ("closed", "open")


class _Root(NamedTuple):
    """A shadow root: rows of the element that has it, and of the template that declares it."""

    host: int
    template: int


def assign_slots(page: Page) -> list[Rewrite]:
    """Return the rewrites that put shadow trees and the contents of their slots in place."""
    roots = list(_find_roots(page))
    if not roots:
        return []
    templates = np.array([root.template for root in roots], np.int32)
    slots = np.flatnonzero(page.tag == _SLOT)
    around = page.nearest(page.tag == _TEMPLATE, slots)
    order = around.argsort(kind="stable")
    slots, around = slots[order], around[order]
    first, stop = (around.searchsorted(templates, side).tolist() for side in ("left", "right"))
    rewrites: list[Rewrite] = []
    for root, *ends in watch(zip(roots, first, stop, strict=True)):
        rewrites += _fill(page, root, slots[slice(*ends)])
    return rewrites


def _find_roots(page: Page) -> Iterator[_Root]:
    """Yield the first valid shadow root of each element that may have one."""
    hosts: set[int] = set()
    for row in watch(np.flatnonzero(page.tag == _TEMPLATE).tolist()):
        host = page.parent.item(row)
        code = page.tag[host]
        mode = page.attrs(row).get("shadowrootmode", "").lower()
        is_host = _HOSTS[code] or (code == OTHER and b"-" in page.start_tag(host))
        if mode in _MODES and is_host and host not in hosts:
            hosts.add(host)
            yield _Root(host, row)


def _fill(
    page: Page, root: _Root, slots: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> Iterator[Rewrite]:
    """Yield the rewrites that show one shadow tree; children without a slot become a template."""
    host, template = root
    starts, stops = page.open_start, page.close_stop
    children: dict[str, list[Moved]] = {}
    row = host + 1
    while row < page.end[host]:
        if row != template:
            name = ""
            if page.tag[row] != TEXT:
                name = page.attrs(row).get("slot", "")
            part = Moved(starts.item(row), stops.item(row))
            children.setdefault(name, []).append(part)
            yield Rewrite(*part)
        row = page.end.item(row)
    hidden_until = 0
    for slot in slots.tolist():
        name = page.attrs(slot).get("name", "")
        if slot >= hidden_until and (assigned := children.pop(name, None)):
            hidden_until = page.end.item(slot)
            yield Rewrite(page.open_stop.item(slot), page.close_start.item(slot), (*assigned,))
    unassigned = [part for parts in children.values() for part in parts]
    start, stop = starts.item(template), page.open_stop.item(template)
    tag = b"<" + _ROOT + page.buffer[start + len("<template") : stop]
    yield Rewrite(start, stop, (Markup(tag, (start,)),))
    parts: list[Markup | Moved] = [Markup(b"</" + _ROOT + b">")]
    if unassigned:
        parts += Markup(b"<template>", (-1,)), *unassigned, Markup(b"</template>")
    yield Rewrite(page.close_start.item(template), stops.item(template), tuple(parts))
