"""Filters page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.proxy.pages.conftest import BY_PROXY, Pages
from thresher.filters.settings import SETTINGS, Filters, filters_from_mapping
from thresher.proxy.settings import PROFILE_SETTINGS
from thresher.proxy.settings_file import read_settings


def test_every_setting_has_a_control(pages: Pages) -> None:
    """Every declared setting has a control."""
    text = pages.admin.get("/filters").text
    for each in (*PROFILE_SETTINGS, *SETTINGS):
        assert f'name="{each.name}"' in text


@pytest.mark.parametrize("name", [each.name for each in SETTINGS if each.kind == "switch"])
def test_switches(pages: Pages, name: str) -> None:
    """Each switch changes only its own setting, also in the file."""
    for value in (True, False):
        sent = {key: text for key, text in pages.spelled().items() if key != name}
        answer = pages.post(pages.admin, "/filters", **sent, **({name: "yes"} if value else {}))
        assert 303 == answer.status_code
        expected = filters_from_mapping({name: "yes" if value else "no"})
        assert expected == pages.state.settings.current.filters
        assert pages.state.settings.path
        assert expected == read_settings(pages.state.settings.path).filters


def test_other_kinds(pages: Pages) -> None:
    """Numbers, choices, texts and lists are saved."""
    sent = pages.spelled() | {
        "view": "reader",
        "method": "crunch",
        "max_link_ratio": "0.75",
        "link_lists": "always",
        "removed_links_title": "<More>",
        "ad_rules": "a.example\r\n@@b.example",
    }
    assert 303 == pages.post(pages.admin, "/filters", **sent).status_code
    settings = pages.state.settings.current
    assert ("reader", "crunch") == (settings.view, settings.method)
    expected = Filters(
        max_link_ratio=0.75,
        link_lists="always",
        removed_links_title="<More>",
        ad_rules=("a.example", "@@b.example"),
    )
    assert expected == settings.filters
    text = pages.admin.get("/filters?saved=1").text
    assert "&lt;More&gt;" in text
    assert "Saved." in text
    assert 303 == pages.post(pages.admin, "/filters/reset").status_code
    assert Filters() == pages.state.settings.current.filters


def test_errors_at_the_field(pages: Pages) -> None:
    """Errors are shown at their fields, the input is kept, and nothing is saved."""
    sent = pages.spelled() | {"max_link_ratio": "many", "view": "glasses", "images": "yes"}
    answer = pages.post(pages.admin, "/filters", **sent)
    assert 422 == answer.status_code
    assert 'value="many" aria-describedby="f-max_link_ratio-hint f-max_link_ratio-problem" ' in (
        answer.text
    )
    assert 'id="f-max_link_ratio-problem">max_link_ratio must be a number' in answer.text
    assert 'id="f-view-problem"' in answer.text
    assert Filters() == pages.state.settings.current.filters


def test_profiles(pages: Pages) -> None:
    """Users have their own filters or the default ones; the administrator sees all."""
    pages.add_users("anna", "bert")
    anna = pages.by(BY_PROXY, "anna")
    assert "using the default settings" in anna.get("/filters").text
    sent = pages.spelled() | {"view": "reader", "images": "yes", "user": "bert"}
    assert 303 == pages.post(anna, "/filters", "anna", **sent).status_code
    settings = pages.state.settings.current
    assert "reader" == settings.profile_of("anna").view
    assert settings.profile_of("anna").filters.images
    assert "inplace" == settings.profile_of("bert").view == settings.view
    assert "Filters for anna" in pages.admin.get("/filters?user=anna").text
    assert "Filters for anna" in anna.get("/filters?user=bert").text
    assert 404 == pages.admin.get("/filters?user=carl").status_code
    assert 303 == pages.post(pages.admin, "/filters", **(sent | {"view": "text"})).status_code
    assert "text" == pages.state.settings.current.profile_of("bert").view
    assert 303 == pages.post(anna, "/filters/reset", "anna").status_code
    assert pages.state.settings.current.users["anna"].profile is None


def test_users_take_their_profile_along(pages: Pages) -> None:
    """Users export and import view, filters and choices for sites; only their own."""
    pages.add_users("anna", "bert")
    anna = pages.by(BY_PROXY, "anna")
    sent = pages.spelled() | {"view": "reader", "images": "yes"}
    assert 303 == pages.post(anna, "/filters", "anna", **sent).status_code
    pages.state.change_choices("anna", "a.example", lambda known: replace(known, view="text"))
    before = pages.state.settings.current.users["anna"]
    text = anna.get("/filters/profile.toml?user=bert").text
    assert before.password not in text
    bert = pages.by(BY_PROXY, "bert")
    for visitor, user, fields in (
        (bert, "bert", {"text": text, "user": "anna"}),
        (pages.admin, None, {"files": {"file": ("profile.toml", text.encode())}, "user": "bert"}),
    ):
        pages.state.settings.replace(replace(pages.state.settings.current, users={}))
        pages.add_users("anna", "bert")
        answer = pages.post(visitor, "/filters/profile.toml", user, **fields)
        assert 303 == answer.status_code
        assert before == pages.state.settings.current.users["bert"]
        assert before != pages.state.settings.current.users["anna"]
    wrong = pages.post(bert, "/filters/profile.toml", "bert", text="view = 1")
    assert 422 == wrong.status_code
    assert "Not imported: " in wrong.text
    assert ">view = 1</textarea>" in wrong.text
    assert 404 == pages.admin.get("/filters/profile.toml").status_code
