"""Label store of the server: suggestions of the current model, and the choice of listed pages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import anyio.to_thread

from thresher.app.context import AppContext, current_model
from thresher.errors import InputError, LimitError, StorageError, ThresherError, UsageError
from thresher.labelling.model import Label, ListedPage, StoredPage
from thresher.labelling.reading import ShownPage, read_for_labels
from thresher.labelling.store import LABELS_FILE, LabelStore
from thresher.support.hosts import host_of

_LOG: Final = logging.getLogger(__name__)
_AT_WORK: Final[dict[str, asyncio.Task[None]]] = {}
"""Label file → background task that reads its pages."""


def store_of(context: AppContext) -> LabelStore:
    """Return the store, creating it if needed."""
    return LabelStore(context.settings.data_dir / LABELS_FILE)


def names_of(context: AppContext) -> dict[str, str]:
    """Return the names of the user's pages by their ids in the exported corpus."""
    return {str(number): page.shown for number, page in store_of(context).pages().items()}


def fits(label: Label, shown: ShownPage) -> bool:
    """Return whether a label is of these blocks."""
    return label.keep is not None and label.keep.size == len(shown.blocks)


async def shown_of(context: AppContext, store: LabelStore, page: int) -> ShownPage | None:
    """Return the blocks of a page for labelling; None if the page cannot be read.

    The reading of the current model is stored, so only the first call is slow; on a full disk, each
    is. Raises ThresherError for errors that are not of the page.
    """
    model = current_model(context.settings)
    reading = await anyio.to_thread.run_sync(store.reading, page, model)
    if reading is not None:
        return ShownPage.of_json(reading)
    stored = await anyio.to_thread.run_sync(store.page, page)
    if stored is None:
        return None
    shown = await _read(context, stored, model)
    try:
        await _keep(store, page, model, shown)
    except StorageError as error:
        _LOG.info("the reading of page %d was not stored: %s", page, error)
    return shown


async def _read(context: AppContext, page: StoredPage, model: str) -> ShownPage | None:
    """Return the blocks of a page; None if it cannot be read."""
    try:
        limits = context.settings.limits
        return await context.work(read_for_labels, page.html, page.url, model, limits)
    except (InputError, LimitError) as error:
        _LOG.info("page %d cannot be read: %s", page.id, error)
        return None


async def _keep(store: LabelStore, page: int, model: str, shown: ShownPage | None) -> None:
    text, sure, title = (
        (shown.to_json(), shown.confidence, shown.title) if shown else (None, None, "")
    )
    await anyio.to_thread.run_sync(store.put_reading, page, model, text, sure, title)


def read_ahead(context: AppContext, store: LabelStore, first: Iterable[int] = ()) -> None:
    """Read all pages in the background, one at a time, starting with ``first``."""
    name = str(store.path)
    if name in _AT_WORK:
        return
    task = asyncio.create_task(_read_all(context, store, list(first)))
    _AT_WORK[name] = task
    task.add_done_callback(lambda done: _AT_WORK.pop(name, None))


async def _read_all(context: AppContext, store: LabelStore, first: list[int]) -> None:
    model = current_model(context.settings)
    unread = await anyio.to_thread.run_sync(store.unread, model)
    unread_numbers = set(unread)
    for page in dict.fromkeys([*(number for number in first if number in unread_numbers), *unread]):
        try:
            stored = await anyio.to_thread.run_sync(store.page, page)
            if stored is not None:
                await _keep(store, page, model, await _read(context, stored, model))
        except (StorageError, UsageError):  # the disk is full, or the model file is gone
            return
        except ThresherError as error:  # worker died, or server shutdown
            _LOG.info("page %d was not read: %s", page, error)
        except Exception:
            _LOG.exception("page %d was not read", page)
            return


STATES: Final[Mapping[str, str]] = {
    "": "All states",
    "unlabelled": "Without a label",
    "labelled": "Labelled",
    "skipped": "Skipped",
    "differing": "Labelled differently",
}
"""State of a page → its name."""
ORDERS: Final[Mapping[str, str]] = {
    "": "First added first",
    "latest": "Last added first",
    "title": "By title",
    "name": "By address or name",
}
"""Order of the list → its name."""


@dataclass(frozen=True, slots=True)
class PageChoice:
    """Words, site, state and order asked for; empty values do not restrict the list."""

    words: str = ""
    site: str = ""
    state: str = ""
    order: str = ""

    @classmethod
    def of_query(cls, query: Mapping[str, str]) -> PageChoice:
        """Read the choice from a query; unknown values are ignored."""
        state, order = query.get("state", ""), query.get("order", "")
        return cls(
            query.get("q", ""),
            query.get("site", ""),
            state if state in STATES else "",
            order if order in ORDERS else "",
        )


def choose_pages(
    pages: Mapping[int, ListedPage],
    labels: Mapping[int, Sequence[Label]],
    differing: Collection[int],
    choice: PageChoice,
) -> list[int]:
    """Return the numbers of the chosen pages.

    ``pages`` are all pages, ``labels`` those of each page, ``differing`` the pages on which two
    labellers differ.
    """
    words = choice.words.casefold().split()

    def is_chosen(number: int) -> bool:
        page = pages[number]
        told = f"{page.title} {page.name} {page.url or ''}".casefold()
        if not all(word in told for word in words):
            return False
        if choice.site and host_of(page.url) != choice.site:
            return False
        return not choice.state or choice.state in states_of(number)

    def states_of(number: int) -> set[str]:
        states = {
            "labelled" if label.keep is not None else "skipped" for label in labels.get(number, ())
        }
        return (states or {"unlabelled"}) | ({"differing"} if number in differing else set())

    chosen = list(filter(is_chosen, pages))
    if choice.order == "name":
        chosen.sort(key=lambda number: (pages[number].url or pages[number].name).casefold())
    elif choice.order == "title":
        chosen.sort(key=lambda number: pages[number].shown.casefold())
    return chosen[::-1] if choice.order == "latest" else chosen
