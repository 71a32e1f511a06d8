"""`python -m thresher.evaluation.role_labels.desk`: sheets out, answers in, labels carried over.

`sheets` writes the numbered blocks of pages for labellers, `collect` reads their answers into the
file of labels, `carry` moves labels to the blocks of today's version and says what is lost.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from thresher.errors import InputError, UsageError
from thresher.evaluation.command import add_corpora, make_say, run_command
from thresher.evaluation.corpora import LabelledPage, find_corpora, read_corpora_paths
from thresher.evaluation.role_labels.answers import read_answers
from thresher.evaluation.role_labels.labels import (
    SHIPPED_LABELS,
    RoleLabel,
    digest_html,
    read_labels,
    write_labels,
)
from thresher.evaluation.role_labels.marks import (
    SHIPPED_MARKS,
    carry_roles,
    mark_blocks,
    read_marks,
    write_marks,
)
from thresher.evaluation.role_labels.sheets import write_sheet
from thresher.page import Page
from thresher.page.parse import parse
from thresher.roles import NO_ROLE

__all__ = ["main"]

_PROGRAM: Final = "python -m thresher.evaluation.role_labels.desk"
_INDEX: Final = "index.tsv"
_SHEET_CHARS: Final = 29_000
"""Characters a file of sheets has at most, unless one page has more: what is read at a time."""
_say = make_say("desk")

PageKey = tuple[str, str]
"""Corpus and page id."""


class _SheetPage(NamedTuple):
    """A page in an index of sheets."""

    key: PageKey
    n_block: int


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its status: 0, 1 if something failed, 2 for wrong usage."""
    return run_command(_say, partial(_build_parser().parse_args, argv), lambda args: args.run(args))


def _build_parser() -> ArgumentParser:
    parser = ArgumentParser(prog=_PROGRAM, description=str(__doc__).partition(": ")[2])
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    sheets = commands.add_parser("sheets", help="write the blocks of pages for labellers")
    add_corpora(sheets)
    sheets.add_argument(
        "--only",
        type=Path,
        metavar="FILE",
        help="only these pages: a corpus, a tab and a page id a line (default: all unlabelled)",
    )
    sheets.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    sheets.set_defaults(run=_write_sheets)

    collect = commands.add_parser("collect", help="read answers into the file of labels")
    add_corpora(collect)
    collect.add_argument(
        "--answers",
        type=Path,
        action="append",
        required=True,
        metavar="DIR",
        help="a folder of sheets with *.ans files; may be repeated",
    )
    collect.add_argument(
        "--reader", metavar="NAME", help="who answered (default: the name of each folder)"
    )
    _add_labels(collect)
    collect.set_defaults(run=_collect)

    carry = commands.add_parser("carry", help="carry labels over to the blocks of this version")
    add_corpora(carry)
    _add_labels(carry)
    carry.set_defaults(run=_carry)
    return parser


def _add_labels(parser: ArgumentParser) -> None:
    parser.add_argument("--labels", type=Path, default=SHIPPED_LABELS, metavar="FILE")
    parser.add_argument("--marks", type=Path, default=SHIPPED_MARKS, metavar="FILE")


def _write_sheets(args: Namespace) -> None:
    wanted = _read_keys(args.only) if args.only else None
    known = read_labels()
    args.output.mkdir(parents=True, exist_ok=True)
    rows: list[str] = []
    part: list[str] = []
    n_part = 0

    def flush() -> None:
        nonlocal n_part
        if part:
            n_part += 1
            text = "\n\n".join(part) + "\n"
            (args.output / f"part-{n_part:02d}.txt").write_text(text, encoding="utf-8")
            part.clear()

    def is_wanted(key: PageKey) -> bool:
        return key not in known if wanted is None else key in wanted

    for labelled, page in _read_pages(args.corpora, is_wanted):
        key = labelled.corpus, labelled.id
        name = f"{args.output.name}-{len(rows):03d}"
        sheet = write_sheet(labelled, page, name)
        if sum(map(len, part)) + len(sheet) > _SHEET_CHARS:
            flush()
        part.append(sheet)
        rows.append("\t".join((name, *key, str(len(page.blocks)))))
    flush()
    (args.output / _INDEX).write_text("\n".join(rows) + "\n", encoding="utf-8")
    _say(f"{len(rows)} pages in {n_part} files")


