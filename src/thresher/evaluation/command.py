"""Shared parts of the commands `python -m thresher.evaluation.…`: options, output, Markdown."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from textwrap import TextWrapper
from typing import Final

from thresher.errors import ThresherError, UsageError
from thresher.evaluation.corpora import CORPORA_VARIABLE
from thresher.support.files import cache_folder
from thresher.support.quoting import quote, read_whole_number

DEADLINE_S: Final = 30.0
"""Processor seconds a peer has per page."""

Say = Callable[[str], None]
"""Prints a message to standard error."""


def run_command(
    say: Say,
    parser: ArgumentParser,
    argv: Sequence[str] | None,
    run: Callable[[Namespace], None],
) -> int:
    """Run a command; return its status: 0, 1 if something failed, 2 for incorrect usage."""
    try:
        args = parser.parse_args(argv)
    except SystemExit as stop:  # argparse has printed help or an error
        return 2 if stop.code else 0
    try:
        run(args)
    except UsageError as error:
        say(str(error))
        return 2
    except KeyboardInterrupt:
        return 130
    except (ThresherError, OSError) as error:
        say(str(error))
        return 1
    return 0


def make_say(name: str) -> Say:
    """Return a function that prints messages under a command's name, unbuffered."""
    return lambda message: print(f"{name}: {message}", file=sys.stderr, flush=True)


def write_text(text: str, path: Path | None) -> None:
    """Write to a file, creating its folder if necessary, or to stdout if none is given."""
    if path is None:
        sys.stdout.write(text)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def add_corpora(parser: ArgumentParser) -> None:
    """Add the corpora, as `thresher eval` takes them."""
    parser.add_argument(
        "corpora",
        nargs="*",
        metavar="CORPUS",
        help=f"as for thresher eval (default: ${CORPORA_VARIABLE})",
    )


def add_peers(group: ArgumentParser | _ArgumentGroup, known: Iterable[str]) -> None:
    """Add the option that chooses peers, to be read by `choose`."""
    what = f"of {', '.join(known)}; or none; may be repeated (default: all)"
    add_repeated(group, "--peer", "--peers", what=what)


def add_repeated(
    group: ArgumentParser | _ArgumentGroup, *names: str, what: str, metavar: str = "NAME,..."
) -> None:
    """Add an option that may be repeated."""
    group.add_argument(*names, action="append", default=[], metavar=metavar, help=what)


def add_running(group: ArgumentParser | _ArgumentGroup, *, kept: str) -> None:
    """Add the options of how peers are run; ``kept`` says what the cache keeps."""
    group.add_argument(
        "--environment",
        type=Path,
        default=cache_folder() / "peers",
        metavar="DIR",
        help="folder of the peers' environments (default: in the user's cache)",
    )
    group.add_argument(
        "--python",
        default=sys.executable,
        metavar="PYTHON",
        help="interpreter for new environments (default: this one)",
    )
    group.add_argument(
        "--no-install", dest="install", action="store_false", help="use only installed peers"
    )
    group.add_argument(
        "--cache", type=Path, metavar="FILE", help=f"where {kept} (default: nowhere)"
    )
    group.add_argument(
        "--deadline",
        type=_read_seconds,
        default=DEADLINE_S,
        metavar="SECONDS",
        help="processor time a peer has per page (default: %(default)g)",
    )


def add_output(group: ArgumentParser | _ArgumentGroup) -> None:
    """Add the option of where the tables are written."""
    group.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="Markdown (default: standard output)"
    )


def choose(lists: Sequence[str], known: Iterable[str], what: str) -> tuple[str, ...]:
    """Return the distinct names in comma-separated lists; all known names if there are no lists.

    The single name ``none`` chooses nothing. Raises UsageError for an unknown name.
    """
    known = tuple(known)
    names = [name.strip() for entry in lists for name in entry.split(",") if name.strip()]
    if names == ["none"]:
        return ()
    for name in names:
        if name not in known:
            raise UsageError(f"unknown {what} {quote(name)}; one of {', '.join(known)}")
    return tuple(dict.fromkeys(names)) or known


def read_count(text: str) -> int:
    """Read a whole number above 0; ArgumentTypeError for anything else."""
    if (number := read_number(text)) < 1:
        raise ArgumentTypeError("must be 1 or more")
    return number


def read_number(text: str) -> int:
    """Read a whole number; ArgumentTypeError for anything else."""
    number = read_whole_number(text)
    if number is None:
        raise ArgumentTypeError(f"must be a whole number, not {quote(text)}")
    return number


def _read_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ArgumentTypeError(f"must be a number of seconds above 0, not {quote(text)}")
    return seconds


DIGEST_CHARS: Final = 12
"""First characters of a digest that tables show."""
_LINE_CHARS: Final = 100


def join_parts(parts: Iterable[str]) -> str:
    """Join the parts of a page; tables, headings and commands stay as they are."""
    return "\n\n".join(map(_wrap, parts)) + "\n"


def write_table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, n_text: int = 1) -> str:
    """Write a table whose first columns contain text, the others numbers."""
    rule = ["---" if column < n_text else "---:" for column in range(len(heads))]
    lines = [heads, rule, *([_escape(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _wrap(part: str) -> str:
    """Wrap a paragraph, or each item of a list."""
    if part.startswith(("|", "#", " ")):
        return part
    wrap = TextWrapper(_LINE_CHARS, break_long_words=False, break_on_hyphens=False)
    if not part.startswith("- "):
        return wrap.fill(" ".join(part.split()))
    wrap.subsequent_indent = "  "
    return "\n".join(map(wrap.fill, part.splitlines()))


def _escape(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")
