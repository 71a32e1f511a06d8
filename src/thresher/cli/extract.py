"""`thresher extract`: extract the main content of pages, also of several that follow each other."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

from thresher.cli.choices import extract_loaded, has_content, read_reading, read_request
from thresher.cli.console import (
    STDIN,
    Exit,
    Loaded,
    Reading,
    describe_failure,
    is_url,
    label,
    load,
    make_fetchers,
    plan_files,
    read_names,
    say,
    show_name,
    write_files,
    write_stdout,
)
from thresher.cli.options import read_write_options
from thresher.document import Document, Verdict, WriteOptions
from thresher.errors import UsageError
from thresher.merging import RepeatFilter, write_pages
from thresher.request import SelectRequest
from thresher.support.quoting import one_line
from thresher.writers import FORMATS, JOINED_FORMATS
from thresher.writers.formats import FormatName

if TYPE_CHECKING:
    from thresher.sites import Site


@dataclass(frozen=True, slots=True)
class _Order:
    """The options that apply to every input."""

    request: SelectRequest
    reading: Reading
    format: FormatName
    options: WriteOptions
    names_inputs: bool
    """Whether the output names each input."""
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
        from thresher.rendering import check_browser  # few ask for it

        check_browser()
    paths = _read_output(args.output, names, args.format)
    several = not paths and len(names) > 1
    format = FORMATS[args.format]
    if several and not format.holds_many:
        raise UsageError(f"{format.name} has one page a file; name a folder for several with -o")
    order = _Order(
        request=read_request(args, _read_site(args)),
        reading=read_reading(args),
        format=args.format,
        options=read_write_options(args),
        names_inputs=several,
        max_pages=args.max_pages if args.all_pages else 1,
        renders=args.render,
    )
    tally = _Tally()
    texts = _extract_all(names, order, tally)
    if paths:
        write_files((paths[index], text) for index, text in texts)
    else:
        write_stdout((text for _, text in texts), raw=args.raw)
    if tally.failed and len(names) > 1:
        say(f"{tally.failed} of {len(names)} inputs failed")
    if tally.failed or tally.incomplete:
        return Exit.FAILED
    return Exit.NO_CONTENT if tally.without_content == len(names) else Exit.OK


def _check_pages(names: Sequence[str], format: str) -> None:
    for name in names:
        if not is_url(name):
            raise UsageError(f"--all-pages is for addresses, not for {show_name(name)}")
    if format not in JOINED_FORMATS:
        raise UsageError(f"--all-pages writes {', '.join(JOINED_FORMATS)}, not {format}")


def _read_output(output: str | None, names: Sequence[str], format: str) -> list[Path]:
    """Return a file for each input; none where the output is standard output."""
    if output is None or output == STDIN:
        return []
    path = Path(output)
    if not (path.is_dir() or output.endswith("/")):
        if len(names) == 1:
            return [path]
        if path.exists():
            raise UsageError(f"several inputs go to a folder, and {output} is a file")
    return plan_files(names, path, format)


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
        extract_page = partial(_extract_rendered, reading=order.reading, extract_page=extract_page)
    if order.max_pages > 1:
        return _read_all_pages(loaded, order.reading, order.max_pages, extract_page)
    return Pages([extract_page(loaded)], is_complete=True)


def _say_what_is_cut(name: str, pages: Pages, order: _Order, text: str) -> None:
    if order.options.is_limited:
        options = replace(order.options, max_chars=None, max_tokens=None)
        whole = write_pages(pages.documents, order.format, options)
        if whole != text:
            say(f"{show_name(name)}: cut to {len(text):,} of {len(whole):,} characters")


def _say_what_is_strange(name: str, pages: Pages, order: _Order) -> None:
    site = order.request.site
    if site is None or not site.layouts:
        return
    from thresher.sites import MIN_LIKENESS, match

    fit = match(site, pages.documents[0].page)
    if fit.likeness < MIN_LIKENESS:
        says = f"like no layout of the site ({fit.likeness:.0%} of its places)"
        say(f"{show_name(name)}: {says}; learn it anew if there are more")


def _name(name: str, text: str, format: str, is_first: bool) -> str:
    if line := label(show_name(name), format):
        return f"{line}\n{text}" if is_first else f"\n{line}\n{text}"
    shown = one_line(show_name(name))
    if format == "csv":
        from thresher.writers import csv

        return csv.name_row(text, "input", shown, header=is_first)
    named = ({"input": shown, **json.loads(line)} for line in text.split("\n"))
    return "\n".join(
        json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in named
    )


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages that were read of an article."""

    documents: list[Document]
    """Its pages in order, without repeated content."""
    is_complete: bool
    """Whether no page failed. An article cut at the requested number of pages is complete."""


def _read_all_pages(
    loaded: Loaded, reading: Reading, max_pages: int, extract_page: Callable[[Loaded], Document]
) -> Pages:
    """Extract a page and those that follow it, whose failures are reported, not raised."""
    # Needed only for articles with further pages.
    from thresher.analysis.pagination import find_next_url
    from thresher.fetching.robots import Robots, Trail

    repeats = RepeatFilter()
    document = extract_page(loaded)
    documents = [repeats.drop(document)]
    get, get_robots = make_fetchers(loaded, reading)
    robots = Robots(get_robots, reading.user_agent)
    trail = Trail(loaded.url or "", loaded.body, get, robots, sleep)
    while url := find_next_url(document.page, loaded.url):
        name = f"page {len(documents) + 1}, {url}"
        if len(documents) == max_pages:
            say(f"{name}: not fetched, for {max_pages} pages is the limit")
            break
        try:
            fetched = trail.follow(url)
            if fetched is None:
                break
            charset = reading.charset or fetched.http_charset
            document = extract_page(Loaded(fetched.body, fetched.url, charset))
        except UsageError:
            raise
        except Exception as error:  # the pages before it are there
            say(f"{name}: {describe_failure(error)}")
            return Pages(documents, is_complete=False)
        if not has_content(name, document):
            return Pages(documents, is_complete=False)
        rest = repeats.drop(document)
        if not rest.selection.keep.any():
            break  # some sites return the last page for any larger number
        documents.append(rest)
    return Pages(documents, is_complete=True)


def _extract_rendered(
    loaded: Loaded, reading: Reading, extract_page: Callable[[Loaded], Document]
) -> Document:
    """Extract a fetched page; if its verdict is that it needs a browser, do it again rendered."""
    document = extract_page(loaded)
    if document.verdict is not Verdict.NEEDS_BROWSER or loaded.url is None:
        return document
    # Few pages need it, and the HTTP library with it.
    from thresher.rendering import render

    page = render(
        loaded.url,
        timeout_s=reading.timeout_s,
        max_bytes=reading.limits.max_bytes,
        user_agent=reading.user_agent,
        # A public page must not lead to a private address.
        allow_private=reading.allow_private and not loaded.is_public,
    )
    return extract_page(Loaded(page.body, page.url, page.http_charset, page.is_public))
