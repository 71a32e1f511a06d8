"""`thresher completion`: the shell completes what the parser takes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from thresher.cli.arguments import COMMANDS
from thresher.cli.completion import SHELLS, write_completion
from thresher.cli.help_options import add_completion


def complete(script: Path, *words: str) -> list[str]:
    """Return what bash offers for the last of some words."""
    asked = " ".join(f"'{word}'" for word in ("thresher", *words))
    code = f". {script}; COMP_WORDS=({asked}); COMP_CWORD={len(words)}; _thresher"
    code += '; printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", code], capture_output=True, check=True, text=True)
    assert "" == done.stderr
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_options_and_values(tmp_path: Path) -> None:
    """Commands first, then the options of the command, then the values of the option."""
    script = tmp_path / "thresher.bash"
    script.write_text(write_completion("bash"), encoding="utf-8")
    assert {*COMMANDS} <= {*complete(script, "")}
    assert ["extract", "explain"] == complete(script, "ex")
    assert ["--max-items"] == complete(script, "feed", "--max-i")
    assert ["learn"] == complete(script, "sites", "le")
    assert "--output" in complete(script, "sites", "learn", "--o")
    assert ["thread"] == complete(script, "extract", "page.html", "--scope", "th")
    assert ["bash", "fish", "zsh"] == complete(script, "completion", "")[:3]


@pytest.mark.parametrize("shell", ["fish", "zsh"])
def test_other_shells_get_every_command(shell: str) -> None:
    """Scripts for the others name every command too."""
    script = write_completion(shell)
    assert [] == [name for name in COMMANDS if name not in script]


def test_shells_of_the_parser_are_those_that_there_are() -> None:
    """The option offers the shells for which there is a script."""
    from argparse import ArgumentParser

    parser = ArgumentParser()
    add_completion(parser)
    assert [*SHELLS] == [*(parser._actions[-1].choices or ())]
