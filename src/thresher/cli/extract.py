"""`thresher extract`: extract the main content of pages."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from thresher.cli.all_pages import Pages, read_all_pages
from thresher.cli.choices import extract_loaded, read_reading, read_request
from thresher.cli.exits import Exit
from thresher.cli.inputs import (
    STDIN,
    Reading,
    describe_failure,
    is_url,
    load,
    read_names,
    show_name,
)
from thresher.cli.outputs import label, plan_files, say, write_files, write_stdout
from thresher.cli.verdicts import has_content
from thresher.cli.write_options import read_write_options
from thresher.document import WriteOptions
from thresher.errors import UsageError
from thresher.merging import write_pages
from thresher.request import SelectRequest
from thresher.support.quoting import one_line
from thresher.writers import FORMATS, JOINED_FORMATS
from thresher.writers.formats import FormatName

if TYPE_CHECKING:
    from thresher.sites import Site

__all__ = ["run"]


@dataclass(frozen=True, slots=True)
class _Order:
    """The options that apply to every input."""

    request: SelectRequest
    reading: Reading
    format: FormatName
    options: WriteOptions
    names_inputs: bool
    """Whether the output of each input must name it."""
    max_pages: int
    """Maximum number of pages of each article to fetch."""
    renders: bool
    """Whether fetched pages that need a browser are rendered."""


@dataclass(slots=True)
class _Tally:
    """Counts of the outcomes so far."""

    failed: int = 0
    incomplete: int = 0
    """Inputs with a later page that failed."""
    without_content: int = 0


def run(args: Namespace) -> Exit:
    """Extract every input; UsageError before any is read, OSError where nothing can be written."""
    names = read_names(args.inputs)
    if args.all_pages:
        _check_pages(names, args.format)
    if args.render:
        _check_rendering()
    paths = _read_output(args.output, names, args.format)
    several = not paths and len(names) > 1
    format = FORMATS[args.format]
    if several and not format.holds_many:
        raise UsageError(f"{format.name} has one page a file; name a folder for several with -o")
    order = _read_order(args, names_inputs=several and format.name_line is None)
    tally = _Tally()
    texts = _extract_all(names, order, tally)
    if paths:
        write_files(texts, paths)
    elif len(names) > 1:
        write_stdout(texts, [label(show_name(name), args.format) for name in names], raw=args.raw)
    else:
        write_stdout(texts, [""], raw=args.raw)
    if tally.failed and len(names) > 1:
        say(f"{tally.failed} of {len(names)} inputs failed")
    if tally.failed or tally.incomplete:
        return Exit.FAILED
    return Exit.NO_CONTENT if tally.without_content == len(names) else Exit.OK


def _check_pages(names: Sequence[str], format: str) -> None:
    """Raise UsageError for inputs that cannot be followed and formats for single pages only."""
    for name in names:
        if not is_url(name):
            raise UsageError(f"--all-pages is for addresses, not for {show_name(name)}")
    if format not in JOINED_FORMATS:
        raise UsageError(f"--all-pages writes {', '.join(JOINED_FORMATS)}, not {format}")


def _check_rendering() -> None:
    """Raise MissingExtraError, a UsageError, before any page is read."""
    from thresher.rendering import check_browser  # few ask for it

    check_browser()


def _read_output(output: str | None, names: Sequence[str], format: str) -> list[Path]:
    """Return a file for each input; none where the output is standard output."""
    if output is None or output == STDIN:
        return []
    path = Path(output)
    if path.is_dir() or output.endswith("/"):
        return plan_files(names, path, format)
    if len(names) == 1:
        return [path]
    if path.exists():
        raise UsageError(f"several inputs go to a folder, and {output} is a file")
    return plan_files(names, path, format)


def _read_order(args: Namespace, *, names_inputs: bool) -> _Order:
    return _Order(
        request=read_request(args, _read_site(args)),
        reading=read_reading(args),
        format=args.format,
        options=read_write_options(args),
        names_inputs=names_inputs,
        max_pages=args.max_pages if args.all_pages else 1,
        renders=args.render,
    )


def _read_site(args: Namespace) -> Site | None:
    if args.site is None:
        return None
    # Needed only with a site.
    from thresher.cli.sites import load_site

    return load_site(args.site)


def _extract_all(names: Sequence[str], order: _Order, tally: _Tally) -> Iterator[tuple[int, str]]:
    """Yield the index and text of each input; report failures and continue."""
    is_first = True
    for index, name in enumerate(names):
        try:
            pages = _extract_one(name, order)
            text = write_pages(pages.documents, order.format, order.options)
        except UsageError:
            raise
        except Exception as error:  # one page must not stop the others
            tally.failed += 1
            say(f"{show_name(name)}: {describe_failure(error)}")
            continue
        tally.incomplete += not pages.is_complete
        tally.without_content += not has_content(name, pages.documents[0])
        _say_what_is_cut(name, pages, order, text)
        _say_what_is_strange(name, pages, order)
        yield index, _name(name, text, order.format, is_first) if order.names_inputs else text
        is_first = False


def _extract_one(name: str, order: _Order) -> Pages:
    loaded = load(name, order.reading)
    extract_page = partial(extract_loaded, request=order.request, reading=order.reading)
    if order.renders and is_url(name):
        from thresher.cli.rendered import extract_rendered  # few ask for it

        extract_page = partial(extract_rendered, reading=order.reading, extract_page=extract_page)
    if order.max_pages > 1:
        return read_all_pages(loaded, order.reading, order.max_pages, extract_page)
    return Pages([extract_page(loaded)], is_complete=True)


def _say_what_is_cut(name: str, pages: Pages, order: _Order, text: str) -> None:
    """Report that a limit shortened the output."""
    if order.options.is_limited:
        options = replace(order.options, max_chars=None, max_tokens=None)
        whole = write_pages(pages.documents, order.format, options)
        if whole != text:
            say(f"{show_name(name)}: cut to {len(text):,} of {len(whole):,} characters")


def _say_what_is_strange(name: str, pages: Pages, order: _Order) -> None:
    """Report a page that does not resemble those its site was learned from."""
    site = order.request.site
    if site is None or not site.layouts:
        return
    from thresher.sites import MIN_LIKENESS, match

    fit = match(site, pages.documents[0].page)
    if fit.likeness < MIN_LIKENESS:
        says = f"like no layout of the site ({fit.likeness:.0%} of its places)"
        say(f"{show_name(name)}: {says}; learn it anew if there are more")


def _name(name: str, text: str, format: str, is_first: bool) -> str:
    """Add the name of the input to its output, as first field; CSV has one header."""
    shown = one_line(show_name(name))
    if format == "csv":
        from thresher.writers import csv  # as above

        return csv.name_row(text, "input", shown, header=is_first)
    named = ({"input": shown, **json.loads(line)} for line in text.split("\n"))
    return "\n".join(
        json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in named
    )
