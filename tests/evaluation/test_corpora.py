"""Corpora are found and read, and commands report their errors."""

from __future__ import annotations

import gzip
import json
import lzma
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.corpora import write_corpus
from thresher.errors import FetchError, InputError, UsageError
from thresher.evaluation.command import (
    add_corpora,
    add_output,
    add_peers,
    add_running,
    make_say,
    run_command,
    write_text,
)
from thresher.evaluation.corpora import (
    CORPORA_VARIABLE,
    Corpus,
    LabelledPage,
    find_corpora,
)

FULL = {
    "id": "a",
    "url": "https://a.example/",
    "html": "<p>rye",
    "text": "rye",
    "title": "Rye",
    "date": 2024.5,
    "page_type": "article",
    "unheard_of": 1,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two packed corpora with a manifest."""
    write_corpus(tmp_path, "news", [FULL, {"html": "<p>oats", "text": None}])
    write_corpus(tmp_path, "blogs", [])
    (tmp_path / "MANIFEST.tsv").write_text("corpus\trole\nnews\ttrain\nblogs\tmeasure\n")
    return tmp_path


def test_pages_of_packed_corpus(folder: Path) -> None:
    """Fields are read back as written; missing fields and those of another type are None."""
    (news,) = find_corpora([folder / "news.jsonl.xz"])
    full = LabelledPage(
        corpus="news",
        id="a",
        html="<p>rye",
        url="https://a.example/",
        text="rye",
        title="Rye",
        page_type="article",
    )
    assert [full, LabelledPage("news", "2", "<p>oats")] == list(news.pages())


def test_corpora_of_a_folder(folder: Path) -> None:
    """A folder gives its packed corpora by name, each with its role, which must exist."""
    assert [("blogs", "measure"), ("news", "train")] == [
        (corpus.name, corpus.role) for corpus in find_corpora([folder])
    ]
    assert ["news"] == [corpus.name for corpus in find_corpora([folder], role="train")]
    with pytest.raises(UsageError, match='role "test"'):
        find_corpora([folder], role="test")


def test_pages_of_a_folder_of_pages(tmp_path: Path) -> None:
    """Pages are next to their texts; a page without a text has no label; bytes are decoded."""
    (tmp_path / "b.html").write_bytes("<meta charset=latin1><p>Körner".encode("latin-1"))
    (tmp_path / "b.txt").write_text("Körner", encoding="utf-8")
    (tmp_path / "a.html").write_text("<p>rye")
    (corpus,) = find_corpora([tmp_path])
    a, b = corpus.pages()
    assert (tmp_path.name, "a", None) == (a.corpus, a.id, a.text)
    assert ("b", "Körner", True) == (b.id, b.text, b.html.endswith("<p>Körner"))
    assert corpus.digest() is None


def test_digest_distinguishes_corpora(folder: Path) -> None:
    """The digest is that of the packed file, so that it changes with the pages."""
    digests = {corpus.digest() for corpus in find_corpora([folder])}
    assert 2 == len(digests)
    assert {64} == {len(digest or "") for digest in digests}


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["absent.jsonl.xz"], "neither a"),
        (["MANIFEST.tsv"], "neither a"),
        (["empty"], "holds neither"),
        ([".", "news.jsonl.xz"], "same name"),
    ],
)
def test_corpora_not_found(folder: Path, names: list[str], message: str) -> None:
    """A path that is not a corpus is incorrect usage, and the message explains corpora."""
    (folder / "empty").mkdir()
    with pytest.raises(UsageError, match=message):
        find_corpora([folder / name for name in names])


@pytest.mark.parametrize(("suffix", "opener"), [("", open), (".gz", gzip.open), (".xz", lzma.open)])
def test_corpora_are_read_plain_and_compressed(
    folder: Path, suffix: str, opener: Callable[..., Any]
) -> None:
    """A file is read by its suffix, by itself and in a folder; damage is reported as such."""
    file = folder / f"grain.jsonl{suffix}"
    with opener(file, "wt", encoding="utf-8") as out:
        out.write(json.dumps(FULL) + "\n")
    assert {"blogs", "grain", "news"} == {corpus.name for corpus in find_corpora([folder])}
    (grain,) = find_corpora([file])
    assert ["a"] == [page.id for page in grain.pages()]
    for broken in (b"no such format", file.read_bytes()[:-9]):
        file.write_bytes(broken)
        with pytest.raises(InputError, match=r"grain\.jsonl.*: broken after line"):
            list(grain.pages())


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"html": 1}', "[" * 200_000])
def test_pages_of_broken_line(tmp_path: Path, line: str) -> None:
    """A malformed line is reported with file and position, after the pages before it."""
    pages = Corpus("x", write_corpus(tmp_path, "x", [FULL, line])).pages()
    assert "a" == next(pages).id
    with pytest.raises(InputError, match=r"x\.jsonl\.xz: .*line [12]"):
        next(pages)


def test_pages_of_unreadable_file(tmp_path: Path) -> None:
    """A file that cannot be read is reported with the system's reason."""
    with pytest.raises(InputError, match="No such file"):
        list(Corpus("x", tmp_path / "x.jsonl.xz").pages())


def test_corpora_named_or_taken_from_the_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given paths have priority over the environment variable, which may be empty."""
    monkeypatch.setenv(CORPORA_VARIABLE, str(folder / "blogs.jsonl.xz"))
    assert ["news"] == [each.name for each in find_corpora([str(folder / "news.jsonl.xz")])]
    assert ["blogs"] == [each.name for each in find_corpora([])]
    monkeypatch.setenv(CORPORA_VARIABLE, "")
    with pytest.raises(UsageError, match=CORPORA_VARIABLE):
        find_corpora([])


@pytest.mark.parametrize(("count", "expected"), [(None, ["a", "c", "d"]), (2, ["a", "c"])])
def test_labelled_pages_counted(tmp_path: Path, count: int | None, expected: list[str]) -> None:
    """A limit counts labelled pages only."""
    for name in "abcd":
        (tmp_path / f"{name}.html").write_text("<p>rye")
        if name != "b":
            (tmp_path / f"{name}.txt").write_text("")
    assert expected == [page.id for page in Corpus("own", tmp_path).labelled(count)]


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

    assert status == run_command(make_say("board"), ArgumentParser(), [], run)
    assert said == capsys.readouterr().err


@pytest.mark.parametrize(("argv", "status"), [(["--help"], 0), (["--none"], 2)])
def test_status_is_that_of_the_parser_when_it_ends(argv: list[str], status: int) -> None:
    """Help is a success, an unknown option incorrect usage."""
    assert status == run_command(make_say("board"), ArgumentParser(), argv, print)


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
