"""The example page of the repository, for tests of what is around extraction."""

from __future__ import annotations

from pathlib import Path
from typing import Final

HARBOUR_FILE: Final = Path(__file__).parents[2] / "examples" / "harbour.html"
HARBOUR: Final = HARBOUR_FILE.read_text(encoding="utf-8")
NO_PAGE: Final = "%PDF-1.7 of another kind"
"""Text that Thresher refuses."""
