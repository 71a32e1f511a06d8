"""Labels that are saved while the app is killed again and again: none may be lost or changed.

    python -m bench.label_kills [--labels 300] [--kills 20] [--seed 1] [-o FILE]

One labeller saves a label for one page after another, as the script of the page does: what is not
answered is sent again. Meanwhile the app gets SIGKILL at random moments, often within a save, and
is started again. In the end every label in the store is compared with what was sent. Exits with 1
where one is missing or another.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from bench.app_server import ask_until_answered, find_port, kill_while
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


@dataclass(slots=True)
class Labels:
    """A labeller at work; tells how often something had to be sent again."""

    port: int
    n_saved: int = 0
    n_again: int = 0
    waits_s: list[float] = field(default_factory=list)
    """Seconds from the first attempt until a label was saved, for each."""

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
        status, _, text = ask_until_answered(
            self.port, method, path, body, headers, note_retry=self._note_retry
        )
        if status >= 400:
            raise SystemExit(f"{method} {path}: {status} {text[:300]}")
        return text

    def _note_retry(self) -> None:
        self.n_again += 1


def count_kept(store: LabelStore, pages: Sequence[int]) -> int:
    """Return how many pages have exactly the label that was sent."""
    found = (store.label(page, _LABELLER) for page in pages)
    return sum(
        label is not None
        and label.keep is not None
        and label.keep.nonzero()[0].tolist() == mark(page)
        for page, label in zip(pages, found, strict=True)
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--labels", type=int, default=300)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    asked = parser.parse_args(arguments)
    chance = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = LabelStore(folder / "labels.sqlite")
        pages = list(range(1, asked.labels + 1))
        store.add(NewPage(f"{page}.html", _write_page(page)) for page in pages)
        labels = Labels(find_port())
        n_kill = kill_while(
            lambda: labels.save_all(pages),
            lambda: labels.n_saved,
            n_all=asked.labels,
            n_kill=asked.kills,
            port=labels.port,
            folder=folder,
            chance=chance,
        )
        n_kept = count_kept(store, pages)
    text = (
        f"{n_kept} of {asked.labels} labels kept through {n_kill} kills; {labels.n_again} requests"
        f" sent again, {max(labels.waits_s, default=0.0):.1f} s for the longest save;"
        f" {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
    )
    print(text)
    if asked.output:
        asked.output.write_text(f"{text}\n", encoding="utf-8")
    return 0 if n_kept == asked.labels and n_kill == asked.kills else 1


if __name__ == "__main__":
    sys.exit(main())
