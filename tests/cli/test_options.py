"""Options that several commands share, completion, man pages and `methods`."""

from __future__ import annotations

import re
import shutil
import subprocess
from argparse import ArgumentParser, Namespace
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.cli.arguments import COMMANDS
from thresher.cli.choices import read_reading
from thresher.cli.console import Exit, Reading
from thresher.cli.help import SHELLS, write_completion
from thresher.cli.options import FLAGS, add_write_options, read_write_options
from thresher.cli.page_options import add_completion
from thresher.document import WriteOptions
from thresher.limits import Limits
from thresher.support.settings import describe


def read(*args: str, names: tuple[str, ...] = ()) -> WriteOptions:
    parser = ArgumentParser()
    add_write_options(parser.add_argument_group("output"), *names)
    return read_write_options(parser.parse_args(args), *names)


def test_every_write_option_has_a_flag() -> None:
    """Every declared write option has a flag, and there are no other flags."""
    assert {each.name for each in describe(WriteOptions)} == FLAGS.keys()


def test_options_without_flags_are_the_defaults() -> None:
    """Without flags, the command writes as the library does; the title can be left out."""
    assert WriteOptions() == read() == read(names=("links", "images"))
    assert read("--no-title").title is False


def test_each_flag_sets_its_option() -> None:
    """A flag changes its option; those of options that are on turn them off."""
    args = "--with-metadata --with-title --keep comment,date --max-chars 500 --max-tokens 100"
    switches = "--no-links --no-images --keep-tracking --removed-links"
    on = dict.fromkeys(("metadata", "removed_links", "title", "tracking"), True)
    expected = WriteOptions(
        links=False, images=False, max_chars=500, max_tokens=100, keep=("comment", "date"), **on
    )
    assert expected == read(*args.split(), *switches.split())


def test_reading_is_what_options_say() -> None:
    """Every option for reading pages is passed on."""
    options = {
        **{"url": "https://a.example/", "charset": "koi8-r", "user_agent": "me", "timeout": 2.0},
        **{"max_bytes": 9, "max_nodes": 8, "deadline": 7.0, "on_limit": "partial"},
        "allow_private": False,
    }
    limits = Limits(9, 8, 7.0, "partial")
    assert Reading("https://a.example/", "koi8-r", 2.0, "me", limits, False) == read_reading(
        Namespace(**options)
    )


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
    parser = ArgumentParser()
    add_completion(parser)
    assert [*SHELLS] == [*(parser._actions[-1].choices or ())]


def test_every_command_has_a_page(command: Command, tmp_path: Path) -> None:
    """Pages name the options and exit statuses; no text is taken for a request of troff."""
    assert (0, "") == command("man", "-o", tmp_path)[:2]
    pages = {page.stem: page.read_text(encoding="utf-8") for page in tmp_path.iterdir()}
    assert {"thresher", *(f"thresher-{name}" for name in COMMANDS)} <= pages.keys()
    assert "thresher-sites-learn" in pages
    assert r"\fB\-\-max\-items N\fR" in pages["thresher-feed"]
    lines = [line for page in pages.values() for line in page.splitlines()]
    requests = {line.split()[0] for line in lines if line.startswith((".", "'"))}
    assert {".TH", ".SH", ".TP", ".PP", ".nf", ".fi"} == requests


def test_page_of_the_command_is_printed(command: Command) -> None:
    """Without a folder the page of `thresher` is written, which lists the commands."""
    ran = command("man")
    assert 0 == ran.status
    assert ran.out.startswith(".TH THRESHER 1")
    assert r"\fBextract\fR" in ran.out


def squeeze(text: str) -> str:
    return " ".join(text.split())


def test_methods_lists_every_method(command: Command) -> None:
    """Every method is listed with its idea and its source, and the default is marked."""
    ran = command("methods")

    assert (Exit.OK, []) == (ran.status, ran.errors)
    for name, algorithm in ALGORITHMS.items():
        assert squeeze(f"{name} {algorithm.summary} Source: {algorithm.source}") in squeeze(
            ran.out.replace(" (default)", "")
        )
    assert f"\n{DEFAULT_METHOD} (default)\n" in f"\n{ran.out}"


@pytest.mark.parametrize("name", ALGORITHMS)
def test_methods_describes_every_parameter(command: Command, name: str) -> None:
    """Each parameter has its name, help and range, and a default that is read as it is printed."""
    ran = command("methods", name)
    assert Exit.OK == ran.status
    assert not re.search(r"<class|tuple\[", ran.out)
    parameters = ALGORITHMS[name].parameters()
    for parameter in parameters:
        assert f"\n    {parameter.name}\n" in ran.out
        assert squeeze(parameter.help) in squeeze(ran.out)
        for bound in (parameter.low, parameter.high):
            assert bound is None or f"{bound:g}" in ran.out
    shown = {}
    for block in ran.out.split("\n\n")[2:]:
        parameter_name, _, facts = squeeze(block).partition(" ")
        shown[parameter_name] = facts.rpartition("; default: ")[2].replace("(none)", "")
    assert len(parameters) == len(shown) or "Parameters: none" in ran.out
    assert ALGORITHMS[name].params() == ALGORITHMS[name].build_params(shown)
