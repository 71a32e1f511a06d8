"""Locations of a user's files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from thresher.support.user_folders import cache_folder, config_folder, data_folder


@pytest.mark.parametrize(
    ("find", "variable", "below_home"),
    [
        (config_folder, "XDG_CONFIG_HOME", ".config"),
        (data_folder, "XDG_DATA_HOME", ".local/share"),
        (cache_folder, "XDG_CACHE_HOME", ".cache"),
    ],
)
def test_folders_follow_the_environment(
    find: Callable[[], Path], variable: str, below_home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An absolute variable counts; an empty, relative or missing one is none."""
    monkeypatch.setenv(variable, "/somewhere")
    assert Path("/somewhere/thresher") == find()
    for named in ("", "here"):
        monkeypatch.setenv(variable, named)
        assert Path.home() / below_home / "thresher" == find()
    monkeypatch.delenv(variable)
    assert Path.home() / below_home / "thresher" == find()
