"""`python -m thresher.evaluation.role_labels.desk`: sheets out, answers in, labels carried over.

`sheets` writes the numbered blocks of pages for labellers, `collect` reads their answers into the
file of labels, `carry` moves labels to the blocks of today's version and says what is lost.
"""

from __future__ import annotations

import hashlib
import lzma
import sys
from argparse import ArgumentParser, Namespace
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import groupby, takewhile
from operator import eq
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from thresher.errors import InputError, UsageError
from thresher.evaluation.command import add_corpora, make_say, run_command
from thresher.evaluation.corpora import LabelledPage, find_corpora
from thresher.evaluation.role_labels.labels import (
    SHIPPED_LABELS,
    RoleCodes,
    RoleLabel,
    digest_html,
    read_answers,
    read_labels,
    write_labels,
)
from thresher.page import Page
from thresher.page.parse import parse
from thresher.page.tags import NAMES
from thresher.roles import NO_ROLE

SHIPPED_MARKS: Final = Path(__file__).parent / "marks.tsv.xz"
"""The marks of the labels that come with Thresher: the page's SHA-256, and its marks in a row."""
_TEXT_CHARS: Final = 3
"""Letters of base 64 of a text's digest, 18 bits: blocks are compared in order, so that chance
matches one in 250,000 of those that stand in one place."""
_PLACE_CHARS: Final = 2
_MARK_CHARS: Final = _TEXT_CHARS + _PLACE_CHARS
_ABOVE: Final = 3
"""Elements above a block whose names are its place."""
Marks = tuple[str, ...]
_MAX_TEXT: Final = 130
"""Characters shown of a block's text."""
_SHORT_TEXT: Final = 40
"""Characters up to which links share a line."""
_MAX_NAME: Final = 28
"""Characters shown of a class or id."""
_MAX_INDENT: Final = 12
_PLAIN: Final = frozenset(
    ("html", "body", "div", "span", "tr", "td", "tbody", "font", "center", "a")
)
"""Elements that are shown only if they have a class or an id."""
_PROGRAM: Final = "python -m thresher.evaluation.role_labels.desk"
_INDEX: Final = "index.tsv"
_SHEET_CHARS: Final = 29_000
"""Characters a file of sheets has at most, unless one page has more: what is read at a time."""
_say = make_say("desk")
PageKey = tuple[str, str]
"""Corpus and page id."""


def mark_blocks(page: Page) -> Marks:
    """Return the mark of each block: a short digest of its text and one of its place.

    A label says which block numbers have which role; when a new version of the engine cuts a page
    into other blocks, the marks tell which of them are the old ones. They give no text away.
    """
    marks = []
    for text, row in zip(page.block_texts(), page.block_row.tolist(), strict=True):
        names: list[str] = []
        above = row
        while above >= 0 and len(names) <= _ABOVE:
            names.append(NAMES[page.tag[above]])
            above = int(page.parent[above])
        marks.append(
            _digest("".join(text.split()), _TEXT_CHARS) + _digest(" ".join(names), _PLACE_CHARS)
        )
    return tuple(marks)


def carry_roles(roles: RoleCodes, old: Marks, new: Marks) -> RoleCodes:
    """Carry the roles of old blocks over to new ones; `NO_ROLE` where that is not certain.

    A new block has the role of the old one with the same text in the same order. Where blocks were
    cut anew, it has the role that all old ones in that stretch had, or if there are as many as
    before, that of the one in the same place.
    """
    carried = np.full(len(new), NO_ROLE, np.int8)
    old_texts, new_texts = ([mark[:_TEXT_CHARS] for mark in marks] for marks in (old, new))
    matcher = SequenceMatcher(None, old_texts, new_texts, autojunk=False)
    for kind, old_start, old_stop, start, stop in matcher.get_opcodes():
        before, after = roles[old_start:old_stop], slice(start, stop)
        if kind == "equal":
            carried[after] = before
        elif kind == "replace" and len(set(before.tolist())) == 1:
            carried[after] = before[0]
        elif kind == "replace" and before.size == stop - start:
            same = np.array([one[_TEXT_CHARS:] for one in old[old_start:old_stop]]) == np.array(
                [one[_TEXT_CHARS:] for one in new[after]]
            )
            carried[after] = np.where(same, before, NO_ROLE)
    return carried