def _collect(args: Namespace) -> None:
    answered: dict[PageKey, list[RoleLabel]] = {}
    for folder in args.answers:
        index = _read_index(folder / _INDEX)
        for answer in read_answers(folder, {name: one.n_block for name, one in index.items()}):
            key = index[answer.name].key
            reader = args.reader or folder.name
            label = RoleLabel(*key, "", reader, answer.roles, answer.kind, answer.lang)
            answered.setdefault(key, []).append(label)
    labels = [label for group in read_labels(args.labels).values() for label in group]
    marks = dict(read_marks(args.marks)) if args.marks.exists() else {}
    n_added = 0
    for labelled, page in _read_pages(args.corpora, answered.__contains__):
        for label in answered.pop((labelled.corpus, labelled.id), ()):
            if label.roles.size != len(page.blocks):
                raise InputError(f"{label.corpus} {label.page}: the page has other blocks now")
            sha256 = digest_html(labelled.html)
            marks[sha256] = mark_blocks(page)
            labels.append(
                RoleLabel(
                    *(label.corpus, label.page, sha256, label.reader, label.roles),
                    *(label.kind, label.lang),
                )
            )
            n_added += 1
    write_labels(labels, args.labels)
    write_marks(marks, args.marks)
    _say(f"{n_added} labels added; {len(answered)} answers are of pages that are not there")


def _carry(args: Namespace) -> None:
    labels = read_labels(args.labels)
    marks = dict(read_marks(args.marks)) if args.marks.exists() else {}
    carried: dict[PageKey, list[RoleLabel]] = {key: list(own) for key, own in labels.items()}
    n_page = n_cut_anew = n_lost = 0
    for labelled, page in _read_pages(args.corpora, labels.__contains__):
        key = labelled.corpus, labelled.id
        n_page += 1
        sha256 = digest_html(labelled.html)
        now = mark_blocks(page)
        before = marks.get(sha256, now)
        kept = []
        for label in labels[key]:
            if label.sha256 != sha256 or label.roles.size != len(before):
                continue
            roles = carry_roles(label.roles, before, now)
            if (roles != NO_ROLE).all():
                kept.append(
                    RoleLabel(
                        *(label.corpus, label.page, sha256, label.reader, roles),
                        *(label.kind, label.lang),
                    )
                )
        n_cut_anew += before != now
        if len(kept) < len(labels[key]):
            n_lost += 1
            _say(f"{labelled.corpus} {labelled.id}: blocks have changed beyond recognition")
        carried[key] = kept
        marks[sha256] = now
    write_labels([label for group in carried.values() for label in group], args.labels)
    write_marks(marks, args.marks)
    _say(f"{n_page} labelled pages read, {n_cut_anew} cut into other blocks, {n_lost} lost")


def _read_pages(
    corpora: Sequence[str], is_wanted: Callable[[PageKey], bool]
) -> Iterator[tuple[LabelledPage, Page]]:
    for corpus in find_corpora(read_corpora_paths(corpora)):
        for labelled in corpus.pages():
            if is_wanted((corpus.name, labelled.id)):
                yield labelled, parse(labelled.html, url=labelled.url)


def _read_keys(path: Path) -> frozenset[PageKey]:
    keys = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        corpus, tab, page = line.partition("\t")
        if not tab:
            raise UsageError(f"{path}: not a corpus, a tab and a page id: {line[:80]}")
        keys.add((corpus, page))
    return frozenset(keys)


def _read_index(path: Path) -> Mapping[str, _SheetPage]:
    index = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, corpus, page, n_block = line.split("\t")[:4]
        index[name] = _SheetPage((corpus, page), int(n_block))
    return index


if __name__ == "__main__":
    sys.exit(main())
