"""Cost of Crunch's filters and of block lists, and the share of a page that is kept.

    python -m bench.filters CORPUS [--pages 150] [--rounds 3]
    python -m bench.filters CORPUS --kept
    python -m bench.filters --list easylist.txt
    python -m bench.filters --cases

With ``--kept``: forms kept whole, in part and not at all, and pages that keep their only `h1` and
the picture in `og:image`, by the default method and filters.

With ``--cases``: what becomes of 120 small pages of ours with scripts and styles, in Chromium
through the proxy: forms, headlines, pictures, scripts, requests (`bench.filter_pages`).

With ``--list``: rules of a list by kind, what of it is not supported, memory, and the time that a
request costs.

Processor time of one thread, parsing not included; a page's time is its fastest round. The list has
as many rules as the large ones that people use, made up, for looking one up costs the same.
"""

from __future__ import annotations

import statistics
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

import thresher
from bench.filter_pages import print_cases
from bench.harness import cpu_seconds, make_parser, named_corpora, spread_pages
from thresher.filters import filter_page
from thresher.filters.address_rules import Request
from thresher.filters.blocklist import BlockList, own_blocklist
from thresher.filters.settings import NO_FILTERS, SETTINGS, Filters, change_filters
from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.inplace import keep_heads
from thresher.writers.shared.editing import Edits, edit_page

_MARK: Final = "data-bench-row"
_FORM, _H1, _IMG, _TEMPLATE = (CODE_OF[name] for name in "form h1 img template".split())
_PARTS: Final = flags_of("button input select textarea")
_MARKED: Final = flags_of("button form h1 img input select textarea")
_ON: Final = {
    setting.name: "yes"
    for setting in SETTINGS
    # The one that puts words in the place of what others remove leaves more of the page.
    if setting.kind == "switch" and setting.name != "alternative_texts"
}
FILTERS: Final[Mapping[str, Filters]] = {
    "all filters off": NO_FILTERS,
    "default": Filters(),
    "all filters on": change_filters(Filters(), _ON),
}
"""The settings that are measured, by name."""
N_RULE: Final = 130_000
N_ADDRESS: Final = 500


def count_kept(html: str, url: str | None) -> Counter[str]:
    """Count what remains of a page's forms, of its only `h1` and of the picture in `og:image`."""
    source = thresher.read_page(html, url=url)
    rows = np.flatnonzero(_MARKED[source.tag]).tolist()
    marks = Edits(np.zeros(0, np.intp), {row: {_MARK: str(row)} for row in rows})
    document = thresher.extract(edit_page(source, marks), url=url)
    page = document.page
    selection = keep_heads(document)
    done = filter_page(
        page, Filters(), own_blocklist(), keep=selection.keep, dropped=selection.dropped_by_rule
    )
    after = thresher.read_page(_cut_hidden(done.html, url), url=url)
    left = {value: row for row, value in after.attributes.values(_MARK).items()}
    before = page.attributes.values(_MARK)
    counts: Counter[str] = Counter()
    for form in np.flatnonzero(page.tag == _FORM).tolist():
        parts = _parts(page, form)
        if not parts or page.within(page.tag == _TEMPLATE)[form]:
            continue
        kept = sum(before.get(part) in left for part in parts)
        place = left.get(before.get(form, ""))
        same = place is not None and _fold(after.text_of(place)) == _fold(page.text_of(form))
        whole = kept == len(parts) and same
        counts["forms whole" if whole else "forms in part" if kept else "forms gone"] += 1
    heads = np.flatnonzero(page.tag == _H1).tolist()
    if len(heads) == 1 and page.text_of(heads[0]).strip():
        mark = before.get(heads[0])
        is_kept = mark in left and bool(after.text_of(left[mark]).strip())
        counts["h1 kept" if is_kept else "h1 gone"] += 1
    pictures = _lead_pictures(page)
    if pictures:
        is_kept = any(before.get(row) in left for row in pictures)
        counts["picture kept" if is_kept else "picture gone"] += 1
    return counts


def _cut_hidden(html: str, url: str | None) -> str:
    """Cut out what the filters have hidden, and the list of removed links."""
    page = thresher.read_page(html, url=url)
    marked = np.zeros(len(page), np.bool_)
    marked[list(page.attributes.values("data-thresher"))] = True
    return edit_page(page, Edits(np.flatnonzero(marked & ~page.below(marked))))


def _parts(page: thresher.Page, form: int) -> list[int]:
    """Return the fields and buttons of a form that are shown."""
    types = page.attributes.values("type")
    return [
        row
        for row in range(form, int(page.end[form]))
        if _PARTS[page.tag[row]] and types.get(row, "").strip().lower() != "hidden"
    ]


def _lead_pictures(page: thresher.Page) -> list[int]:
    contents = page.attributes.values("content")
    wanted = {
        _bare(contents.get(row, ""))
        for row, name in page.attributes.values("property").items()
        if name == "og:image"
    } - {""}
    sources = page.attributes.values("src").items()
    return [row for row, src in sources if page.tag[row] == _IMG and _bare(src) in wanted]


