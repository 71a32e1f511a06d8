"""The benchmark of the filters: it measures what it says."""

from __future__ import annotations

from bench.filters import FILTERS, measure_list, measure_page

PAGE = "<title>Rye</title><table><tr><td><a href=/a>Home</a><td>Rye is sown in autumn.</table>" * 20


def test_every_setting_is_measured() -> None:
    """Parsing, and the filters off, as they are, and on."""
    seconds = measure_page(PAGE, 2)
    assert ["parse", *FILTERS] == list(seconds)
    assert all(each > 0 for each in seconds.values())


def test_a_list_is_parsed_and_looked_up() -> None:
    """Both take time."""
    assert all(seconds > 0 for seconds in measure_list(2, 1000))
