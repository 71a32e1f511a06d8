"""A team labels in browsers: each their own queue, nothing twice by accident, nothing lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.app.serving import serving
from tests.cli.conftest import Command, command
from tests.helpers.browser import check_accessibility, dismiss_dialogs, expect
from tests.training.adapter.labelled import make_pages
from thresher.labelling.model import NewPage
from thresher.labelling.queues import list_assignments
from thresher.labelling.store import LABELS_FILE, LabelStore

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["command"]


class Team:
    """An app with eight pages, dealt to Ida and Tom; two of them to both."""

    def __init__(self, store: LabelStore, address: str, browser: Browser) -> None:
        self.store = store
        self._address = address
        self._browser = browser

    def sit_down(self, who: str, *, width_px: int = 1280) -> Page:
        """Open a browser of its own, and the desk under a name."""
        context = self._browser.new_context(
            base_url=self._address, viewport={"width": width_px, "height": 900}
        )
        page = context.new_page()
        page.goto("/label")
        page.get_by_role("button", name=who).click()
        page.get_by_role("button", name="Clear all").wait_for()  # scripts show it
        return page

    def mine(self, who: str) -> list[int]:
        """Return the pages that were dealt to this labeller alone."""
        holders = list_assignments(self.store)
        return [page for page, names in holders.items() if names == [who]]


@pytest.fixture
def team(browser: Browser, tmp_path: Path, command: Command) -> Iterator[Team]:
    store = LabelStore(tmp_path / LABELS_FILE)
    store.add(NewPage(page.id, page.html, page.url) for page in make_pages(8))
    command("label", "deal", "Ida", "Tom", "--twice", 4, "--data", tmp_path)
    with serving(tmp_path) as (address, _):
        yield Team(store, address, browser)


def number_of(desk: Page) -> int:
    return int(desk.locator(".sheet").get_attribute("data-page") or 0)


def go_on(desk: Page, key: str) -> None:
    here = number_of(desk)
    desk.keyboard.press(key)
    desk.locator(f'.sheet:not([data-page="{here}"]), .empty').wait_for()


def test_everyone_labels_their_own_queue(team: Team) -> None:
    """Names are chosen, progress is shown, pages are skipped with a reason, agreement is found."""
    ida, tom = team.sit_down("Ida"), team.sit_down("Tom", width_px=390)
    expect(ida.locator(".far")).to_contain_text("0 of 5 pages")
    expect(ida.locator("[data-team]")).to_have_text("all labellers: 0 of 10")
    check_accessibility(ida)
    check_accessibility(tom)
    assert tom.evaluate("document.documentElement.scrollWidth <= innerWidth")
    skipped = number_of(ida)
    ida.keyboard.press("P")
    ida.keyboard.type("a login page")
    go_on(ida, "Enter")
    for _ in range(4):
        go_on(ida, "Enter")
    ida.get_by_role("heading", name="All 5 pages of your queue are labelled").wait_for()
    for _ in range(5):
        go_on(tom, "Enter")
    expect(tom.locator(".empty")).to_contain_text("all labellers: 10 of 10")
    labels = team.store.labels()
    assert list_assignments(team.store) == {
        page: sorted(label.labeller for label in labels if label.page == page)
        for page in team.store.pages()
    }
    assert ["a login page"] == [label.note for label in labels if label.keep is None]
    ida.goto("/label/pages")
    check_accessibility(ida)
    expect(ida.locator(f"#page-{skipped}")).to_contain_text("Ida (skipped: a login page)")
    both = [page for page in team.store.pages() if page not in team.mine("Ida")]
    shared = [page for page in both if page not in team.mine("Tom")]
    n_both = len(set(shared) - {skipped})
    expect(ida.locator(".facts div").last).to_have_text(f"Pages labelled by both{n_both}")


def test_a_page_dealt_to_another_is_not_labelled_by_accident(team: Team, command: Command) -> None:
    """Tom's open page goes to Ida while he marks it: his marks stay, and he decides."""
    tom = team.sit_down("Tom")
    page = team.mine("Tom")[0]
    tom.goto(f"/label?page={page}")
    tom.keyboard.press("n")
    tom.locator(".block input").nth(2).check()
    command("label", "deal", "Ida", "--from", "Tom", "--data", team.store.path.parent)
    tom.keyboard.press("Enter")
    tom.get_by_text("Not saved: this page is in the queue of Ida.").wait_for()
    check_accessibility(tom)
    expect(tom.locator(".block input:checked")).to_have_count(1)
    assert team.store.label(page, "Tom") is None
    tom.get_by_role("button", name="Label it too").click()
    tom.get_by_role("heading", name="Who are you?").wait_for()
    check_accessibility(tom)
    label = team.store.label(page, "Tom")
    assert label is not None and label.keep is not None
    assert [2] == label.keep.nonzero()[0].tolist()


def test_a_reason_is_kept_while_the_server_is_gone(team: Team) -> None:
    """What was typed stays in its field, leaving asks, and it is stored when the server is back."""
    ida = team.sit_down("Ida")
    page = number_of(ida)
    ida.route(f"**/label/{page}", lambda route: route.abort())
    ida.get_by_label("Why skip").fill("in Welsh")
    asked = dismiss_dialogs(ida)
    with ida.expect_event("dialog"):
        ida.get_by_role("link", name="All pages").click(no_wait_after=True)
    assert ["beforeunload"] == asked
    ida.get_by_role("button", name="Skip").click()
    ida.get_by_text("Not saved – retrying").wait_for()
    expect(ida.get_by_label("Why skip")).to_have_value("in Welsh")
    ida.unroute(f"**/label/{page}")
    ida.get_by_role("button", name="Retry now").click()
    ida.locator(f'.sheet:not([data-page="{page}"])').wait_for()
    label = team.store.label(page, "Ida")
    assert label is not None and (None, "in Welsh") == (label.keep, label.note)
