"""The settings of the filters, for all sites and for single ones, and the stages of filtering."""

from __future__ import annotations

import pickle
from argparse import ArgumentParser
from itertools import pairwise

import numpy as np
import pytest

from tests.filters.filtering import ADS, URL
from thresher.errors import UsageError
from thresher.filters import (
    GROUPS,
    NO_FILTERS,
    SETTINGS,
    Filters,
    add_filter_options,
    change_filters,
    filter_page,
    filters_from_args,
    filters_from_form,
    filters_from_mapping,
    filters_from_table,
    first_stage,
    parse_filters,
    write_filters,
)
from thresher.filters.deletion import STEPS
from thresher.filters.settings import SWITCHES, is_on, switch_filters
from thresher.page.parse import parse
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


def test_every_filter_that_deletes_has_a_switch() -> None:
    """The user's rules alone always work; settings of a group stand together, below one heading."""
    assert ["rules"] == [step.setting for step in STEPS if step.is_on(NO_FILTERS)]
    changes = sum(before.group != after.group for before, after in pairwise(SETTINGS))
    assert len(GROUPS) == 1 + changes


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
    """A table gives defaults for what it lacks, in a file beside others; changes leave the rest."""
    assert Filters(ads=False) == parse_filters("x = 1\n[filters]\nads = false\n[proxy]\ny = 2")
    assert Filters() == parse_filters("")
    filters = filters_from_table({"cell_tags": ["td"], "max_link_ratio": 1})
    assert (("td",), 1.0) == (filters.cell_tags, filters.max_link_ratio)
    assert ("td",) == change_filters(filters, {"images": "yes"}).cell_tags


@pytest.mark.parametrize("name", [each.name for each in SWITCHES])
def test_every_filter_can_be_switched(name: str) -> None:
    """Each goes off and on again, and nothing else changes."""
    off = switch_filters(Filters(), [(name, False)])
    on = switch_filters(off, [(name, True)])
    assert (False, True) == (is_on(off, name), is_on(on, name))
    before = is_on(Filters(), name)
    assert Filters() == (on if before else off)


def test_an_unknown_name_is_reported() -> None:
    """Numbers are no switches, nor typing errors; a level stays when the filter is on already."""
    for name in ("pixel_size", "adds"):
        with pytest.raises(UsageError, match=name):
            switch_filters(Filters(), [(name, False)])
    always = Filters(link_lists="always")
    assert always == switch_filters(always, [("link_lists", True)])
    assert "off" == switch_filters(always, [("link_lists", False)]).link_lists


MENU = "<nav><ul>" + "<li><a href=/a>Some section</a></li>" * 20 + "</ul></nav>"
AD = "<img src=https://ads.example/i.png>"


def test_first_stage_takes_advertisements_only() -> None:
    """Advertisements, pixels and click tracking go from a portal; its links stay."""
    pixel = "<img src=https://t.example/p?id=1 width=1 height=1>"
    link = "<a href='/story?utm_source=x'>Story</a>"
    page = parse(f"<body>{MENU}<p>A table</p>{AD}{pixel}{link}", url=URL)
    done = filter_page(page, first_stage(Filters()), ADS)
    assert 20 == done.html.count("Some section")
    assert not any(gone in done.html for gone in ("ads.example", "t.example", "utm_source"))


def test_no_filter_cuts_a_form() -> None:
    """A box for consent in a form stays, and so does a form in a list of links."""
    story = "<p>" + "The mill stood by the weir. " * 100 + "</p>"
    box = '<div class="gdpr-consent cookie-consent"><input type=checkbox>I agree to cookies</div>'
    form = f"<form><input name=q>{box}<a href=/help>Help</a><button>Go</button></form>"
    page = parse(f"<body><div>{MENU}{form}</div>{story}", url=URL)
    done = filter_page(page, Filters(), ADS, keep=page.leaf_words > 50)
    after = parse(done.html)
    assert "I agree to cookies" in after.text
    assert "Help" in after.text
    assert "Some section" not in done.html.partition("<details")[0]


def test_a_page_with_a_form_as_purpose_is_left_whole() -> None:
    """Only the advertisement goes, whatever was selected, unless link lists are always to go."""
    form = "<form><label>Name<input></label><input type=password><button>Go</button></form>"
    page = parse(f"<body>{MENU}{AD}<p>Text</p>{form}", url=URL)
    whole = filter_page(page, first_stage(Filters()), ADS).html
    assert form.count("<input") == whole.count("<input")
    none = np.zeros(page.leaves.size, np.bool_)
    assert whole == filter_page(page, Filters(), ADS, keep=none).html
    page = parse(f"<body>{MENU}<p>{'The mill stood by the weir. ' * 20}</p>{form}", url=URL)
    none = np.zeros(page.leaves.size, np.bool_)
    done = filter_page(page, Filters(link_lists="always"), keep=none)
    assert "Some section" not in done.html.partition("<details")[0]
    assert form.count("<input") == done.html.count("<input")
