"""The command as a whole: help, statuses, streams, and an installation without any extra."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import thresher
from tests.cli.conftest import Command
from tests.helpers.data import read_data
from thresher.cli import extract as extract_command
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


def test_command_in_ascii_locale() -> None:
    """As a process, the command reads standard input; output is UTF-8 where the locale is ASCII."""
    settings = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    with start("extract", "-m", "keep_all", **settings) as process:
        out, err = process.communicate(PAGE)
    assert (0, LINE, b"") == (process.returncode, out, err)


@pytest.mark.parametrize(
    ("argv", "page"), [(["extract", "-m", "keep_all"], PAGE), (["--help"], None)]
)
def test_command_whose_reader_leaves(argv: list[str], page: bytes | None) -> None:
    """If the reader of output or help stops, as `head` does, the command ends silently with 0."""
    with start(*argv, PYTHONUNBUFFERED="") as process:
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(page)
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


@pytest.mark.parametrize(
    "argv", [["--help"], *([name, "--help"] for name in ("extract", "methods", "eval"))]
)
def test_main_of_help(command: Command, argv: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Help is plain ASCII, in lines that fit a terminal; the page and extract tell the statuses."""
    monkeypatch.setenv("COLUMNS", "80")
    ran = command(*argv)
    assert (Exit.OK, []) == (ran.status, ran.errors)
    assert ran.out.isascii()
    assert max(map(len, ran.out.splitlines())) <= 100
    if argv[0] in ("--help", "extract"):
        assert [] == [x for x in EXITS.items() if f"\n  {x[0]:<3}  {x[1]}\n" not in ran.out]


@pytest.mark.parametrize(
    "argv", [[], ["winnow"], ["extract", "--unknown"], ["methods", "a", "b"], ["methods", "guess"]]
)
def test_main_of_wrong_arguments(command: Command, argv: list[str]) -> None:
    """Unknown arguments give the usage and status 2."""
    ran = command(*argv)
    assert (Exit.USAGE, "") == (ran.status, ran.out)
    assert ran.errors[0].startswith("usage: thresher")


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


EXTRAS = (
    "anyio fastwarc jinja2 mcp mcp_types mitmproxy playwright pyarrow"
    " python_multipart rensa rich starlette torch uvicorn zstandard"
)
"""Packages that only extras bring; of each extra those that are imported first."""
COMMANDS = {
    name: argv.split()
    for name, argv in {
        "app": "app",
        "app to label": "app --label page.html",
        "serve": "serve",
        "proxy": "proxy",
        "mcp": "mcp",
        "batch": "batch page.html -o out",
        "batch of WARC": "batch crawl.warc -o out --format jsonl",
        "batch into zstd": "batch page.html -o out --format jsonl.zst",
        "batch without duplicates": "batch page.html -o one --format jsonl --dedupe",
        "train": "train corpus -o mill.npz",
        "render": "extract --render https://site.example/",
    }.items()
}
SCRIPT = read_data("without-extras.py.txt")
"""Runs commands without packages, both from its arguments; prints status and errors of each."""


def test_each_command_names_the_extra_that_it_needs(tmp_path: Path) -> None:
    """In one line, as the last one, with what to install; never a traceback, and no output."""
    (tmp_path / "page.html").write_text("<p>Rye is sown in autumn.")
    (tmp_path / "crawl.warc").write_bytes(b"WARC/1.0\r\n")
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/rye.html").write_text("<p>Rye.")
    (tmp_path / "corpus/rye.txt").write_text("Rye.")
    servers = {"app": ["app"], "serve": ["serve"]}
    cases = {EXTRAS: COMMANDS} | dict.fromkeys(("click", "h11", "markupsafe"), servers)
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(cases)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    for missing, name, status, lines in json.loads(ran.stdout):
        assert 2 == status, (missing, name)
        assert "needs an extra: pip install 'thresher[" in lines[-1], (missing, name)
        assert not [line for line in lines if "Traceback" in line], (missing, name)
    assert not list(tmp_path.glob("*/part-*"))
    assert not (tmp_path / "mill.npz").exists()
