"""Where the compiled canonical step and the parser agree: the tables of ADR 0007.

    python -m bench.agreement [CORPUS ...] [--cases FOLDER] [--drawn 1000000]

Of each corpus, of each file of html5lib's tree-construction cases (``*.dat``, whose folder is
given; fragments are left out), and of pages of misplaced markup drawn by chance: how many the step
takes, how many it refuses, and how many it writes in other bytes than the parser, or with the tags
at other places of the source. The first difference is shown; there are to be none.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.harness import make_parser, named_corpora
from tests.helpers.compiled_steps import canonicalise_by_step
from tests.helpers.drawn_markup import draw_markup
from thresher.page.canonical import canonicalise
from thresher.page.parse import parse

_CASE: Final = re.compile(r"^#data\n(.*?)\n#errors\n(.*?)(?=^#data\n|\Z)", re.DOTALL | re.MULTILINE)
_SHOWN_BYTES: Final = 60


@dataclass(frozen=True, slots=True)
class Agreement:
    """Pages of one kind, and what the step did with them."""

    name: str
    n_page: int
    n_refused: int
    differing: tuple[str, ...]
    """Of each page that differs, what both have there."""


def compare(name: str, pages: Iterable[str]) -> Agreement:
    """Canonicalise pages both ways."""
    n_page = n_refused = 0
    differing: list[str] = []
    for html in pages:
        n_page += 1
        canonical = canonicalise_by_step(html)
        if canonical is None:
            n_refused += 1
            continue
        expected = canonicalise.definition(html.encode())
        if canonical.html != expected.html:
            at = _first_difference(canonical.html, expected.html)
            part = slice(at, at + _SHOWN_BYTES)
            differing.append(f"{canonical.html[part]!r} for {expected.html[part]!r}")
        elif canonical.tags != expected.tags:
            ours, its = canonical.tags.places.tolist(), expected.tags.places.tolist()
            at = _first_difference(ours, its)
            differing.append(f"tags at {ours[at]} for {its[at]}")
    return Agreement(name, n_page, n_refused, tuple(differing))


def _first_difference(found: Sequence[object], expected: Sequence[object]) -> int:
    pairs = zip(found, expected, strict=False)
    return next((at for at, (ours, its) in enumerate(pairs) if ours != its), 0)


def read_cases(file: Path) -> Iterator[str]:
    """Yield the pages of one file of cases, without those that are fragments."""
    for data, rest in _CASE.findall(file.read_text(encoding="utf-8", errors="replace")):
        if "#document-fragment" not in rest:
            yield data


def main() -> None:
    """Print a table."""
    parser = make_parser(__doc__, corpora=True)
    parser.add_argument("--cases", type=Path, metavar="FOLDER", help="of html5lib's *.dat files")
    parser.add_argument("--drawn", type=int, default=0, help="pages drawn by chance")
    args = parser.parse_args()
    print("| pages | all | taken | refused | differ |\n|---|---|---|---|---|")
    for corpus in named_corpora(args.corpora) if args.corpora else ():
        # As the page keeps it, without lone surrogates.
        sources = (parse(page.html).source for page in corpus.pages())
        _print_row(compare(corpus.name, sources))
    if args.cases:
        for file in sorted(args.cases.rglob("*.dat")):
            if cases := list(read_cases(file)):
                _print_row(compare(file.stem, cases))
    if args.drawn:
        drawn = (draw_markup(random.Random(seed)) for seed in range(args.drawn))
        _print_row(compare("drawn by chance", drawn))


def _print_row(found: Agreement) -> None:
    taken, differing = found.n_page - found.n_refused, found.differing
    print(f"| {found.name} | {found.n_page} | {taken} | {found.n_refused} | {len(differing)} |")
    for difference in differing:
        print(difference)


if __name__ == "__main__":
    main()
