"""Export of labels as a corpus `NAME.jsonl.xz` for `thresher train` and `thresher eval`."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from thresher.labelling.model import Label
from thresher.labelling.store import LabelStore

__all__ = ["list_labels", "make_records", "write_corpus"]


def list_labels(store: LabelStore, labeller: str | None = None) -> list[Label]:
    """Return one label per labelled page: the given labeller's, or without one the latest."""
    latest: dict[int, Label] = {}
    for label in store.labels(labeller):
        known = latest.get(label.page)
        if label.keep is not None and (known is None or known.made_at <= label.made_at):
            latest[label.page] = label
    return list(latest.values())


def make_records(store: LabelStore, labeller: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield a record for each labelled page, with the fields of `thresher.evaluation.corpora`.

    The fields ``labeller`` and ``blocks``, the indices of the kept blocks, are additional.
    """
    for label in list_labels(store, labeller):
        page = store.page(label.page)
        if page is None or label.keep is None:
            continue
        yield {
            "id": str(page.id),
            "url": page.url,
            "name": page.name,
            "html": page.html,
            "text": label.text or "",
            "page_type": label.page_type,
            "tier": "human",
            "labeller": label.labeller,
            "blocks": label.keep.nonzero()[0].tolist(),
        }


def write_corpus(store: LabelStore, path: Path, labeller: str | None = None) -> int:
    """Write the corpus; return its number of pages."""
    count = 0
    with lzma.open(path, "wt", encoding="utf-8", preset=1) as file:
        for record in make_records(store, labeller):
            # ASCII escapes, as a page may contain lone surrogates, which UTF-8 cannot encode.
            file.write(json.dumps(record) + "\n")
            count += 1
    return count
