"""Outcomes of Thresher and its peers on the labelled pages of a corpus."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from thresher.analysis.metadata import Metadata, read_metadata
from thresher.errors import ThresherError
from thresher.evaluation.corpora import Corpus, LabelledPage
from thresher.evaluation.folds import fold_of
from thresher.evaluation.leaderboard.outputs import Outputs, key_of
from thresher.evaluation.leaderboard.peer_runs import Entrant
from thresher.evaluation.metadata_scores.matching import FIELDS, Values, is_found, read_values
from thresher.evaluation.metadata_scores.peers import THRESHER
from thresher.evaluation.metadata_scores.tally import Outcome, compare
from thresher.page.parse import parse

__all__ = ["LOADERS_FILE", "label_of", "labelled_pages", "score_ours", "score_peers"]

LOADERS_FILE: Final = Path(__file__).with_name("loaders.py")
N_FOLD: Final = 2
"""Halves: the rules were developed on the sites of the first and are checked on the second."""


def labelled_pages(corpus: Corpus) -> Iterator[LabelledPage]:
    """Read the pages of a corpus that have a label for a title, an author or a date."""
    for page in corpus.pages():
        label = label_of(page)
        if any(is_found(label, field) for field in FIELDS):
            yield page


def label_of(page: LabelledPage) -> Values:
    """Read the labels of a page in normalised form."""
    return read_values(page.title, [page.author or ""], page.date)


def score_ours(pages: Iterable[LabelledPage]) -> Iterator[Outcome]:
    """Compare the metadata that Thresher reads from pages with their labels."""
    for page in pages:
        try:
            found = read_metadata(parse(page.html, url=page.url))
        except ThresherError:  # not a page
            found = Metadata()
        fields = {"title": found.title, "authors": found.authors, "date": found.published}
        values = read_values(
            found.title.value if found.title else None,
            found.authors.value if found.authors else (),
            found.published.value if found.published else None,
        )
        confidence_of = {name: field.confidence for name, field in fields.items() if field}
        yield from compare(THRESHER, _place_of(page), values, label_of(page), confidence_of)


def score_peers(
    entrants: Iterable[Entrant], pages: Iterable[LabelledPage], outputs: Outputs
) -> Iterator[Outcome]:
    """Compare the answers of peers with the labels of pages; no answer counts as nothing found."""
    entrants = list(entrants)
    for page in pages:
        key, label = key_of(page), label_of(page)
        for entrant in entrants:
            answer = outputs.get(*entrant.key, key)
            found = _read_answer(answer.found if answer else "")
            yield from compare(entrant.name, _place_of(page), found, label)


def _read_answer(found: str) -> Values:
    fields = json.loads(found) if found else {}
    return read_values(fields.get("title"), fields.get("authors") or (), fields.get("date"))


def _place_of(page: LabelledPage) -> tuple[str, str, int]:
    return page.corpus, page.id, fold_of(page, N_FOLD)