def read_marks(path: Path = SHIPPED_MARKS) -> dict[str, Marks]:
    """Read marks by the digests of their pages; none without a file, InputError if damaged."""
    if not path.exists():
        return {}
    try:
        with lzma.open(path, "rt", encoding="ascii") as lines:
            pairs = [line.rstrip("\n").split("\t") for line in lines]
        return {
            sha256: tuple(marks[at : at + _MARK_CHARS] for at in range(0, len(marks), _MARK_CHARS))
            for sha256, marks in pairs
        }
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        raise InputError(f"{path}: {error}") from error


def write_marks(marks: Mapping[str, Sequence[str]], path: Path) -> None:
    """Write marks, sorted by page, so that the same marks give the same file."""
    with lzma.open(path, "wt", encoding="ascii", newline="\n") as file:
        for sha256 in sorted(marks):
            file.write(f"{sha256}\t{''.join(marks[sha256])}\n")


def _digest(text: str, n_char: int) -> str:
    data = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return b64encode(data, altchars=b"-_")[:n_char].decode("ascii")


class _SheetBlock(NamedTuple):
    block: int
    chain: tuple[tuple[int, str], ...]
    """Rows and labels of the elements around the block, outermost first."""
    tag: str
    text: str
    words: int
    link_share: float
    hidden: bool

    @property
    def is_short_link(self) -> bool:
        return 0 < len(self.text) <= _SHORT_TEXT and self.link_share > 0.5


def write_sheet(labelled: LabelledPage, page: Page, name: str) -> str:
    """Write the sheet of a page under a name by which the labeller's answer refers to it.

    It shows what a labeller needs to decide on the roles of blocks: where each block is, how long
    it is, how much of it is links, and how its text begins. Short links in a row share a line.
    """
    facts = (f"url {labelled.url}", f"lang {labelled.lang}", f"{len(page.blocks)} blocks")
    lines = [f"=== {name} | {' | '.join(facts)}"]
    opened: tuple[tuple[int, str], ...] = ()
    entries = list(_read_entries(page))
    for _, group in groupby(entries, key=lambda entry: (entry.chain, entry.is_short_link)):
        run = list(group)
        chain = run[0].chain
        shared = sum(takewhile(bool, map(eq, opened, chain)))
        new = [label for _, label in chain[shared:]]
        if new:
            lines.append(" " * min(shared, _MAX_INDENT) + ">".join(new))
        opened = chain
        indent = " " * min(len(chain), _MAX_INDENT)
        lines += [indent + line for line in _write_run(run)]
    return "\n".join(lines)


def _write_run(run: Sequence[_SheetBlock]) -> Iterator[str]:
    if run[0].is_short_link and len(run) > 1:
        yield " · ".join(f"{one.block}{'~' * one.hidden} {one.text}" for one in run) + "  [links]"
        return
    for one in run:
        text = one.text if len(one.text) <= _MAX_TEXT else one.text[: _MAX_TEXT - 1] + "…"
        marks = f" {one.words}w" * (len(one.text) > _MAX_TEXT) + " link" * (one.link_share > 0.5)
        yield f"{one.block}{'~' * one.hidden} {one.tag}{marks}: {text}"


def _read_entries(page: Page) -> Iterator[_SheetBlock]:
    naming = {name: page.attributes.values(name) for name in ("id", "class", "role", "alt")}
    words = page.blocks.sums(page.leaf_words)
    links = page.blocks.sums(page.leaf_link_words)
    texts = list(page.block_texts())
    for block, row in enumerate(page.block_row.tolist()):
        chain = []
        above = int(page.parent[row])
        while above >= 0:
            label = _label_element(page, above, naming)
            if label:
                chain.append((above, label))
            above = int(page.parent[above])
        n_word = int(words[block])
        leaf = int(page.block_leaf[block])
        wordless = f"({NAMES[page.tag[leaf]]} {naming['alt'].get(leaf, '')})"
        yield _SheetBlock(
            block,
            tuple(reversed(chain)),
            _label_element(page, row, naming) or NAMES[page.tag[row]],
            " ".join((texts[block] or wordless).split()),
            n_word,
            int(links[block]) / n_word if n_word else 0.0,
            bool(page.hidden[row]),
        )


