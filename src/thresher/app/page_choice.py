"""Choice of the pages to label that are listed: by words, site and state, in an order."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from thresher.labelling.model import Label, ListedPage
from thresher.support.hosts import host_of

__all__ = ["ORDERS", "STATES", "PageChoice", "choose_pages"]

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
        found = {
            "labelled" if each.keep is not None else "skipped" for each in labels.get(number, ())
        }
        return (found or {"unlabelled"}) | ({"differing"} if number in differing else set())

    chosen = list(filter(is_chosen, pages))
    if choice.order == "name":
        chosen.sort(key=lambda number: (pages[number].url or pages[number].name).casefold())
    elif choice.order == "title":
        chosen.sort(key=lambda number: pages[number].shown.casefold())
    return chosen[::-1] if choice.order == "latest" else chosen
