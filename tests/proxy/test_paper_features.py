"""The table of the paper's features names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_feature_has_its_test() -> None:
    """Each row of the table in docs/proxy.md names a test that is in the file."""
    text = (ROOT / "docs/proxy.md").read_text(encoding="utf-8")
    table = text.partition("## The paper's features")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| §")]
    assert 15 < len(rows)
    for row in rows:
        named = re.search(r"`([\w/]+\.py)::(\w+)` \|$", row)
        assert named, row
        assert f"def {named[2]}(" in (ROOT / "tests" / named[1]).read_text(encoding="utf-8"), row
