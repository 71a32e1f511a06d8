"""Forms generated from declared settings."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from thresher.errors import UsageError
from thresher.filters.settings import SETTINGS, Filters
from thresher.proxy.pages.fields import make_form, read_form

CHANGED = Filters(images=True, ad_rules=("a.example", "@@b.example"), max_link_ratio=0.5, ads=False)


def test_what_is_shown_is_what_is_read() -> None:
    """A form submitted unchanged yields the same settings."""
    form = make_form(SETTINGS, CHANGED)
    fields = [each for group in form.groups for each in group.fields]
    sent = {
        each.setting.name: each.value
        for each in fields
        if each.setting.kind != "switch" or each.is_on
    }
    assert asdict(CHANGED) == read_form(SETTINGS, sent).values
    assert {each.name for each in SETTINGS} == {each.setting.name for each in fields}
    changed = {each.setting.name for each in fields if not each.is_default}
    assert {"images", "ad_rules", "max_link_ratio", "ads"} == changed


def test_all_errors_at_once() -> None:
    """All errors are reported at their fields, and valid values are read."""
    form = read_form(SETTINGS, {"max_link_ratio": "lots", "pixel_size": "900", "images": "on"})
    wrong = {
        each.setting.name: each.value
        for group in form.groups
        for each in group.fields
        if each.error
    }
    assert {"max_link_ratio": "lots", "pixel_size": "900"} == wrong
    assert form.values["images"]
    assert not form.is_right


@pytest.mark.parametrize(
    ("message", "at"), [("pixel_size: no", "pixel_size"), ("ads must be", "ads"), ("x: no", "")]
)
def test_blame(message: str, at: str) -> None:
    """An error is placed at the field that it names, or above the form."""
    form = make_form(SETTINGS, Filters()).blame(UsageError(message))
    named = [each.setting.name for group in form.groups for each in group.fields if each.error]
    assert ([at] if at else []) == named
    assert ("" if at else message) == form.error
    assert not form.is_right
