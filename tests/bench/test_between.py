"""The benchmark of what stands between kept blocks, on a page made up for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import between
from tests.helpers.corpora import write_corpus
from thresher.algorithms.learned import SHIPPED_MODEL

PARAGRAPH = "The old mill by the river grinds the rye of nine villages, as it has for years. " * 4
HTML = f"<title>Rye</title><main><p>{PARAGRAPH}</p><ul><li>Rye</ul><p>{PARAGRAPH}</p></main>"


def test_rule_is_measured_by_weights_of_folds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command prints the pages of each corpus and of all, and how the rule changed them."""
    row = {"id": "1", "html": HTML, "text": f"{PARAGRAPH}\nRye\n{PARAGRAPH}"}
    write_corpus(tmp_path, "news", [row])
    for fold in range(2):
        (tmp_path / f"fold-{fold}.npz").write_bytes(SHIPPED_MODEL.read_bytes())
    assert 0 == between.main(["--folds", str(tmp_path), str(tmp_path)])
    *_, last = capsys.readouterr().out.splitlines()
    name, n_page, better, worse, *_ = last.split()
    assert ("all", 1) == (name, int(n_page))
    assert int(better) + int(worse) <= 1
