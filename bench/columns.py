"""Two routes from HTML to the columns of a page, side by side: the measurements of ADR 0002.

    python -m bench.columns CORPUS [--pages 181] [--rounds 5]

The walk visits the parser's nodes and appends to lists; the canonical route, the one that ships,
serialises the tree once and scans the bytes. CPU time of one thread, contenders interleaved page
by page so that noise hits all alike; a page's time is its fastest round, the table shows medians
over pages. Only the ratios mean something on a shared machine.
"""

from __future__ import annotations

import pickle
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from typing import Any, Final, NamedTuple

import numpy as np
import turbohtml
from turbohtml import Comment, DocumentFragment, Element, Namespace, Text

from bench.harness import draw_pages, make_parser, named_corpora
from thresher.page import Page
from thresher.page.attribute_places import find_attributes
from thresher.page.attributes import Attributes
from thresher.page.canonical import source_tree
from thresher.page.parse import parse
from thresher.page.scan import IntArray, scan
from thresher.page.tags import CODE_OF, OTHER, TEXT, flags_of
from thresher.page.text import read_texts

_RAW: Final = flags_of("iframe noembed noframes script style").tolist()
_CODE_OF: Final = CODE_OF | dict.fromkeys(("plaintext", "xmp"), CODE_OF["pre"])
_READ: Final = ("class", "id")
"""The attributes that algorithms read on every page."""
_BASE: Final = "bare parse"


class Walked(NamedTuple):
    """Columns of a page that the walk fills, with texts as offsets into one string."""

    tag: IntArray
    parent: IntArray
    end: IntArray
    depth: IntArray
    text: str
    text_offset: IntArray
    attributes: list[tuple[int, str, str]]
    """Row, name and value of each."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One corpus: median ms a page of every contender, and pages on which the routes agree."""

    n_page: int
    n_agree: int
    median_rows: float
    median_ms: dict[str, float]
    pickle_ms: tuple[float, float]
    """Median round trip of a page, source and bytes included, and of what the walk collects."""


def main() -> None:
    """Measure and print."""
    parser = make_parser(__doc__, corpora=True)
    parser.prog = "python -m bench.columns"
    parser.add_argument("--pages", type=int, default=181, help="pages drawn from each corpus")
    parser.add_argument("--rounds", type=int, default=5, help="times each page is measured")
    arguments = parser.parse_args()
    print(
        f"{date.today()}, Python {platform.python_version()}, numpy {np.__version__},"
        f" turbohtml {version('turbohtml')}"
    )
    for corpus in named_corpora(arguments.corpora):
        drawn = draw_pages([page.html for page in corpus.pages()], arguments.pages)
        print(f"\n{corpus.name}, {len(drawn)} pages")
        _print(_measure(drawn, arguments.rounds))


def walk(root: Element | None, *, texts: bool = True, names: Sequence[str] | None = None) -> Walked:
    """Fill the columns by the fastest walk we know: one flat iteration, parents by identity.

    ``texts`` says whether to read texts and attributes, ``names`` which of these; None is all.
    """
    assert root is not None
    code_of = _CODE_OF.get
    row_of: dict[object, int] = {root.parent: -1}
    tag: list[int] = []
    parent: list[int] = []
    depth: list[int] = []
    text: list[str] = []
    attributes: list[tuple[int, str, str]] = []
    raw_rows: set[int] = set()
    continued = -1  # the row whose last child is a text, to which the next one adds
    for node in (root, *root.descendants):
        if isinstance(node, Text):
            above = row_of[node.parent]
            if above in raw_rows:
                continue
            if continued == above:
                text[-1] += node.data
                continue
            continued = above
            tag.append(TEXT)
            text.append(node.data if texts else "")
        elif isinstance(node, Element):
            above, continued = row_of[node.parent], -1
            row_of[node] = row = len(tag)
            code = code_of(node.tag, OTHER)
            if _RAW[code] and node.namespace is Namespace.HTML:
                raw_rows.add(row)
            tag.append(code)
            text.append("")
            if texts:
                attrs = node.attrs
                for name in attrs if names is None else names:
                    if name in attrs:  # a comprehension would cost the walk a third more
                        attributes.append((row, name, node.attr(name) or ""))  # noqa: PERF401
        else:
            if isinstance(node, DocumentFragment):  # what a template holds
                row_of[node] = row_of[node.parent]
            if not isinstance(node, Comment):
                continued = -1
            continue
        parent.append(above)
        depth.append(depth[above] + 1 if above >= 0 else 0)
    offsets = np.zeros(len(text) + 1, np.int32)
    np.cumsum([len(piece) for piece in text], out=offsets[1:])
    return Walked(
        tag=np.array(tag, np.int32),
        parent=np.array(parent, np.int32),
        end=np.array(_ends(parent), np.int32),
        depth=np.array(depth, np.int32),
        text="".join(text),
        text_offset=offsets,
        attributes=attributes,
    )


