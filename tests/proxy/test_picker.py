"""The picker of elements, the key of the reader and the list, in Chromium through the proxy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.helpers.browser import check_accessibility, expect
from tests.proxy.conftest import Proxy
from tests.proxy.site import Site
from thresher.proxy.page_parts import hash_source
from thresher.proxy.picker import picker_source, write_picker
from thresher.sites.rulebook import HostRules, Rules

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MARK = "thresher-mark"
HIDDEN_ROOT = "document.querySelector('thresher-picker').shadowRoot"


@pytest.fixture
def page(browser: Browser) -> Page:
    """Open a narrow tab that accepts the proxy's certificates."""
    context = browser.new_context(
        ignore_https_errors=True, viewport={"width": 390, "height": 700}, color_scheme="light"
    )
    return context.new_page()


def follow(page: Page, says: str) -> None:
    """Follow a link of the badge by keyboard."""
    page.locator(f"{MARK} summary").focus()
    page.keyboard.press("Enter")
    page.locator(f"{MARK} a:has-text('{says}')").focus()
    page.keyboard.press("Enter")


def press_access_key(page: Page, key: str) -> None:
    """Press Alt and a letter; the debugger's own call sends no character with Alt."""
    session = page.context.new_cdp_session(page)
    pressed = {"key": key, "windowsVirtualKeyCode": ord(key.upper()), "modifiers": 1}
    for kind in ("rawKeyDown", "char", "keyUp"):
        text = {"text": key, "unmodifiedText": key} if kind == "char" else {}
        session.send("Input.dispatchKeyEvent", {"type": kind, **pressed, **text})


def test_the_script_fits_any_page() -> None:
    """The script is ASCII, stands in XML as it is, and its hash is that of its text."""
    written = write_picker("https://é.example/?a=1&b='\"")
    script = written.partition("<script>")[2].removesuffix("</script>")
    assert written.isascii()
    assert "<" not in script and "&" not in script
    assert hash_source(script) == picker_source()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/article", "/policy", "/xhtml"])
def test_an_element_is_hidden_by_keyboard(proxy: Proxy, site: Site, page: Page, path: str) -> None:
    """Arrow keys find an element, Enter hides it, undo brings it back; saving asks once more."""
    url = f"{site.https}{path}"
    page.goto(url)
    follow(page, "Hide an element")
    page.wait_for_selector("thresher-picker:empty", state="attached")
    expect(page).to_have_url(url)
    assert page.evaluate(HIDDEN_ROOT) is None  # closed
    title = page.locator("h1")
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(title).to_be_hidden()
    page.keyboard.press("Control+z")
    expect(title).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("thresher-picker")).to_have_count(0)
    page.reload()
    expect(page.locator(f"{MARK} summary")).to_be_visible()
    expect(page.locator("thresher-picker")).to_have_count(0)  # for one load only
    assert not proxy.state.rulebook.hosts


@pytest.mark.slow
def test_an_element_is_hidden_by_touch_and_saved(proxy: Proxy, site: Site, page: Page) -> None:
    """A picked element is gone on all pages of the site, where scripts add it too; undo works."""
    url = f"{site.http}/chaff"
    proxy.set(method="keep_all")
    page.goto(url)
    follow(page, "Hide an element")
    page.wait_for_selector("thresher-picker:empty", state="attached")
    box = page.locator("#red").bounding_box()
    assert box
    page.mouse.click(box["x"] + 5, box["y"] + 5)
    page.keyboard.press("Enter")  # the button Hide has the focus
    expect(page.locator("#red")).to_be_hidden()
    page.keyboard.press("Enter")  # Save
    expect(page).to_have_url(re.compile("^http://thresher.internal/-/hide[?]"))
    expect(page.locator("textarea")).to_have_value("#red")
    check_accessibility(page)
    page.click("button:has-text('Hide')")
    expect(page.locator("li")).to_have_text("#red")
    assert ("#red",) == proxy.state.rulebook.of(url).rules.drop
    other = page.context.new_page()
    other.goto(f"{url}?other")
    expect(other.locator("#story")).to_be_visible()
    expect(other.locator("#red")).to_have_count(0)
    other.evaluate("document.body.append(Object.assign(document.createElement('p'), {id: 'red'}))")
    expect(other.locator("#red")).to_be_hidden()
    page.click("button:has-text('Undo')")
    page.click("a:has-text('Back')")
    expect(page.locator("#red")).to_be_visible()
    assert not proxy.state.rulebook.hosts


@pytest.mark.slow
def test_a_page_cannot_drive_the_picker(proxy: Proxy, site: Site, page: Page) -> None:
    """Events that a script makes neither pick nor save, and a policy forbids only other scripts."""
    url = f"{site.https}/policy"
    page.goto(url)
    follow(page, "Hide an element")
    page.wait_for_selector("thresher-picker:empty", state="attached")
    page.evaluate(
        "for (const key of ['ArrowDown', 'Enter', 'Enter'])"
        " dispatchEvent(new KeyboardEvent('keydown', {key}))"
    )
    expect(page.locator("h1")).to_be_visible()
    expect(page).to_have_url(url)
    page.evaluate(
        "script = document.createElement('script'); script.append('document.title = 1');"
        " document.body.append(script)"
    )
    assert "1" != page.title()


@pytest.mark.slow
def test_a_key_opens_the_reader_and_the_page(proxy: Proxy, site: Site, page: Page) -> None:
    """The access key leads to the reader view and back, with the badge closed."""
    url = f"{site.http}/article"
    page.goto(url)
    press_access_key(page, "r")
    expect(page.locator("article h1")).to_have_count(1)
    expect(page.locator("body.paper")).to_have_count(0)
    press_access_key(page, "r")
    expect(page.locator("body.paper")).to_have_count(1)
    proxy.set(reader_key="")
    page.goto(f"{url}?again")
    expect(page.locator("[accesskey]")).to_have_count(0)


@pytest.mark.slow
def test_a_list_of_what_was_removed(proxy: Proxy, site: Site, page: Page) -> None:
    """The list opens from the badge, fits a phone, and shows an element again for one page."""
    proxy.state.change_rules("127.0.0.1", lambda _: HostRules(Rules(drop=("h1",))))
    page.goto(f"{site.http}/article")
    expect(page.locator("h1")).to_have_count(0)
    follow(page, "What was removed")
    expect(page.locator("h1")).to_have_text("Removed from this page")
    check_accessibility(page)
    assert 390 >= page.evaluate("document.documentElement.scrollWidth")
    page.locator("li:has-text('Section 3') button:has-text('Show once')").click()
    expect(page).to_have_url(f"{site.http}/article")
    expect(page.locator("#menu")).to_be_visible()
    expect(page.locator("h1")).to_have_count(0)
    follow(page, "What was removed")
    page.locator("li:has-text('Always hidden') button").click()
    expect(page.locator("h1")).to_have_text("The mill by the weir")
    page.goto(f"{site.http}/article?other")
    expect(page.locator("#menu")).to_be_hidden()
