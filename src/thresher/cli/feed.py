"""`thresher feed`: write a feed with the full texts of its pages."""

from __future__ import annotations

from argparse import Namespace
from functools import partial

from thresher.batch.sources.urls import fetch_all
from thresher.cli.choices import read_reading, read_request
from thresher.cli.console import (
    Exit,
    load,
    make_fetchers,
    naming_failures,
    say,
    show_name,
    write_output,
)
from thresher.feeds.filling import fill_feed
from thresher.feeds.reading import read_feed
from thresher.support.files import cache_folder


def run(args: Namespace) -> Exit:
    """Write a full-text feed; UsageError before it is read, OSError where nothing can be written.

    Each item that is left as it is in the feed has a line on standard error that says why.
    """
    request, reading = read_request(args), read_reading(args)
    with naming_failures(args.input):
        loaded = load(args.input, reading)
        feed = read_feed(loaded.body, loaded.url, loaded.http_charset)
    get, get_robots = make_fetchers(loaded, reading)
    for warning in feed.warnings:
        say(f"{show_name(args.input)}: {warning}")
    contents = fill_feed(
        feed,
        partial(fetch_all, get=get, get_robots=get_robots, user_agent=reading.user_agent),
        request=request,
        limits=reading.limits,
        cache=args.cache or cache_folder() / "feeds",
        max_items=args.max_items,
        say=say,
    )
    write_output(args, feed.write(contents))
    return Exit.OK
