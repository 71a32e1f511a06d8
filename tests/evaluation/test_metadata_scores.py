"""Titles, authors and dates are matched and added up, for Thresher and for peers."""

from __future__ import annotations

import json
import sys
import types
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.corpora import write_corpus
from thresher.evaluation.corpora import Corpus, LabelledPage
from thresher.evaluation.leaderboard.peer_runs import Entrant, Outputs, PeerAnswer, key_of
from thresher.evaluation.leaderboard.peers import PEERS, Environment
from thresher.evaluation.metadata_scores import loaders
from thresher.evaluation.metadata_scores.__main__ import Contestant, Scores, main, write_scores
from thresher.evaluation.metadata_scores.scores import (
    FIELDS,
    METADATA_PEERS,
    THRESHER,
    Outcome,
    Tally,
    Values,
    add_up,
    compare,
    credit,
    is_found,
    labelled_pages,
    read_values,
    score_ours,
    score_peers,
)
from thresher.evaluation.summary import EvaluatedCorpus

PLACE = ("grain", "1", 1)
PAGE = LabelledPage("grain", "rye", "<h1>Rye is back</h1>", title="Rye is back")
LABEL = read_values("Rye", ["Ada Roth"], "2024-05-03")
PAGES: Final = (
    {
        "id": "rye",
        "url": "https://example.org/rye",
        "html": "<title>Rye is back</title><h1>Rye is back</h1><p>By Ada Roth<p>3 May 2024",
        "title": "Rye is back",
        "author": "Ada Roth; Tom Beck",
        "date": "2024-05-03",
    },
    {"id": "bare", "html": "<p>x"},
)


def test_peers_share_the_environments_of_the_leaderboard() -> None:
    """One environment per package serves both, with the same extras."""
    requirements = {peer.package: peer.requirement for peer in PEERS.values()}
    for peer in METADATA_PEERS.values():
        assert requirements[peer.package] == peer.requirement
    assert THRESHER not in METADATA_PEERS


def says(title: str = "", authors: list[str] | None = None, date: str = "") -> Values:
    return read_values(title, authors or [], date)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Rye is “back”", 'rye is "back"!', 1.0),
        ("Rye is back", "Rye is\N{NO-BREAK SPACE}back", 1.0),
        ("Rye is back", "Rye is back | The Sheaf", 0.0),
        ("", "Rye", 0.0),
    ],
)
def test_credit_of_a_title(one: str, other: str, expected: float) -> None:
    """Titles are compared by letters and digits, ignoring everything between them."""
    assert expected == credit(says(one), says(other), "title")


@pytest.mark.parametrize(
    ("found", "label", "expected"),
    [
        (["Ada Roth", "Tom Beck"], "Tom Beck; Ada Roth", 1.0),
        (["By Ada Roth"], "Ada Roth", 1.0),
        (["Ada Roth, Tom Beck and Li Wei"], "Ada Roth; Tom Beck; Li Wei", 1.0),
        (["Ada Roth"], "Ada Roth; Tom Beck", 2 / 3),
        (["Ada Roth", "Tom Beck"], "Ada Roth", 2 / 3),
        (["Tom Beck"], "Ada Roth", 0.0),
        ([], "Ada Roth", 0.0),
        (["後藤大地"], "著者：後藤大地", 1.0),
    ],
)
def test_credit_of_authors(found: list[str], label: str, expected: float) -> None:
    """Authors are compared by the F1 of the set of names, however they are listed."""
    assert expected == pytest.approx(credit(says(authors=found), says(authors=[label]), "authors"))


def test_credit_of_a_date_is_for_the_day_as_it_is_written() -> None:
    """The time zone does not change the day, but the moment, which there is only with one."""
    one, other = says(date="2024-05-03T23:20:00-04:00"), says(date="2024-05-04 03:20:10+00:00")
    assert 0.0 == credit(one, other, "date")
    assert 1.0 == credit(one, other, "moment")
    assert 1.0 == credit(says(date="2024-05-03"), one, "date")
    assert 0.0 == credit(says(date="2024-05-03"), one, "moment")
    assert says(date="2024-05-03T10:20:00").moment is None
    assert datetime(2024, 5, 3, 10, 20, tzinfo=UTC) == says(date="2024-05-03T10:20:59Z").moment


