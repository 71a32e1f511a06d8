"""Each peer is called once for each page, and its outputs are scored like a method's."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tests.evaluation.leaderboard.conftest import times_asked
from thresher.errors import ThresherError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.evaluate import Plan, evaluate
from thresher.evaluation.leaderboard.peer_runs import Entrant, Outputs, Process, ask_all, request_of

PAGES = [
    LabelledPage("mine", "rye", "<p>a good year for rye</p>", text="a good year for rye"),
    LabelledPage("mine", "bad", "<p>raise", text="raise"),
    LabelledPage("mine", "dead", "<p>crash", text="crash"),
    LabelledPage("mine", "slow", "<p>hang", text="hang"),
    LabelledPage("mine", "oats", "<ul><li>oats<li>barley</ul>", text="oats barley"),
]
Entrants = dict[Entrant, Process]


def kept_by(entrants: Entrants) -> Path:
    return next(iter(entrants)).outputs


@pytest.mark.parametrize("n_job", [1, 2])
def test_peers_scored_like_methods(entrants: Entrants, n_job: int) -> None:
    """A page on which a peer fails scores as empty; the pages after it are not affected."""
    with Outputs(kept_by(entrants)) as outputs:
        asked = ask_all(entrants, PAGES, outputs, n_job=n_job)
    assert (10, {}) == (asked.n_answer, asked.problems)
    results = list(evaluate(PAGES, Plan(tuple(entrants), ("word",)), n_job=n_job))
    strip = [result for result in results if result.method == "trafilatura"]
    assert [1.0, 0.0, 0.0] == [result.scores["word"].f1 for result in strip[:3]]
    assert [
        None,
        "ValueError: by design",
        "the process died (status 7)",
        "no answer in 1 s",
        None,
    ] == [result.error for result in strip]
    assert [False, True, True, True, False] == [result.is_empty for result in strip]
    # It strips tags, so the items are one word. We convert its HTML to text with two words.
    assert 0.0 == strip[4].scores["word"].f1
    assert [1.0] * 5 == [r.scores["word"].f1 for r in results if r.method == "readability-lxml"]


def test_each_page_is_requested_once(entrants: Entrants, environments: Path) -> None:
    """Stored outputs and errors are not requested again, and an interrupted run resumes."""
    with Outputs(kept_by(entrants)) as outputs:
        ask_all(entrants, PAGES[:2], outputs)
        before = times_asked(environments)
        assert 0 == ask_all(entrants, PAGES[:2], outputs).n_answer
        assert before == times_asked(environments)
        assert 2 == ask_all(entrants, [PAGES[0], PAGES[4]], outputs).n_answer
        assert before + 1 == times_asked(environments)


def test_peer_that_cannot_be_started(entrants: Entrants, tmp_path: Path) -> None:
    """A peer that does not start is reported, does not stop the others, and stores nothing."""
    (fine, _), (broken, _) = entrants.items()
    lost = {fine: entrants[fine], broken: Process([str(tmp_path / "absent")], deadline_s=9.0)}
    with Outputs(kept_by(entrants)) as outputs:
        asked = ask_all(lost, [PAGES[0], PAGES[4]], outputs)
    assert 2 == asked.n_answer
    assert [broken] == list(asked.problems)
    assert "cannot be started" in asked.problems[broken]
    with pytest.raises(ThresherError, match="not asked"):
        broken.find(PAGES[0])


def test_language_is_sent_to_peers() -> None:
    """The label's language has priority over the page's; regions are ignored."""
    german = dataclasses.replace(PAGES[0], html="<html lang=de-AT><p>Roggen</p>")
    assert "de" == request_of(german)["lang"]
    assert "nl" == request_of(dataclasses.replace(german, lang="nl-BE"))["lang"]
    assert request_of(dataclasses.replace(german, html="%PDF-1.7"))["lang"] is None


def test_request_has_nothing_of_the_label() -> None:
    """Peers get the page, its URL and its language, but not its label."""
    page = dataclasses.replace(PAGES[0], url="https://rye.example/", title="Rye", lang="en")
    assert {"html": page.html, "url": page.url, "lang": "en"} == request_of(page)
