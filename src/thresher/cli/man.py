"""`thresher man`: manual pages in the format of man(7), from the parser."""

from __future__ import annotations

from argparse import Action, ArgumentParser, Namespace
from pathlib import Path

from thresher import __version__
from thresher.cli.exits import EXITS, Exit
from thresher.cli.outputs import write_stdout
from thresher.cli.parsers import Command, list_commands
from thresher.support.files import save_text

__all__ = ["run", "write_page"]


def run(args: Namespace) -> Exit:
    """Write the page of the command to standard output, or all pages into a folder.

    OSError where nothing can be written.
    """
    commands = list(list_commands())
    if args.output is None:
        write_stdout([(0, write_page(commands[0]))], [""])
        return Exit.OK
    folder = Path(args.output)
    folder.mkdir(parents=True, exist_ok=True)
    for command in commands:
        save_text(folder / f"{_name_of(command)}.1", write_page(command))
    return Exit.OK


def write_page(command: Command) -> str:
    """Return the manual page of a command."""
    name, parser = _name_of(command), command.parser
    lines = [
        f'.TH {name.upper()} 1 "" "thresher {__version__}" "Thresher"',
        ".SH NAME",
        rf"{_text(name)} \- {_text(command.help)}",
        ".SH SYNOPSIS",
        ".nf",
        *map(_text, parser.format_usage().removeprefix("usage: ").rstrip().splitlines()),
        ".fi",
        ".SH DESCRIPTION",
        *_paragraphs(parser.description or ""),
    ]
    for group in parser._action_groups:
        actions = [action for action in group._group_actions if action.help != "==SUPPRESS=="]
        if actions:
            lines.append(f".SH {_text((group.title or 'arguments').upper())}")
            lines += [line for action in actions for line in _action(action, parser)]
    if command.below:
        lines += [
            ".SH SEE ALSO",
            ", ".join(rf"\fB{_text(name)}\-{one}\fR(1)" for one in command.below),
        ]
    lines.append(".SH EXIT STATUS")
    for status, says in EXITS.items():
        lines += [".TP", f"{int(status)}", _text(says)]
    return "\n".join([*lines, ""])


def _name_of(command: Command) -> str:
    return "-".join(("thresher", *command.words))


def _action(action: Action, parser: ArgumentParser) -> list[str]:
    """Return the lines of an argument: its names with its value, and its help."""
    formatter = parser._get_formatter()
    names = formatter._format_action_invocation(action)
    about = formatter._expand_help(action) if action.help else ""
    lines = [".TP", rf"\fB{_text(names)}\fR", _text(" ".join(about.split()))]
    choices = getattr(action, "_choices_actions", ())
    for choice in choices:
        lines += [".TP", rf"\fB{_text(choice.dest)}\fR", _text(choice.help or "")]
    return lines


def _paragraphs(text: str) -> list[str]:
    return [
        line
        for paragraph in text.split("\n\n")
        for line in (".PP", *map(_text, paragraph.splitlines()))
    ]


def _text(text: str) -> str:
    """Escape what troff would take for a request or an escape, and keep hyphens for copying."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    text = "".join(char if char.isascii() else rf"\[u{ord(char):04X}]" for char in text)
    return rf"\&{text}" if text.startswith((".", "'")) else text
