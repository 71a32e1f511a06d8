"""Which weights the app works with: those named when it was started, else those last chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from thresher.algorithms.learned.model import Model
from thresher.app.settings import AppSettings
from thresher.errors import UsageError
from thresher.support.atomic import save_text

__all__ = ["current_model", "forget_model", "params_of", "use_model"]

_CHOSEN: Final = "model.txt"
"""File in the data folder with the path of the weights that were chosen."""


def current_model(settings: AppSettings) -> str:
    """Return the file of the weights; empty for those shipped, as when the chosen one is gone."""
    if settings.model:
        return str(settings.model)
    try:
        chosen = (settings.data_dir / _CHOSEN).read_text(encoding="utf-8").strip()
    except OSError:
        return ""
    return chosen if Path(chosen).is_file() else ""


def params_of(settings: AppSettings) -> dict[str, object]:
    """Return the parameters of the method learned, with the weights if there are any."""
    model = current_model(settings)
    return {"model": model} if model else {}


def use_model(settings: AppSettings, path: Path) -> None:
    """Choose weights; UsageError where the file holds none, or others were named at the start."""
    if settings.model:
        raise UsageError(f"this server was started with --model {settings.model}")
    Model.load(path)
    save_text(settings.data_dir / _CHOSEN, f"{path}\n")


def forget_model(settings: AppSettings) -> None:
    """Go back to the weights that are shipped."""
    (settings.data_dir / _CHOSEN).unlink(missing_ok=True)