def _label_element(page: Page, row: int, naming: Mapping[str, Mapping[int, str]]) -> str:
    """Return the tag, id and first two classes of an element; empty if it says nothing."""
    tag = NAMES[page.tag[row]]
    names = "#" + naming["id"][row][:_MAX_NAME] if naming["id"].get(row) else ""
    names += "".join("." + name[:_MAX_NAME] for name in naming["class"].get(row, "").split()[:2])
    if naming["role"].get(row):
        names += f"[{naming['role'][row]}]"
    if tag in ("html", "body") or (tag in _PLAIN and not names):
        return ""
    return f"{tag}{names}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its status: 0, 1 if something failed, 2 for wrong usage."""
    return run_command(_say, _build_parser(), argv, lambda args: args.run(args))


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
    labels = read_labels()
    args.output.mkdir(parents=True, exist_ok=True)
    rows: list[str] = []
    parts: list[list[str]] = []

    def is_wanted(key: PageKey) -> bool:
        return key not in labels if wanted is None else key in wanted

    for labelled, page in _read_pages(args.corpora, is_wanted):
        key = labelled.corpus, labelled.id
        name = f"{args.output.name}-{len(rows):03d}"
        sheet = write_sheet(labelled, page, name)
        if not parts or sum(map(len, parts[-1])) + len(sheet) > _SHEET_CHARS:
            parts.append([])
        parts[-1].append(sheet)
        rows.append("\t".join((name, *key, str(len(page.blocks)))))
    for number, part in enumerate(parts, 1):
        text = "\n\n".join(part) + "\n"
        (args.output / f"part-{number:02d}.txt").write_text(text, encoding="utf-8")
    (args.output / _INDEX).write_text("\n".join(rows) + "\n", encoding="utf-8")
    _say(f"{len(rows)} pages in {len(parts)} files")


def _collect(args: Namespace) -> None:
    answered: dict[PageKey, list[RoleLabel]] = {}
    for folder in args.answers:
        index = _read_index(folder / _INDEX)
        n_block_of = {name: n_block for name, (_, n_block) in index.items()}
        for answer in read_answers(folder, n_block_of):
            key, _ = index[answer.name]
            reader = args.reader or folder.name
            label = RoleLabel(*key, "", reader, answer.roles, answer.kind, answer.lang)
            answered.setdefault(key, []).append(label)
    labels = [label for group in read_labels(args.labels).values() for label in group]
    marks = read_marks(args.marks)
    n_added = 0
    for labelled, page in _read_pages(args.corpora, answered.__contains__):
        for label in answered.pop((labelled.corpus, labelled.id), ()):
            if label.roles.size != len(page.blocks):
                raise InputError(f"{label.corpus} {label.page}: the page has other blocks now")
            sha256 = digest_html(labelled.html)
            marks[sha256] = mark_blocks(page)
            labels.append(replace(label, sha256=sha256))
            n_added += 1
    write_labels(labels, args.labels)
    write_marks(marks, args.marks)
    _say(f"{n_added} labels added; {len(answered)} answers are of pages that are not there")


def _carry(args: Namespace) -> None:
    labels = read_labels(args.labels)
    marks = read_marks(args.marks)
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
                kept.append(replace(label, roles=roles))
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
    for corpus in find_corpora(corpora):
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


def _read_index(path: Path) -> dict[str, tuple[PageKey, int]]:
    """Return the page and the number of blocks of each sheet."""
    index = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, corpus, page, n_block = line.split("\t")[:4]
        index[name] = (corpus, page), int(n_block)
    return index


if __name__ == "__main__":
    sys.exit(main())
