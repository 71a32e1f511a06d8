"""The training command, run on a corpus of a few generated pages."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import numpy as np
import pytest

from thresher.errors import UsageError
from thresher.training import perceptrons
from thresher.training.density_lines import main, read_lines

PROSE = "The miller waits for the water to rise before he lets down the stones"
MENU = "<li><a href='/somewhere/else'>Go there</a>" * 3


def write_corpus(folder: Path, name: str, n_host: int = 8) -> Path:
    """Write a corpus of two pages per host, and one page without gold."""
    records: list[dict[str, str | None]] = [
        {
            "id": f"{host}-{n}",
            "url": f"https://host{host}.example/{n}",
            "html": f"<ul>{MENU}</ul><p>{PROSE}, said {host}.</p><p>And {n} more of it.</p>",
            "text": f"{PROSE}, said {host}.\nAnd {n} more of it.",
        }
        for host in range(n_host)
        for n in range(2)
    ]
    records.append({"id": "x", "url": None, "html": "<p>no gold", "text": None})
    path = folder / f"{name}.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
    return path


def test_lines_read_with_labels_and_folds(tmp_path: Path) -> None:
    """Lines of menus and prose have different labels; pages of one host share a fold."""
    lines = read_lines([write_corpus(tmp_path, "wcxb_dev")])
    assert 16 == lines.n_page
    assert (16 * 5, 9) == lines.features.shape
    assert [False] * 3 + [True] * 2 == lines.is_content[:5].tolist()
    assert (lines.fold.reshape(8, 10) == lines.fold[::10, None]).all()
    assert len(set(lines.fold.tolist())) > 1


def test_evaluation_corpus_is_rejected(tmp_path: Path) -> None:
    """A corpus that is reserved for evaluation must not be used for training."""
    with pytest.raises(UsageError, match=r"dragnet\.jsonl\.xz is not to train on"):
        read_lines([write_corpus(tmp_path, "dragnet")])


def test_error_when_no_page_has_gold(tmp_path: Path) -> None:
    """A corpus without gold text is an error."""
    with pytest.raises(UsageError, match="no page with gold text"):
        read_lines([write_corpus(tmp_path, "magic_html", n_host=0)])


def test_weights_and_card_written_when_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command writes arrays that load without pickle, and a card that lists its data."""
    monkeypatch.setattr(perceptrons, "N_STEP", 5)
    corpus = write_corpus(tmp_path, "wcxb_dev")
    output = tmp_path / "made" / "lines.npz"
    main([str(corpus), "-o", str(output), "--false-positive-weight", "2"])
    with np.load(output, allow_pickle=False) as weights:
        shapes = {name: weights[name].shape for name in weights.files}
        assert all(weights[name].dtype == np.float32 for name in weights.files)
    assert {"perceptron": (3, 3, 10), "hidden": (3, 3, 8, 10), "output": (3, 3, 9)} == shapes
    card = output.with_suffix(".md").read_text(encoding="utf-8")
    assert "16 pages, 80 lines with text, 40.0% of them content" in card
    assert "wcxb_dev.jsonl.xz -o lines.npz --false-positive-weight 2" in card
    assert str(tmp_path) not in card
    assert [9, 9] == [card.count(f"\n| {name} |") for name in ("perceptron", "mlp")]
