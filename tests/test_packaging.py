"""What an installation of Thresher brings with it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

PROJECT: Final = tomllib.loads(
    (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
)["project"]


def test_core_depends_on_four_packages() -> None:
    """Without extras Thresher brings numpy, the parser, HTTP and robots.txt, and no integration."""
    names = {re.split(r"[<>=!\[;]", each)[0] for each in PROJECT["dependencies"]}
    assert {"numpy", "protego", "turbohtml", "urllib3"} == names


def test_engines_bring_what_arrow_needs() -> None:
    """PySpark hands Arrow batches to Python only where pandas is installed."""
    assert any(each.startswith("pandas") for each in PROJECT["optional-dependencies"]["spark"])
