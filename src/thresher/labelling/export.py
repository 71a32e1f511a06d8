"""Export of labels: as a corpus for `thresher train` and `thresher eval`, and for Label Studio.

A task of Label Studio shows a page as its tag `Paragraphs` does, one block each: docs/labelling.md
has the labelling configuration.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from thresher.labelling.decisions import list_decisions
from thresher.labelling.model import Label, LabelDecision, ListedPage, blocks_by_role
from thresher.labelling.reading import ShownPage
from thresher.labelling.store import LabelStore

_CONTENT: Final = "content"
"""Label of a kept block in Label Studio; the others are roles."""
_SILENT: Final = "[picture]"
"""Text of a block without any, which could not be marked."""


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
    """Write the corpus, compressed if its name ends in ``.xz``; return its number of pages."""
    count = 0
    pack: Callable[..., Any] = partial(lzma.open, preset=1) if path.suffix == ".xz" else open
    with pack(path, "wt", encoding="utf-8") as file:
        for record in make_records(store, labeller):
            # ASCII escapes, as a page may contain lone surrogates, which UTF-8 cannot encode.
            file.write(json.dumps(record) + "\n")
            count += 1
    return count


def make_task(page: ListedPage, shown: ShownPage, labels: Iterable[Label]) -> dict[str, Any]:
    """Return a page as a task of Label Studio, with an annotation for each label.

    A label of other blocks than those that are shown now, by an earlier version, is left out.
    """
    texts = [block.text or _SILENT for block in shown.blocks]
    fitting = [each for each in labels if each.keep is not None and each.keep.size == len(texts)]
    return {
        "data": {
            "url": page.url,
            "title": page.title or page.name,
            "blocks": [
                {"kind": block.kind, "text": text}
                for block, text in zip(shown.blocks, texts, strict=True)
            ],
            "labellers": [label.labeller for label in fitting],
        },
        "annotations": [_annotate(label, texts) for label in fitting],
    }


def _annotate(label: Label, texts: list[str]) -> dict[str, Any]:
    """Return a label as an annotation: its kept blocks, their roles and the type of the page."""
    assert label.keep is not None
    marks = [(block, _CONTENT) for block in label.keep.nonzero()[0].tolist()]
    marks += [
        (block, role) for role, blocks in blocks_by_role(label.roles).items() for block in blocks
    ]
    regions: list[dict[str, Any]] = [
        {
            "id": f"{name}-{block}",
            "from_name": "kind",
            "to_name": "blocks",
            "type": "paragraphlabels",
            "value": {
                "start": str(block),
                "end": str(block),
                "startOffset": 0,
                # A script's offsets: in units of UTF-16.
                "endOffset": len(texts[block].encode("utf-16-le", "surrogatepass")) // 2,
                "paragraphlabels": [name],
            },
        }
        for block, name in marks
    ]
    if label.page_type:
        value = {"choices": [label.page_type]}
        where = {"from_name": "page_type", "to_name": "blocks", "type": "choices"}
        regions.append({"id": "page-type", **where, "value": value})
    return {"lead_time": label.seconds, "result": regions}
