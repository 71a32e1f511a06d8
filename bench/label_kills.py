"""Labels that are saved while the app is killed again and again: none may be lost or changed.

    python -m bench.label_kills [--labels 300] [--kills 20] [--seed 1] [-o FILE]

One labeller saves a label for one page after another, as the script of the page does: what is not
answered is sent again. Meanwhile the app gets SIGKILL at random moments, often within a save, and
is started again. In the end every label in the store is compared with what was sent. Exits with 1
where one is missing or another.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from bench.app_server import Visitor, find_port, kill_while, read_arguments, report
from thresher.labelling.model import NewPage
from thresher.labelling.store import LabelStore

_LABELLER: Final = "bench"
_CSRF: Final = "of-the-benchmark"
_N_BLOCK: Final = 12
_FIELD: Final = re.compile(r'name="(version|blocks)" value="([^"]*)"')


def mark(page: int) -> list[int]:
    """Return the blocks that the label of a page keeps: others for each page."""
    return [block for block in range(_N_BLOCK) if (page * 2_654_435_761 >> block) & 1]


def _write_page(page: int) -> str:
    return f"<title>{page}</title>" + "".join(f"<p>Row {n} of {page}." for n in range(_N_BLOCK))


class Labeller(Visitor):
    """A labeller at work."""

    def save_all(self, pages: Sequence[int]) -> None:
        """Save the labels of pages, one after another."""
        for page in pages:
            self.save(page)

    def save(self, page: int) -> None:
        """Save the label of a page, whatever happens to the app; exits where it is refused."""
        sheet = self._ask("GET", f"/label/{page}/sheet")
        start_s = time.monotonic()
        kept = ",".join(map(str, mark(page)))
        form = {**dict(_FIELD.findall(sheet)), "who": _LABELLER, "do": "save", "keep": kept}
        answer = json.loads(self._ask("POST", f"/label/{page}", urlencode(form)))
        assert "version" in answer
        self.waits_s.append(time.monotonic() - start_s)
        self.n_saved += 1

    def _ask(self, method: str, path: str, body: str | None = None) -> str:
        headers = {"Accept": "application/json", "X-CSRF-Token": _CSRF}
        headers |= {"Cookie": f"thresher_csrf={_CSRF}; thresher_labeller={_LABELLER}"}
        return self.ask(method, path, body, headers)[2]


def count_kept(store: LabelStore, pages: Sequence[int]) -> int:
    """Return how many pages have exactly the label that was sent."""
    labels = (store.label(page, _LABELLER) for page in pages)
    return sum(
        label is not None
        and label.keep is not None
        and label.keep.nonzero()[0].tolist() == mark(page)
        for page, label in zip(pages, labels, strict=True)
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    asked = read_arguments(__doc__, "labels", arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = LabelStore(folder / "labels.sqlite")
        pages = list(range(1, asked.labels + 1))
        store.add(NewPage(f"{page}.html", _write_page(page)) for page in pages)
        labeller = Labeller(find_port())
        n_kill = kill_while(labeller, pages, folder, n_kill=asked.kills, seed=asked.seed)
        n_kept = count_kept(store, pages)
    report(
        f"{n_kept} of {asked.labels} labels kept through {n_kill} kills; {labeller.n_again}"
        f" requests sent again, {max(labeller.waits_s, default=0.0):.1f} s for the longest save",
        asked.output,
    )
    return 0 if n_kept == asked.labels and n_kill == asked.kills else 1


if __name__ == "__main__":
    sys.exit(main())
