"""`thresher completion`: a script for a shell that completes the command."""

from __future__ import annotations

from argparse import Action, Namespace
from collections.abc import Callable, Mapping
from shlex import quote
from typing import Final

from thresher.cli.exits import Exit
from thresher.cli.outputs import write_stdout
from thresher.cli.parsers import Command, list_commands, options_of

__all__ = ["SHELLS", "run", "write_completion"]


def run(args: Namespace) -> Exit:
    """Write the script for a shell to standard output."""
    write_stdout([(0, write_completion(args.shell))], [""])
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
        for action in options_of(command.parser):
            for option in action.option_strings if action.choices else ():
                found = quote(" ".join(_choices(action)))
                choices.append(f"    {quote(f'{name} {option}')}) words={found} ;;")
        words = [*command.below, *_positional_choices(command)]
        words += [each for action in options_of(command.parser) for each in action.option_strings]
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
        known = " ".join(command.below)
        inside = [f"__fish_seen_subcommand_from {word}" for word in command.words]
        if known:
            inside.append(f"not __fish_seen_subcommand_from {known}")
        here = f"complete -c thresher -n {quote('; and '.join(inside) or 'true')}"
        for name in command.below:
            [about] = [one.help for one in commands if one.words == (*command.words, name)]
            lines.append(f"{here} -f -a {quote(name)} -d {quote(about)}")
        lines += [f"{here} -a {quote(word)}" for word in _positional_choices(command)]
        for action in options_of(command.parser):
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
