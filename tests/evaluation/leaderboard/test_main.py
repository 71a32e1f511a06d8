"""The whole command, with fake peers: tables, files and errors."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.conftest import FAKE_VERSION, times_asked
from tests.evaluation.leaderboard.test_board import table_after
from thresher.algorithms import ALGORITHMS
from thresher.errors import UsageError
from thresher.evaluation.command import choose
from thresher.evaluation.corpora import CORPORA_VARIABLE
from thresher.evaluation.leaderboard.__main__ import (
    build_parser,
    format_call,
    format_command,
    main,
    read_contenders,
)

METHODS = "keep_all,prune_shake_purify"
GRAIN = "It was a good year for rye, and a better one for oats, all along the river."


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
            *("--variant", "bte tags=1", "--cache", "/secret/kept", "-o", "/secret/board.md"),
            *("--deadline", "5"),
            *("--reference", "jusText", "--speed-pages", "0", "--metric", "word"),
        ]
    )
    assert (
        "python -m thresher.evaluation.leaderboard CORPUS --peer 'jusText,trafilatura fast' "
        "--metric word --role train --variant 'bte tags=1' --without-title "
        "--folds DIR --pages 9 --reference jusText --speed-pages 0 --deadline 5"
    ) == format_command(args)


def test_defaults_are_omitted() -> None:
    """The command omits options that have their default values; all help can be formatted."""
    args = build_parser().parse_args([])
    assert "python -m thresher.evaluation.leaderboard CORPUS" == format_command(args)
    assert isinstance(args.environment, Path)
    assert "--environment" in build_parser().format_help()


@pytest.mark.parametrize(
    "wrong",
    """--pages=0 --pages=x --jobs=-1 --speed-pages=-1
    --deadline=0 --deadline=nan --deadline=inf --deadline=soon""".split(),
)
def test_numbers_out_of_range(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Numbers out of range are rejected."""
    with pytest.raises(SystemExit):
        build_parser().parse_args([wrong])
    assert "must be" in capsys.readouterr().err


def test_methods_have_their_defaults() -> None:
    """A method without settings runs with the defaults of `extract`."""
    (bte,) = read_contenders(["bte"], [])
    assert ("bte", "bte", ALGORITHMS["bte"].build_params()) == (bte.name, bte.method, bte.params)
    assert "extract(html, method='bte').text" == format_call(bte)


def test_variants_have_their_own_settings() -> None:
    """A variant is listed beside its method, under the text that was given."""
    spelling = " prune_shake_purify  poison_words=weed,chaff link_weight=2"
    plain, variant = read_contenders(["prune_shake_purify"], [spelling])
    assert plain.params != variant.params
    params: Any = variant.params
    assert (("weed", "chaff"), 2) == (params.poison_words, params.link_weight)
    assert "prune_shake_purify poison_words=weed,chaff link_weight=2" == variant.name
    assert (
        "extract(html, method='prune_shake_purify', "
        "params={'poison_words': 'weed,chaff', 'link_weight': '2'}).text"
    ) == format_call(variant)


@pytest.mark.parametrize(
    ("variant", "message"),
    [
        ("", "a variant is METHOD"),
        ("bte", "a variant is METHOD"),
        ("bte tags", "a variant is METHOD"),
        ("guess a=1", 'unknown method "guess"'),
        ("keep_all a=1", 'no parameter "a"'),
    ],
)
def test_invalid_variant(variant: str, message: str) -> None:
    """An invalid variant is rejected."""
    with pytest.raises(UsageError, match=message):
        read_contenders([], [variant])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two labelled pages."""
    monkeypatch.delenv(CORPORA_VARIABLE, raising=False)
    pages = tmp_path / "grain"
    pages.mkdir()
    for name, html in {"plain": f"<p>{GRAIN}</p>", "odd": f"<p>raise</p> <p>{GRAIN}</p>"}.items():
        (pages / f"{name}.html").write_text(html)
        (pages / f"{name}.txt").write_text(GRAIN)
    return pages


@pytest.fixture
def options(folder: Path, environments: Path, tmp_path: Path) -> list[str]:
    """The options common to all runs here."""
    return [
        *(str(folder), "--environment", str(environments), "--no-install", "--metric", "word"),
        *("--method", METHODS, "--reference", "keep_all"),
        *("--cache", str(tmp_path / "kept"), "--speed-pages", "1"),
    ]


def test_board_written(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Peers and methods are in one table; peers that are missing or do not start are reported."""
    board, data = tmp_path / "new" / "board.md", tmp_path / "new" / "board.json"
    peers = ["--peer", "trafilatura,readability-lxml,resiliparse,goose3"]
    peers += ["--variant", "prune_shake_purify link_weight=9"]
    assert 0 == main([*options, *peers, "-o", str(board), "--json", str(data)])
    text = board.read_text(encoding="utf-8")
    rows = {row[0]: row[1:] for row in table_after(text, "Words by corpus")}
    assert {
        *("", "trafilatura", "readability-lxml", "*keep_all*", "*prune_shake_purify*"),
        "*prune_shake_purify link_weight=9*",
    } == set(rows)
    # It fails on one of two pages; the other page consists of its label.
    assert ["50.0 ± 50.0"] == rows["trafilatura"]
    took_part = {row[0]: row[1:] for row in table_after(text, "Who took part")}
    assert [FAKE_VERSION, "1"] == [took_part["trafilatura"][0], took_part["trafilatura"][-1]]
    assert "not installed" == took_part["goose3"][-1]
    assert "cannot be started" in took_part["resiliparse"][-1]
    assert {row[0] for row in table_after(text, "Speed")} >= {"readability-lxml", "*keep_all*"}
    assert "difference to" not in text  # the default does not take part
    whole = json.loads(data.read_text(encoding="utf-8"))
    assert 2 * 5 == len(whole["results"])
    assert "leaderboard: goose3: not installed" in capsys.readouterr().err


