"""Weights in use: those set at startup, else those last chosen in the app."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from thresher.algorithms.learned.model import Model
from thresher.app.settings import AppSettings
from thresher.errors import UsageError
from thresher.support.files import save_text

__all__ = ["current_model", "forget_model", "params_of", "use_model"]

_CHOSEN: Final = "model.txt"
"""File in the data folder with the path of the chosen weights."""


def current_model(settings: AppSettings) -> str:
    """Return the file of the weights; empty for the shipped ones, or if the chosen file is gone."""
    if settings.model:
        return str(settings.model)
    if settings.only_api:  # what it answers does not depend on a user's folder
        return ""
    try:
        chosen = (settings.data_dir / _CHOSEN).read_text(encoding="utf-8").strip()
    except OSError:
        return ""
    return chosen if Path(chosen).is_file() else ""


def params_of(settings: AppSettings) -> dict[str, object]:
    """Return the parameters of the method learned: the weights, if any were chosen."""
    model = current_model(settings)
    return {"model": model} if model else {}


def use_model(settings: AppSettings, path: Path) -> None:
    """Choose weights; UsageError if the file is invalid or weights were set at startup."""
    if settings.model:
        raise UsageError(f"this server was started with --model {settings.model}")
    Model.load(path)
    save_text(settings.data_dir / _CHOSEN, f"{path}\n")


def forget_model(settings: AppSettings) -> None:
    """Return to the shipped weights."""
    (settings.data_dir / _CHOSEN).unlink(missing_ok=True)
