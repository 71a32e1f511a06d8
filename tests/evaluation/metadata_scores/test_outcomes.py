"""Outcomes on labelled pages, for ours and for the peers' stored outputs."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

from thresher.evaluation.corpora import Corpus, LabelledPage
from thresher.evaluation.leaderboard.peer_runs import Entrant, Outputs, PeerAnswer, key_of
from thresher.evaluation.leaderboard.peers import Environment
from thresher.evaluation.metadata_scores.scores import (
    METADATA_PEERS,
    labelled_pages,
    score_ours,
    score_peers,
)

PAGE = LabelledPage("grain", "rye", "<h1>Rye is back</h1>", title="Rye is back")


def test_labelled_pages_leaves_out_those_without_a_label(tmp_path: Path) -> None:
    """A page counts if it has a title, an author or a date; a text is not a label here."""
    path = tmp_path / "grain.jsonl.xz"
    pages = [{"id": "a", "html": "", "text": "rye"}, {"id": "b", "html": "", "author": "Ada"}]
    path.write_bytes(lzma.compress("\n".join(map(json.dumps, pages)).encode()))
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
