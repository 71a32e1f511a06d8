"""An app with something on every page, for tests of all pages in a browser."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from tests.app.serving import serving
from tests.sites.pages import story
from tests.training.adapter.labelled import make_pages
from thresher.app.engine import PageSource
from thresher.app.imports import ImportedFeed
from thresher.app.saved import SAVED_FILE, SavedList
from thresher.app.saved_changes import NewHighlight, add_highlight, set_tags
from thresher.app.subscriptions import FEEDS_FILE, Subscriptions
from thresher.feeds.reading import FeedItem, SourceFeed
from thresher.fetching.model import Fetched
from thresher.labelling.model import Label, NewPage
from thresher.labelling.store import LabelStore
from thresher.page.parse import parse
from thresher.sites.rulebook import HostRules, Rulebook, Rules, save_rulebook

__all__ = ["EveryPage", "serving_every_page", "write_run"]

TRAINED: Final = "train-20261123-120000-ab12"
MEASURED: Final = "measure-20261123-130000-cd34"
_HOST: Final = "mill.example"
_FEED: Final = ImportedFeed("https://farm.example/feed", "Farm", "Far away")
_THREAD: Final = """<html lang="en"><title>Which rye for sand?</title><body>
<h1>Which rye for sand?</h1>{}</body></html>"""
_POST: Final = """<div class="comment"><b class="author">{0}</b>
<time datetime="2026-11-0{1}T08:30">{1} November</time><p>{2}</p>{3}</div>"""
_SAID: Final = "The old rye stands in any wind, and asks little of the ground that it is sown on. "
_WIDE: Final = (
    "<article><h1>Yields by year</h1><p>" + _SAID * 4 + "</p><table>"
    "<tr>" + "".join(f"<th>Year {year}</th>" for year in range(1890, 1910)) + "</tr>"
    "<tr>" + "".join(f"<td>{year} sacks</td>" for year in range(20)) + "</tr></table>"
    "<p>" + "x" * 300 + "</p><p>" + _SAID * 3 + "</p></article>"
)


class EveryPage(NamedTuple):
    """A running app."""

    address: str
    paths: dict[str, str]
    """Name of a page → its path."""


@contextmanager
def serving_every_page(folder: Path) -> Iterator[EveryPage]:
    """Serve an app with pages, labels of two people, rules and runs."""
    _write_labels(folder)
    _write_runs(folder)
    rules = HostRules(Rules(drop=("section.about", f"{'div > ' * 40}p")))
    save_rulebook(Rulebook({_HOST: rules}), folder / "rules.toml")
    with serving(folder) as (address, context):
        reply = _POST.format("Bo", 2, _SAID, _POST.format("Cy", 3, _SAID, ""))
        posts = _POST.format("Ada", 1, _SAID, reply) + _POST.format("Dee", 4, _SAID, "")
        keep = context.page_cache.put
        story_page = keep(PageSource(story(1), f"https://{_HOST}/1"))
        thread = keep(PageSource(_THREAD.format(posts), f"https://{_HOST}/t"))
        label = f"{_SAID}\n{'x' * 300}\nNever on the page, {'y' * 99}"
        wide = keep(PageSource(_WIDE, f"https://{_HOST}/{'wide-' * 30}", label=label))
        saved = SavedList(folder / SAVED_FILE)
        for number in (1, 2):
            source = PageSource(story(number), f"https://{_HOST}/{number}")
            kept = saved.save(source, f"Story {number}", _SAID * 9)
            set_tags(saved, kept, ("rye", "long-" * 9), was=())
            add_highlight(saved, kept, NewHighlight("x" * 90, "", "", 0))
        feeds = Subscriptions(folder / FEEDS_FILE)
        feeds.add([ImportedFeed(f"https://{_HOST}/feed", "Mill"), _FEED])
        item = FeedItem(_SAID, f"https://{_HOST}/1", _SAID * 9, id="1", author="y" * 99)
        fetched = Fetched(f"https://{_HOST}/feed", b"", None, None, 200, is_public=True)
        feeds.store(1, fetched, SourceFeed("x" * 99, None, (item,), "", (), str))
        feeds.note_trouble(2, "HTTP 404 Not Found")
        paths = {
            "start": "/",
            "feeds": "/feeds?feed=1&removed=9",
            "feeds-all": "/feeds?show=all&refreshing=1",
            "saved": "/saved?q=rye&tag=rye&did=delete&pages=9",
            "read": f"/read/{story_page}?removed=1",
            "thread": f"/read/{thread}",
            "wide": f"/read/{wide}",
            "inspect-open": "/inspect",
            "inspect": f"/inspect/{story_page}?block=7",
            "inspect-wide": f"/inspect/{wide}?block=3",
            "compare": f"/compare/{story_page}?b=keep_all",
            "compare-open": "/compare",
            "rules": "/rules",
            "label": "/label",
            "label-pages": "/label/pages?deleted=9",
            "decide": "/label/2/decide?a=Ada&b=Bo",
            "train": "/train",
            "trained": f"/train/{TRAINED}",
            "leaderboard": "/leaderboard",
            "measured": f"/leaderboard/{MEASURED}",
            "api": "/api",
            "problem": "/read/none",
        }
        yield EveryPage(address, paths)


def write_run(folder: Path, name: str, about: dict[str, Any], *events: Any) -> Path:
    """Write a run as `thresher.app.runs` keeps it; return its folder."""
    run = folder / "runs" / name
    run.mkdir(parents=True)
    kind = name.partition("-")[0]
    values = {"id": name, "kind": kind, "command": [kind, str(run)], "about": about}
    (run / "run.json").write_text(json.dumps({**values, "made_at": "2026-11-23T12:00:00+00:00"}))
    (run / "events.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    return run


def _write_labels(folder: Path) -> None:
    """Write the labels of two people, who differ on a page."""
    store = LabelStore(folder / "labels.sqlite")
    store.add(NewPage(page.id, page.html, page.url) for page in make_pages(4))
    for page, labeller in itertools.product((1, 2, 3), ("Ada", "Bo")):
        stored = store.page(page)
        assert stored
        blocks = parse(stored.html).blocks
        keep = np.ones(len(blocks), np.bool_)
        keep[: page if labeller == "Ada" else 1] = False
        store.save(Label(page, labeller, keep, "Rye."))


def _write_runs(folder: Path) -> None:
    """Write a training run and an evaluation, both finished."""
    score = {"f1": 0.912, "error": 0.011, "precision": 0.9, "recall": 0.93, "n_empty": 0}
    host = "https://a-long-name-without-any-break-in-it.mill.example/"
    run = write_run(
        folder,
        TRAINED,
        {"kind": "perceptron", "n_page": 40},
        {
            "event": "result",
            "rows": [{"name": "before", **score}, {"name": "after", **score}],
            **{"gain": 0.02, "gain_error": 0.004, "is_sure": True, "n_better": 9, "n_worse": 3},
            **{"n_measured": 40, "n_page": 40, "n_site": 12},
            "curve": [
                {"n_page": n, "f1": f1, "error": 0.01}
                for n, f1 in ((0, 0.9), (20, 0.91), (40, 0.92))
            ],
            "pages": [{"id": "1", "url": host + "x" * 90, "before": 0.4, "after": 0.6}],
        },
    )
    (run / "weights.npz").touch()
    run = write_run(folder, MEASURED, {"corpus": "labels", "n_page": 4})
    results = [
        {
            **{"corpus": "labels", "page": str(page), "method": method},
            "scores": {"word": {"precision": 0.8, "recall": 0.9, "f1": 0.85 - page / 10}},
            **{"n_byte": 9000, "cpu_s": 0.01, "is_empty": False, "error": None},
            **{"page_type": kind, "url": host},
        }
        for page, kind in enumerate(("article", "forum", "documentation", "product", "listing"))
        for method in ("learned", "keep_all", "body_text_extraction")
    ]
    (run / "results.json").write_text(json.dumps({"results": results}))
