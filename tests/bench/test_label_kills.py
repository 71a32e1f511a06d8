"""The benchmark that kills the app counts labels correctly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench.label_kills import count_kept, main, mark
from thresher.labelling.model import Label, NewPage
from thresher.labelling.store import LabelStore


def test_only_labels_as_they_were_sent_count(tmp_path: Path) -> None:
    """A label that is missing, or keeps other blocks, is not counted."""
    store = LabelStore(tmp_path / "labels.sqlite")
    store.add(NewPage(f"{page}.html", f"<p>{page}") for page in (1, 2, 3))
    for page, marked in ((1, mark(1)), (2, mark(1))):
        keep = np.isin(np.arange(12), marked)
        store.save(Label(page, "bench", keep, "Rye."))
    assert mark(1) != mark(2)
    assert 1 == count_kept(store, [1, 2, 3])


@pytest.mark.slow
def test_no_label_is_lost_when_the_app_is_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is sent while the app is killed is stored once it is back."""
    pytest.importorskip("uvicorn", reason="the extra app is not installed")
    assert 0 == main(["--labels", "20", "--kills", "2", "-o", str(tmp_path / "said")])
    assert "20 of 20 labels kept through 2 kills" in capsys.readouterr().out
