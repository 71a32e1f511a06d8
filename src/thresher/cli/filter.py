"""`thresher filter`: remove boilerplate from a page with Crunch's filters."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Final

from thresher.cli.choices import extract_loaded, read_reading
from thresher.cli.console import Exit, Reading, load, naming_failures, read_names, say, write_output
from thresher.deadline import deadline
from thresher.errors import UsageError
from thresher.filters.apply import Filtered, filter_page
from thresher.filters.blocklist import BlockList, own_blocklist
from thresher.filters.settings import Filters, filters_from_args, parse_filters, write_filters
from thresher.request import SelectRequest
from thresher.writers.inplace import keep_in_place

_NO_METHOD: Final = "keep_all"


def run(args: Namespace) -> Exit:
    """Filter one page; UsageError before it is read, OSError where nothing can be written."""
    filters = filters_from_args(args, _read_filters(args.filters))
    if args.print_filters:
        write_output(args, write_filters(filters))
        return Exit.OK
    (name,) = read_names([args.input] if args.input else [])
    blocklist = _read_lists(args.ad_list)
    reading = read_reading(args)
    with naming_failures(name):
        filtered = _filter(name, args.method, filters, blocklist, reading)
    write_output(args, filtered.html)
    if args.summary:
        say(_summarise(filtered))
    return Exit.OK


def _filter(
    name: str, method: str | None, filters: Filters, blocklist: BlockList, reading: Reading
) -> Filtered:
    document = extract_loaded(load(name, reading), SelectRequest(method or _NO_METHOD), reading)
    with deadline(reading.limits.deadline_s):
        if method is None:
            return filter_page(document.page, filters, blocklist)
        selection = keep_in_place(document)
        return filter_page(
            document.page,
            filters,
            blocklist,
            keep=selection.keep,
            dropped=selection.dropped_by_rule,
        )


def _read_filters(path: Path | None) -> Filters:
    if path is None:
        return Filters()
    try:
        return parse_filters(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    except (UnicodeDecodeError, UsageError) as error:
        raise UsageError(f"{path}: {error}") from error


def _read_lists(paths: list[Path]) -> BlockList:
    blocklist = own_blocklist()
    for path in paths:
        try:
            with path.open(encoding="utf-8", errors="replace") as lines:
                blocklist |= BlockList.parse(lines)
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror or error}") from error
    return blocklist


def _summarise(filtered: Filtered) -> str:
    counts = [f"{name} {count}" for name, count in filtered.removed.items()]
    removed = ", ".join(counts) or "nothing"
    return f"{removed}; {filtered.removed_chars} characters, {len(filtered.links)} links removed"