def test_is_found_when_there_is_no_value() -> None:
    """No field is found in an empty value, nor in one without letters and digits."""
    assert not any(is_found(says("!", ["-"], "soon"), field) for field in FIELDS)


@given(st.text(max_size=50), st.lists(st.text(max_size=30), max_size=3), st.text(max_size=30))
def test_credit_of_equal_values_is_full(title: str, authors: list[str], date: str) -> None:
    """Any value gets full credit against itself, and an empty value gets none."""
    values = read_values(title, authors, date)
    for field in FIELDS:
        assert float(is_found(values, field)) == credit(values, values, field)


def test_add_up_when_some_are_wrong_or_missing() -> None:
    """Precision is correct / found, recall correct / labelled; without labels both are 0."""
    label, bare = read_values("Rye", [], None), read_values(None, [], None)
    answers = [("Rye", label), ("Oats", label), (None, label), (None, label), ("Rye", bare)]
    outcomes = [
        outcome
        for title, gold in answers
        for outcome in compare("ours", PLACE, read_values(title, [], None), gold)
        if outcome.field == "title"
    ]
    tally = add_up(outcomes)
    assert Tally(n_label=4, n_right=1.0, n_wrong=1.0, n_missing=2, n_extra=1) == tally
    assert (0.5, 0.25) == (tally.precision, tally.recall)
    assert pytest.approx(1 / 3) == tally.f1
    nothing = add_up([])
    assert (0.0, 0.0, 0.0) == (nothing.precision, nothing.recall, nothing.f1)


def test_labelled_pages_leaves_out_those_without_a_label(tmp_path: Path) -> None:
    """A page counts if it has a title, an author or a date; a text is not a label here."""
    pages = [{"id": "a", "html": "", "text": "rye"}, {"id": "b", "html": "", "author": "Ada"}]
    path = write_corpus(tmp_path, "grain", pages)
    assert ["b"] == [page.id for page in labelled_pages(Corpus("grain", path))]


def test_score_ours_reports_its_confidence() -> None:
    """A correct title has a confidence; a field that is not found has none."""
    outcomes = {o.field: o for o in score_ours([PAGE])}
    assert 1.0 == outcomes["title"].credit
    assert outcomes["title"].confidence is not None
    assert outcomes["authors"].confidence is None


def test_score_peers_when_one_has_failed_finds_nothing(tmp_path: Path) -> None:
    """Stored outputs are scored; an error counts as nothing found."""
    place = Environment(Path("python"), "1.5", "3.99")
    right = Entrant(METADATA_PEERS["trafilatura"], place, tmp_path / "kept")
    failed = Entrant(METADATA_PEERS["goose3"], place, tmp_path / "kept")
    with Outputs(tmp_path / "kept") as outputs:
        answer = json.dumps({"title": "Rye is back", "authors": [], "date": None})
        outputs.put(*right.key, key_of(PAGE), PeerAnswer(answer, 0.1))
        outputs.put(*failed.key, key_of(PAGE), PeerAnswer("", 0.1, "ValueError"))
        found = [o for o in score_peers([right, failed], [PAGE], outputs) if o.field == "title"]
    assert [("trafilatura", 1.0, True), ("goose3", 0.0, False)] == [
        (o.extractor, o.credit, o.is_found) for o in found
    ]


def outcomes(extractor: str, found: Values, fold: int, sure: float | None = None) -> list[Outcome]:
    confidence_of = {"title": sure} if sure is not None else None
    return compare(extractor, ("grain", f"page {fold}", fold), found, LABEL, confidence_of)


def scores(*found: Outcome) -> Scores:
    return Scores(
        date="2024-05-03",
        versions={"thresher": "1.0"},
        corpora=(EvaluatedCorpus("grain", "metadata", "abc" * 20, 2),),
        contestants=(Contestant("htmldate", "2.0", "trafilatura", "find_date(html)"),),
        outcomes=found,
    )


def test_write_scores_marks_the_best_of_each_half() -> None:
    """The best value of each F1 column is marked; other columns are not."""
    right, wrong = read_values("Rye", [], None), read_values("Oats", [], None)
    text = write_scores(
        scores(
            *outcomes("thresher", right, 0),
            *outcomes("thresher", wrong, 1),
            *outcomes("htmldate", wrong, 0),
            *outcomes("htmldate", right, 1),
        )
    )
    assert "| *thresher* | 50.0 | 50.0 | **50.0** | 1 | 0 | 0 | **100.0** | 0.0 |" in text
    assert "| htmldate | 50.0 | 50.0 | **50.0** | 1 | 0 | 0 | 0.0 | **100.0** |" in text


