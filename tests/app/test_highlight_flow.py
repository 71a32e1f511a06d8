"""Finding and highlighting in Read, in a browser on a phone, by keyboard alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.app.serving import serving
from tests.helpers.browser import check_accessibility, expect
from thresher.app.engine import PageSource
from thresher.app.saved import SAVED_FILE, SavedList
from thresher.errors import StorageError

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SOURCE = PageSource(
    f"""<html lang="en"><title>Rye in winter</title><article><h1>Rye in winter</h1><p>The <b>old
rye</b> stands in any wind, and asks little of the ground that it is sown on, in any year.</p>
<p>Wheat fails where the old rye does not, and oats are sown in March when the frost is out of the
ground. Barley comes last, and is the first to be cut when July ends.</p>
<p>{"In the valley they sow what their fathers sowed, and are content. " * 60} Spelt is rare.</p>
</article>""",
    "https://farm.example/rye",
    is_fetched=True,
)


SEES_MATCH: Final = """() => {
  const [match] = CSS.highlights.get("found-here") ?? [];
  const box = match?.getBoundingClientRect();
  const panel = document.querySelector("[data-count]").closest("form").getBoundingClientRect();
  return match?.toString() === "Spelt" && box.top >= panel.bottom && box.bottom <= innerHeight;
}"""


def test_what_is_found_is_highlighted_and_kept(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Enter goes through the matches; one is highlighted, survives a restart, and is exported."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    tab = context.new_page()
    marks = tab.locator("mark[data-of]")
    with serving(tmp_path) as (address, app):
        from thresher.app.pages import read

        tab.goto(f"{address}/read/{app.page_cache.put(SOURCE)}")
        tab.keyboard.press("/")
        tab.keyboard.type("OLD rye")
        field = tab.get_by_label("Find in the article")
        expect(field).to_have_value("OLD rye")
        expect(tab.locator("[data-count]")).to_have_text("1 of 2")
        tab.keyboard.press("Enter")
        expect(tab.locator("[data-count]")).to_have_text("2 of 2")
        check_accessibility(tab)

        def fail(*args: Any) -> int:
            raise StorageError("saved.sqlite: the disk is full")

        button = tab.get_by_role("button", name="Highlight", exact=True)
        with monkeypatch.context() as patch:
            patch.setattr(read, "add_highlight", fail)
            button.press("Enter")
            expect(tab.locator("[data-said]")).to_contain_text("the disk is full. Try again.")
        button.press("Enter")
        expect(marks).to_have_text(["old rye"])
        expect(tab.locator(".text p").nth(1).locator("mark")).to_have_count(1)
        expect(tab.get_by_role("link", name="Saved", exact=True).last).to_be_visible()
        tab.keyboard.press("Escape")
        tab.locator(".text p").first.select_text()
        button.press("Enter")
        expect(tab.locator(".highlights li")).to_have_count(2)
    with serving(tmp_path) as (address, _):
        tab.goto(f"{address}/saved/1")
        expect(marks.last).to_have_text("old rye")
        check_accessibility(tab)
        with tab.expect_download() as download:
            tab.get_by_role("link", name="Download highlights").press("Enter")
        exported = Path(download.value.path()).read_text()
        assert "## [Rye in winter](https://farm.example/rye)\n\n> The old" in exported
        assert exported.endswith("\n\n> old rye\n")
        tab.get_by_text("Add a note on highlight 2").press("Enter")
        tab.get_by_label("Note on highlight 2").fill("Which one?")
        tab.get_by_role("button", name="Store the note").press("Enter")
        expect(tab.locator(".highlights .remark")).to_have_text("Which one?")
        check_accessibility(tab)
        tab.get_by_role("button", name="Remove highlight 2").press("Enter")
        expect(tab.locator(".highlights li")).to_have_count(1)
        tab.get_by_role("button", name="Undo").press("Enter")
        expect(tab).to_have_url(re.compile("#highlights$"))
        expect(tab.locator(".highlights li")).to_have_count(2)
    context.close()


def test_a_match_at_the_end_of_a_long_paragraph_is_in_sight(
    browser: Browser, tmp_path: Path
) -> None:
    """Below the panel, even if the paragraph is taller than the window."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    tab = context.new_page()
    with serving(tmp_path) as (address, app):
        tab.goto(f"{address}/read/{app.page_cache.put(SOURCE)}")
        tab.keyboard.press("/")
        tab.get_by_label("Find in the article").fill("Spelt")
        tab.wait_for_function(SEES_MATCH)
    context.close()


def test_a_saved_page_opens_where_it_was_left(browser: Browser, tmp_path: Path) -> None:
    """How far it was read is kept, shown in the list, and where the page opens the next time."""
    saved = SavedList(tmp_path / SAVED_FILE)
    saved.save(SOURCE, "Rye in winter", "Rye.")
    context = browser.new_context(viewport={"width": 390, "height": 844})
    tab = context.new_page()
    with serving(tmp_path) as (address, _):
        tab.goto(f"{address}/saved/1")
        with tab.expect_response("**/progress"):
            tab.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)")
        tab.goto(f"{address}/saved?shelf=started")
        expect(tab.locator("ol.saved")).to_contain_text("% read")
        tab.goto(f"{address}/saved/1")
        tab.wait_for_function("scrollY > 1000")
        with tab.expect_response("**/progress"):
            tab.keyboard.press("End")
        tab.get_by_role("button", name="Archive", exact=True).press("Enter")
        expect(tab.get_by_role("status").first).to_have_text("1 page archived.")
    (page,) = saved.search(shelf="archive")[1]
    assert 1 == page.progress
    context.close()
