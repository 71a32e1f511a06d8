"""Options that several commands share, those of how content is written, and their values."""

from __future__ import annotations

import math
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from pathlib import Path
from typing import Any, Final

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.algorithms.base import FAVORS
from thresher.document import WriteOptions
from thresher.fetching.model import MAX_TIMEOUT_S, TIMEOUT_S, USER_AGENT
from thresher.limits import MAX_BYTES, MAX_NODES, ON_LIMIT, Limits
from thresher.roles import SCOPES, read_roles
from thresher.support.quoting import quote, read_whole_number
from thresher.support.settings import find, help_of

WORKER_DEADLINE_S: Final = 10.0
"""Seconds for a page in a worker process: as in `thresher.app`, `thresher.agents` and
`thresher.batch`, which the help does not import."""


_Options = ArgumentParser | _ArgumentGroup


def add_flag(group: _Options, *names: str, **more: Any) -> None:
    """Add an option that has no value."""
    group.add_argument(*names, action="store_true", **more)


def add_path(group: _Options, *names: str, metavar: str = "FILE", **more: Any) -> None:
    """Add an option whose value is the path of a file or folder."""
    group.add_argument(*names, type=Path, metavar=metavar, **more)


def add_count(group: _Options, *names: str, **more: Any) -> None:
    """Add an option whose value is a whole number above 0."""
    group.add_argument(*names, type=read_count, metavar="N", **more)


def add_list(group: _Options, *names: str, **more: Any) -> None:
    """Add an option that may be repeated."""
    group.add_argument(*names, action="append", default=[], **more)


def add_output(parser: _Options, help: str, metavar: str = "FILE") -> None:
    """Add the options that name the output, and for what is written to a terminal."""
    parser.add_argument("-o", "--output", metavar=metavar, help=help)
    add_raw(parser)


def add_raw(parser: _Options) -> None:
    """Add the option for what is written to a terminal."""
    add_flag(
        parser,
        "--raw",
        help="write control characters to a terminal as they are; by default they are shown as "
        "\\x1b there, since a terminal obeys those of a page",
    )


def add_choice(parser: ArgumentParser) -> None:
    """Add the options of content selection."""
    choice = parser.add_argument_group("content selection")
    choice.add_argument(
        "-m",
        "--method",
        choices=ALGORITHMS,
        default=DEFAULT_METHOD,
        metavar="NAME",
        help="how the content is found: see thresher methods (default: %(default)s)",
    )
    add_list(
        choice,
        "-p",
        "--param",
        help="set a parameter of the method to a number, a text, yes or no, texts separated by "
        "commas, or auto where the method can find it; may be repeated: see thresher methods NAME",
        metavar="NAME=VALUE",
    )
    choice.add_argument(
        "--model",
        metavar="FILE",
        help="your own weights for the method learned, made by thresher train",
    )
    choice.add_argument(
        "--scope",
        choices=SCOPES,
        help="what you are looking for. auto: as the type of the page suggests (default); article: "
        "the story alone; thread: the story with comments or replies; page: the whole content "
        "of a product, listing or collection page",
    )
    choice.add_argument(
        "--favor",
        type=_read_favor,
        metavar=f"{{{','.join(FAVORS)},BETA}}",
        help="precision: keep only what is certain; recall: keep more when in doubt; balanced: "
        "weigh both equally (default); or the beta of the F-measure, below 1 for precision, above "
        "1 for recall",
    )


def add_reading(parser: ArgumentParser) -> _ArgumentGroup:
    """Add the options of reading pages, and return their group."""
    source = parser.add_argument_group("reading pages")
    source.add_argument("--url", help="base URL of the links of a page that is not fetched")
    source.add_argument(
        "--charset",
        metavar="LABEL",
        help="charset to assume, as if declared by a server; the page's bytes can override it",
    )
    add_limits(source)
    source.add_argument(
        "--no-private",
        dest="allow_private",
        action="store_false",
        help="never fetch from this machine or a private network; for addresses from untrusted "
        "sources",
    )
    return source


def add_rules(parser: ArgumentParser) -> None:
    """Add the option that names the rulebook."""
    add_path(
        parser,
        "--rules",
        help="rulebook with your own rules by host of what is always kept and dropped (default: "
        "$THRESHER_RULES, if set)",
    )


def add_sites_folder(group: _ArgumentGroup) -> None:
    """Add the option that names a folder of sites, for pages of many hosts."""
    add_path(
        group,
        "--sites",
        help="folder of thresher sites learn --all-hosts for the pages' sites",
        metavar="DIR",
    )


