"""`thresher completion`, `man` and `methods`: what the command says of itself."""

from __future__ import annotations

import textwrap
from argparse import Action, ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from shlex import quote
from typing import Final, NamedTuple

from thresher import __version__
from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD, Algorithm, find_algorithm
from thresher.cli.arguments import add_late, build_parser
from thresher.cli.console import EXITS, Exit, write_stdout
from thresher.support.files import save_text
from thresher.support.settings import Setting


class Command(NamedTuple):
    """One command, or one that is below another, such as `sites learn`."""

    words: tuple[str, ...]
    """The words after `thresher`; empty for the command itself."""
    help: str
    """In a few words."""
    parser: ArgumentParser

    @property
    def below(self) -> list[Command]:
        """The commands right below."""
        return [
            Command((*self.words, choice.dest), choice.help or "", action.choices[choice.dest])
            for action in self.parser._actions
            if isinstance(action, _SubParsersAction)
            for choice in action._choices_actions
        ]


def list_commands() -> Iterator[Command]:
    """Yield every command, those below another after it."""
    waiting = [Command((), "extract the main content of web pages", build_parser())]
    while waiting:
        command = waiting.pop()
        add_late(command.parser)
        yield command
        waiting += reversed(command.below)


def _options_of(parser: ArgumentParser) -> list[Action]:
    return [action for action in parser._actions if action.option_strings]


def run_completion(args: Namespace) -> Exit:
    """Write the script for a shell to standard output."""
    write_stdout([write_completion(args.shell)])
    return Exit.OK


def write_completion(shell: str) -> str:
    """Return the script for one of `SHELLS`."""
    return SHELLS[shell](list(list_commands()))


_BASH: Final = """\
_thresher() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command= word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$command $word" in
{commands}
    esac
  done
  local words=
  case "$command $previous" in
{choices}
    *) case "$command" in
{options}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _thresher thresher
"""


def _write_bash(commands: list[Command]) -> str:
    names, choices, options = [], [], []
    for command in commands:
        name = " ".join(command.words)
        if command.words:
            above = " ".join(command.words[:-1])
            names.append(f"      {quote(f'{above} {command.words[-1]}')}) command={quote(name)} ;;")
        for action in _options_of(command.parser):
            for option in action.option_strings if action.choices else ():
                values = quote(" ".join(_choices(action)))
                choices.append(f"    {quote(f'{name} {option}')}) words={values} ;;")
        words = [below.words[-1] for below in command.below] or _positional_choices(command)
        words += [
            option for action in _options_of(command.parser) for option in action.option_strings
        ]
        options.append(f"      {quote(name)}) words={quote(' '.join(words))} ;;")
    return _BASH.format(
        commands="\n".join(names), choices="\n".join(choices), options="\n".join(options)
    )


def _write_zsh(commands: list[Command]) -> str:
    # Zsh runs bash's completions; COMP_WORDS is theirs.
    return (
        f"#compdef thresher\nautoload -U +X bashcompinit && bashcompinit\n{_write_bash(commands)}"
    )


def _write_fish(commands: list[Command]) -> str:
    lines = []
    for command in commands:
        subcommands = " ".join(below.words[-1] for below in command.below)
        inside = [f"__fish_seen_subcommand_from {word}" for word in command.words]
        if subcommands:
            inside.append(f"not __fish_seen_subcommand_from {subcommands}")
        here = f"complete -c thresher -n {quote('; and '.join(inside) or 'true')}"
        lines += [
            f"{here} -f -a {quote(below.words[-1])} -d {quote(below.help)}"
            for below in command.below
        ]
        lines += [f"{here} -a {quote(word)}" for word in _positional_choices(command)]
        for action in _options_of(command.parser):
            named = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                for name in action.option_strings
            )
            values = f" -x -a {quote(' '.join(_choices(action)))}" if action.choices else ""
            takes = " -r" if action.nargs != 0 and not values else ""
            lines.append(f"{here} {named}{takes}{values}")
    return "\n".join([*lines, ""])


def _choices(action: Action) -> list[str]:
    return [str(choice) for choice in action.choices or ()]


def _positional_choices(command: Command) -> list[str]:
    """Return the values that the command's arguments can have, other than commands."""
    return [
        choice
        for action in command.parser._actions
        if not action.option_strings and not command.below
        for choice in _choices(action)
    ]


SHELLS: Final[Mapping[str, Callable[[list[Command]], str]]] = {
    "bash": _write_bash,
    "fish": _write_fish,
    "zsh": _write_zsh,
}
"""Shell → what writes its script."""


def run_man(args: Namespace) -> Exit:
    """Write the page of the command to standard output, or all pages into a folder.

    OSError where nothing can be written.
    """
    commands = list(list_commands())
    if args.output is None:
        write_stdout([write_page(commands[0])])
        return Exit.OK
    for command in commands:
        save_text(Path(args.output, f"{_name_of(command)}.1"), write_page(command))
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
            ", ".join(rf"\fB{_text(name)}\-{one.words[-1]}\fR(1)" for one in command.below),
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


_WIDTH: Final = 88
"""Characters per line."""
_INDENT: Final = "    "
_KINDS: Final[Mapping[str, str]] = {
    "switch": "yes or no",
    "number": "number",
    "integer": "whole number",
    "text": "text",
    "choice": "one of these",
    "list": "texts separated by commas",
    "phrases": "texts separated by commas",
}
"""Kind of a parameter → its name in the output; the help text of a choice lists its values."""


def run_methods(args: Namespace) -> Exit:
    """Describe one method in full, or list all methods."""
    if args.name is not None:
        lines = [*_describe(args.name), *_describe_parameters(find_algorithm(args.name))]
    else:
        lines = [line for name in ALGORITHMS for line in (*_describe(name), "")]
        lines.append("The parameters of a method: thresher methods NAME")
    write_stdout(["\n".join(lines)])
    return Exit.OK


def _describe(name: str) -> Iterator[str]:
    algorithm = find_algorithm(name)
    yield f"{name} (default)" if name == DEFAULT_METHOD else name
    yield from _wrap(algorithm.summary, 1)
    yield from _wrap(f"Source: {algorithm.source}", 1)


def _describe_parameters(algorithm: Algorithm) -> Iterator[str]:
    parameters = algorithm.parameters()
    yield ""
    yield "Parameters (set with -p NAME=VALUE):" if parameters else "Parameters: none"
    for parameter in parameters:
        yield ""
        yield f"{_INDENT}{parameter.name}"
        yield from _wrap(parameter.help, 2)
        yield from _wrap("; ".join(_facts(parameter)), 2)


def _facts(parameter: Setting) -> Iterator[str]:
    kind = _KINDS[parameter.kind]
    yield f"{kind}, or auto" if parameter.is_optional else kind
    low, high = parameter.low, parameter.high
    if low is not None and high is not None:
        yield f"from {low:g} to {high:g}"
    elif low is not None:
        yield f"{low:g} or more"
    elif high is not None:
        yield f"{high:g} or less"
    yield f"default: {parameter.display(parameter.default)}"


def _wrap(text: str, level: int) -> list[str]:
    indent = _INDENT * level
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