def _ends(parent: Sequence[int]) -> list[int]:
    end = list(range(1, len(parent) + 1))
    for row in range(len(parent) - 1, 0, -1):
        above = parent[row]
        if end[row] > end[above]:  # noqa: PLR1730  (max() takes twice the time)
            end[above] = end[row]
    return end


def _agree(walked: Walked, page: Page) -> bool:
    columns = ("tag", "parent", "end", "depth", "text_offset")
    attributes = [(row, *item) for row in range(len(page)) for item in page.attrs(row).items()]
    return (
        all(np.array_equal(getattr(walked, name), getattr(page, name)) for name in columns)
        and walked.text == page.text
        and walked.attributes == attributes
    )


def _parse(html: str) -> Element | None:
    return turbohtml.parse(html, positions=False, allow_declarative_shadow_roots=False).root


def _encode(html: str) -> bytes:
    root = source_tree(html).root
    assert root is not None
    return root.encode()


def _find_all(buffer: bytes) -> Attributes:
    """Scan, read the texts, find every attribute."""
    columns = scan(buffer)
    read_texts(buffer, columns.tag, columns.open_start, columns.open_stop)
    return find_attributes(buffer, columns.tag, columns.open_start, columns.open_stop)


def _walk_whole(html: str) -> None:
    root = source_tree(html).root
    assert root is not None
    walk(root)
    root.encode()


def _read_values(found: Attributes) -> None:
    for name in _READ:
        found.values(name)


_CONTENDERS: Final[dict[str, Callable[[str], object]]] = {
    _BASE: _parse,
    "canonical 1: parse, clean": source_tree,
    "canonical 2: 1, encode": _encode,
    "canonical 3: 2, scan": lambda html: scan(_encode(html)),
    "canonical 4: 3, text, spans of attributes": lambda html: _find_all(_encode(html)),
    "canonical 5: 4, values of class and id": lambda html: _read_values(_find_all(_encode(html))),
    "walk 3: parse, tag parent end depth": lambda html: walk(_parse(html), texts=False),
    "walk 5: 3, text, values of class and id": lambda html: walk(_parse(html), names=_READ),
    "walk 6: clean, 3, text, attributes, encode": _walk_whole,
}
"""Contenders by name. Equal numbers answer the same questions, 4 and 6 nearly: after 4 every
attribute and the markup of every row is at hand as a span; after 6 the attributes are, as dicts,
and the bytes, but not where a row is in them."""


def _measure(pages: Sequence[str], rounds: int) -> Outcome:
    """Time every contender on every page; check the routes against each other."""
    best_ms: dict[str, list[float]] = {name: [] for name in _CONTENDERS}
    pickle_ms: tuple[list[float], list[float]] = ([], [])
    n_agree, n_row = 0, []
    for html in pages:
        page = parse(html)
        walked = walk(_parse(page.source))
        n_agree += _agree(walked, page)
        n_row.append(len(page))
        for times, thing in zip(pickle_ms, (page, walked), strict=True):
            times.append(min(_time_ms(_round_trip, thing) for _ in range(rounds)))
        fastest = dict.fromkeys(_CONTENDERS, float("inf"))
        for _ in range(rounds):
            for name, run in _CONTENDERS.items():
                fastest[name] = min(fastest[name], _time_ms(run, page.source))
        for name, ms in fastest.items():
            best_ms[name].append(ms)
    median_ms = {name: statistics.median(times) for name, times in best_ms.items()}
    round_trips = (statistics.median(pickle_ms[0]), statistics.median(pickle_ms[1]))
    return Outcome(len(n_row), n_agree, statistics.median(n_row), median_ms, round_trips)


def _time_ms(run: Callable[[Any], object], argument: object) -> float:
    began = time.thread_time_ns()
    run(argument)  # what it makes is freed within its time
    return (time.thread_time_ns() - began) / 1e6


def _round_trip(thing: object) -> None:
    pickle.loads(pickle.dumps(thing))


def _print(outcome: Outcome) -> None:
    print(f"{'':46}{'ms a page':>10}{'ratio':>8}")
    for name, ms in outcome.median_ms.items():
        print(f"{name:46}{ms:>10.3f}{ms / outcome.median_ms[_BASE]:>8.2f}")
    print(f"pickle round trip: page {outcome.pickle_ms[0]:.3f}, walk {outcome.pickle_ms[1]:.3f} ms")
    print(
        f"the routes agree on {outcome.n_agree} of {outcome.n_page} pages;"
        f" median page: {outcome.median_rows:,.0f} rows"
    )


if __name__ == "__main__":
    main()
