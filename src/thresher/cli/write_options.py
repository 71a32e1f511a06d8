"""Options of how content is written: the command-line flags of `WriteOptions`."""

from __future__ import annotations

from argparse import Namespace, _ArgumentGroup
from typing import Any, Final

from thresher.cli.options import read_count
from thresher.document import WriteOptions
from thresher.roles import read_roles
from thresher.support.settings import find, help_of

__all__ = ["FLAGS", "add_write_options", "read_write_options"]

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
            flag = f"--no-{option.option}"
            group.add_argument(
                flag,
                dest=name,
                action="store_false",
                default=None,
                help=f"do not {help_of(option)}",
            )


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
