"""Count of elements that a person uses or reads first, before and after writing in place."""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np

import thresher
from thresher.filters import filter_page, own_blocklist
from thresher.filters.settings import Filters
from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.inplace import keep_heads
from thresher.writers.shared.editing import Edits, edit_page

__all__ = ["count_kept"]

_MARK: Final = "data-bench-row"
_FORM, _H1, _IMG, _TEMPLATE = (CODE_OF[name] for name in "form h1 img template".split())
_PARTS: Final = flags_of("button input select textarea")
_MARKED: Final = flags_of("button form h1 img input select textarea")


def count_kept(html: str, url: str | None) -> Counter[str]:
    """Count what remains of a page's forms, of its only `h1` and of the picture in `og:image`."""
    source = thresher.read_page(html, url=url)
    rows = np.flatnonzero(_MARKED[source.tag]).tolist()
    marks = Edits(np.zeros(0, np.intp), {row: {_MARK: str(row)} for row in rows})
    document = thresher.extract(edit_page(source, marks), url=url)
    page = document.page
    selection = keep_heads(document)
    done = filter_page(
        page, Filters(), own_blocklist(), keep=selection.keep, dropped=selection.dropped_by_rule
    )
    after = thresher.read_page(_cut_hidden(done.html, url), url=url)
    left = {value: row for row, value in after.attributes.values(_MARK).items()}
    before = page.attributes.values(_MARK)
    counts: Counter[str] = Counter()
    for form in np.flatnonzero(page.tag == _FORM).tolist():
        parts = _parts(page, form)
        if not parts or page.within(page.tag == _TEMPLATE)[form]:
            continue
        kept = sum(before.get(part) in left for part in parts)
        place = left.get(before.get(form, ""))
        same = place is not None and _fold(after.text_of(place)) == _fold(page.text_of(form))
        whole = kept == len(parts) and same
        counts["forms whole" if whole else "forms in part" if kept else "forms gone"] += 1
    heads = np.flatnonzero(page.tag == _H1).tolist()
    if len(heads) == 1 and page.text_of(heads[0]).strip():
        mark = before.get(heads[0])
        is_kept = mark in left and bool(after.text_of(left[mark]).strip())
        counts["h1 kept" if is_kept else "h1 gone"] += 1
    pictures = _lead_pictures(page)
    if pictures:
        is_kept = any(before.get(row) in left for row in pictures)
        counts["picture kept" if is_kept else "picture gone"] += 1
    return counts


def _cut_hidden(html: str, url: str | None) -> str:
    """Cut out what the filters have hidden, and the list of removed links."""
    page = thresher.read_page(html, url=url)
    marked = np.zeros(len(page), np.bool_)
    marked[list(page.attributes.values("data-thresher"))] = True
    return edit_page(page, Edits(np.flatnonzero(marked & ~page.below(marked))))


def _parts(page: thresher.Page, form: int) -> list[int]:
    """Return the fields and buttons of a form that are shown."""
    types = page.attributes.values("type")
    return [
        row
        for row in range(form, int(page.end[form]))
        if _PARTS[page.tag[row]] and types.get(row, "").strip().lower() != "hidden"
    ]


def _lead_pictures(page: thresher.Page) -> list[int]:
    """Return the images whose address is that in `og:image`."""
    contents = page.attributes.values("content")
    wanted = {
        _bare(contents.get(row, ""))
        for row, name in page.attributes.values("property").items()
        if name == "og:image"
    } - {""}
    sources = page.attributes.values("src").items()
    return [row for row, src in sources if page.tag[row] == _IMG and _bare(src) in wanted]


def _bare(address: str) -> str:
    return address.strip().partition("?")[0].partition(":")[2] or address.strip().partition("?")[0]


def _fold(text: str) -> str:
    return "".join(text.split())
