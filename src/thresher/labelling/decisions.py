"""Where labellers differ: agreement, the decisions between them (adjudication), and exports.

Agreement bounds what a model can learn. Cohen's κ (Cohen 1960, A coefficient of agreement for
nominal scales) is agreement beyond chance: 1 for full agreement, 0 for the agreement of random
labels with the same numbers of content blocks.

A decision is stored with the two labels that it is about, and with who made it. It holds until
there is another one, even if a page is labelled again afterwards.

Labels with their decisions are exported as a corpus for `thresher train` and `thresher eval`, and
as tasks of Label Studio, which show a page as its tag `Paragraphs` does, one block each:
docs/labelling.md has the labelling configuration.
"""

from __future__ import annotations

import json
import lzma
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np

from thresher.evaluation.metrics import score_words
from thresher.labelling.model import (
    Label,
    LabelDecision,
    ListedPage,
    blocks_by_role,
    find_role_conflicts,
)
from thresher.labelling.reading import ShownPage
from thresher.labelling.store import LabelConflictError, LabelStore, read_mask, read_roles
from thresher.page.rows import BoolArray
from thresher.support.databases import open_database

_SELECT = """
    SELECT decision.*, decider.name AS who, a.name AS name_a, b.name AS name_b FROM decision
    JOIN labeller AS decider ON decider.id = decision.decider
    JOIN label AS label_a ON label_a.id = first JOIN labeller AS a ON a.id = label_a.labeller
    JOIN label AS label_b ON label_b.id = second JOIN labeller AS b ON b.id = label_b.labeller
    WHERE decision.id IN (SELECT max(id) FROM decision GROUP BY page)
    AND decision.page IN (SELECT id FROM listed)
"""


@dataclass(frozen=True, slots=True)
class PageAgreement:
    """Agreement on one page."""

    page: int
    f1: float
    """Word F1 of one text against the other, which is symmetric."""
    n_differing: int
    """Blocks kept by one labeller only."""


@dataclass(frozen=True, slots=True)
class LabellerAgreement:
    """Agreement over the pages that both labelled."""

    kappa: float | None
    """Over all blocks of all pages; None if both gave every block the same label."""
    f1: float
    """Mean over pages."""
    n_block: int
    pages: tuple[PageAgreement, ...]
    """Pages with the least agreement first."""


def agree_in_pairs(labels: Iterable[Label]) -> dict[tuple[str, ...], LabellerAgreement]:
    """Compare all pairs of labellers with pages that both labelled, by their names in order.

    The entry of no names is of all pairs together; there is none without a page that two labelled.
    """
    of_page: dict[int, list[Label]] = {}
    for label in labels:
        if label.keep is not None:
            of_page.setdefault(label.page, []).append(label)
    of_names: dict[tuple[str, ...], list[tuple[Label, Label]]] = {}
    for own in of_page.values():
        for a, b in combinations(sorted(own, key=lambda label: label.labeller), 2):
            of_names.setdefault((a.labeller, b.labeller), []).append((a, b))
            of_names.setdefault((), []).append((a, b))
    return {names: _agree_on(pairs) for names, pairs in of_names.items()}


def _agree_on(pairs: Sequence[tuple[Label, Label]]) -> LabellerAgreement:
    """Compare pairs of labels, each of one page.

    Pages that were split into different blocks for the two are compared by their texts alone.
    """
    same_cut = [(a, b) for a, b in pairs if _mask(a).size == _mask(b).size]
    empty = np.zeros(0, np.bool_)
    first = np.concatenate([empty, *(_mask(a) for a, _ in same_cut)])
    second = np.concatenate([empty, *(_mask(b) for _, b in same_cut)])
    pages = [_compare(a, b) for a, b in pairs]
    return LabellerAgreement(
        find_kappa(first, second),
        fmean(page.f1 for page in pages),
        first.size,
        tuple(sorted(pages, key=lambda page: page.f1)),
    )


def find_kappa(first: BoolArray, second: BoolArray) -> float | None:
    """Return Cohen's κ of two masks, bool[n] each; None if chance agreement is complete."""
    if not first.size:
        return None
    observed = float(np.mean(first == second))
    p, q = float(first.mean()), float(second.mean())
    by_chance = p * q + (1 - p) * (1 - q)
    return None if by_chance == 1 else (observed - by_chance) / (1 - by_chance)