def test_second_run_calls_no_peer(options: list[str], environments: Path, tmp_path: Path) -> None:
    """With the same file of outputs, a run without times does not call the peers."""
    run = [*options, "--peer", "trafilatura", "--speed-pages", "0", "-o", str(tmp_path / "x.md")]
    assert 0 == main(run)
    before = times_asked(environments)
    assert 0 == main(run)
    assert before == times_asked(environments)


def test_board_on_standard_output(
    options: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a file the board is printed; the environment variable may name the corpora."""
    monkeypatch.setenv(CORPORA_VARIABLE, options[0])
    assert 0 == main([*options[1:], "--peer", "none", "--note", "Rye is not oats."])
    text = capsys.readouterr().out
    assert text.endswith("- Rye is not oats.\n")
    assert text.startswith("# Leaderboard of grain\n")
    assert "Peers ran" not in text


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (["--peer", "guess"], 'unknown peer "guess"; one of trafilatura'),
        (["--method", "guess"], 'unknown method "guess"'),
        (["--metric", "guess"], 'unknown metric "guess"'),
        (["--reference", "bte"], '"bte" does not take part'),
        (["--role", "train,measure"], "no corpus has the role measure or train"),
        (["--folds", "absent"], "absent holds no fold-"),
    ],
)
def test_incorrect_usage_is_reported(
    options: list[str], wrong: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Incorrect usage is reported with status 2, before any peer is called."""
    assert 2 == main([*options, "--peer", "trafilatura", *wrong])
    assert message in capsys.readouterr().err


def test_board_needs_a_corpus_and_a_participant(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A corpus that does not exist, and a board without any participant, are incorrect usage."""
    assert 2 == main(["absent", *options, "--peer", "none"])
    assert "absent is neither" in capsys.readouterr().err
    start = [option for option in options if option not in {"--method", METHODS}]
    assert 2 == main([*start, "--method", "none", "--peer", "goose3", "--reference", "goose3"])
    assert "no peer or method takes part" in capsys.readouterr().err


def test_reference_that_is_not_installed(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the reference there are scores, but no times, and the board states that."""
    peers = ["--peer", "trafilatura,goose3", "--reference", "goose3"]
    assert 0 == main([*options, *peers, "-o", str(tmp_path / "board.md")])
    assert "no times: goose3" in capsys.readouterr().err
    text = (tmp_path / "board.md").read_text(encoding="utf-8")
    assert "Words by corpus" in text
    assert "## Speed" not in text


def test_files_that_cannot_be_used(
    options: list[str], folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An output that is a folder, and a corpus that cannot be read, give an error of one line."""
    assert 1 == main([*options, "--peer", "none", "-o", str(folder)])
    assert 1 == len([x for x in capsys.readouterr().err.splitlines() if "Errno" in x])
    broken = tmp_path / "broken.jsonl.xz"
    broken.write_bytes(b"no xz")
    shutil.rmtree(options[0])
    assert 1 == main([str(broken), *options[1:], "--peer", "none"])
    assert "broken.jsonl.xz" in capsys.readouterr().err
