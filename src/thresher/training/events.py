"""Progress events of a training run, written to a file as JSON Lines.

The parent process, such as the web app, reads progress and result from it. Each line has ``event``:
``progress``, ``said``, ``result`` or ``failed``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Final, Self

from thresher.training.adapter.recipe import ModelComparison, Point

LISTED_PAGES: Final = 20
"""Number of worst pages listed in a result."""


class Events:
    """Writes events to a file, or discards them without a path. Raises OSError as `open` does."""

    def __init__(self, path: Path | None) -> None:
        self._file: IO[str] | None = None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w", encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception):
            self._write("failed", text=str(error))
        if self._file:
            self._file.close()

    def progress(self, stage: str, done: int, total: int, curve: Iterable[Point] = ()) -> None:
        """Write how many steps are done."""
        points = [asdict(point) for point in curve]
        self._write("progress", stage=stage, done=done, total=total, curve=points)

    def say(self, text: str) -> None:
        """Write advice for readers of the scores."""
        self._write("said", text=text)

    def result(
        self, comparison: ModelComparison, curve: Iterable[Point], n_page: int, n_site: int
    ) -> None:
        """Write the result."""
        self._write(
            "result",
            rows=[asdict(row) for row in comparison.rows],
            gain=comparison.gain,
            gain_error=comparison.gain_error,
            is_sure=comparison.is_sure,
            n_better=comparison.n_better,
            n_worse=comparison.n_worse,
            n_measured=comparison.n_page,
            curve=[asdict(point) for point in curve],
            n_page=n_page,
            n_site=n_site,
            pages=_list_pages(comparison),
        )

    def _write(self, event: str, **values: Any) -> None:
        if self._file:
            self._file.write(json.dumps({"event": event} | values, ensure_ascii=False) + "\n")
            self._file.flush()


def read_events(path: Path, start: int = 0) -> tuple[list[dict[str, Any]], int]:
    """Return the events from a byte offset on, and the next offset; no events if there is no file.

    A line that is still being written is left for the next call.
    """
    try:
        with path.open("rb") as file:
            file.seek(start)
            text = file.read()
    except FileNotFoundError:
        return [], start
    whole = text.rfind(b"\n") + 1
    return [json.loads(line) for line in text[:whole].splitlines()], start + whole


def _list_pages(comparison: ModelComparison) -> Sequence[dict[str, Any]]:
    """Return the pages with the lowest F1 after training, each with its F1 before."""
    pairs = zip(comparison.results[::2], comparison.results[1::2], strict=True)
    ranked = sorted(pairs, key=lambda pair: pair[1].scores["word"].f1)
    return [
        {
            "corpus": after.corpus,
            "id": after.page,
            "url": after.url,
            "before": before.scores["word"].f1,
            "after": after.scores["word"].f1,
        }
        for before, after in ranked[:LISTED_PAGES]
    ]
