"""All parsers of the command line, with every argument, for completion and manual pages."""

from __future__ import annotations

from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from typing import NamedTuple

from thresher.cli.arguments import add_late, build_parser

__all__ = ["Command", "list_commands", "options_of"]


class Command(NamedTuple):
    """One command, or one that is below another, such as `sites learn`."""

    words: tuple[str, ...]
    """The words after `thresher`; empty for the command itself."""
    help: str
    """In a few words."""
    parser: ArgumentParser

    @property
    def below(self) -> dict[str, ArgumentParser]:
        """The commands right below, by name."""
        return {
            name: parser
            for action in self.parser._actions
            if isinstance(action, _SubParsersAction)
            for name, parser in action.choices.items()
        }


def list_commands() -> Iterator[Command]:
    """Yield every command, those below another after it."""
    waiting = [Command((), "extract the main content of web pages", build_parser())]
    while waiting:
        command = waiting.pop()
        add_late(command.parser)
        yield command
        helps = {
            choice.dest: choice.help or ""
            for action in command.parser._actions
            if isinstance(action, _SubParsersAction)
            for choice in action._choices_actions
        }
        waiting += [
            Command((*command.words, name), helps.get(name, ""), parser)
            for name, parser in reversed(command.below.items())
        ]


def options_of(parser: ArgumentParser) -> list[Action]:
    """Return the options of a parser, without its positional arguments."""
    return [action for action in parser._actions if action.option_strings]