def _bare(address: str) -> str:
    return address.strip().partition("?")[0].partition(":")[2] or address.strip().partition("?")[0]


def _fold(text: str) -> str:
    return "".join(text.split())


def main() -> None:
    """Measure and print."""
    parser = make_parser(__doc__, corpora=True)
    parser.add_argument("--pages", type=int, default=150, help="of each corpus, evenly spread")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--list", type=Path, help="measure this block list, and nothing else")
    parser.add_argument("--kept", action="store_true", help="count forms, headlines, pictures")
    parser.add_argument("--cases", action="store_true", help="open our own pages in Chromium")
    args = parser.parse_args()
    if args.cases:
        print_cases()
        return
    if args.list:
        print_list(args.list, args.rounds)
        return
    if args.kept:
        print_kept(args.corpora, args.pages)
        return
    parsing_s, look_up_s = measure_list(args.rounds)
    print(f"{N_RULE:,} rules are parsed in {parsing_s:.2f} s,", end=" ")
    print(f"{N_ADDRESS} addresses looked up in {look_up_s * 1e3:.1f} ms")
    for corpus in named_corpora(args.corpora):
        pages = spread_pages(corpus, args.pages)
        costs = [measure_page(page.html, args.rounds) for page in pages]
        print(f"\n{corpus.name}, {len(costs)} pages; milliseconds: median, mean, 95th percentile")
        for name in costs[0]:
            seconds = sorted(cost[name] * 1e3 for cost in costs)
            middle, mean = statistics.median(seconds), statistics.fmean(seconds)
            print(f"{name:16} {middle:6.1f} {mean:6.1f} {seconds[int(0.95 * len(seconds))]:6.1f}")


def print_kept(corpora: Sequence[Path], n_page: int) -> None:
    """Print what is kept of the forms, headlines and lead pictures of each corpus, and of all."""
    total: Counter[str] = Counter()
    for corpus in named_corpora(corpora):
        counts: Counter[str] = Counter()
        for page in spread_pages(corpus, n_page):
            counts += count_kept(page.html, page.url)
        print(f"{corpus.name}: {_list_counts(counts)}")
        total += counts
    print(f"all: {_list_counts(total)}")


def _list_counts(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


def print_list(path: Path, rounds: int) -> None:
    """Print what a block list has and costs."""
    lines = path.read_text(encoding="utf-8").splitlines()
    own_blocklist()
    tracemalloc.start()
    blocklist = BlockList.parse(lines).prepare()
    memory, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    kinds = {
        "hosts": len(blocklist.blocked),
        "addresses": len(blocklist.addresses.rules),
        "elements": len(blocklist.hiding),
        "exceptions": len(blocklist.excepted)
        + len(blocklist.excepted_addresses.rules)
        + len(blocklist.excepted_sites),
    }
    print(_list_counts(Counter(kinds)))
    print(f"{blocklist.n_skipped} not supported: {_list_counts(Counter(blocklist.skipped))}")
    parsing_s = cpu_seconds(lambda: BlockList.parse(lines).prepare(), rounds)

    def ask() -> None:
        for n in range(N_ADDRESS):
            url = f"https://cdn{n % 7}.site{n}.example/assets/app{n}.js?v={n}"
            blocklist.stops(Request(url, page_host="a.example"))

    request_us = cpu_seconds(ask, rounds) / N_ADDRESS * 1e6
    print(f"read in {parsing_s:.2f} s, {memory / 2**20:.0f} MiB, {request_us:.0f} µs a request")


def measure_page(html: str, rounds: int) -> dict[str, float]:
    """Return seconds by what is done with a page: parsing, and each of `FILTERS`."""
    blocklist = own_blocklist()
    seconds = {"parse": cpu_seconds(lambda: thresher.read_page(html), rounds)}
    for name, filters in FILTERS.items():
        # A page of its own each time: what one round has looked at the next would know.
        pages = iter([thresher.read_page(html) for _ in range(rounds)])

        def work(filters: Filters = filters, pages: Iterator[thresher.Page] = pages) -> object:
            return filter_page(next(pages), filters, blocklist)

        seconds[name] = cpu_seconds(work, rounds)
    return seconds


def measure_list(rounds: int, n_rule: int = N_RULE) -> tuple[float, float]:
    """Return the seconds to parse a list, and to look `N_ADDRESS` addresses up in it."""
    lines = [f"||host{n}.ads{n % 97}.example^" for n in range(n_rule)]
    addresses = [f"https://a{n}.host{n * 7}.ads{n % 89}.example/p.js" for n in range(N_ADDRESS)]
    parsing_s = cpu_seconds(lambda: BlockList.parse(lines), rounds)
    blocklist = BlockList.parse(lines)
    look_up_s = cpu_seconds(
        lambda: [blocklist.blocks(address, "mill.example") for address in addresses], rounds
    )
    return parsing_s, look_up_s


if __name__ == "__main__":
    main()
