"""The page itself with the boilerplate removed: its head, styles and scripts stay unchanged."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt
from turbohtml import Element

from thresher.analysis.links import find_base, find_base_href
from thresher.document import Document, WriteOptions
from thresher.page import Page
from thresher.page.parse import pair_elements
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import flags_of
from thresher.writers.fragment.clean import clean_fragment
from thresher.writers.fragment.fragment import write_fragment
from thresher.writers.shared.editing import parse_source, remove_rows, serialise_source
from thresher.writers.shared.forms import Forms, find_forms
from thresher.writers.shared.within import keep_in_place

__all__ = ["write"]


_ROOTS: Final = flags_of("body frameset html")
_CELLS: Final = flags_of("td th")


def write(document: Document, options: WriteOptions) -> str:
    """Write the page without the elements that hold leaves, but none that is kept.

    Elements without leaves stay: styles and scripts may need them. So do the head of the article
    and whole forms (`thresher.writers.shared`), and all of a page whose purpose is a form. A page
    whose URL is known gets a `<base>` if it has none, or one that is relative or unreadable, so
    that its style sheets and images load from anywhere. Content that the page was completed with is
    put at the end of its body, sanitised. The result is as safe as the page was; ``options`` change
    nothing.
    """
    page = document.page
    tree = parse_source(page)
    element_of = pair_elements(page, tree)
    selection = keep_in_place(document)
    forms = find_forms(page, selection.keep, selection.dropped_by_rule)
    if not forms.is_purpose:
        remove_rows(page, element_of, _find_dropped(page, selection.keep, forms))
    if page.attached:
        body = element_of[int(page.parent[page.n_own_row])]
        body.extend(list(_attached_markup(document).children))
    head = tree.find("head")
    base = find_base(page)
    # The first base of a page counts, so this one replaces what only means something at its URL.
    if head is not None and base and base != (find_base_href(page) or "").strip():
        head.insert(0, Element("base", {"href": base}))
    return serialise_source(tree)


def _attached_markup(document: Document) -> Element:
    """Return the kept part of the attached rows, made safe, in an enclosing element."""
    page = document.page
    keep = document.selection.keep & (page.leaves >= page.n_own_row)
    attached = replace(document, selection=replace(document.selection, keep=keep))
    return clean_fragment(write_fragment(attached, WriteOptions()).markup, find_base(page))


def _find_dropped(page: Page, keep: BoolArray, forms: Forms) -> npt.NDArray[np.intp]:
    """Return the outermost rows to remove: elements, and texts in the elements that stay."""
    keep = forms.extend(keep, page.leaves)
    kept_before = sum_before(keep)
    first, stop = page.leaf_offset[:-1], page.leaf_offset[page.end]
    holds = (kept_before[stop] > kept_before[first]) | (page.subtree_sums(forms.kept) > 0)
    # Without its cells a row would move under the wrong columns.
    stays = holds | _ROOTS[page.tag] | (_CELLS[page.tag] & holds[page.parent])
    goes = ((stop > first) | forms.dropped) & ~stays & stays[page.parent]
    goes[page.n_own_row :] = False
    return np.flatnonzero(goes)
