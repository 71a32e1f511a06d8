"""The benchmark that kills the app counts saved pages correctly."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.saved_kills import count_kept, main, tags_for, write_page
from thresher.app.engine import PageSource
from thresher.app.saved import SavedList
from thresher.app.saved_changes import set_tags


def test_only_pages_with_their_tags_count(tmp_path: Path) -> None:
    """A page that is missing, is another, or has other tags is not counted."""
    saved = SavedList(tmp_path / "saved.sqlite")
    for page, body, tagged in ((1, 1, 1), (2, 2, 1), (3, 1000, 3)):
        number = saved.save(PageSource(write_page(body)), f"Sheaf {page}", "Rye.")
        set_tags(saved, number, tags_for(tagged), was=())
    assert 1 == count_kept(saved, [1, 2, 3, 4])


@pytest.mark.slow
def test_no_page_is_lost_when_the_app_is_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is sent while the app is killed is in the list, with its tags, once it is back."""
    pytest.importorskip("uvicorn", reason="the extra app is not installed")
    assert 0 == main(["--pages", "20", "--kills", "2", "-o", str(tmp_path / "said")])
    assert "20 of 20 pages kept with their tags through 2 kills" in capsys.readouterr().out