def test_write_scores_omits_fields_without_values() -> None:
    """An extractor that never finds a field has no row; an unlabelled field has no table."""
    silent, right = read_values(None, [], None), read_values("Rye", [], None)
    text = write_scores(scores(*outcomes("thresher", right, 0), *outcomes("htmldate", silent, 0)))
    title = text.split("## Title: grain")[1].split("## ")[0]
    assert "*thresher*" in title
    assert "htmldate" not in title
    assert "## Moment" not in text


def test_write_scores_reports_accuracy_by_confidence() -> None:
    """Bands of confidence have counts, and shares of all pages and of the other half."""
    right, wrong = read_values("Rye", [], None), read_values("Oats", [], None)
    text = write_scores(
        scores(*outcomes("thresher", right, 0, 0.9), *outcomes("thresher", wrong, 1, 0.8))
    )
    assert "| title | 2: 50.0 (0.0) | – | – |" in text
    assert "| grain | metadata | 2 | `abcabcabcabc` |" in text
    assert "htmldate | with trafilatura 2.0 |" in text


def test_htmldate_is_called_with_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both settings are passed to the library, which returns only a date."""
    seen = []

    def find_date(html: str, **settings: object) -> str:
        seen.append(settings)
        return "2024-05-03"

    module = types.SimpleNamespace(find_date=find_date)
    monkeypatch.setitem(sys.modules, "htmldate", module)
    expected: dict[str, object] = {"title": None, "authors": [], "date": "2024-05-03"}
    for name in ("htmldate", "htmldate original"):
        assert expected == json.loads(loaders.LOADERS[name]()("<p>", None, None))
    assert [{"url": None}, {"url": None, "original_date": True}] == seen


def test_readability_without_a_result_returns_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer's placeholder for a missing value counts as missing."""

    class Document:
        def __init__(self, html: str, url: str | None) -> None:
            self.html = html

        def short_title(self) -> str:
            return "Rye"

        def author(self) -> str:
            return loaders.NO_AUTHOR

    module = types.SimpleNamespace(Document=Document)
    monkeypatch.setitem(sys.modules, "readability", module)
    found = json.loads(loaders.LOADERS["readability-lxml"]()("<p>", None, None))
    assert {"title": "Rye", "authors": [], "date": None} == found


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of a page with labels and a page without."""
    return write_corpus(tmp_path, "grain", PAGES)


@pytest.mark.skipif(sys.platform == "win32", reason="the made-up interpreter is a script")
def test_page_and_data_are_written(
    corpus: Path, environments: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Our values and the peer's are side by side; missing peers are reported."""
    page, data = tmp_path / "new" / "scores.md", tmp_path / "new" / "scores.json"
    options = ["--environment", str(environments), "--no-install", "--peers", "trafilatura,goose3"]
    assert 0 == main([str(corpus), *options, "-o", str(page), "--json", str(data)])
    text = page.read_text(encoding="utf-8")
    assert "| *thresher* | 100.0 | 100.0 | **100.0** | 0 | 0 | 0 |" in text
    assert "| trafilatura | 0.0 | 0.0 | 0.0 | 1 | 0 | 0 |" in text
    assert "Not here:" in text
    assert "goose3: not installed" in capsys.readouterr().err
    outcomes = json.loads(data.read_text(encoding="utf-8"))["outcomes"]
    credits = {(o["extractor"], o["field"]): o["credit"] for o in outcomes}
    assert {"rye"} == {outcome["page"] for outcome in outcomes}
    assert pytest.approx(2 / 3) == credits["trafilatura", "authors"]
    assert 1.0 == credits["thresher", "date"]


def test_incorrect_usage_is_reported(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown peer or corpus is incorrect usage; without peers the page is printed."""
    assert 0 == main([str(corpus), "--peers", "none"])
    assert "## Title: grain" in capsys.readouterr().out
    assert 2 == main([str(corpus), "--peers", "nobody"])
    assert "nobody" in capsys.readouterr().err
    assert 2 == main([str(corpus.with_name("none"))])
