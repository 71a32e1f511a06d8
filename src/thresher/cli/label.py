"""`thresher label`: deal the pages to be labelled to a team, and show how far they are."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from thresher.cli.console import Exit, say, write_stdout
from thresher.errors import UsageError
from thresher.labelling.decisions import agree_in_pairs
from thresher.labelling.queues import (
    Dealing,
    Queue,
    count_undealt,
    deal_again,
    deal_pages,
    list_assignments,
    list_queues,
)
from thresher.labelling.store import LABELS_FILE, LabelStore
from thresher.support.files import data_folder
from thresher.support.quoting import one_line

_TOGETHER = "together"


def run(args: Namespace) -> Exit:
    """Deal pages, or show the state; UsageError without a store of pages."""
    store = open_store(args.data or data_folder())
    return _run_deal(args, store) if args.step == "deal" else _run_status(args, store)


def open_store(folder: Path) -> LabelStore:
    """Open the store of pages to label; UsageError if there is none."""
    path = folder / LABELS_FILE
    if not path.is_file():
        raise UsageError(f"{path} does not exist: add pages with thresher app --label, or --data")
    return LabelStore(path)


def _run_deal(args: Namespace, store: LabelStore) -> Exit:
    """Deal what nobody has, or what an absent labeller has left."""
    if args.absent is not None:
        _report(deal_again(store, args.absent, args.labellers))
    else:
        _report(deal_pages(store, args.labellers, every=None if args.once else args.twice))
    return Exit.OK


def _report(dealing: Dealing) -> None:
    counts = ", ".join(f"{name} {count}" for name, count in sorted(dealing.pages.items()))
    twice = f", {dealing.n_twice} of them to two labellers" if dealing.n_twice else ""
    say(f"{_pages(dealing.n_page)} dealt{twice}{': ' if counts else ''}{counts}")
    if dealing.n_untaken:
        say(f"{_pages(dealing.n_untaken)} already with the labellers named")


def _pages(count: int) -> str:
    return f"{count} {'page was' if count == 1 else 'pages were'}"


def _run_status(args: Namespace, store: LabelStore) -> Exit:
    text = "\n\n".join("\n".join(part) for part in _describe(store) if part)
    write_stdout([text], raw=args.raw)
    return Exit.OK


def _describe(store: LabelStore) -> Iterator[list[str]]:
    pages, queues, labels = store.pages(), list_queues(store), store.labels()
    n_labelled = len({label.page for label in labels if label.keep is not None})
    counts = [f"{len(pages)} pages, {n_labelled} labelled"]
    if queues:
        holders = list_assignments(store)
        n_twice = sum(len(names) > 1 for names in holders.values())
        counts.append(f"{len(holders)} dealt, {n_twice} of them to two labellers")
        counts.append(f"{count_undealt(store)} with nobody yet")
    else:
        counts.append("not dealt: every labeller gets all pages")
    yield counts
    if queues:
        yield _align([("labeller", "dealt", "labelled", "skipped", "left"), *_rows(queues)])
    agreements = sorted(agree_in_pairs(labels).items(), key=lambda item: item[0] or ("~",))
    if agreements:
        rows = [
            (
                one_line(", ".join(names)) if names else _TOGETHER,
                str(len(agreement.pages)),
                "-" if agreement.kappa is None else f"{agreement.kappa:.2f}",
                f"{agreement.f1:.3f}",
            )
            for names, agreement in agreements
        ]
        yield _align([("labelled by two", "pages", "kappa", "word F1"), *rows])
    skipped = [label for label in labels if label.keep is None and label.page in pages]
    if skipped:
        notes = (f" ({label.note})" if label.note else "" for label in skipped)
        lines = (
            f"{label.labeller}: {pages[label.page].shown}{note}"
            for label, note in zip(skipped, notes, strict=True)
        )
        yield ["skipped", *map(one_line, lines)]


def _rows(queues: Sequence[Queue]) -> Iterator[tuple[str, ...]]:
    counts = [(one.n_dealt, one.n_labelled, one.n_skipped, one.n_left) for one in queues]
    for queue, of_queue in zip(queues, counts, strict=True):
        yield (one_line(queue.labeller), *map(str, of_queue))
    yield (_TOGETHER, *map(str, map(sum, zip(*counts, strict=True))))


def _align(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the rows of a table as lines: names to the left, numbers to the right."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            [row[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        )
        for row in table
    ]
