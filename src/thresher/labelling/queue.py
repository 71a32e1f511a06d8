"""Input of pages to label: folders of HTML, WARC archives, JSON Lines, URLs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from thresher.batch.model import Item
from thresher.batch.sources.base import ReadOptions, SourceTally, Unreadable
from thresher.batch.sources.plan import find_places, read_source
from thresher.errors import InputError
from thresher.labelling.model import NewPage
from thresher.page.archives import unpack_archive
from thresher.page.decode import decode
from thresher.page.sniff import refuse_non_html

__all__ = ["SkippedPages", "page_of", "read_pages"]


@dataclass(slots=True)
class SkippedPages:
    """Inputs that are not pages, counted by reason."""

    left_out: Counter[str] = field(default_factory=Counter)


def read_pages(
    inputs: Sequence[str], skipped: SkippedPages, options: ReadOptions | None = None
) -> Iterator[NewPage]:
    """Yield the pages of inputs, given as for `thresher batch`, one at a time.

    Raises UsageError for a missing input, and MissingExtraError if the reader of such files is not
    installed.
    """
    options = options or ReadOptions()
    for place in find_places(inputs):
        tally = SourceTally()
        for _, entry in read_source(place, options, tally, lambda position: False):
            if isinstance(entry, Unreadable):
                skipped.left_out[entry.error] += 1
                continue
            try:
                yield page_of(entry, options.max_bytes)
            except InputError as error:
                skipped.left_out[str(error)] += 1
        for what in tally.unread:
            skipped.left_out[what] += 1


def page_of(item: Item, max_bytes: int) -> NewPage:
    """Decode a page; InputError if it is not HTML, or larger than the limit."""
    if len(item.body) > max_bytes:
        raise InputError(f"the page has more than {max_bytes:,} bytes")
    html, charset, url = item.body, item.http_charset, item.url
    if (archived := unpack_archive(html)) is not None:
        html, charset, url = archived.html, archived.charset, url or archived.url
    refuse_non_html(html)
    if isinstance(html, bytes):
        html = decode(html, http_charset=charset).text
    return NewPage(item.id, html, url)
