"""Tags of saved pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.app.engine import PageSource
from thresher.app.saved import SAVED_FILE, SavedList
from thresher.app.saved_changes import TagConflictError, list_tags, parse_tags, set_tags
from thresher.errors import UsageError


def test_tags_of_another_tab_are_not_overwritten(tmp_path: Path) -> None:
    """Who did not see the tags that are stored is told; the same tags twice are no conflict."""
    saved = SavedList(tmp_path / SAVED_FILE)
    number = saved.save(PageSource("<p>Oats."), "Oats", "Oats.")
    set_tags(saved, number, ["grain", "March"], was=())
    set_tags(saved, number, ["grain", "March"], was=())
    with pytest.raises(TagConflictError) as caught:
        set_tags(saved, number, ["mine"], was=())
    assert ("grain", "March") == caught.value.stored
    assert {"grain": 1, "March": 1} == list_tags(saved)


def test_tags_are_read_from_a_line() -> None:
    """Each tag once; too many or too long ones are refused."""
    assert ("Farming", "to cite") == parse_tags(" Farming, to  cite,, farming ")
    with pytest.raises(UsageError, match="20 tags, these are 21"):
        parse_tags(",".join(map(str, range(21))))
    with pytest.raises(UsageError, match="50 characters"):
        parse_tags("x" * 51)
