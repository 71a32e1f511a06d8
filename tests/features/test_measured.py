"""Features of small pages: each case has a page and the columns of some features, by block."""

from __future__ import annotations

from typing import Any

import pytest

from tests.features.pages import measure
from tests.helpers.data import read_tables

CASES = read_tables(__file__)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_features_are_those_of_the_case(case: dict[str, Any]) -> None:
    """Each feature that a case names has its value for each block of the page."""
    found = measure(case["page"])
    expected = {name: column for name, column in case.items() if name != "page"}
    assert expected == {name: pytest.approx(found[name].tolist(), abs=1e-6) for name in expected}
