"""Options of `thresher filter` and `thresher proxy`: one for each setting, and for their files."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from thresher.algorithms import ALGORITHMS
from thresher.cli.options import add_raw, add_reading
from thresher.filters.settings import add_filter_options
from thresher.proxy.settings import ProxySettings
from thresher.support.settings import add_options

__all__ = ["add_filter", "add_proxy"]


def add_filter(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher filter`."""
    parser.add_argument(
        "input", nargs="?", metavar="PAGE", help="a file, a URL, or - for standard input"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="file for the filtered page; default: standard output",
    )
    add_raw(parser)
    parser.add_argument(
        "-m",
        "--method",
        choices=ALGORITHMS,
        metavar="NAME",
        help="also remove everything that this method does not select: see thresher methods",
    )
    parser.add_argument(
        "--filters",
        type=Path,
        metavar="FILE",
        help="TOML file with the filter settings; options override it",
    )
    parser.add_argument(
        "--print-filters",
        action="store_true",
        help="print the settings as such a file instead of a page",
    )
    parser.add_argument(
        "--ad-list",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="additional list of advertisers' hosts: a hosts file, or rules of an ad blocker; may "
        "be repeated",
    )
    parser.add_argument(
        "--summary", action="store_true", help="print on standard error what each filter removed"
    )
    add_filter_options(parser)
    add_reading(parser)


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
