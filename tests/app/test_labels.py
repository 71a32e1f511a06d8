"""Background reading of pages to label, and their choice in the list."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from tests.app.conftest import OpenApp
from thresher.app.labels import PageChoice, choose_pages
from thresher.labelling.model import Label, ListedPage, NewPage
from thresher.labelling.store import LABELS_FILE, LabelStore

SAYS = "The ferryman counted the sacks twice while the others waited at the bridge. "


def test_pages_are_read_ahead(open_app: OpenApp, tmp_path: Path) -> None:
    """Opening the Label page starts reading, so that pages can be sorted by confidence."""
    store = LabelStore(tmp_path / LABELS_FILE)
    store.add(NewPage(str(n), f"<h1>Rye {n}</h1>" + f"<p>{SAYS}" * n) for n in range(1, 5))
    with open_app() as client:
        assert [1, 2, 3, 4] == store.unread("")
        assert 200 == client.get("/label").status_code
        until_s = time.monotonic() + 60
        while store.unread("") and time.monotonic() < until_s:
            time.sleep(0.05)
    assert [] == store.unread("")
    assert {1, 2, 3, 4} == set(store.waiting("me", order="uncertain", model=""))


def test_page_that_cannot_be_read_is_passed_over(open_app: OpenApp, tmp_path: Path) -> None:
    """Unreadable pages are skipped."""
    store = LabelStore(tmp_path / LABELS_FILE)
    store.add([NewPage("deep", "<b>" * 200), NewPage("fine", f"<p>{SAYS}")])
    with open_app(max_nodes=100) as client:
        assert 'data-page="2"' in client.get("/label").text
        assert 404 == client.get("/label/1/sheet").status_code


PAGES = {
    1: ListedPage("rye.html", "https://mill.example/rye", "Zwieback"),
    2: ListedPage("oats.html", "https://barn.example/oats"),
    3: ListedPage("notes.html", None),
    4: ListedPage("wheat.html", "https://mill.example/Wheat"),
}
KEEP = np.ones(2, np.bool_)
LABELS = {
    1: [Label(1, "Ada", KEEP, "Rye."), Label(1, "Bo", ~KEEP, "")],
    2: [Label(2, "Ada", None, None)],
    4: [Label(4, "Ada", KEEP, "Wheat.")],
}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, [1, 2, 3, 4]),
        ({"q": "MILL wheat"}, [4]),
        ({"q": "notes"}, [3]),
        ({"q": "zwie"}, [1]),
        ({"site": "mill.example"}, [1, 4]),
        ({"state": "labelled", "order": "latest"}, [4, 1]),
        ({"state": "skipped"}, [2]),
        ({"state": "unlabelled"}, [3]),
        ({"state": "differing"}, [1]),
        ({"site": "mill.example", "state": "skipped"}, []),
        ({"order": "name"}, [2, 1, 4, 3]),
        ({"order": "title"}, [2, 4, 3, 1]),
        ({"order": "none", "state": "none"}, [1, 2, 3, 4]),
    ],
)
def test_pages_are_chosen(query: dict[str, str], expected: list[int]) -> None:
    """Words, site and state are combined; what is unknown is ignored."""
    assert expected == choose_pages(PAGES, LABELS, {1}, PageChoice.of_query(query))
