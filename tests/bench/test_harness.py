"""All benchmarks accept corpora, and choose pages, in the same way."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.harness import draw_pages, make_parser, named_corpora, spread_pages
from tests.helpers.corpora import write_corpus
from thresher.evaluation.corpora import CORPORA_VARIABLE


@pytest.mark.parametrize("argv", [[], ["here"]])
def test_folder_taken_from_environment_when_none_is_named(
    argv: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment variable names the corpora if the command does not."""
    monkeypatch.setenv(CORPORA_VARIABLE, "there")
    parser = make_parser("Read.\n\nAnd write.", corpora=True)
    assert "Read." == parser.description
    assert [Path("here" if argv else "there")] == parser.parse_args(argv).corpora


def test_usage_said_when_there_is_no_corpus() -> None:
    """Without a corpus the command ends, and explains how to name one."""
    with pytest.raises(SystemExit, match=CORPORA_VARIABLE):
        named_corpora([])


def test_pages_are_drawn_alike_and_spread_evenly(tmp_path: Path) -> None:
    """The same pages are drawn each time, at most all; others have equal distances."""
    pages = [str(number) for number in range(10)]
    assert draw_pages(pages, 4) == draw_pages(pages, 4)
    assert sorted(draw_pages(pages, 99)) == pages
    path = write_corpus(tmp_path, "tiny", [{"id": page, "html": page} for page in pages])
    (corpus,) = named_corpora([path])
    assert ["0", "3", "6"] == [page.id for page in spread_pages(corpus, 3)]
