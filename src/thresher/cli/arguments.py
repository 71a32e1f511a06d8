"""The command line: the commands and their help."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, Final, NamedTuple

from thresher import __version__
from thresher.cli.exits import EXITS, Exit

__all__ = ["build_parser"]

_EXITS: Final = "exit status:\n" + "\n".join(f"  {code:<3}  {says}" for code, says in EXITS.items())

_EXAMPLES: Final = """\
examples:
  thresher extract page.html                       Markdown on standard output
  thresher extract https://example.org/story       fetch a page first
  curl -s https://example.org/story | thresher extract --url https://example.org/story
  thresher extract -f text --no-links *.html -o out/       out/NAME.txt for each page
  thresher extract -f json *.html                  one object a line, with all evidence
  thresher extract -m link_ratio -p NAME=VALUE page.html
  thresher methods link_ratio                      what -p can set"""

_EXTRACT: Final = """\
Extract the main content of pages: files, http and https addresses, or
standard input (-, or no input at all).

Several pages on standard output are told apart by a line with the input's
name: <!-- NAME --> in Markdown and HTML, ==> NAME <== in text; in JSON every
line is an object whose "input" is the name. When an input fails, one line on
standard error says why, and the others are extracted all the same. Output is
UTF-8 whatever the locale."""

_EXPLAIN: Final = """\
Write a report on one page, an HTML file that needs nothing else: charts of its
blocks (score, length, density of text), the blocks coloured by score with the
reason for each, and the result beside them."""

_CHUNK: Final = """\
Split the main content of pages into chunks for search and language models, at
headings first, then between blocks: one JSON object a line, with the headings
each chunk is under and where it is from. docs/agents.md names the fields."""

_MCP: Final = """\
Serve the tools extract, outline and chunk to agents over the Model Context
Protocol, on standard input and output. Only public addresses are fetched.
Needs the extra mcp. docs/agents.md says how to set it up."""

_APP: Final = """\
Serve the web app: read pages without the rest, look into how they were read,
label and train, and an API for programs. Only this machine can reach it, unless
--host says otherwise, and only public addresses are fetched. Needs the extra
app. docs/app.md says more."""

_BATCH: Final = """\
Extract the main content of many pages into a folder: of WARC archives, lists of
such, folders of HTML, JSON Lines, Parquet, files of URLs, or standard input
(-). Each page becomes one record, whatever happens to it; what stops the
command costs nothing but time: with --resume it goes on. Needs the extra
batch. docs/batch.md names the columns."""

_BATCH_EXAMPLES: Final = """\
examples:
  thresher batch crawl/*.warc.gz -o out/           Parquet, a worker a processor
  thresher batch crawl/*.warc.gz -o out/ --resume  go on after a crash
  thresher batch site/ -o out/ --format markdown   every page of a folder
  thresher batch pages.parquet --column html=content -o out/ --format jsonl.zst
  thresher batch addresses.urls -o out/ --dedupe   fetch them first, politely"""

_EVAL: Final = """\
Run methods over pages whose main content is labelled, and print how much of it
they find: mean precision, recall and F1 by each metric, and the time, for each
corpus. The baseline, keep_all, is always first. docs/evaluation.md says what
the metrics count."""

_TRAIN: Final = """\
Train the weights of the method learned on pages whose main content is
labelled, and write them with a card: what they are made of, and how good they
are on sites they were not trained on. With --kind perceptron or mlp, some
dozens of pages of one's own teach in seconds what the shipped weights do not
know; extract takes them with --model. All weights anew (the default) need the
extra train, and for some 2,000 pages more than half an hour on two processors.
docs/training.md says more."""


_SITES: Final = """\
Learn what the pages of one site have in common (text in the same place on many
pages is not the content of any), and show it. thresher extract --site takes it
into account. docs/sites.md says how."""

_FILTER: Final = """\
Remove from a page what Crunch's filters find (advertisements, lists of links,
empty tables, boxes that ask for consent, what counts visitors), and write the
page with its look and layout. docs/filters.md describes each filter."""

_PROXY: Final = """\
Serve a filtering proxy: every page that is opened through it comes without
menus, advertisements and the like, in its own look (inplace), as an article
(reader) or as text; all else passes untouched. For HTTPS the browser has to
trust the certificate authority that the first start makes. Needs the extra
proxy. docs/proxy.md says how to set it up."""

_PROXY_EXAMPLES: Final = """\
examples:
  thresher proxy                                   on 127.0.0.1:8080
  thresher proxy --view reader --no-mark
  thresher proxy --listen-host 0.0.0.0 --user anna:SECRET --clients 192.168.0.0/16
  thresher proxy --ignore-host bank.example --upstream http://proxy.example:3128
  thresher proxy --mode reverse:https://example.org"""

_METHODS: Final = "List the methods of extraction, or describe one with its parameters."


class _Command(NamedTuple):
    """One command; the module of its name in this package runs it."""

    help: str
    description: str
    options: str
    """The module in this package whose `add_COMMAND` adds the arguments."""
    epilog: str | None = None


_COMMANDS: Final[Mapping[str, _Command]] = {
    "extract": _Command(
        "extract the main content of pages", _EXTRACT, "page_options", f"{_EXAMPLES}\n\n{_EXITS}"
    ),
    "explain": _Command(
        "show in one HTML file what a method made of a page", _EXPLAIN, "page_options"
    ),
    "chunk": _Command(
        "split the main content of pages into chunks, one JSON object a line",
        _CHUNK,
        "page_options",
        _EXITS,
    ),
    "batch": _Command(
        "extract the main content of a whole crawl",
        _BATCH,
        "batch_options",
        f"{_BATCH_EXAMPLES}\n\n{_EXITS}",
    ),
    "filter": _Command(
        "remove advertisements, link lists and the like from a page", _FILTER, "filter_options"
    ),
    "sites": _Command(
        "learn what the pages of a site have in common, and show it", _SITES, "site_options"
    ),
    "app": _Command("serve the web app, and the API for programs", _APP, "app_options"),
    "mcp": _Command(
        "serve extraction to agents over the Model Context Protocol", _MCP, "page_options"
    ),
    "proxy": _Command(
        "serve a proxy that filters every page on its way",
        _PROXY,
        "proxy_options",
        f"{_PROXY_EXAMPLES}\n\n{_EXITS}",
    ),
    "methods": _Command(
        "list the methods, or describe one and its parameters", _METHODS, "page_options"
    ),
    "eval": _Command("measure methods on labelled pages", _EVAL, "labelled_options"),
    "train": _Command("train the method learned on labelled pages", _TRAIN, "labelled_options"),
}
"""Every command, in the order of the help."""


class _LateParser(ArgumentParser):
    """A parser whose arguments are added when it is used.

    Most commands are not the one asked for, and what their options are made of takes longer to
    import than a page to extract.
    """

    late: Callable[[], None] | None = None
    """Adds the arguments; called once."""

    def parse_known_args(self, *args: Any, **kwargs: Any) -> Any:
        """Add the arguments, and parse."""
        late, self.late = self.late, None
        if late:
            late()
        return super().parse_known_args(*args, **kwargs)


def build_parser() -> ArgumentParser:
    """Build the parser; what it returns has the command's function as ``run``."""
    parser = ArgumentParser(
        prog="thresher",
        description="HTML in, the content a reader came for out, with the evidence.",
        epilog=f"{_EXAMPLES}\n\n{_EXITS}",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"thresher {__version__}")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=_LateParser
    )
    for name, command in _COMMANDS.items():
        one = commands.add_parser(
            name,
            help=command.help,
            description=command.description,
            epilog=command.epilog,
            formatter_class=RawDescriptionHelpFormatter,
        )
        one.set_defaults(run=_run_later(name))
        one.late = partial(_add_options, one, name)
    return parser


def _add_options(parser: ArgumentParser, name: str) -> None:
    options = import_module(f"thresher.cli.{_COMMANDS[name].options}")
    getattr(options, f"add_{name}")(parser)


def _run_later(name: str) -> Callable[[Namespace], Exit]:
    """Return what runs a command: its module is loaded then, for the others do not need it."""

    def run(args: Namespace) -> Exit:
        status: Exit = import_module(f"thresher.cli.{name}").run(args)
        return status

    return run
