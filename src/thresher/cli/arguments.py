"""The parser of the command line: the commands and their help."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final, NamedTuple, NoReturn

from thresher import __version__
from thresher.cli.console import EXITS, Exit
from thresher.support.quoting import one_line

_EXITS: Final = "exit status:\n" + "\n".join(f"  {code:<3}  {says}" for code, says in EXITS.items())

_EXAMPLES: Final = """\
examples:
  thresher extract page.html                       Markdown on standard output
  thresher extract https://example.org/story       fetch the page first
  curl -s https://example.org/story | thresher extract --url https://example.org/story
  thresher extract -f text --no-links *.html -o out/       out/NAME.txt for each page
  thresher extract -f json *.html                  one object per line, with all evidence
  thresher extract -m link_ratio -p NAME=VALUE page.html
  thresher methods link_ratio                      parameters that -p can set"""

_EXTRACT: Final = """\
Extract the main content of pages: files, http and https addresses, or
standard input (-, or no input at all).

Several pages on standard output are separated by a line with the input's
name: <!-- NAME --> in Markdown and HTML, ==> NAME <== in text; in JSON every
line is an object whose "input" is the name. If an input fails, one line on
standard error gives the reason, and the others are still extracted. Output is
UTF-8 in every locale."""

_EXPLAIN: Final = """\
Write a report on one page as a self-contained HTML file: charts of its blocks
(score, length, text density), the blocks coloured by score with the reason for
each, and the result beside them."""

_CHUNK: Final = """\
Split the main content of pages into chunks for search and language models, at
headings first, then between blocks: one JSON object per line, with the headings
above each chunk and its position in the source. docs/agents.md lists the fields."""

_MCP: Final = """\
Serve the tools extract, outline and chunk to agents over the Model Context
Protocol, on standard input and output. Only public addresses are fetched.
Needs the extra mcp. docs/agents.md describes the setup."""

_APP: Final = """\
Serve the web app: read pages without boilerplate, inspect how they were
extracted, label pages, train models, and an API for programs. By default only
this machine can reach it (see --host), and only public addresses are fetched.
Needs the extra app. See docs/app.md."""

_SERVE: Final = """\
Serve the API of the web app and nothing else, for programs and containers: no
pages, no cookies, no files of its own. By default only this machine can reach
it (see --host), and only public addresses are fetched. Needs the extra app. See
docs/app.md."""

_BATCH: Final = """\
Extract the main content of many pages into a folder. Inputs are WARC archives,
lists of archives, folders of HTML, JSON Lines, Parquet, files of URLs, or
standard input (-). Each page becomes one record, even if it fails; after an
interruption, --resume continues without losing work. Needs the extra batch.
docs/batch.md lists the columns."""

_BATCH_EXAMPLES: Final = """\
examples:
  thresher batch crawl/*.warc.gz -o out/           Parquet, one worker per processor
  thresher batch crawl/*.warc.gz -o out/ --resume  continue after a crash
  thresher batch site/ -o out/ --format markdown   every page of a folder
  thresher batch pages.parquet --column html=content -o out/ --format jsonl.zst
  thresher batch addresses.urls -o out/ --dedupe   fetch them first, politely"""

_EVAL: Final = """\
Run methods on pages whose main content is labelled, and print mean precision,
recall and F1 for each metric, and the time, for each corpus. The baseline,
keep_all, always comes first. docs/evaluation.md defines the metrics."""

_TRAIN: Final = """\
Train the weights of the method learned on pages whose main content is
labelled, and write them with a model card: the training data, and the accuracy
on sites not seen in training. With --kind perceptron or mlp, a few dozen pages
of your own adapt the shipped weights in seconds; use the result with extract
--model. Training all weights (the default) needs the extra train, and takes
more than half an hour for 2,000 pages on two processors. See docs/training.md."""


_SITES: Final = """\
Learn what the pages of a site have in common (text in the same place on many
pages is boilerplate), and show it. thresher extract --site uses the result. See
docs/sites.md."""

_FEED: Final = """\
Write a feed (RSS, Atom, RDF or JSON Feed) again, with the whole text of the
page in every item. Pages are fetched as politely as in a batch, and once: those
read before are in a cache. An item whose page cannot be read stays as it is."""

_FILTER: Final = """\
Remove from a page what Crunch's filters find (advertisements, link lists, empty
tables, consent dialogs, tracking), and write the page with its look and layout.
docs/filters.md describes each filter."""

_PROXY: Final = """\
Serve a filtering proxy: every page opened through it is shown without menus,
advertisements and the like, in its own look (inplace), as an article (reader) or
as text; everything else passes unchanged. For HTTPS the browser must trust the
certificate authority created on first start. Needs the extra proxy.
docs/proxy.md describes the setup."""

_PROXY_EXAMPLES: Final = """\
examples:
  thresher proxy                                   on 127.0.0.1:8080
  thresher proxy --view reader --no-mark
  thresher proxy --listen-host 0.0.0.0 --user anna --clients 192.168.0.0/16
  thresher proxy --ignore-host bank.example --upstream http://proxy.example:3128
  thresher proxy --mode reverse:https://example.org"""

_LABEL: Final = """\
Deal the pages to be labelled to several labellers, each page to one of them and
a share to two, and show how far everyone is and how far they agree. Each opens
the desk of thresher app under their name. docs/labelling.md describes it."""

_COMPLETION: Final = """\
Write a script that completes commands, options and their values:

  bash: thresher completion bash > ~/.local/share/bash-completion/completions/thresher
  zsh:  thresher completion zsh > a file named _thresher in a folder of $fpath
  fish: thresher completion fish > ~/.config/fish/completions/thresher.fish"""

_MAN: Final = """\
Write the manual page of thresher to standard output, or with -o the pages of all
commands into a folder: thresher man -o ~/.local/share/man/man1"""


class _Command(NamedTuple):
    help: str
    description: str
    options: str
    """The module in this package whose `add_COMMAND` adds the arguments."""
    epilog: str | None = None
    code: str = ""
    """The module in this package that runs it, and its function, as ``module:name``; by default the
    function `run` of the module of its name."""


COMMANDS: Final[Mapping[str, _Command]] = {
    "extract": _Command(
        "extract the main content of pages", _EXTRACT, "page_options", f"{_EXAMPLES}\n\n{_EXITS}"
    ),
    "explain": _Command(
        "explain the result of a method on a page in one HTML file",
        _EXPLAIN,
        "page_options",
        code="chunk:run_explain",
    ),
    "chunk": _Command(
        "split the main content of pages into chunks, one JSON object per line",
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
        "remove advertisements, link lists and other boilerplate from a page",
        _FILTER,
        "filter_options",
    ),
    "feed": _Command("write a feed with the full text of every item", _FEED, "page_options"),
    "sites": _Command(
        "learn what the pages of a site have in common, and show it", _SITES, "page_options"
    ),
    "app": _Command("serve the web app and its HTTP API", _APP, "app_options"),
    "serve": _Command("serve the HTTP API alone", _SERVE, "app_options", code="app:run_serve"),
    "mcp": _Command(
        "serve extraction to agents over the Model Context Protocol",
        _MCP,
        "page_options",
        code="app:run_mcp",
    ),
    "proxy": _Command(
        "serve a proxy that filters every page",
        _PROXY,
        "filter_options",
        f"{_PROXY_EXAMPLES}\n\n{_EXITS}",
    ),
    "methods": _Command(
        "list the methods, or describe one and its parameters",
        "List the extraction methods, or describe one with its parameters.",
        "page_options",
        code="help:run_methods",
    ),
    "eval": _Command("measure methods on labelled pages", _EVAL, "labelled_options"),
    "label": _Command(
        "deal pages to labellers, and show how far they are", _LABEL, "labelled_options"
    ),
    "train": _Command("train the method learned on labelled pages", _TRAIN, "labelled_options"),
    "completion": _Command(
        "write a script that completes the command in a shell",
        _COMPLETION,
        "page_options",
        code="help:run_completion",
    ),
    "man": _Command("write manual pages", _MAN, "page_options", code="help:run_man"),
}
"""Every command, in the order of the help."""


class _OneLineParser(ArgumentParser):
    """Parser whose messages are one line: a file's name may hold what a terminal obeys."""

    def error(self, message: str) -> NoReturn:
        """Print a message and exit."""
        super().error(one_line(message))


class _LateParser(_OneLineParser):
    """A parser whose arguments are added on first use.

    Only one command is used per run, and importing what the options of all of them need would take
    longer than extracting a page.
    """

    late: Callable[[], None] | None = None
    """Adds the arguments; called once."""

    def parse_known_args(self, *args: Any, **kwargs: Any) -> Any:
        """Add the arguments, then parse; exit for unknown ones, with the names meant if clear."""
        add_late(self)
        parsed, unknown = super().parse_known_args(*args, **kwargs)
        if unknown:
            near = {name for given in unknown for name in self._find_similar(given)}
            hint = f"; did you mean {' or '.join(sorted(near))}?" if near else ""
            self.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
        return parsed, unknown

    def _find_similar(self, given: str) -> list[str]:
        """Return the option that is spelled almost like what was given."""
        from difflib import get_close_matches  # for errors only

        return get_close_matches(given.partition("=")[0], self._option_string_actions, 1, 0.8)


class _ShowVersion(Action):
    """Prints the version, and whether there are the compiled steps."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        about = "show the version, and whether it is compiled, and exit"
        super().__init__(option_strings, SUPPRESS, nargs=0, help=about)

    def __call__(self, parser: ArgumentParser, *_: object, **__: object) -> None:
        """Print, and exit."""
        from thresher.native.kernels import steps  # loads the compiled steps

        speed = "compiled" if steps is not None else "not compiled: about three times slower"
        print(f"thresher {__version__} ({speed})")
        parser.exit()


def add_late(parser: ArgumentParser) -> None:
    """Add the arguments that a parser gets when it is first used, if it has not been."""
    if isinstance(parser, _LateParser):
        late, parser.late = parser.late, None
        if late:
            late()


def build_parser() -> ArgumentParser:
    """Build the parser; the namespaces it returns have the command's function as ``run``."""
    parser = _OneLineParser(
        prog="thresher",
        description="Extract the main content of web pages, with the evidence for every decision.",
        epilog=f"{_EXAMPLES}\n\n{_EXITS}",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_ShowVersion)
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=_LateParser
    )
    for name, command in COMMANDS.items():
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
    options = import_module(f"thresher.cli.{COMMANDS[name].options}")
    getattr(options, f"add_{name}")(parser)


def _run_later(name: str) -> Callable[[Namespace], Exit]:
    def run(args: Namespace) -> Exit:
        module, _, function = (COMMANDS[name].code or name).partition(":")
        status: Exit = getattr(import_module(f"thresher.cli.{module}"), function or "run")(args)
        return status

    return run
