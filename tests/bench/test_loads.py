"""Checks that load, kill and delay the services report what happened."""

from __future__ import annotations

import http.client
import json
import math
import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import thresher
from bench import label_kills, late, saved_kills
from bench.label_kills import mark
from bench.late import STAGES, Late, measure_shape
from bench.load import HOSTILE, Load, run_load, time_gets
from bench.saved_kills import tags_for, write_page
from tests.bench.conftest import Run
from thresher.app.engine import PageSource
from thresher.app.saved import SavedList
from thresher.app.saved_changes import set_tags
from thresher.deadline import check_deadline
from thresher.labelling.model import Label, NewPage
from thresher.labelling.store import LabelStore


class _Fake(BaseHTTPRequestHandler):
    """A server whose answers are correct, wrong and errors in turn."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        page = self.rfile.read(size)
        status = 500 if page == b"wrong" else 200
        answer: dict[str, object] = {"output": {"markdown": "word"}}
        if page == b"wrong":
            answer = {"error": {"type": "X", "message": "broken"}}
        elif page == b"empty":
            answer = {"output": {}}
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(self.path[:2].encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Fake) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def test_load_counts_what_was_answered(port: int) -> None:
    """Every client sends pages, and an answer that is not their record is an error."""
    load = run_load(port, [b"<p>a", b"wrong", b"empty"], clients=3, seconds=0.5)
    assert {"500 broken", "no record"} == load.errors.keys()
    assert load.errors.total() < len(load.took_s)


def test_gets_are_timed_one_by_one(port: int) -> None:
    """Each of the answers has its time."""
    assert 5 == sum(took_s > 0 for took_s in time_gets(port, ("/a", "/b"), 5))


def test_load_counts_who_is_not_answered() -> None:
    """A server that cannot be reached is counted as an error, and the test goes on."""
    load = run_load(1, [b"<p>a"], clients=1, seconds=0.05)
    assert ["ConnectionRefusedError"] == list(load.errors)


def test_row_has_the_shares_in_order() -> None:
    """A row has the median, the 95th and the 99th percentile, and the maximum."""
    load = Load([n / 1000 for n in range(100, 0, -1)], Counter(x=2), 10.0)
    assert "| a | 100 | 2 | 10 | 51 | 96 | 100 | 100 |" == load.row("a")


def test_harm_ends_when_it_is_over(port: int) -> None:
    """A client that sends slowly stops when the test ends."""
    over = threading.Event()
    over.set()
    assert "given up" == HOSTILE["slow headers"](port, over)
    with pytest.raises((OSError, http.client.HTTPException)):
        HOSTILE["private addresses"](1, over)


def test_only_labels_as_they_were_sent_count(tmp_path: Path) -> None:
    """A label that is missing, or keeps other blocks, is not counted."""
    store = LabelStore(tmp_path / "labels.sqlite")
    store.add(NewPage(f"{page}.html", f"<p>{page}") for page in (1, 2, 3))
    for page, marked in ((1, mark(1)), (2, mark(1))):
        keep = np.isin(np.arange(12), marked)
        store.save(Label(page, "bench", keep, "Rye."))
    assert mark(1) != mark(2)
    assert 1 == label_kills.count_kept(store, [1, 2, 3])


def test_only_pages_with_their_tags_count(tmp_path: Path) -> None:
    """A page that is missing, is another, or has other tags is not counted."""
    saved = SavedList(tmp_path / "saved.sqlite")
    for page, body, tagged in ((1, 1, 1), (2, 2, 1), (3, 1000, 3)):
        number = saved.save(PageSource(write_page(body)), f"Sheaf {page}", "Rye.")
        set_tags(saved, number, tags_for(tagged), was=())
    assert 1 == saved_kills.count_kept(saved, [1, 2, 3, 4])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "what", "kept"),
    [(label_kills, "labels", "labels kept"), (saved_kills, "pages", "pages kept with their tags")],
)
def test_nothing_is_lost_when_the_app_is_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], module: ModuleType, what: str, kept: str
) -> None:
    """What is sent while the app is killed is stored, with its tags, once it is back."""
    pytest.importorskip("uvicorn", reason="the extra app is not installed")
    output = tmp_path / "said"
    assert 0 == module.main([f"--{what}", "20", "--kills", "2", "-o", str(output)])
    said = capsys.readouterr().out
    assert f"20 of 20 {kept} through 2 kills" in said
    assert said == output.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.usefixtures("frozen_heap")
def test_every_stage_is_measured() -> None:
    """The extraction, each method and each output has a row, and none failed."""
    rows = list(measure_shape("paragraphs", divide=10_000))
    assert len(rows) == 1 + len(thresher.ALGORITHMS) + len(STAGES)
    assert [] == [row for row in rows if row.error or not 0 <= row.late_s < math.inf]


@pytest.mark.usefixtures("frozen_heap")
def test_who_does_not_look_at_the_clock_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stage is as late as its longest stretch of work between two looks at the clock."""

    def work(page: thresher.Page, method: str) -> None:
        for seconds in (0.005, 0.02):
            check_deadline()
            start = time.thread_time()
            while time.thread_time() - start < seconds:
                pass

    monkeypatch.setattr(thresher, "select", work)
    monkeypatch.setattr(late, "STAGES", {})
    rows = list(measure_shape("paragraphs", divide=10_000, deadline_s=9))
    assert all(row.late_s >= 0.02 for row in rows if row.stage.startswith("select"))


def test_large_shapes_are_made_smaller() -> None:
    """A page has at most the bytes that are asked for, and nearly as many."""
    html = late._build("one word", 1_000_000, 10_000)
    assert 9_000 < len(html) <= 10_000


@pytest.mark.usefixtures("frozen_heap")
def test_shape_beyond_the_limits_is_followed_by_what_they_accept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At the limits a page that is refused is measured, and then one that is extracted."""
    monkeypatch.setattr(late, "MAX_BYTES", 60_000)
    monkeypatch.setattr(thresher, "read_page", partial(thresher.read_page, max_bytes=40_000))
    rows = list(measure_shape("paragraphs", divide=1000, at_limit=True, stages=["extract"]))
    assert ["extract", "extract"] == [row.stage for row in rows]


def test_main_exits_with_one_when_something_is_late(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stage that ends later than allowed is printed, and gives status 1."""
    rows = [Late(0.1, "paragraphs", "extract", None), Late(2.5, "paragraphs", "metadata", None)]
    monkeypatch.setattr(late, "measure_shape", lambda *_, **__: iter(rows))
    assert "FAILED paragraphs | metadata | 2.50 s late" in run(
        late, "--shape", "paragraphs", status=1
    )
