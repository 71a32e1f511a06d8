"""Folders for a user's files (XDG Base Directory Specification)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

__all__ = ["RULES_VARIABLE", "cache_folder", "config_folder", "data_folder"]

RULES_VARIABLE: Final = "THRESHER_RULES"
"""Environment variable with the path of the user's rules, instead of the default."""


def config_folder() -> Path:
    """Return the folder of the user's settings."""
    return _find("XDG_CONFIG_HOME", ".config")


def data_folder() -> Path:
    """Return the folder of files that the user created."""
    return _find("XDG_DATA_HOME", ".local/share")


def cache_folder() -> Path:
    """Return the folder of files that can be downloaded or computed again."""
    return _find("XDG_CACHE_HOME", ".cache")


def _find(variable: str, below_home: str) -> Path:
    # The specification ignores empty and relative paths.
    named = Path(os.environ.get(variable, ""))
    return (named if named.is_absolute() else Path.home() / below_home) / "thresher"
