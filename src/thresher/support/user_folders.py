"""Where a user's files are (XDG Base Directory Specification)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

__all__ = ["RULES_VARIABLE", "cache_folder", "config_folder", "data_folder"]

RULES_VARIABLE: Final = "THRESHER_RULES"
"""Environment variable that names the file of the user's rules, in place of the one here."""


def config_folder() -> Path:
    """Return the folder of what the user has chosen."""
    return _find("XDG_CONFIG_HOME", ".config")


def data_folder() -> Path:
    """Return the folder of what the user has made."""
    return _find("XDG_DATA_HOME", ".local/share")


def cache_folder() -> Path:
    """Return the folder of what can be had again."""
    return _find("XDG_CACHE_HOME", ".cache")


def _find(variable: str, below_home: str) -> Path:
    # An empty or relative variable is to be taken for none.
    named = Path(os.environ.get(variable, ""))
    return (named if named.is_absolute() else Path.home() / below_home) / "thresher"
