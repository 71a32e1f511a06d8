"""The command line accepts lists, and formats itself without file locations."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.errors import UsageError
from thresher.evaluation.command import choose
from thresher.evaluation.leaderboard.__main__ import build_parser, format_command


def test_choice_of_names() -> None:
    """Lists are joined without duplicates; no list selects everything, an empty one nothing."""
    assert ("rye", "oats") == choose(["rye, oats", "rye"], ["oats", "rye", "hay"], "crop")
    assert ("oats", "hay") == choose([], ["oats", "hay"], "crop")
    assert () == choose(["none"], ["oats", "hay"], "crop")
    with pytest.raises(UsageError, match='unknown crop "weed"; one of oats, hay'):
        choose(["weed"], ["oats", "hay"], "crop")


def test_command_is_formatted() -> None:
    """Options that change the numbers are included; file locations are not."""
    args = build_parser().parse_args(
        [
            *("/secret/corpora", "--peer", "jusText", "--peer", "trafilatura fast", "-j", "2"),
            *("--role", "train", "--without-title", "--pages", "9", "--folds", "/secret/folds"),
            *(
                "--variant",
                "bte tags=1",
                "--cache",
                "/secret/kept",
                "-o",
                "/secret/board.md",
                "--deadline",
                "5",
            ),
            *("--reference", "jusText", "--speed-pages", "0", "--metric", "word"),
        ]
    )
    assert (
        "python -m thresher.evaluation.leaderboard CORPUS --peer 'jusText,trafilatura fast' "
        "--metric word --role train --variant 'bte tags=1' --without-title "
        "--folds DIR --pages 9 --reference jusText --speed-pages 0 --deadline 5"
    ) == format_command(args)


def test_defaults_are_omitted() -> None:
    """The command omits options that have their default values."""
    args = build_parser().parse_args([])
    assert "python -m thresher.evaluation.leaderboard CORPUS" == format_command(args)
    assert isinstance(args.environment, Path)


@pytest.mark.parametrize(
    "wrong",
    [
        ["--pages", "0"],
        ["--pages", "x"],
        ["--jobs", "-1"],
        ["--speed-pages", "-1"],
        ["--deadline", "0"],
        ["--deadline", "inf"],
        ["--deadline", "soon"],
    ],
)
def test_numbers_out_of_range(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Numbers out of range are rejected."""
    with pytest.raises(SystemExit):
        build_parser().parse_args(wrong)
    assert "must be" in capsys.readouterr().err


def test_help_can_be_printed() -> None:
    """All help texts can be formatted."""
    assert "--environment" in build_parser().format_help()
