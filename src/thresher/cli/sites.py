"""`thresher sites`: learn what the pages of a site have in common, and show it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from thresher.batch.sources.base import ReadOptions, SourceTally, Unreadable
from thresher.batch.sources.plan import find_places, read_source
from thresher.cli.console import STDIN, Exit, say, write_files, write_output, write_stdout
from thresher.errors import ThresherError, UsageError
from thresher.extraction import read_page
from thresher.page import Page
from thresher.sites import Site, SiteFolder, chrome, describe, read_site, update, write_site
from thresher.support.hosts import host_of
from thresher.support.quoting import one_line

_LISTED_HOSTS: Final = 5


def run(args: Namespace) -> Exit:
    """Learn a site, or show one."""
    return _run_learn(args) if args.step == "learn" else _run_show(args)


def _run_learn(args: Namespace) -> Exit:
    if args.all_hosts and args.output in (None, STDIN):
        raise UsageError("--all-hosts needs -o, the folder for a file a host")
    sites: dict[str, Site] = {}
    for page in _read_pages(args.inputs):
        host = host_of(page.url)
        if args.host in (None, host):
            sites[host] = update(sites.get(host, Site()), page)
    if args.all_hosts:
        return _write_all(sites, SiteFolder(Path(args.output)))
    if len(sites) > 1:
        ranked = sorted(sites, key=lambda host: -sites[host].pages)[:_LISTED_HOSTS]
        raise UsageError(
            f"the pages are of {len(sites)} hosts; choose one with --host, such as "
            + ", ".join(f"{one_line(host) or '(none)'} ({sites[host].pages})" for host in ranked)
        )
    if not sites:
        say("there is no page to learn from")
        return Exit.FAILED
    (site,) = sites.values()
    write_output(args, write_site(site))
    say(f"learned from {site.pages} pages, {len(site.layouts)} layouts")
    if site.pages == 1:
        say("one page says nothing of its site: learn from two and more")
    return Exit.OK


def _write_all(sites: Mapping[str, Site], folder: SiteFolder) -> Exit:
    """Write the sites of all hosts with two or more pages."""
    learned = {host: site for host, site in sites.items() if host and site.pages > 1}
    write_files((folder.file_of(host), write_site(site)) for host, site in learned.items())
    n_page = sum(site.pages for site in sites.values())
    say(f"learned {len(learned)} sites from {n_page} pages of {len(sites)} hosts")
    return Exit.OK if learned else Exit.FAILED


def _run_show(args: Namespace) -> Exit:
    site = load_site(args.file)
    text = chrome(site) if args.chrome else "\n".join(_show(site))
    write_stdout([text], raw=args.raw)
    return Exit.OK


def load_site(path: Path) -> Site:
    """Read the file of a site; UsageError if it is missing or invalid."""
    try:
        return read_site(path)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error


def _show(site: Site) -> Iterator[str]:
    yield f"{site.pages} pages, {len(site.layouts)} layouts, {len(site.wording)} repeated texts"
    for name, rules in (("keep", site.rules.keep), ("drop", site.rules.drop)):
        yield from (f"{name} (your rule): {one_line(rule)}" for rule in rules)
    for number, layout in enumerate(site.layouts):
        selectors = describe(site, layout)
        yield f"\nlayout {number}: {layout.pages} pages"
        for name in ("content", "drop", "items"):
            yield from (f"  {name:<8} {one_line(path)}" for path in getattr(selectors, name))
        for name in ("title", "author", "date"):
            if getattr(selectors, name):
                yield f"  {name:<8} {one_line(getattr(selectors, name))}"


def _read_pages(inputs: Sequence[str]) -> Iterator[Page]:
    for place in find_places(inputs):
        tally = SourceTally()
        for _, entry in read_source(place, ReadOptions(), tally, lambda _: False):
            try:
                if isinstance(entry, Unreadable):
                    say(f"{entry.id}: {entry.error}")
                else:
                    yield read_page(entry.body, url=entry.url, http_charset=entry.http_charset)
            except ThresherError as error:
                say(f"{entry.id}: {error}")
        for what in tally.unread:
            say(what)
