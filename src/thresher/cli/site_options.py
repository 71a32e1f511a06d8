"""Options of `thresher sites`, and options of other commands for rules and learned sites."""

from __future__ import annotations

from argparse import ArgumentParser, _ArgumentGroup
from pathlib import Path

from thresher.cli.options import add_raw

__all__ = ["add_rules", "add_site", "add_sites", "add_sites_folder"]


def add_rules(parser: ArgumentParser) -> None:
    """Add the option that names the rulebook."""
    parser.add_argument(
        "--rules",
        type=Path,
        metavar="FILE",
        help="rulebook with your own rules by host of what is always kept and dropped (default: "
        "$THRESHER_RULES, if set)",
    )


def add_site(parser: ArgumentParser) -> None:
    """Add the option that names the file of a site."""
    parser.add_argument(
        "--site",
        type=Path,
        metavar="FILE",
        help="file of thresher sites learn for the pages' site",
    )


def add_sites_folder(group: _ArgumentGroup) -> None:
    """Add the option that names a folder of sites, for pages of many hosts."""
    group.add_argument(
        "--sites",
        type=Path,
        metavar="DIR",
        help="folder of thresher sites learn --all-hosts for the pages' sites",
    )


def add_sites(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher sites`."""
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, dest="step"
    )
    learn = commands.add_parser(
        "learn", help="learn a site from two or more of its pages, without labels"
    )
    learn.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="files or folders of HTML, WARC archives, JSON Lines, as for thresher batch",
    )
    learn.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="TOML file to write; default: standard output",
    )
    add_raw(learn)
    hosts = learn.add_mutually_exclusive_group()
    hosts.add_argument("--host", metavar="HOST", help="learn only from pages of this host")
    hosts.add_argument(
        "--all-hosts",
        action="store_true",
        help="learn a site for every host with two or more pages; -o is then a folder, for "
        "thresher batch --sites",
    )
    show = commands.add_parser("show", help="show what was learned about a site")
    show.add_argument("file", type=Path, metavar="FILE", help="a file of thresher sites learn")
    show.add_argument(
        "--chrome",
        action="store_true",
        help="show the texts on most pages of the site: navigation, contact, licence, footer",
    )
    add_raw(show)
