"""Rules in a browser, on a phone: nothing typed is lost, and removing can be undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.app.serving import serving
from tests.helpers.browser import check_accessibility, expect
from thresher.sites import HostRules, Rulebook, Rules, read_rulebook, save_rulebook

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

MILL = HostRules(Rules(keep=("h1",), drop=("#old",)), "reader")
OVEN = HostRules(Rules(drop=(".crumbs",)))


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """Rulebook with two hosts."""
    path = tmp_path / "rules.toml"
    save_rulebook(Rulebook({"mill.example": MILL, "oven.example": OVEN}), path)
    return path


@pytest.fixture
def page(browser: Browser, rules: Path) -> Iterator[Page]:
    """The rules page on a phone."""
    with serving(rules.parent) as (address, _):
        tab = browser.new_page(base_url=address, viewport={"width": 390, "height": 844})
        tab.goto("/rules")
        yield tab
        tab.close()


def stored(rules: Path, host: str = "mill.example") -> HostRules | None:
    return read_rulebook(rules).hosts.get(host)


def test_rules_for_another_host_join_those_that_are_there(page: Page, rules: Path) -> None:
    """A host that is typed again keeps its rules and its view."""
    page.fill("#host-new", "Mill.example")
    page.fill("#drop-new", ".promo")
    page.locator("#new button[value=save]").click()
    page.get_by_text("saved, together with those that were there").wait_for()
    assert HostRules(Rules(("h1",), ("#old", ".promo")), "reader") == stored(rules)
    expect(page.locator('[id="drop-mill.example"]')).to_have_value("#old\n.promo")
    expect(page.locator("#host-new")).to_have_value("")
    expect(page.locator("#drop-new")).to_have_value("")


def test_removing_asks_and_can_be_undone(page: Page, rules: Path) -> None:
    """A first press removes nothing; undo brings all back."""
    card = page.locator('[id="mill.example"]')
    card.get_by_text("Remove all", exact=True).click()
    assert MILL == stored(rules)
    card.get_by_role("button", name="Yes, remove them").click()
    undo = page.get_by_role("button", name="Undo")
    undo.wait_for()
    assert stored(rules) is None
    check_accessibility(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    undo.click()
    card.wait_for()
    assert MILL == stored(rules)
    assert OVEN == stored(rules, "oven.example")


def test_nothing_typed_is_lost_on_an_invalid_selector(page: Page, rules: Path) -> None:
    """The form that was sent and all others keep what was typed."""
    page.fill('[id="drop-oven.example"]', ".crumbs\n.ash")
    page.fill("#host-new", "barn.example")
    page.fill('[id="keep-mill.example"]', "h1\nh2::")
    page.locator('[id="mill.example"] button[value=save]').click()
    page.get_by_role("alert").filter(has_text="is not a CSS selector").first.wait_for()
    other = page.locator('[id="drop-oven.example"]')
    expect(page.locator('[id="keep-mill.example"]')).to_have_value("h1\nh2::")
    expect(other).to_have_value(".crumbs\n.ash")
    expect(page.locator("#host-new")).to_have_value("barn.example")
    assert MILL == stored(rules)
    page.fill('[id="keep-mill.example"]', "h1\nh2")
    page.locator('[id="mill.example"] button[value=save]').click()
    page.get_by_text("Rules for mill.example saved.").wait_for()
    assert HostRules(Rules(("h1", "h2"), ("#old",)), "reader") == stored(rules)
    expect(other).to_have_value(".crumbs\n.ash")


def test_leaving_with_unsaved_rules_asks(page: Page) -> None:
    """A changed form asks before it is left; an unchanged one does not."""
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.reload()
    assert [] == asked
    page.fill("#drop-new", ".typed")
    with page.expect_event("dialog"):
        page.get_by_role("link", name="Saved").click(no_wait_after=True)
    expect(page.locator("#drop-new")).to_have_value(".typed")
    assert ["beforeunload"] == asked
    page.fill("#drop-new", "")
    page.get_by_role("link", name="Saved").click()
    page.wait_for_url("**/saved")
    assert ["beforeunload"] == asked


def test_rules_changed_elsewhere_are_not_replaced_in_silence(page: Page, rules: Path) -> None:
    """The stored rules are shown beside what was typed; saving again replaces them."""
    other = HostRules(Rules(drop=("#other",)))
    save_rulebook(Rulebook({"mill.example": other}), rules)
    page.fill('[id="drop-mill.example"]', "#mine")
    save = page.locator('[id="mill.example"] button[value=save]')
    save.click()
    page.get_by_text("changed elsewhere in the meantime").wait_for()
    expect(page.locator(".stored")).to_contain_text("#other")
    expect(page.locator('[id="drop-mill.example"]')).to_have_value("#mine")
    assert other == stored(rules)
    save.click()
    page.get_by_text("Rules for mill.example saved.").wait_for()
    assert HostRules(Rules(("h1",), ("#mine",)), "reader") == stored(rules)


def test_server_that_is_gone_costs_nothing(page: Page) -> None:
    """A save that does not arrive says so, and the form stays."""
    page.fill('[id="drop-mill.example"]', "#mine")
    page.route("**/rules", lambda route: route.abort())
    page.locator('[id="mill.example"] button[value=save]').click()
    page.get_by_text("Not saved: the server is not responding").wait_for()
    assert "#mine" == page.input_value('[id="drop-mill.example"]')


def test_internationalised_hosts_match_in_either_spelling(page: Page, rules: Path) -> None:
    """A host typed as people read it is the host of pages with its ASCII name."""
    page.fill("#host-new", "Mühle.example")
    page.fill("#drop-new", "#promo")
    page.locator("#new button[value=save]").click()
    expect(page.locator("main")).to_contain_text("mühle.example")
    assert HostRules(Rules(drop=("#promo",))) == stored(rules, "xn--mhle-0ra.example")
    page.goto("/inspect")
    page.get_by_label("Page address").fill("https://xn--mhle-0ra.example/rye")
    page.get_by_text("Paste HTML").click()
    said = "Rye is sown in autumn, and asks little of the ground that it is sown on. "
    page.get_by_label("Page HTML").fill(f"<p>{said * 9}</p><p id=promo>{said * 9}</p>")
    page.get_by_role("button", name="Inspect HTML").click()
    block = page.locator(".annotated .b").last
    block.wait_for()
    page.wait_for_load_state()  # a click counts once the script of the page runs
    block.click()
    expect(page.locator("#block h2")).to_contain_text("dropped")
    expect(page.locator("#block")).to_contain_text("rule")
