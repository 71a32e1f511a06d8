"""The notebooks of examples/ show what their code prints today."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

NEEDS_SPARK = {"crawl_with_spark"}
NOTEBOOKS = Path(__file__).parents[1] / "examples" / "notebooks"


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support:FutureWarning")
@pytest.mark.parametrize("notebook", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook_prints_what_it_shows(
    notebook: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every cell runs, and prints the text that is stored as its output."""
    if notebook.stem in NEEDS_SPARK:
        pytest.importorskip("pyspark", reason="Spark is not installed")
        if not shutil.which("java"):
            pytest.skip("Spark needs Java")
    display: Any = ModuleType("IPython.display")
    display.SVG = str
    monkeypatch.setitem(sys.modules, "IPython", ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.chdir(notebook.parent)
    names: dict[str, Any] = {}
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        exec("".join(cell["source"]), names)
        shown = [line for output in cell["outputs"] for line in output.get("text", ())]
        assert "".join(shown) == capsys.readouterr().out
