"""Flows through Read in a browser, and addresses that can be shared."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.app.conftest import Web
from tests.app.serving import serving
from tests.helpers.browser import check_accessibility, expect, wait_for_page
from tests.helpers.data import read_data
from tests.sites.pages import story

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HTML = read_data("rye-in-winter.html")


def paste(tab: Page, html: str = HTML) -> None:
    """Open pasted HTML."""
    tab.goto("/")
    tab.get_by_label("Page address").fill("example.org/notes/rye")
    tab.get_by_text("Paste HTML").click()
    tab.get_by_label("Page HTML").fill(html)
    tab.get_by_role("button", name="Read HTML").click()
    wait_for_page(tab, "#title")


def test_pasted_page_is_read(tab: Page) -> None:
    """Pasted HTML is shown safely and accessibly, with a working outline; Save stands out."""
    tab.goto("/")
    check_accessibility(tab)
    paste(tab)
    expect(tab).to_have_title("Rye in winter · Thresher")
    expect(tab.locator(".bar .button:not(.quiet):visible")).to_have_text(["Save"])
    expect(tab.locator("nav.outline a")).to_have_text(["Soil", "Harvest"])
    tab.get_by_role("link", name="Harvest").click()
    expect(tab).to_have_url(re.compile("#part-2$"))
    tab.get_by_text("More links").click()
    link = tab.get_by_role("link", name="Home page")
    expect(link).to_have_attribute("href", "https://example.org/x")
    check_accessibility(tab)


def test_dropped_file_is_read(tab: Page) -> None:
    """A dropped file is opened immediately."""
    tab.goto("/")
    data = tab.evaluate_handle(
        """html => { const data = new DataTransfer();
        data.items.add(new File([html], "rye.html", {type: "text/html"})); return data; }""",
        HTML,
    )
    tab.dispatch_event("body", "drop", {"dataTransfer": data})
    wait_for_page(tab, "#title")
    expect(tab.locator("#title")).to_have_text("Rye in winter")


def test_looks_are_kept(tab: Page) -> None:
    """Font, size and theme apply immediately and to the next page."""
    paste(tab)
    before = tab.locator(".text").evaluate("each => getComputedStyle(each).fontSize")
    tab.locator("summary", has_text="Appearance").click()
    tab.get_by_role("button", name="XL").click()
    tab.get_by_role("button", name="Sans").click()
    tab.locator("summary", has_text="Colours").click()
    tab.get_by_role("button", name="Dark").click()
    root = tab.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    paste(tab)
    after = tab.locator(".text").evaluate("each => getComputedStyle(each).fontSize")
    assert float(before.removesuffix("px")) < float(after.removesuffix("px"))
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-face", "sans")
    expect(tab.locator("body")).to_have_css("background-color", "rgb(25, 24, 21)")
    check_accessibility(tab)


def test_article_is_taken_along(tab: Page, tmp_path: Path) -> None:
    """An article is copied as Markdown and downloaded as EPUB; Escape closes the panel."""
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    paste(tab)
    tab.get_by_text("Export", exact=True).click()
    tab.get_by_role("button", name="Copy as Markdown").click()
    tab.get_by_text("Copied", exact=True).wait_for()
    assert "## Soil" in tab.evaluate("navigator.clipboard.readText()")
    with tab.expect_download() as waiting:
        tab.get_by_role("link", name="Download as EPUB").click()
    assert "Rye-in-winter.epub" == waiting.value.suggested_filename
    tab.keyboard.press("Escape")
    expect(tab.get_by_role("link", name="Download as EPUB")).to_be_hidden()


def test_reading_works_without_scripts(browser: Browser, site: str) -> None:
    """Reading, appearance and export work without scripts; what needs them is not shown."""
    context = browser.new_context(base_url=site, java_script_enabled=False)
    tab = context.new_page()
    paste(tab)
    tab.locator("summary", has_text="Appearance").click()
    tab.get_by_role("button", name="Wide").click()
    expect(tab.locator("html")).to_have_attribute("data-width", "wide")
    expect(tab.locator("#title")).to_have_text("Rye in winter")
    tab.get_by_text("Export", exact=True).click()
    expect(tab.get_by_role("link", name="Download as Text")).to_be_visible()
    expect(tab.get_by_role("button", name="Copy as Text")).to_be_hidden()
    context.close()


THREAD = read_data("which-rye-thread.html")


@pytest.mark.parametrize("width", [390, 1280])
def test_what_is_found_is_not_covered(tab: Page, width: int) -> None:
    """Each match is in sight, with nothing above it, the first and the last as well."""
    tab.set_viewport_size({"width": width, "height": 700})
    tab.goto("/sample/read")
    tab.keyboard.press("/")
    tab.get_by_label("Find in the article").fill("the")
    for _ in range(8):
        tab.keyboard.press("Shift+Enter")
        assert tab.evaluate(
            "() => { const [range] = CSS.highlights.get('found-here');"
            " const { x, y, width, height } = range.getBoundingClientRect();"
            " const above = document.elementFromPoint(x + width / 2, y + height / 2);"
            " return Boolean(above?.closest('.article')); }"
        )


def test_threads_are_shown_post_by_post(tab: Page) -> None:
    """Each post has a border, its author and its date, and a reply is indented."""
    paste(tab, THREAD)
    posts = tab.locator(".post")
    expect(tab.locator(".post > header b")).to_have_text(["Ada", "Bo", "Cy"])
    expect(posts.nth(0).locator("time").first).to_have_text("1 November 2026, 09:30")
    expect(posts.nth(0)).to_have_css("border-top-style", "solid")
    lefts = [posts.nth(at).evaluate("each => each.getBoundingClientRect().left") for at in range(3)]
    assert lefts[0] == lefts[2] < lefts[1]
    expect(tab.get_by_text("The old one. It needs little")).to_have_count(1)
    check_accessibility(tab)


def test_print_is_black_on_white(tab: Page) -> None:
    """The printed page is black on white, whatever theme is chosen and whatever the system's."""
    paste(tab)
    tab.locator("summary", has_text="Colours").click()
    tab.get_by_role("button", name="Dark").click()
    expect(tab.locator("html")).to_have_attribute("data-theme", "dark")
    tab.emulate_media(media="print", color_scheme="dark")
    for part in (".text p", "#title"):
        expect(tab.locator(part).first).to_have_css("color", "rgb(0, 0, 0)")
    expect(tab.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")


def test_width_works_beside_an_outline(tab: Page) -> None:
    """Each width differs, also where the outline takes a column, and nothing overlaps."""
    paste(tab)
    tab.locator("summary", has_text="Appearance").click()
    widths = []
    for name in ("Narrow", "Normal", "Wide"):
        tab.get_by_role("button", name=name).click()
        expect(tab.locator("html")).to_have_attribute("data-width", name.lower())
        widths.append(tab.locator(".text").first.evaluate("each => each.clientWidth"))
    assert [31 * 16, 38 * 16, 50 * 16] == widths
    outline = tab.locator("nav.outline").bounding_box()
    text = tab.locator(".article").bounding_box()
    assert outline and text and outline["x"] + outline["width"] <= text["x"]


URL: Final = "https://mill.example/rye?page=1&kind=a"


def test_a_link_survives_a_restart(browser: Browser, tmp_path: Path, web: Web) -> None:
    """The address bar holds what was read, in every view, and opens it after a restart."""
    web.pages[URL] = story(1)
    tab = browser.new_page()
    with serving(tmp_path) as (address, _):
        tab.goto(address)
        tab.get_by_label("Page address").fill(URL)
        tab.get_by_role("button", name="Read", exact=True).click()
        wait_for_page(tab, "#title")
        links = [tab.url]
        tab.get_by_role("link", name="Inspect", exact=True).last.click()
        wait_for_page(tab, ".annotated .b")
        tab.locator(".annotated .b", has_text="praised").click()
        tab.wait_for_selector("#block:not([aria-busy]) h2:has-text('Block 8')")
        links.append(tab.url)
        tab.get_by_role("link", name="Compare with another method").click()
        wait_for_page(tab, ".versus")
        links.append(tab.url)
    assert [[URL]] * 3 == [parse_qs(urlsplit(link).query).get("url") for link in links]
    assert [URL] == web.urls
    with serving(tmp_path, address=address):
        for link, shown in zip(links, ("#title", "#block h2", ".versus"), strict=True):
            tab.goto(link)
            tab.wait_for_selector(shown)
            assert [URL] == parse_qs(urlsplit(tab.url).query)["url"]
        tab.goto(links[1])
        expect(tab.locator("#block h2")).to_contain_text("Block 8")
    tab.close()
