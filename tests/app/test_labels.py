"""Background reading of pages to label."""

from __future__ import annotations

import time
from pathlib import Path

from tests.app.conftest import OpenApp
from thresher.app.labels import LABELS_FILE
from thresher.labelling.model import NewPage
from thresher.labelling.store import LabelStore

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
