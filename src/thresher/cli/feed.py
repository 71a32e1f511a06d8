"""`thresher feed`: write a feed with the full texts of its pages."""

from __future__ import annotations

from argparse import Namespace
from functools import partial

from thresher.batch.sources.urls import fetch_all
from thresher.cli.choices import read_reading, read_request
from thresher.cli.console import Exit, describe_failure, load, say, show_name, write_output
from thresher.errors import UsageError
from thresher.feeds.filling import fill_feed
from thresher.feeds.reading import read_feed
from thresher.fetching.model import MAX_ROBOTS_BYTES
from thresher.support.files import cache_folder


def run(args: Namespace) -> Exit:
    """Write a full-text feed; UsageError before it is read, OSError where nothing can be written.

    Each item that is left as it is in the feed has a line on standard error that says why.
    """
    from thresher.fetching.fetch import fetch  # imports the network

    request, reading = read_request(args), read_reading(args)
    try:
        loaded = load(args.input, reading)
        feed = read_feed(loaded.body, loaded.url, loaded.http_charset)
    except UsageError:
        raise
    except Exception as error:
        say(f"{show_name(args.input)}: {describe_failure(error)}")
        return Exit.FAILED
    get = partial(
        fetch,
        timeout_s=reading.timeout_s,
        user_agent=reading.user_agent,
        # No feed of the web may lead to this machine or its network.
        allow_private=reading.allow_private and not loaded.is_public,
    )
    for warning in feed.warnings:
        say(f"{show_name(args.input)}: {warning}")
    contents = fill_feed(
        feed,
        partial(
            fetch_all,
            get=partial(get, max_bytes=reading.limits.max_bytes),
            get_robots=partial(get, max_bytes=MAX_ROBOTS_BYTES),
            user_agent=reading.user_agent,
        ),
        request=request,
        limits=reading.limits,
        cache=args.cache or cache_folder() / "feeds",
        max_items=args.max_items,
        say=say,
    )
    written = feed.write(contents)
    write_output(args, written)
    return Exit.OK
