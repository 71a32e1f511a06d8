"""Every month has its names, as they are looked up."""

from __future__ import annotations

from thresher.analysis.metadata.dates import MONTH_OF


def test_months_have_names_in_many_languages() -> None:
    """Each of the twelve has a score of names, in lower case as they are looked up."""
    for month in range(1, 13):
        assert len([name for name, number in MONTH_OF.items() if number == month]) >= 20
    assert all(name == name.lower() for name in MONTH_OF)
    assert (3, 10, 12) == (MONTH_OF["märz"], MONTH_OF["октября"], MONTH_OF["december"])
