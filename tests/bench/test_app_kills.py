"""The benchmarks that kill the app count labels and saved pages correctly."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from bench import label_kills, saved_kills
from bench.label_kills import mark
from bench.saved_kills import tags_for, write_page
from thresher.app.engine import PageSource
from thresher.app.saved import SavedList
from thresher.app.saved_changes import set_tags
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
    assert 1 == label_kills.count_kept(store, [1, 2, 3])


def test_only_pages_with_their_tags_count(tmp_path: Path) -> None:
    """A page that is missing, is another, or has other tags is not counted."""
    saved = SavedList(tmp_path / "saved.sqlite")
    for page, body, tagged in ((1, 1, 1), (2, 2, 1), (3, 1000, 3)):
        number = saved.save(PageSource(write_page(body)), f"Sheaf {page}", "Rye.")
        set_tags(saved, number, tags_for(tagged), was=())
    assert 1 == saved_kills.count_kept(saved, [1, 2, 3, 4])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "what", "kept"),
    [(label_kills, "labels", "labels kept"), (saved_kills, "pages", "pages kept with their tags")],
)
def test_nothing_is_lost_when_the_app_is_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], module: ModuleType, what: str, kept: str
) -> None:
    """What is sent while the app is killed is stored, with its tags, once it is back."""
    pytest.importorskip("uvicorn", reason="the extra app is not installed")
    output = tmp_path / "said"
    assert 0 == module.main([f"--{what}", "20", "--kills", "2", "-o", str(output)])
    said = capsys.readouterr().out
    assert f"20 of 20 {kept} through 2 kills" in said
    assert said == output.read_text(encoding="utf-8")
