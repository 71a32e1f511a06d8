"""Options of `thresher proxy`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from thresher.filters.settings import add_filter_options
from thresher.proxy.settings import ProxySettings
from thresher.support.settings import add_options

__all__ = ["add_proxy"]


def add_proxy(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher proxy`: files, and an option for each setting."""
    files = parser.add_argument_group("files")
    files.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="file to read settings from, and to write changes of the settings page to (default: "
        "thresher/proxy.toml in the user's configuration)",
    )
    files.add_argument(
        "--rules",
        type=Path,
        metavar="FILE",
        help="rulebook with the rules and views of single hosts (default: $THRESHER_RULES, or "
        "thresher/rules.toml in the user's configuration)",
    )
    files.add_argument(
        "--ca-dir",
        type=Path,
        metavar="DIR",
        help="folder of the certificate authority, created if missing (default: ~/.mitmproxy)",
    )
    files.add_argument(
        "--user",
        action="append",
        default=[],
        metavar="NAME[:HASH]",
        help="allow this user for this run, in addition to those in the settings; asks for the "
        "password, unless its hash is given; may be repeated",
    )
    files.add_argument(
        "--users-file",
        type=Path,
        metavar="FILE",
        help="allow the users of this file for this run: a line NAME:PASSWORD or NAME:HASH "
        "for each",
    )
    files.add_argument(
        "--hash-password",
        action="store_true",
        help="ask for a password, print its hash, and exit",
    )
    files.add_argument(
        "--ignore-host",
        action="append",
        default=[],
        metavar="HOST",
        help="never intercept connections to this host, in addition to those in the settings; may "
        "be repeated",
    )
    files.add_argument(
        "--upstream-ca",
        type=Path,
        metavar="FILE",
        help="PEM file with additional certificate authorities to trust for servers",
    )
    files.add_argument(
        "--write-settings",
        action="store_true",
        help="print the settings file with the given options applied, and exit",
    )
    files.add_argument(
        "--lists",
        dest="list_urls",
        metavar="WORD,…",
        help="the same as --list-urls: --lists recommended",
    )
    add_options(parser, ProxySettings)
    add_filter_options(parser)
