"""Train and Leaderboard: the forms, the background runs and their results."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp, Post
from tests.app.every_page import TRAINED, write_run
from tests.app.pages.conftest import add, write_page
from thresher.algorithms.learned.model import Model


@pytest.fixture
def labelled(open_app: OpenApp, post: Post) -> Iterator[TestClient]:
    """App with six labels."""
    with open_app() as client:
        add(client, post, 6)
        for number in range(1, 7):
            post(client, f"/label/{number}", page="/label", data={"keep": "2,3"})
        yield client


def wait_for(client: TestClient, path: str) -> str:
    for _ in range(300):
        text = client.get(path).text
        if "data-live" not in text:
            return text
        time.sleep(0.2)
    raise TimeoutError


def test_training_from_form_to_use(labelled: TestClient, post: Post, tmp_path: Path) -> None:
    """A run is followed to its end, and its model is used and unset."""
    data = {"kind": "perceptron", "weight": "2", "n_fold": "2"}
    started = post(labelled, "/train", page="/train", data=data)
    assert 303 == started.status_code
    path = started.headers["location"]
    with labelled.stream("GET", f"{path}/events") as events:
        told = "".join(events.iter_text())
    # Which of the stages are seen depends on how busy the machine is.
    assert told.count('"words": ') > 1
    assert '"is_running": true' in told
    assert '"is_running": false' in told
    assert told.endswith("event: ended\ndata: {}\n\n")

    text = wait_for(labelled, path)
    assert "Before and after" in text
    assert "6 pages are few" in text
    assert "<svg" in text
    weights = labelled.get(f"{path}/files/weights.npz").content
    (tmp_path / "mine.npz").write_bytes(weights)
    model = Model.load(tmp_path / "mine.npz")
    assert "perceptron" == model.kind
    assert pytest.approx(2**-0.5) == model.beta
    assert "costs 2 times" in labelled.get(f"{path}/files/weights.md").text

    assert 303 == post(labelled, f"{path}/use", page=path).status_code
    assert "In use" in labelled.get("/train").text
    command = re.search(r"thresher extract page.html --model (\S+)</code>", text)
    assert command
    assert (tmp_path / "model.txt").read_text().strip() == command[1]
    assert "your model" in labelled.get("/label?page=1").text
    post(labelled, "/train/forget", page="/train")
    assert "In use" not in labelled.get("/train").text


def test_training_cancelled(labelled: TestClient, post: Post) -> None:
    """A cancelled run ends and is shown as cancelled."""
    path = post(labelled, "/train", page="/train").headers["location"]
    second = post(labelled, "/train", page="/train")
    assert 400 == second.status_code
    assert "another run is active" in second.text
    post(labelled, f"{path}/cancel", page=path)
    assert "Cancelled." in wait_for(labelled, path)
    assert 404 == labelled.get(f"{path}/files/weights.npz").status_code


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"kind": "forest"}, "the model must be one of"),
        ({"weight": "0"}, "weight of false positives"),
        ({"weight": "much"}, "must be a number"),
        ({"n_fold": "1"}, "from 2 to 20"),
        ({"n_fold": "2.5"}, "from 2 to 20"),
        ({}, "label at least two pages first"),
    ],
)
def test_form_refused(open_app: OpenApp, post: Post, data: dict[str, str], says: str) -> None:
    """Invalid forms and training without labels are reported, and no run is started."""
    with open_app() as client:
        assert "no labels yet" in client.get("/train").text
        answer = post(client, "/train", page="/train", data=data)
        assert 400 == answer.status_code
        assert says in answer.text
        assert "Earlier runs" not in client.get("/train").text
        for path in ("/train/absent", "/train/measure-1", "/train/absent/events"):
            assert 404 == client.get(path).status_code


@pytest.mark.parametrize(
    ("gain", "says", "button"),
    [(-0.031, "A loss.", "Use this model anyway"), (0.031, "A gain.", "Use this model")],
)
def test_an_outcome_is_called_what_it_is(
    open_app: OpenApp, tmp_path: Path, gain: float, says: str, button: str
) -> None:
    """A significant difference has its name, and only a gain has the button that stands out."""
    row = {"f1": 0.9, "error": 0.01, "precision": 0.9, "recall": 0.9, "n_empty": 0}
    result = {
        "event": "result",
        "rows": [{"name": "before", **row}, {"name": "after", **row}],
        **{"gain": gain, "gain_error": 0.004, "is_sure": True, "n_better": 3, "n_worse": 9},
        **{"n_measured": 40, "curve": [], "n_page": 40, "n_site": 12, "pages": []},
    }
    run = write_run(tmp_path, TRAINED, {"kind": "perceptron", "n_page": 40}, result)
    (run / "weights.npz").touch()
    with open_app() as client:
        text = client.get(f"/train/{TRAINED}").text
        assert says in text
        main = re.findall(r'class="button"[^>]*>([^<]+)', text)
        assert main == [button if gain > 0 else "Label more pages"]
        assert f">{button}</button>" in text
        assert ("loss of 3.1" if gain < 0 else "gain of 3.1") in client.get("/train").text


@pytest.mark.parametrize("has_torch", [False, True])
def test_the_full_model_needs_pytorch(
    labelled: TestClient, monkeypatch: pytest.MonkeyPatch, has_torch: bool
) -> None:
    """The full model is offered only where it can be trained; elsewhere the extra is named."""
    monkeypatch.setattr("thresher.app.pages.train.find_spec", lambda name: has_torch or None)
    text = labelled.get("/train").text
    assert has_torch == ('value="learned"' in text) == ("thresher[train]" not in text)
    assert re.search(r'name="kind" value="perceptron"[^>]* checked', text)


def measure(client: TestClient, post: Post, **data: Any) -> tuple[str, str]:
    started = post(client, "/leaderboard", page="/leaderboard", data=data)
    assert 303 == started.status_code, started.text
    path = started.headers["location"]
    return path, wait_for(client, path)


def test_board_of_own_labels(open_app: OpenApp, post: Post) -> None:
    """Each method has a row, a dot and its worst pages, which open in Inspect."""
    with open_app() as client:
        add(client, post, 2)
        for number in (1, 2):
            post(client, f"/label/{number}", page="/label", data={"keep": "2,3"})
        path, text = measure(client, post, corpus="labels", methods=["bte", "learned"])
        assert "My labels, 2 pages" in text
        assert {"keep_all", "bte", "learned"} == set(re.findall(r"\?method=(\w+)#worst", text))
        assert (3, 1) == (text.count("<circle"), text.count('class="dot marked"'))
        assert "Worst pages for learned" in text
        assert "Letter 1" in text
        assert "Worst pages for bte" in client.get(f"{path}?method=bte").text
        link = re.search(r'href="(/leaderboard/[^"]+/inspect[^"]+)"', text)
        assert link
        answer = client.get(unescape(link[1]))
        assert 303 == answer.status_code
        assert re.fullmatch(r"/inspect/[\w-]+\?method=learned", answer.headers["location"])
        assert 404 == client.get(f"{path}/inspect?corpus=labels&page=99").status_code
        assert path in client.get("/leaderboard").text


def test_board_of_a_corpus(open_app: OpenApp, post: Post, tmp_path: Path) -> None:
    """A corpus of the configured folder can be evaluated; wrong forms create no run."""
    folder = tmp_path / "mills"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.html").write_bytes(write_page(number))
        (folder / f"{number}.txt").write_text(f"Letter {number}")
    with open_app(corpora=folder) as client:
        assert "mills" in client.get("/leaderboard").text
        for data, says in (
            ({}, "label some pages first"),
            ({"corpus": "absent"}, "no corpus"),
            ({"corpus": "mills", "n_page": "0"}, "from 1 to"),
        ):
            answer = post(client, "/leaderboard", page="/leaderboard", data=data)
            assert 400 == answer.status_code
            assert says in answer.text
        assert "Earlier runs" not in client.get("/leaderboard").text
        _, text = measure(client, post, corpus="mills", n_page="2", methods=["bte"])
        assert "mills, 2 pages" in text
