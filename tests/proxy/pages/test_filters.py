"""Filters page, its forms, and export and import of settings."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest

from tests.proxy.pages.conftest import BY_PROXY, START, Pages
from thresher.errors import UsageError
from thresher.filters.settings import SETTINGS, Filters
from thresher.proxy.pages.context import make_form, read_form
from thresher.proxy.settings import PROFILE_SETTINGS
from thresher.proxy.settings_store import read_settings
from thresher.sites.rulebook import HostRules, Rules


def test_every_setting_has_a_control(pages: Pages) -> None:
    """Every declared setting has a control."""
    text = pages.admin.get("/filters").text
    for each in (*PROFILE_SETTINGS, *SETTINGS):
        assert f'name="{each.name}"' in text


def test_switches(pages: Pages) -> None:
    """Every other switch is changed, and all are as sent, also in the file."""
    switches = [each for each in SETTINGS if each.kind == "switch"]
    wanted = {each.name: each.default != bool(number % 2) for number, each in enumerate(switches)}
    kept = {key: text for key, text in pages.spelled().items() if key not in wanted}
    sent = kept | {name: "yes" for name, is_on in wanted.items() if is_on}
    assert 303 == pages.post(pages.admin, "/filters", **sent).status_code
    assert Filters(**wanted) == pages.state.settings.current.filters
    assert pages.state.settings.path
    assert Filters(**wanted) == read_settings(pages.state.settings.path).filters


def test_other_kinds(pages: Pages) -> None:
    """Numbers, choices, texts and lists are saved."""
    sent = pages.spelled() | {
        **{"view": "reader", "method": "crunch", "max_link_ratio": "0.75"},
        **{"link_lists": "always", "removed_links_title": "<More>"},
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
        pages.add_users()
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


RULES = HostRules(Rules((), (".promo",)), "text")


def test_settings_and_rules_there_and_back(pages: Pages) -> None:
    """Exported settings and rules can be imported, as text or file, and replace all existing."""
    changed = replace(START, view="reader", filters=Filters(images=True), clients=("10.0.0.0/8",))
    pages.state.settings.replace(changed)
    pages.add_users("anna")
    changed = pages.state.settings.current
    text = pages.admin.get("/files/proxy.toml").text
    for sent in ({"text": text}, {"files": {"file": ("proxy.toml", text.encode())}}):
        pages.state.settings.replace(START)
        assert 303 == pages.post(pages.admin, "/files/proxy.toml", **sent).status_code
        assert changed == pages.state.settings.current
    pages.state.change_rules("mill.example", lambda _: RULES)
    text = pages.admin.get("/files/rules.toml").text
    pages.state.change_rules("mill.example", lambda _: HostRules())
    pages.state.change_rules("weir.example", lambda _: RULES)
    assert 303 == pages.post(pages.admin, "/files/rules.toml", text=text).status_code
    assert {"mill.example": RULES} == dict(pages.state.rulebook.hosts)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("proxy.toml", "  ", "choose a file or paste its text"),
        ("proxy.toml", "version = 1\n[proxy]\nview = 3", "view must be"),
        ("proxy.toml", "<html>", "Not imported"),
        ("proxy.toml", 'version = 1\n[proxy]\nlisten_host = "0.0.0.0"', "at least one user"),
        ("proxy.toml", b"\xff", "the file is not UTF-8"),
        ("rules.toml", 'version = 1\n[host."a.b"]\ndrop = ["p["]', "p["),
        ("rules.toml", 'version = 1\n[host."a b"]\nview = "text"', "is not a host name"),
    ],
)
def test_nonsense(pages: Pages, name: str, text: str | bytes, says: str) -> None:
    """Invalid files are reported, stay in the form, and change nothing."""
    pages.state.change_rules("mill.example", lambda _: RULES)
    sent = {"text": text} if isinstance(text, str) else {"files": {"file": (name, text)}}
    answer = pages.post(pages.admin, f"/files/{name}", **sent)
    assert 422 == answer.status_code
    assert says in answer.text
    assert START == pages.state.settings.current
    assert {"mill.example": RULES} == dict(pages.state.rulebook.hosts)


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
