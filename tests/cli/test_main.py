"""The command as a whole: its help, its statuses, and its streams."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import thresher
from tests.cli.conftest import Command
from thresher.cli import extract as extract_command
from thresher.cli import main
from thresher.cli.console import EXITS, Exit
from thresher.cli.help import list_commands
from thresher.native import kernels

SOURCES = Path(thresher.__file__).parents[1]
PAGE = "<p>Körner, 穀物".encode()
LINE = "Körner, 穀物\n".encode()


def start(*argv: str, **environment: str) -> subprocess.Popen[bytes]:
    """Start the command as a separate process."""
    return subprocess.Popen(
        [sys.executable, "-m", "thresher", *argv],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(SOURCES)} | environment,
    )


def read_guide() -> str:
    return (Path(__file__).parents[2] / "docs" / "command.md").read_text()


def test_command_in_a_pipe() -> None:
    """As a process, the command reads its standard input and exits with 0."""
    with start("extract", "-m", "keep_all") as process:
        out, err = process.communicate(PAGE)

    assert (0, LINE, b"") == (process.returncode, out, err)


def test_command_in_ascii_locale() -> None:
    """Output is UTF-8 where the locale is ASCII."""
    settings = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    with start("extract", "-m", "keep_all", **settings) as process:
        out, _ = process.communicate(PAGE)

    assert LINE == out


def test_command_whose_reader_leaves() -> None:
    """If the reader of the output stops, as `head` does, the command ends silently with 0."""
    with start("extract", "-m", "keep_all") as process:
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(PAGE)

    assert (0, b"") == (process.returncode, err)


def test_help_whose_reader_leaves() -> None:
    """If the reader of the help stops, the command ends silently with 0."""
    with start("--help", PYTHONUNBUFFERED="") as process:
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate()

    assert (0, b"") == (process.returncode, err)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_command_to_full_disk() -> None:
    """A full disk gives one line on standard error and status 1."""
    with Path("/dev/full").open("wb") as full:
        process = subprocess.run(
            [sys.executable, "-m", "thresher", "methods"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(SOURCES)},
            check=False,
        )

    assert (Exit.FAILED, 1) == (process.returncode, process.stderr.count(b"\n"))
    assert process.stderr.startswith(b"thresher: cannot write the output: ")


def test_main_without_stdout(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A closed standard output is an error, unless no output is needed."""
    monkeypatch.setattr(sys, "stdout", None)

    assert Exit.FAILED == command("extract", "-", stdin=PAGE).status
    assert Exit.OK == command("extract", "-", "-o", tmp_path / "x", stdin=PAGE).status


def test_main_interrupted(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Control-C ends the command with the status that shells expect, without a traceback."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(extract_command, "load", interrupt)

    assert (Exit.INTERRUPTED, "", []) == command("extract", "x.html")


@pytest.mark.parametrize(
    ("present", "said"), [({}, "compiled"), (None, "not compiled: about three times slower")]
)
def test_main_of_version(
    command: Command, monkeypatch: pytest.MonkeyPatch, present: object, said: str
) -> None:
    """--version prints the version of the package, and whether there are compiled steps."""
    monkeypatch.setattr(kernels, "steps", present)
    expected = f"thresher {thresher.__version__} ({said})\n"
    assert (Exit.OK, expected, []) == command("--version")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["extract", "--favour", "recall"], "--favour; did you mean --favor?"),
        (["extract", "--favour=recall"], "--favour=recall; did you mean --favor?"),
        (["sites", "learn", "x", "-o", "y", "--all-hots"], "--all-hots; did you mean --all-hosts?"),
        (["methods", "learned", "b"], "b"),
        (["extract", "--gleanings"], "--gleanings"),
    ],
)
def test_unknown_options_name_the_one_meant(command: Command, argv: list[str], said: str) -> None:
    """An option that is spelled almost like another suggests it, below the usage of its command."""
    errors = command(*argv).errors
    assert errors[0].startswith(f"usage: thresher {argv[0]}")
    assert errors[-1].endswith(f"error: unrecognized arguments: {said}")


@pytest.mark.parametrize("argv", [["--help"], ["extract", "--help"], ["methods", "--help"]])
def test_main_of_help(command: Command, argv: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Help is plain ASCII, in lines that fit a terminal."""
    monkeypatch.setenv("COLUMNS", "80")
    ran = command(*argv)

    assert (Exit.OK, []) == (ran.status, ran.errors)
    assert ran.out.isascii()
    assert max(map(len, ran.out.splitlines())) <= 100


@pytest.mark.parametrize("argv", [[], ["winnow"], ["extract", "--unknown"], ["methods", "a", "b"]])
def test_main_of_wrong_arguments(command: Command, argv: list[str]) -> None:
    """Unknown arguments give the usage and status 2."""
    ran = command(*argv)

    assert (Exit.USAGE, "") == (ran.status, ran.out)
    assert ran.errors[0].startswith("usage: thresher")


def test_main_reads_the_process_arguments(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By default the arguments are those of the process."""
    monkeypatch.setattr(sys, "argv", ["anything", "--version"])

    assert Exit.OK == main()
    assert capsys.readouterr().out.startswith(f"thresher {thresher.__version__} (")


@pytest.mark.parametrize("argv", [["--help"], ["extract", "--help"]])
def test_help_tells_every_status(command: Command, argv: list[str]) -> None:
    """Help has the table of statuses."""
    out = command(*argv).out

    for status, says in EXITS.items():
        assert f"\n  {status:<3}  {says}\n" in out


def test_reference_tells_every_status() -> None:
    """The reference page has the same table, and every status is in it."""
    guide = read_guide()

    assert set(Exit) == set(EXITS)
    for status, says in EXITS.items():
        assert f"| {status} | {says} |" in guide


def test_guide_names_options_that_exist() -> None:
    """No option that the guide names is missing from the command, so that examples can be run."""
    options = {
        option
        for each in list_commands()
        for action in each.parser._actions
        for option in action.option_strings
    }
    named = set(re.findall(r"(?<=[ `(])(--?[a-z][\w-]*)", read_guide())) - {"-s"}  # curl's

    assert len(named) >= 20
    assert set() == named - options
