"""Conversion of a guessed language to a BCP 47 tag."""

from __future__ import annotations

import pytest

from thresher.analysis.metadata.languages import shortest_code


@pytest.mark.parametrize(("code", "expected"), [("eng", "en"), ("cmn", "zh"), ("tpi", "tpi")])
def test_shortest_code(code: str, expected: str) -> None:
    """Two letters where there are two, else the three."""
    assert expected == shortest_code(code)
