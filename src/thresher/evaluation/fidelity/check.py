"""`python -m thresher.evaluation.fidelity.check`: properties of every output, on corpora.

They need no labels, so every page counts. The status is 1 if a page violates one.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from thresher.errors import ThresherError
from thresher.evaluation.command import (
    add_corpora,
    add_output,
    make_say,
    read_count,
    run_command,
    write_table,
    write_text,
)
from thresher.evaluation.corpora import Corpus, find_corpora
from thresher.evaluation.fidelity.properties import PROPERTIES, check
from thresher.extraction import extract

_say = make_say("check")

_INTRODUCTION: Final = """\
With the default method, on every page: each kept word is written once, in Markdown, text and HTML
(once); no word is written that is not on the page (invented); the Markdown, converted back to HTML,
has the kept blocks (blocks), no character that the kept text does not have (characters), and no
space inside a word that the page shows whole, or too few between words (spaces). The table counts
the pages that violate each:
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its status: 0, 1 if a page violates one, 2 for incorrect usage."""
    return run_command(_say, _build_parser(), argv, _run)


def write_properties(
    corpora: Iterable[Corpus], n_page: int | None, every: int = 1
) -> tuple[str, list[str]]:
    """Check pages of some corpora; return a table, and what is violated.

    ``n_page`` is the number of pages of each corpus, None for all; ``every`` checks each n-th.
    """
    violations: list[str] = []
    rows: list[list[str]] = []
    for corpus in corpora:
        counts: Counter[str] = Counter()
        for page in islice(corpus.pages(), 0, n_page and n_page * every, every):
            try:
                document = extract(page.html, url=page.url)
            except ThresherError:  # not a page
                continue
            page_violations = list(check(document))
            counts.update({"pages", *(violation.property for violation in page_violations)})
            violations += (
                f"{page.id}: {v.property}, {v.format}: {v.detail}" for v in page_violations
            )
        rows.append([corpus.name, *(str(counts[name]) for name in ("pages", *PROPERTIES))])
    table = write_table(["corpus", "pages", *PROPERTIES], rows)
    return f"{_INTRODUCTION}\n{table}", violations


def _build_parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m thresher.evaluation.fidelity.check",
        description="Check properties that every output must have, on every page of corpora.",
    )
    add_corpora(parser)
    parser.add_argument("--pages", type=read_count, metavar="N", help="N pages of each corpus")
    parser.add_argument(
        "--every", type=read_count, default=1, metavar="N", help="only each N-th page"
    )
    add_output(parser)
    return parser


def _run(args: Namespace) -> None:
    corpora = find_corpora(args.corpora)
    table, violations = write_properties(corpora, args.pages, args.every)
    write_text(f"{table}\n", args.output)
    for violation in violations:
        _say(violation)
    if violations:
        raise ThresherError(f"{len(violations)} violations")


if __name__ == "__main__":
    sys.exit(main())