def add_limits(group: _ArgumentGroup, *, deadline_s: float | None = None) -> None:
    """Add the options of limits and of fetching."""
    add_count(
        group,
        "--max-bytes",
        help=_help_of("max_bytes", " (bytes; default: %(default)s)"),
        default=MAX_BYTES,
    )
    add_count(
        group,
        "--max-nodes",
        help=_help_of("max_nodes", " (default: %(default)s)"),
        default=MAX_NODES,
    )
    group.add_argument(
        "--deadline",
        type=_read_seconds,
        default=deadline_s,
        metavar="SECONDS",
        help=_help_of(
            "deadline_s", " (default: none)" if deadline_s is None else " (default: %(default)g)"
        ),
    )
    group.add_argument(
        "--on-limit",
        choices=ON_LIMIT,
        default=ON_LIMIT[0],
        help=_help_of("on_limit", " (default: %(default)s)"),
    )
    group.add_argument(
        "--timeout",
        type=_read_seconds,
        default=TIMEOUT_S,
        metavar="SECONDS",
        help="maximum time for a whole fetch, including redirects (default: %(default)g)",
    )
    group.add_argument(
        "--user-agent",
        type=_read_user_agent,
        default=USER_AGENT,
        metavar="TEXT",
        help="User-Agent to send to web servers (default: %(default)s)",
    )


def _help_of(limit: str, default: str) -> str:
    return find(Limits, limit).help + default


def read_count(text: str) -> int:
    """Parse a whole number above 0; ArgumentTypeError for anything else."""
    number = read_whole_number(text)
    if number is None or not 0 < number <= 2**31:
        raise ArgumentTypeError(f"must be a whole number from 1 to {2**31}, not {quote(text)}")
    return number


def read_port(text: str) -> int:
    """Parse a port number; ArgumentTypeError for anything else."""
    port = read_whole_number(text)
    if port is None or not 0 < port < 2**16:
        raise ArgumentTypeError(f"must be a port, 1 to {2**16 - 1}, not {quote(text)}")
    return port


def read_number(text: str) -> float:
    """Parse a number; NaN, which is outside any range, for invalid text."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _read_favor(text: str) -> str:
    beta = 1.0 if text in FAVORS else read_number(text)
    if not 0 < beta < math.inf:
        raise ArgumentTypeError(
            f"must be {', '.join(FAVORS)} or a number above 0, not {quote(text)}"
        )
    return text


def _read_seconds(text: str) -> float:
    seconds = read_number(text)
    if not 0 < seconds <= MAX_TIMEOUT_S:
        raise ArgumentTypeError(f"must be above 0 and at most {MAX_TIMEOUT_S:g}, not {quote(text)}")
    return seconds


def _read_user_agent(text: str) -> str:
    if not (text.isascii() and text.isprintable()):
        raise ArgumentTypeError(f"must be printable ASCII, not {quote(text)}")
    return text


FLAGS: Final = {
    "metadata": "--with-metadata",
    "title": "--with-title",
    "keep": "--keep",
    "max_chars": "--max-chars",
    "max_tokens": "--max-tokens",
    "links": "--no-links",
    "images": "--no-images",
    "alerts": "--no-alerts",
    "tracking": "--keep-tracking",
    "removed_links": "--removed-links",
}
"""Write option → its flag, in the order of the help. Flags of switches that are on by default turn
them off; a switch whose default depends on the format has both."""


def add_write_options(group: _ArgumentGroup, *names: str) -> None:
    """Add the flags of some write options, or of all; `read_write_options` reads them."""
    for name in names or FLAGS:
        group.add_argument(FLAGS[name], dest=name, **_describe(name))
        option = find(WriteOptions, name)
        if option.kind == "switch" and option.is_optional:
            flag, help = f"--no-{option.option}", f"do not {help_of(option)}"
            group.add_argument(flag, dest=name, action="store_false", default=None, help=help)


def read_write_options(args: Namespace, *names: str) -> WriteOptions:
    """Return the write options that were given; UsageError for an invalid one.

    ``names`` are those given to `add_write_options`.
    """
    values = {name: getattr(args, name) for name in names or FLAGS}
    if "keep" in values:
        values["keep"] = read_roles(values["keep"])
    return WriteOptions(**values)


def _describe(name: str) -> dict[str, Any]:
    option = find(WriteOptions, name)
    match option.kind:
        case "switch" if option.default:
            return {"action": "store_false", "help": f"do not {help_of(option)}"}
        case "switch":
            return {"action": "store_true", "default": option.default, "help": help_of(option)}
        case "integer":
            help = help_of(option, f" (at least {option.low:g})")
            return {"type": read_count, "metavar": "N", "help": help}
        case _:
            help = help_of(option, f"; some of {', '.join(option.choices)}")
            return {"default": "", "metavar": "ROLE,...", "help": help}
