"""Choice of weights."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from thresher.algorithms.learned import SHIPPED_MODEL
from thresher.app.context import current_model, forget_model, params_of, use_model
from thresher.app.settings import AppSettings
from thresher.errors import UsageError


def make_settings(folder: Path, model: Path | None = None) -> AppSettings:
    return AppSettings(data_dir=folder, rules_path=folder / "rules.toml", model=model)


def test_weights_chosen_and_forgotten(tmp_path: Path) -> None:
    """Chosen weights are used until they are reset or the file is gone."""
    settings = make_settings(tmp_path)
    assert ("", {}) == (current_model(settings), params_of(settings))
    mine = tmp_path / "mine.npz"
    shutil.copy(SHIPPED_MODEL, mine)
    use_model(settings, mine)
    assert str(mine) == current_model(settings)
    assert {"model": str(mine)} == params_of(settings)
    mine.unlink()
    assert "" == current_model(settings)
    forget_model(settings)
    forget_model(settings)
    assert "" == current_model(settings)


def test_weights_named_at_the_start(tmp_path: Path) -> None:
    """Weights set at startup cannot be changed."""
    settings = make_settings(tmp_path, SHIPPED_MODEL)
    assert str(SHIPPED_MODEL) == current_model(settings)
    with pytest.raises(UsageError, match="started with --model"):
        use_model(settings, SHIPPED_MODEL)


def test_file_without_weights(tmp_path: Path) -> None:
    """An invalid file is rejected."""
    (tmp_path / "x.npz").write_bytes(b"nothing")
    with pytest.raises(UsageError, match="holds no model"):
        use_model(make_settings(tmp_path), tmp_path / "x.npz")
    assert "" == current_model(make_settings(tmp_path))
