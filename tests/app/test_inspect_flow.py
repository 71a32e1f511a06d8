"""Flows through Inspect, Compare and Rules in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.app.serving import serving
from tests.cli.conftest import Command, command
from tests.helpers.browser import check_accessibility, dismiss_dialogs, expect
from tests.sites.pages import NOTICE, story
from thresher.app.engine import PageSource
from thresher.sites import HostRules, Rulebook, Rules, read_rulebook, save_rulebook

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["command"]

IS_IN_SIGHT = """(block) => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const chosen = box(`.annotated [data-b="${block}"]`), panel = box("#block");
  const low = innerWidth < 600 ? panel.top : innerHeight;
  return box("#graph").bottom <= chosen.top + 1 && chosen.bottom <= low + 1
    && 0 <= panel.top && panel.top < innerHeight;
}"""
"""Whether a block stands between the graph and the panel, which on a phone is below it."""


class Visit(NamedTuple):
    """Browser tab on an app with two open pages of one site."""

    page: Page
    address: str
    names: tuple[str, str]
    folder: Path
    said: list[str]
    """Console messages: script errors and policy violations."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Any, Path]]:
    """Start one server for all tests."""
    folder = tmp_path_factory.mktemp("app")
    with serving(folder) as (address, context):
        yield address, context, folder


@pytest.fixture
def visit(browser: Browser, server: tuple[str, Any, Path]) -> Iterator[Visit]:
    """Open a new tab on the app, without rules."""
    address, context, folder = server
    (folder / "rules.toml").unlink(missing_ok=True)
    names = [
        context.page_cache.put(PageSource(story(number), f"https://mill.example/{number}"))
        for number in (1, 2)
    ]
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield Visit(page, address, (names[0], names[1]), folder, said)
    page.close()
    assert [] == said


def test_a_click_on_a_block_says_why(visit: Visit) -> None:
    """Clicking a block loads its details and highlights its bar, and keys move on from it."""
    page = visit.page
    page.goto(f"{visit.address}/inspect/{visit.names[0]}")
    page.locator(".annotated .b", has_text="praised").click()
    page.wait_for_selector("#block:not([aria-busy]) h2:has-text('Block 8')")
    expect(page.locator("#block .effects tr").nth(3)).to_be_visible()
    expect(page.locator(".graph a.here")).to_have_attribute("data-b", "7")
    expect(page).to_have_url(re.compile("block=7"))
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("#block h2:has-text('Block 9')")
    expect(page.locator("#b8")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".annotated .here")).to_have_count(0)
    page.locator('.graph a[data-b="2"]').click()
    # Until its details are there, the page may still scroll.
    page.wait_for_selector("#block:not([aria-busy]) h2:has-text('Block 3')")
    page.locator(".annotated .b", has_text="counted").hover()
    expect(page.locator(".graph a.at")).to_have_count(1)


def test_the_result_follows_the_form(visit: Visit) -> None:
    """Changes of method and parameters apply immediately and are in the address."""
    page = visit.page
    page.goto(f"{visit.address}/inspect/{visit.names[0]}")
    facts = page.locator(".facts")
    before = facts.inner_text()
    page.focus("[name=method]")
    page.select_option("[name=method]", "max_density")
    page.wait_for_selector("[name='max_density.cutoff_share']", state="attached")
    expect(facts).not_to_have_text(before, use_inner_text=True)
    expect(page.locator("[name=method]")).to_be_focused()
    page.locator(".params summary").click()
    page.fill("[name='max_density.cutoff_share']", "0.99")
    page.keyboard.press("Enter")
    page.wait_for_url("**max_density.cutoff_share=0.99**")
    page.select_option("[name=graph]", "score")
    page.wait_for_selector(".key.limit:has-text('cutoff')")
    page.reload()
    expect(page.locator("[name='max_density.cutoff_share']")).to_have_value("0.99")


