"""The desk of a team, without scripts and through the API of its script."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import Post
from thresher.labelling.queues import deal_pages
from thresher.labelling.store import LABELS_FILE, LabelStore


@pytest.fixture
def store(desk: TestClient, tmp_path: Path) -> LabelStore:
    """Three pages, dealt to Ida and Tom."""
    made = LabelStore(tmp_path / LABELS_FILE)
    deal_pages(made, ["Ida", "Tom"], every=None)
    return made


def mark(post: Post, desk: TestClient, page: int, **more: str) -> Any:
    return post(desk, f"/label/{page}", page=f"/label?page={page}", data={"keep": "1", **more})


def test_whoever_has_no_queue_chooses_a_name(
    desk: TestClient, post: Post, store: LabelStore
) -> None:
    """The queues are buttons; one opens the desk with the progress of the queue and of all."""
    shown = desk.get("/label").text
    assert "Who are you?" in shown and 'value="Ida"' in shown and "Tom, 1 left" in shown
    post(desk, "/label/who", page="/label", data={"who": "Ida"})
    shown = desk.get("/label").text
    assert f'data-page="{store.waiting("Ida")[0]}"' in shown
    assert "all labellers: 0 of 3" in shown
    answer = post(
        desk,
        f"/label/{store.waiting('Ida')[0]}",
        page="/label",
        data={"keep": "1"},
        headers={"accept": "application/json"},
    ).json()
    assert (2, 1, "all labellers: 1 of 3") == (
        answer["n_page"],
        answer["n_done"],
        answer["team"],
    )
    assert store.waiting("Ida") == answer["ahead"]


def test_page_of_another_is_labelled_on_the_second_press(
    desk: TestClient, post: Post, store: LabelStore
) -> None:
    """The form comes back with its marks and note, says whose page it is, and may be sent again."""
    [page] = store.waiting("Tom")
    assert "in the queue of Tom" in desk.get(f"/label?page={page}").text
    answer = mark(post, desk, page, who="Ida", note=" all   prose ")
    assert 409 == answer.status_code
    assert "Not saved: this page is in the queue of Tom." in answer.text
    assert 'name="too" value="1"' in answer.text and 'value="all prose"' in answer.text
    assert store.label(page, "Ida") is None
    answer = mark(post, desk, page, who="Ida", note="all prose", too="1")
    assert 303 == answer.status_code
    label = store.label(page, "Ida")
    assert label is not None and "all prose" == label.note


def test_list_of_pages_shows_the_queues(desk: TestClient, post: Post, store: LabelStore) -> None:
    """Who has how many left, which page is whose, and why one was skipped."""
    page = store.waiting("Ida")[0]
    mark(post, desk, page, who="Ida", do="pass", note="<b>empty</b>")
    shown = desk.get("/label/pages").text
    assert "Ida (skipped: &lt;b&gt;empty&lt;/b&gt;)" in shown
    assert "dealt to Tom" in shown
    row = shown.partition("<td>Ida</td>")[2].partition("</tr>")[0]
    assert ["2", "0", "1", "1"] == re.findall(r'<td class="number">(\d+)</td>', row)


def test_agreement_of_a_team_is_shown_in_pairs(
    desk: TestClient, post: Post, store: LabelStore
) -> None:
    """Three labellers have a row for each pair that labelled the same page, and one together."""
    for who, page in (("Ida", 1), ("Tom", 1), ("Eva", 1), ("Eva", 2), ("Tom", 2)):
        mark(post, desk, page, who=who, too="1")
    shown = desk.get("/label/pages").text
    assert "Eva and Ida" in shown and "Ida and Tom" in shown and "<td>Together</td>" in shown
    assert '<td>Together</td><td class="number">4</td>' in shown
