"""Command-line options derived from declared settings."""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from typing import Final, TypeVar

from thresher.support.settings import Setting, change, describe

__all__ = ["add_options", "from_args", "given", "help_of"]

_T = TypeVar("_T")
_METAVARS: Final = {"list": "WORD,…", "phrases": "TEXT,…", "text": "TEXT"}


def add_options(parser: ArgumentParser, kind: type, *, prefix: str = "") -> None:
    """Add an option for each setting, in one argument group per group of settings.

    A switch has ``--NAME`` and ``--no-NAME``; lists take words separated by commas. `from_args`
    reads the options; ``prefix`` is put before the names of their attributes.
    """
    groups = {}
    for each in describe(kind):
        if each.group not in groups:
            groups[each.group] = parser.add_argument_group(each.group)
        dest = f"{prefix}{each.name}"
        default = each.format(each.default) or "none"
        says = help_of(each, f" (default: {default})")
        name = f"--{each.option}"
        group = groups[each.group]
        if each.kind == "switch":
            group.add_argument(name, dest=dest, action=BooleanOptionalAction, help=says)
        else:
            group.add_argument(name, dest=dest, metavar=_metavar(each), help=says)


def from_args(settings: _T, args: Namespace, *, prefix: str = "") -> _T:
    """Return settings changed by the options that were given; UsageError as for `change`.

    The message names the setting, which differs from the option only in its underscores.
    """
    return change(settings, given(type(settings), args, prefix=prefix))


def given(kind: type, args: Namespace, *, prefix: str = "") -> dict[str, str]:
    """Return the options that were given, as text by the name of their setting."""
    values = {each: getattr(args, f"{prefix}{each.name}", None) for each in describe(kind)}
    return {each.name: each.format(value) for each, value in values.items() if value is not None}


def help_of(setting: Setting, more: str = "") -> str:
    """Return a setting's help text, with something after it, as argparse takes it."""
    return f"{setting.help}{more}".replace("%", "%%")


def _metavar(setting: Setting) -> str:
    if setting.kind == "choice":
        return f"{{{','.join(setting.choices)}}}"
    return _METAVARS.get(setting.kind, "N")