def _mask(label: Label) -> BoolArray:
    assert label.keep is not None
    return label.keep


def _compare(a: Label, b: Label) -> PageAgreement:
    first, second = _mask(a), _mask(b)
    n_differing = int(np.count_nonzero(first != second)) if first.size == second.size else 0
    return PageAgreement(a.page, score_words(a.text or "", b.text or "").f1, n_differing)


def is_disagreement(a: Label, b: Label) -> bool:
    """Return whether two labels of a page, neither of which skips it, say different things."""
    if a.keep is None or b.keep is None:
        return False
    if not np.array_equal(a.keep, b.keep) or a.page_type != b.page_type:
        return True
    return find_role_conflicts(a.roles, b.roles).size > 0


def pair_up(labels: Iterable[Label], a: str, b: str) -> dict[int, tuple[Label, Label]]:
    """Return the pages on which two labellers disagree, each with both labels."""
    of_page: dict[int, dict[str, Label]] = {}
    for label in labels:
        of_page.setdefault(label.page, {})[label.labeller] = label
    pairs = {page: (of[a], of[b]) for page, of in of_page.items() if a in of and b in of}
    return {page: pair for page, pair in pairs.items() if is_disagreement(*pair)}


def list_decisions(store: LabelStore) -> dict[int, LabelDecision]:
    """Return the decisions that hold, by page."""
    with open_database(store.path) as db:
        return {row["page"]: _read(row) for row in db.execute(_SELECT)}


def find_decision(store: LabelStore, page: int) -> LabelDecision | None:
    """Return the decision that holds for a page."""
    with open_database(store.path) as db:
        row = db.execute(f"{_SELECT} AND decision.page = ?", (page,)).fetchone()
    return None if row is None else _read(row)


def save_decision(store: LabelStore, decision: LabelDecision, *, version: int) -> int:
    """Write a decision and return its number.

    ``version`` is the number of the decision that it replaces, 0 for none. Raises
    LabelConflictError if another one holds by now, or one of the two labels was replaced.
    """
    with open_database(store.path) as db:
        # Takes the write lock, so that nothing can change after the checks.
        db.execute("INSERT OR IGNORE INTO labeller (name) VALUES (?)", (decision.decider,))
        rows = db.execute("SELECT max(id) FROM decision WHERE page = ?", (decision.page,))
        if (rows.fetchone()[0] or 0) != version:
            raise LabelConflictError("this page was decided elsewhere in the meantime")
        if not all(_is_latest(db, label) for label in decision.versions):
            raise LabelConflictError("this page was labelled again in the meantime")
        added = db.execute(
            "INSERT INTO decision (page, decider, first, second, keep, n_block, text, page_type,"
            " made_at, roles)"
            " VALUES (?, (SELECT id FROM labeller WHERE name = ?), ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                decision.page,
                decision.decider,
                *decision.versions,
                np.packbits(decision.keep).tobytes(),
                decision.keep.size,
                decision.text,
                decision.page_type,
                decision.made_at or time.time(),
                None if decision.roles is None else decision.roles.tobytes(),
            ),
        )
        return int(added.lastrowid or 0)


def _is_latest(db: sqlite3.Connection, label: int) -> bool:
    row = db.execute(
        "SELECT max(other.id) FROM label JOIN label AS other ON other.page = label.page"
        " AND other.labeller = label.labeller AND other.undone = 0 WHERE label.id = ?",
        (label,),
    ).fetchone()
    return bool(row[0] == label)


def _read(row: Any) -> LabelDecision:
    return LabelDecision(
        row["page"],
        row["who"],
        (row["first"], row["second"]),
        read_mask(row),
        row["text"],
        row["page_type"],
        row["made_at"],
        (row["name_a"], row["name_b"]),
        row["id"],
        read_roles(row),
    )


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
        previous = latest.get(label.page)
        if label.keep is not None and (previous is None or previous.made_at <= label.made_at):
            latest[label.page] = label
    if labeller is None:
        latest |= {
            page: Label(
                decision.page,
                decision.decider,
                decision.keep,
                decision.text,
                page_type=decision.page_type,
                made_at=decision.made_at,
                roles=decision.roles,
            )
            for page, decision in list_decisions(store).items()
        }
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
    fitting = [
        label for label in labels if label.keep is not None and label.keep.size == len(texts)
    ]
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
