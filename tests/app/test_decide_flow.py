"""Disagreements decided in a browser, on a phone and on a desk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.app.pages.desk import write_page
from tests.app.serving import serving
from tests.helpers.browser import IMPACTS, check_accessibility, expect
from thresher.labelling.decisions import list_decisions
from thresher.labelling.export import make_records
from thresher.labelling.model import Label, NewPage, parse_given_roles
from thresher.labelling.reading import read_for_labels, text_of
from thresher.labelling.store import LabelStore

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    """Two pages that Ida and Tom labelled differently."""
    store = LabelStore(tmp_path / "labels.sqlite")
    for number in (1, 2):
        html = write_page(number).decode()
        store.add([NewPage(f"{number}.html", html)])
        shown = read_for_labels(html, None)
        for who, kept in (("Ida", (0, 1)), ("Tom", (1, 2))):
            keep = np.isin(np.arange(len(shown.blocks)), kept)
            store.save(Label(number, who, keep, text_of(shown, keep)))
    return store


@pytest.fixture(params=[390, 1280])
def page(browser: Browser, store: LabelStore, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The list of pages with their agreement."""
    with serving(store.path.parent) as (address, _):
        size = {"width": request.param, "height": 844}
        tab = browser.new_page(base_url=address, viewport=size)
        tab.goto("/label/pages?a=Ida&b=Tom")
        yield tab
        tab.close()


def test_disagreement_is_merged_block_by_block(page: Page, store: LabelStore) -> None:
    """The labels are side by side; the merged one and who decided are stored and exported."""
    width = page.evaluate("innerWidth")
    page.get_by_role("link", name="1.html").first.click()
    page.get_by_text("Ida and Tom differ on 2 of").wait_for()
    page.wait_for_load_state()
    check_accessibility(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    first = page.locator(".case.differs").first
    expect(first.locator("label.keep")).to_contain_text("Ida")
    expect(first.locator("label.drop")).to_contain_text("Tom")
    keep, drop = (first.locator(f"label.{name}").bounding_box() for name in ("keep", "drop"))
    assert keep and drop and keep["y"] == drop["y"]
    first.get_by_role("radio", name="Keep").check()
    page.get_by_role("button", name="Save and next").click()
    page.get_by_text("Not saved: 1 block is not decided yet").wait_for()
    page.wait_for_load_state()
    keep_first = page.locator(".case.differs").first.get_by_role("radio", name="Keep")
    expect(keep_first).to_be_checked()
    page.locator(".case.differs").nth(1).get_by_role("radio", name="Keep").check()
    page.get_by_role("button", name="Save and next").click()
    page.wait_for_url("**/label/2/decide**")
    decision = list_decisions(store)[1]
    assert ([0, 1, 2], "me", ("Ida", "Tom")) == (
        decision.keep.nonzero()[0].tolist(),
        decision.decider,
        decision.labellers,
    )
    assert [0, 1, 2] == next(make_records(store))["blocks"]


def test_whole_label_is_taken_and_looked_at(page: Page, store: LabelStore) -> None:
    """One press chooses all of one side; it is stored only with Save."""
    page.goto("/label/2/decide?a=Ida&b=Tom")
    page.get_by_role("button", name="Only differences").click()
    expect(page.locator(".case:visible")).to_have_count(2)
    page.get_by_role("button", name="Take all of Tom").click()
    assert {} == list_decisions(store)
    page.get_by_role("button", name="Save and next").click()
    page.wait_for_url("**/label/1/decide**")
    assert [1, 2] == list_decisions(store)[2].keep.nonzero()[0].tolist()


def test_roles_that_differ_are_decided(page: Page, store: LabelStore) -> None:
    """A block with two roles offers both; others are taken from the label that gives one."""
    for who, text in (("Ida", "0 title,1 body"), ("Tom", "1 caption,2 legal")):
        label = store.label(1, who)
        assert label
        roles = parse_given_roles(text, len(label.keep if label.keep is not None else ()))
        store.save(replace(label, roles=roles, made_at=0.0))
    page.goto("/label/1/decide?a=Ida&b=Tom")
    expect(page.locator("main")).to_contain_text("and on the role of 1")
    page.get_by_role("button", name="Take all of Ida").click()
    expect(page.get_by_role("radio", name="Body")).to_be_checked()
    page.get_by_role("radio", name="Caption").check()
    check_accessibility(page, impacts=IMPACTS)
    page.get_by_role("button", name="Save and next").click()
    page.wait_for_url("**/label/2/decide**")
    expected = {"title": [0], "caption": [1], "legal": [2]}
    assert expected == next(make_records(store))["roles"]


def test_axe_finds_nothing_where_labels_are_decided(page: Page) -> None:
    """The page has nothing that axe finds fault with, however slight."""
    page.goto("/label/1/decide?a=Ida&b=Tom")
    check_accessibility(page, impacts=IMPACTS)
