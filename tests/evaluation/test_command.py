"""Parts that the evaluation's commands share: status, output and options."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

import pytest

from thresher.errors import FetchError, UsageError
from thresher.evaluation.command import (
    add_corpora,
    add_output,
    add_peers,
    add_running,
    make_say,
    run_command,
    write_text,
)


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (None, 0, ""),
        (UsageError("no such peer"), 2, "board: no such peer\n"),
        (FetchError("gone", url="https://a.example/"), 1, "board: gone\n"),
        (OSError("disk"), 1, "board: disk\n"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_status_distinguishes_errors(
    error: BaseException | None, status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2 is incorrect usage, 1 a failure, 130 an interruption; errors give their reason."""

    def run(args: Namespace) -> None:
        if error:
            raise error

    assert status == run_command(make_say("board"), Namespace, run)
    assert said == capsys.readouterr().err


@pytest.mark.parametrize(("argv", "status"), [(["--help"], 0), (["--none"], 2)])
def test_status_is_that_of_the_parser_when_it_ends(argv: list[str], status: int) -> None:
    """Help is a success, an unknown option incorrect usage."""
    parser = ArgumentParser()
    assert status == run_command(make_say("board"), lambda: parser.parse_args(argv), print)


def test_text_goes_to_a_file_in_a_new_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Output goes to the given file, whose folder is created, or to standard output."""
    write_text("rye\n", tmp_path / "new" / "board.md")
    write_text("oats\n", None)
    assert "rye\n" == (tmp_path / "new" / "board.md").read_text(encoding="utf-8")
    assert "oats\n" == capsys.readouterr().out


def test_options_are_the_same_for_all() -> None:
    """Peers may be given in either form; the options for running them have defaults."""
    parser = ArgumentParser()
    add_corpora(parser)
    add_peers(parser, ("mill", "barn"))
    add_running(parser, kept="it is kept")
    add_output(parser)
    args = parser.parse_args(["a", "--peer", "mill", "--peers", "barn", "-o", "board.md"])
    assert (["a"], ["mill", "barn"], Path("board.md")) == (args.corpora, args.peer, args.output)
    assert (True, None, 30.0) == (args.install, args.cache, args.deadline)


@pytest.mark.parametrize("seconds", ["0", "-1", "inf", "nan", "soon"])
def test_deadline_is_a_time(seconds: str) -> None:
    """The deadline must be a number of seconds above 0."""
    parser = ArgumentParser()
    add_running(parser, kept="it is kept")
    with pytest.raises(SystemExit):
        parser.parse_args(["--deadline", seconds])
