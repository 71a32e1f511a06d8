"""Options of `thresher proxy`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from thresher.filters.settings import add_filter_options
from thresher.proxy.settings import ProxySettings
from thresher.support.setting_options import add_options

__all__ = ["add_proxy"]


def add_proxy(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher proxy`: where things are, and an option for each setting."""
    files = parser.add_argument_group("files")
    files.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="read the settings from here, and write changes of the settings page back (default: "
        "thresher/proxy.toml in the user's configuration)",
    )
    files.add_argument(
        "--rules",
        type=Path,
        metavar="FILE",
        help="the rulebook: rules and views of single hosts (default: $THRESHER_RULES, or "
        "thresher/rules.toml in the user's configuration)",
    )
    files.add_argument(
        "--ca-dir",
        type=Path,
        metavar="DIR",
        help="where the certificate authority is kept, or made (default: ~/.mitmproxy)",
    )
    files.add_argument(
        "--user",
        action="append",
        default=[],
        metavar="NAME:PASSWORD",
        help="let this user in, and nobody who is not named; may be repeated; for this run only",
    )
    files.add_argument(
        "--ignore-host",
        action="append",
        default=[],
        metavar="HOST",
        help="never open connections to this host, beside those of the settings; may be repeated",
    )
    files.add_argument(
        "--upstream-ca",
        type=Path,
        metavar="FILE",
        help="certificates of further authorities to believe servers by, in PEM",
    )
    files.add_argument(
        "--write-settings",
        action="store_true",
        help="print the settings as a file with every option that is given, and end",
    )
    add_options(parser, ProxySettings)
    add_filter_options(parser)
