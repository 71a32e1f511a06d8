"""Pages that are saved and tagged while the app is killed again and again: none may be lost.

    python -m bench.saved_kills [--pages 300] [--kills 20] [--seed 1] [-o FILE]

One reader pastes a page, saves it and sets its tags, then the next; what is not answered is sent
again, and a page that the app lost before it was saved is opened again. Meanwhile the app gets
SIGKILL at random moments and is started again. In the end the list must hold each page once, as it
was received, with its tags. Exits with 1 otherwise.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from bench.app_server import GONE, Visitor, find_port, kill_while, read_arguments, report
from thresher.app.saved import SAVED_FILE, SavedList

_CSRF: Final = "of-the-benchmark"
_NUMBER: Final = re.compile(r'id="page-(\d+)"')


def write_page(page: int) -> str:
    """Return the HTML of a page, with a word that no other page has."""
    rows = "".join(
        f"<p>Row {row} of sheaf{page}x, which holds rye and little else." for row in range(9)
    )
    return f"<title>Sheaf {page}</title><h1>Sheaf {page}</h1>{rows}"


def tags_for(page: int) -> tuple[str, ...]:
    """Return the tags that a page gets, in alphabetical order: others for each page."""
    return "rye", f"sheaf {page}"


@dataclass(slots=True)
class Reader(Visitor):
    """A reader at work."""

    n_reopened: int = 0

    def save_all(self, pages: Sequence[int]) -> None:
        """Save and tag pages, one after another."""
        for page in pages:
            start_s = time.monotonic()
            self._save(page)
            self._tag(page)
            self.waits_s.append(time.monotonic() - start_s)
            self.n_saved += 1

    def _save(self, page: int) -> None:
        while True:
            _, opened, _ = self._ask("POST", "/read", {"html": write_page(page)})
            status, _, _ = self._ask("POST", f"{opened}/save", {})
            if status != GONE:
                return
            self.n_reopened += 1

    def _tag(self, page: int) -> None:
        _, _, listed = self._ask("GET", f"/saved?q=sheaf{page}x")
        (number,) = _NUMBER.findall(listed)
        self._ask("POST", f"/saved/{number}/tags", {"was": "", "tags": ", ".join(tags_for(page))})

    def _ask(
        self, method: str, path: str, form: dict[str, str] | None = None
    ) -> tuple[int, str, str]:
        body = None if form is None else urlencode({"csrf": _CSRF, **form})
        cookie = {"Cookie": f"thresher_csrf={_CSRF}"}
        return self.ask(method, path, body, cookie, may_be_gone=True)


def count_kept(saved: SavedList, pages: Sequence[int]) -> int:
    """Return how many pages are in the list exactly once, as they were sent, with their tags."""
    _, listed = saved.search()
    n_kept = 0
    for page in pages:
        matches = [entry for entry in listed if entry.title == f"Sheaf {page}"]
        source = saved.source(matches[0].id) if matches else None
        n_kept += (
            len(matches) == 1
            and source is not None
            and source.body == write_page(page)
            and matches[0].tags == tags_for(page)
        )
    return n_kept


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    asked = read_arguments(__doc__, "pages", arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages = list(range(1, asked.pages + 1))
        reader = Reader(find_port())
        n_kill = kill_while(reader, pages, folder, n_kill=asked.kills, seed=asked.seed)
        n_kept = count_kept(SavedList(folder / SAVED_FILE), pages)
    report(
        f"{n_kept} of {asked.pages} pages kept with their tags through {n_kill} kills;"
        f" {reader.n_again} requests sent again, {reader.n_reopened} pages opened again,"
        f" {max(reader.waits_s, default=0.0):.1f} s for the longest",
        asked.output,
    )
    return 0 if n_kept == asked.pages and n_kill == asked.kills else 1


if __name__ == "__main__":
    sys.exit(main())
