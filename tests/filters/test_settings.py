"""The settings of the filters."""

from __future__ import annotations

import pickle
from argparse import ArgumentParser
from itertools import pairwise

import pytest

from thresher.errors import UsageError
from thresher.filters import (
    GROUPS,
    NO_FILTERS,
    SETTINGS,
    Filters,
    add_filter_options,
    change_filters,
    filters_from_args,
    filters_from_form,
    filters_from_mapping,
    filters_from_table,
    parse_filters,
    write_filters,
)
from thresher.filters.deletion import STEPS
from thresher.support.settings import format_values


@pytest.mark.parametrize("filters", [Filters(), NO_FILTERS])
def test_every_way_gives_the_same(filters: Filters) -> None:
    """File, form, options and pickle all carry the whole of the settings."""
    parser = ArgumentParser()
    add_filter_options(parser)
    options = [
        (f"--{each.option}" if value else f"--no-{each.option}")
        if isinstance(value := getattr(filters, each.name), bool)
        else f"--{each.option}={each.format(value)}"
        for each in SETTINGS
    ]
    assert filters == parse_filters(write_filters(filters))
    assert filters == filters_from_form(format_values(filters))
    assert filters == filters_from_mapping(format_values(filters))
    assert filters == filters_from_args(parser.parse_args(options))
    assert filters == pickle.loads(pickle.dumps(filters))


def test_groups_are_whole() -> None:
    """Settings of a group stand together, so that each has one heading."""
    changes = sum(before.group != after.group for before, after in pairwise(SETTINGS))
    assert len(GROUPS) == 1 + changes


def test_every_filter_that_deletes_has_a_switch() -> None:
    """No filter works without a setting to turn it off; the user's rules always do."""
    assert ["rules"] == [step.setting for step in STEPS if step.is_on(NO_FILTERS)]


def test_other_tables_are_passed_over() -> None:
    """The table may stand in a file with others; without it all is as by default."""
    assert Filters(ads=False) == parse_filters("x = 1\n[filters]\nads = false\n[proxy]\ny = 2")
    assert Filters() == parse_filters("")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("filters = 3", "must be a table"),
        ("[filters]\nadds = true", 'no setting "adds"'),
        ("[filters]\npixel_size = 1000", "pixel_size must be a whole number from 0 to 100"),
        ("[filters", "Expected"),
        ("x = " + "[" * 10_000, "nested|Expected|Unclosed|Invalid"),
    ],
)
def test_file_that_is_wrong(text: str, says: str) -> None:
    """A file that is none says so, whatever is in it."""
    with pytest.raises(UsageError, match=says):
        parse_filters(text)


def test_table_and_changes() -> None:
    """A table gives defaults for what it lacks, changes leave the rest as it was."""
    filters = filters_from_table({"cell_tags": ["td"], "max_link_ratio": 1})
    assert (("td",), 1.0) == (filters.cell_tags, filters.max_link_ratio)
    assert ("td",) == change_filters(filters, {"images": "yes"}).cell_tags
