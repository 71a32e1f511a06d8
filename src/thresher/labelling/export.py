"""Export of labels as a corpus `NAME.jsonl.xz` for `thresher train` and `thresher eval`."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from thresher.labelling.decisions import list_decisions
from thresher.labelling.model import Label, LabelDecision
from thresher.labelling.roles import blocks_by_role
from thresher.labelling.store import LabelStore

__all__ = ["list_labels", "make_records", "write_corpus"]


def list_labels(store: LabelStore, labeller: str | None = None) -> list[Label]:
    """Return one label per labelled page: the given labeller's.

    Without one it is what was decided where labels differ, else the latest label.
    """
    latest: dict[int, Label] = {}
    for label in store.labels(labeller):
        known = latest.get(label.page)
        if label.keep is not None and (known is None or known.made_at <= label.made_at):
            latest[label.page] = label
    if labeller is None:
        latest |= {page: _label_of(each) for page, each in list_decisions(store).items()}
    return [latest[page] for page in sorted(latest)]


def make_records(store: LabelStore, labeller: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield a record for each labelled page, with the fields of `thresher.evaluation.corpora`.

    The fields ``labeller`` and ``blocks``, the indices of the kept blocks, are additional; so are
    ``roles``, the blocks of each role that was given, and ``decided_between``, the labellers
    between whom the labeller has decided.
    """
    decisions = {} if labeller is not None else list_decisions(store)
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
            "roles": blocks_by_role(label.roles),
            "decided_between": list(decisions[page.id].labellers) if page.id in decisions else None,
        }


def _label_of(decision: LabelDecision) -> Label:
    return Label(
        decision.page,
        decision.decider,
        decision.keep,
        decision.text,
        page_type=decision.page_type,
        made_at=decision.made_at,
        roles=decision.roles,
    )


def write_corpus(store: LabelStore, path: Path, labeller: str | None = None) -> int:
    """Write the corpus; return its number of pages."""
    count = 0
    with lzma.open(path, "wt", encoding="utf-8", preset=1) as file:
        for record in make_records(store, labeller):
            # ASCII escapes, as a page may contain lone surrogates, which UTF-8 cannot encode.
            file.write(json.dumps(record) + "\n")
            count += 1
    return count
