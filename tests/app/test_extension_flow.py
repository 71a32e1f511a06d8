"""The browser extension, in Chromium, sends what the browser shows to the app."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.app.serving import serving
from tests.fetching.web import serving as serving_web
from tests.helpers.browser import browsing_with, check_accessibility, expect
from thresher.app.saved import SAVED_FILE, SavedList
from thresher.app.saved_changes import list_highlights
from thresher.app.settings import ApiKey

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

EXTENSION: Final = Path(__file__).parents[2] / "src" / "thresher" / "app" / "extension"
SAYS: Final = "The ferryman counted the sacks twice while the others waited at the bridge. "
SITE: Final = f"""<!DOCTYPE html><html lang=en class=wide><title>Ferry</title><h1>The ferry</h1>
<p id=in>Log in to read.</p><rye-note></rye-note><script>
document.getElementById("in").outerHTML = "<p>{SAYS * 3}</p><p>Members see that it sank.</p>";
const note = document.querySelector("rye-note").attachShadow({{mode: "closed"}});
note.innerHTML = "<p>{SAYS}Shadowed.</p>";
</script>"""
TOKEN: Final = "a token of the app, long enough"
KEY: Final = ApiKey("browser", "a key of the browser, long enough")


@pytest.fixture
def ferry(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Address of a site whose text scripts write, for whoever has logged in."""
    with serving_web(monkeypatch) as server:
        yield server.serve("/", SITE.encode())


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[BrowserContext]:
    """Chromium with the extension."""
    with browsing_with(str(EXTENSION), tmp_path / "profile") as context:
        context.set_default_timeout(30_000)
        yield context


def open_popup(context: BrowserContext, address: str) -> tuple[Page, Page]:
    """Open the site, and the extension's popup for its tab; return both."""
    [worker] = context.service_workers or [context.wait_for_event("serviceworker")]
    page = context.new_page()
    page.goto(address)
    tab = worker.evaluate("url => chrome.tabs.query({url}).then(([tab]) => tab.id)", address)
    popup = context.new_page()
    popup.goto(f"{worker.url.rpartition('/')[0]}/popup.html?tab={tab}")
    return page, popup


def set_options(popup: Page, app: str, key: str = "") -> None:
    """Fill in the options as a user does."""
    with popup.context.expect_page() as opened:
        popup.get_by_role("link", name="Options").click()
    options = opened.value
    options.get_by_label("Address of the app").fill(app)
    options.get_by_label("Key").fill(key)
    options.get_by_role("button", name="Save").click()
    expect(options.get_by_role("status")).to_have_text("Saved.")
    check_accessibility(options)
    options.close()


def test_what_the_browser_shows_is_sent(
    chromium: BrowserContext, ferry: str, tmp_path: Path
) -> None:
    """Each button does what it says with the page after scripts, shadow roots included."""
    with serving(tmp_path) as (app, _):
        page, popup = open_popup(chromium, ferry)
        set_options(popup, app)
        check_accessibility(popup)
        for name in ("Read", "Inspect", "Label"):
            with chromium.expect_page() as opened:
                popup.get_by_role("button", name=name, exact=True).click()
            shown = opened.value
            shown.wait_for_load_state()
            assert shown.url.startswith(f"{app}/{name.lower()}")
            expect(shown.locator("main")).to_contain_text("Members see that it sank.")
        popup.get_by_role("button", name="Save", exact=True).click()
        expect(popup.get_by_role("status")).to_have_text("Saved.")
        popup.get_by_role("button", name="Save and highlight").click()
        expect(popup.get_by_role("status")).to_have_text("Select the passage to highlight first.")
        page.evaluate("getSelection().selectAllChildren(document.querySelectorAll('p')[1])")
        popup.get_by_role("button", name="Save and highlight").click()
        expect(popup.get_by_role("status")).to_have_text("Highlighted.")
    popup.get_by_role("button", name="Save", exact=True).click()
    expect(popup.get_by_role("status")).to_contain_text("Is thresher app running there?")
    saved = SavedList(tmp_path / SAVED_FILE)
    _, [kept] = saved.search()
    assert ferry == kept.url
    source = saved.source(kept.id)
    assert source is not None
    body = source.body if isinstance(source.body, str) else source.body.decode()
    assert "Shadowed." in body
    assert '<html lang="en" class="wide">' in body
    [highlight] = list_highlights(saved, kept.id)
    assert "Members see that it sank." == highlight.quote


def test_key_lets_the_extension_in(chromium: BrowserContext, ferry: str, tmp_path: Path) -> None:
    """An app with a token takes pages with a key, and says that it needs one."""
    with serving(tmp_path, token=TOKEN, keys=(KEY,)) as (app, _):
        _, popup = open_popup(chromium, ferry)
        set_options(popup, app)
        popup.get_by_role("button", name="Save", exact=True).click()
        expect(popup.get_by_role("status")).to_contain_text("The app asks for a key")
        set_options(popup, app, KEY.secret)
        popup.get_by_role("button", name="Save", exact=True).click()
        expect(popup.get_by_role("status")).to_have_text("Saved.")


def test_pages_of_other_sites_send_nothing(
    chromium: BrowserContext, ferry: str, tmp_path: Path
) -> None:
    """What the extension may, no page may: the app refuses it, whatever it is sent as."""
    page = chromium.new_page()
    page.goto(ferry.replace("127.0.0.1", "localhost"))
    with serving(tmp_path) as (app, _):
        statuses = page.evaluate(
            """async (app) => Promise.all(["application/json", "text/plain"].map((type) =>
              fetch(`${app}/api/pages`, {
                method: "POST", mode: type === "text/plain" ? "no-cors" : "cors",
                headers: {"Content-Type": type}, body: '{"html": "<p>x", "save": true}',
              }).then((answer) => answer.status, () => "refused")))""",
            app,
        )
    assert ["refused", "refused"] == statuses
    assert not (tmp_path / SAVED_FILE).exists()
