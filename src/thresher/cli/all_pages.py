"""`thresher extract --all-pages`: fetch the pages of a multi-page article one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import sleep
from typing import TYPE_CHECKING

from thresher.cli.inputs import Loaded, Reading, describe_failure
from thresher.cli.outputs import say
from thresher.cli.verdicts import has_content
from thresher.document import Document
from thresher.errors import UsageError
from thresher.fetching.model import MAX_ROBOTS_BYTES
from thresher.merging import RepeatFilter

if TYPE_CHECKING:
    from thresher.fetching.robots import Trail

__all__ = ["Pages", "read_all_pages"]


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages that were read of an article."""

    documents: list[Document]
    """Its pages in order, without repeated content."""
    is_complete: bool
    """Whether no page failed. An article cut at the requested number of pages is complete."""


def read_all_pages(
    loaded: Loaded, reading: Reading, max_pages: int, extract_page: Callable[[Loaded], Document]
) -> Pages:
    """Extract a page and those that follow it, whose failures are reported, not raised.

    Raises what ``extract_page`` does for the first page.
    """
    # Needed only for articles with further pages.
    from thresher.analysis.pagination import find_next_url

    repeats = RepeatFilter()
    document = extract_page(loaded)
    documents = [repeats.drop(document)]
    trail = _begin(loaded, reading)
    while url := find_next_url(document.page, loaded.url):
        name = f"page {len(documents) + 1}, {url}"
        if len(documents) == max_pages:
            say(f"{name}: not fetched, for {max_pages} pages is the limit")
            break
        try:
            fetched = trail.follow(url)
            if fetched is None:
                break
            charset = reading.charset or fetched.http_charset
            document = extract_page(Loaded(fetched.body, fetched.url, charset))
        except UsageError:
            raise
        except Exception as error:  # the pages before it are there
            say(f"{name}: {describe_failure(error)}")
            return Pages(documents, is_complete=False)
        if not has_content(name, document):
            return Pages(documents, is_complete=False)
        rest = repeats.drop(document)
        if not rest.selection.keep.any():
            break  # some sites return the last page for any larger number
        documents.append(rest)
    return Pages(documents, is_complete=True)


def _begin(loaded: Loaded, reading: Reading) -> Trail:
    # The HTTP library takes longer to import than the rest of the command.
    from thresher.fetching.fetch import fetch
    from thresher.fetching.robots import Robots, Trail

    get = partial(
        fetch,
        timeout_s=reading.timeout_s,
        max_bytes=reading.limits.max_bytes,
        user_agent=reading.user_agent,
        # A public page must not lead to a private address, whatever its name.
        allow_private=reading.allow_private and not loaded.is_public,
    )
    robots = Robots(partial(get, max_bytes=MAX_ROBOTS_BYTES), reading.user_agent)
    return Trail(loaded.url or "", loaded.body, get, robots, sleep)
