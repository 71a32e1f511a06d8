"""Options of `thresher filter` and `thresher proxy`: one for each setting, and for their files."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from thresher.algorithms import ALGORITHMS
from thresher.cli.options import add_flag, add_list, add_output, add_path, add_reading
from thresher.filters.settings import add_filter_options
from thresher.proxy.settings import ProxySettings
from thresher.support.settings import add_options


def add_filter(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher filter`."""
    parser.add_argument(
        "input", nargs="?", metavar="PAGE", help="a file, a URL, or - for standard input"
    )
    add_output(parser, "file for the filtered page; default: standard output")
    parser.add_argument(
        "-m",
        "--method",
        choices=ALGORITHMS,
        metavar="NAME",
        help="also remove everything that this method does not select: see thresher methods",
    )
    add_path(parser, "--filters", help="TOML file with the filter settings; options override it")
    add_flag(parser, "--print-filters", help="print the settings as such a file instead of a page")
    add_list(
        parser,
        "--ad-list",
        type=Path,
        metavar="FILE",
        help="additional list of advertisers' hosts: a hosts file, or rules of an ad blocker; may "
        "be repeated",
    )
    add_flag(parser, "--summary", help="print on standard error what each filter removed")
    add_filter_options(parser)
    add_reading(parser)


def add_proxy(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher proxy`: files, and an option for each setting."""
    files = parser.add_argument_group("files")
    add_path(
        files,
        "--settings",
        help="file to read settings from, and to write changes of the settings page to (default: "
        "thresher/proxy.toml in the user's configuration)",
    )
    add_path(
        files,
        "--rules",
        help="rulebook with the rules and views of single hosts (default: $THRESHER_RULES, or "
        "thresher/rules.toml in the user's configuration)",
    )
    add_path(
        files,
        "--ca-dir",
        help="folder of the certificate authority, created if missing (default: ~/.mitmproxy)",
        metavar="DIR",
    )
    add_list(
        files,
        "--user",
        help="allow this user for this run, in addition to those in the settings; asks for the "
        "password, unless its hash is given; may be repeated",
        metavar="NAME[:HASH]",
    )
    add_path(
        files,
        "--users-file",
        help="allow the users of this file for this run: a line NAME:PASSWORD or NAME:HASH "
        "for each",
    )
    add_flag(files, "--hash-password", help="ask for a password, print its hash, and exit")
    add_list(
        files,
        "--ignore-host",
        help="never intercept connections to this host, in addition to those in the settings; may "
        "be repeated",
        metavar="HOST",
    )
    add_path(
        files,
        "--upstream-ca",
        help="PEM file with additional certificate authorities to trust for servers",
    )
    add_flag(
        files,
        "--write-settings",
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