def test_a_rule_is_tried_saved_and_used_by_the_command(visit: Visit, command: Command) -> None:
    """A rule is previewed and saved in Inspect, and used by the command."""
    page = visit.page
    page.goto(f"{visit.address}/inspect/{visit.names[0]}?method=keep_all")
    page.locator(".annotated .b", has_text=NOTICE[:40]).click()
    page.locator("input[name=pick][value='section.box']").check()
    page.wait_for_selector(".changes:has-text('open pages of mill.example')")
    expect(page.locator(".changes .loss:has-text('−1 block')").nth(1)).to_be_visible()
    page.fill("[data-own]", "p::")
    page.wait_for_selector("[data-outcome] .bad:has-text('is not a CSS selector')")
    page.locator("input[name=pick][value='section.box']").check()
    page.click("text=Always drop")
    page.wait_for_selector(".note.good")
    expect(page.locator(".annotated .forced.dropped")).to_have_count(1)
    rules = visit.folder / "rules.toml"
    assert ("section.box",) == read_rulebook(rules).hosts["mill.example"].rules.drop
    other = visit.folder / "other.html"
    other.write_text(story(2), encoding="utf-8")
    asked = ("extract", "-m", "keep_all", "--url", "https://mill.example/2", other)
    assert NOTICE in command(*asked).out
    assert NOTICE not in command(*asked, "--rules", rules).out


def test_rules_are_tried_while_they_are_written(visit: Visit) -> None:
    """Changes are previewed below the form before saving."""
    page = visit.page
    page.goto(f"{visit.address}/rules")
    page.fill("#host-new", "mill.example")
    page.fill("#drop-new", "article")
    page.wait_for_selector(".changes:has-text('Changed blocks')")
    assert not (visit.folder / "rules.toml").exists()
    page.locator("form#new button[value=save]").click()
    page.wait_for_selector(".note.good:has-text('mill.example')")
    expect(page.locator("[name=drop] >> nth=0")).to_have_value("article")


def test_a_long_page_stays_usable(visit: Visit, server: tuple[str, Any, Path]) -> None:
    """A long page is shown in parts, which the graph links to."""
    html = "<main>" + "".join(f"<p>Row {n} of the barn book." for n in range(30_000)) + "</main>"
    name = server[1].page_cache.put(PageSource(html, None))
    page = visit.page
    page.goto(f"{visit.address}/inspect/{name}?method=keep_all")
    expect(page.locator(".annotated .b")).to_have_count(1_000)
    page.locator(".graph a[data-b]").nth(200).click()
    page.wait_for_selector("#block h2:has-text('Block 1')")
    expect(page.locator(".annotated .here")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1280, 500), (390, 844)])
def test_block_column_and_panel_move_together(visit: Visit, width: int, height: int) -> None:
    """However a block is selected, it is in sight beside its details, and is that of the panel."""
    page = visit.page
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{visit.address}/inspect/{visit.names[0]}?method=keep_all&block=9")

    def check(block: int) -> None:
        page.wait_for_selector(f"#block:not([aria-busy]) h2:has-text('Block {block + 1} ')")
        page.wait_for_function(IS_IN_SIGHT, arg=block)
        expect(page.locator(".graph a.here")).to_have_count(1)
        expect(page.locator(".graph a.here")).to_have_attribute("data-b", str(block))

    check(9)
    page.locator("[data-step]").first.click()
    check(8)
    page.locator('.graph a[data-b="1"]').click(position={"x": 2, "y": 10})
    check(1)
    page.locator(".annotated .b", has_text="counted").click()
    check(5)
    page.locator("[data-close]").click()
    expect(page.locator("#block")).to_contain_text("Select a block")
    expect(page.locator(".annotated .here")).to_have_count(0)


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
    asked = dismiss_dialogs(page)
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


def test_server_that_is_gone_costs_nothing(page: Page) -> None:
    """A save that does not arrive says so, and the form stays."""
    page.fill('[id="drop-mill.example"]', "#mine")
    page.route("**/rules", lambda route: route.abort())
    page.locator('[id="mill.example"] button[value=save]').click()
    page.get_by_text("Not saved: the server is not responding").wait_for()
    assert "#mine" == page.input_value('[id="drop-mill.example"]')
