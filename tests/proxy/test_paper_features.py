"""The table of the paper's features names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

TABLE = Path(__file__).with_name("paper_features.md")
TESTS = Path(__file__).parents[1]


def test_every_feature_has_its_test() -> None:
    """Each row of the table names a test that is in the file."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| §")]
    assert 15 < len(rows)
    for row in rows:
        named = re.search(r"`([\w/]+\.py)::(\w+)` \|$", row)
        assert named, row
        assert f"def {named[2]}(" in (TESTS / named[1]).read_text(encoding="utf-8"), row
