"""Titles, authors and dates of Thresher and its peers, matched with labels, and credits added up.

The same rules hold for all, labels included. Each field of a page earns a credit from 0 to 1, or
none if the page has no label for it:

- title: 1 if letters and digits are the same, ignoring case;
- authors: the F1 of the set of names, each compared likewise;
- date: 1 for the same calendar day as it is written, zone aside, as htmldate's own evaluation has
  it (A. Barbaresi, "htmldate: A Python package to extract publication dates from web pages",
  JOSS 5(51), 2020);
- moment: 1 for the same minute, if the label has a time and a time zone.

The calls of peers are in `loaders`, under the same names.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from thresher.analysis.metadata import Metadata, read_metadata
from thresher.errors import ThresherError
from thresher.evaluation.corpora import Corpus, LabelledPage
from thresher.evaluation.folds import fold_of
from thresher.evaluation.leaderboard.peer_runs import Entrant, Outputs, key_of
from thresher.evaluation.leaderboard.peers import Peer, by_name
from thresher.page.parse import parse

THRESHER: Final = "thresher"
"""The name of our own row."""
METADATA_PEERS: Final = by_name(
    Peer("trafilatura", "trafilatura", "extract_metadata(html, default_url=url)"),
    # htmldate comes with trafilatura, which calls it for the original date.
    Peer("htmldate", "trafilatura", "find_date(html, url=url)"),
    Peer("htmldate original", "trafilatura", "find_date(html, url=url, original_date=True)"),
    Peer(
        "newspaper4k",
        "newspaper4k",
        "Article(url, the page's language, fetch_images=False), parsed from html",
        extras="all",
    ),
    Peer("goose3", "goose3", "Goose(target_language).extract(raw_html=html)", extras="all"),
    Peer(
        "readability-lxml", "readability-lxml", "Document(html, url=url).short_title(), .author()"
    ),
)
"""Every peer by name, in the order of the tables."""
FIELDS: Final = ("title", "authors", "date", "moment")
_LIST_MARK: Final = re.compile(
    r"(?:(?<!\s)\s+)?[;,|、，；\n]\s*|(?<!\s)\s+(?:and|und|et|y|e|en|och|og|&)\s+", re.IGNORECASE
)
"""Separators of names in labels and answers."""
_SIGNS: Final = re.compile(
    r"^(?:(?:written )?by\b|von\b|par\b|著者|作者|文)\s*[:：]?\s*", re.IGNORECASE
)
"""Text before a name in some labels and some answers, which is not part of it."""
_NO_WORD: Final = re.compile(r"[\W_]+")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
LOADERS_FILE: Final = Path(__file__).with_name("loaders.py")
N_FOLD: Final = 2
"""Halves: the rules were developed on the sites of the first and are checked on the second."""


@dataclass(frozen=True, slots=True)
class Values:
    """The values of a label or an extractor for a page, in normalised form."""

    title: str | None = None
    authors: frozenset[str] = frozenset()
    date: str | None = None
    """The day, `2024-05-03`."""
    moment: datetime | None = None
    """To the minute, in UTC; None without a time zone."""


def read_values(title: str | None, authors: Iterable[str], date: str | None) -> Values:
    """Normalise the values for a page; ``date`` is ISO 8601, with a space or a T."""
    day = _DAY.match((date or "").strip())
    return Values(
        title=_key(title or "") or None,
        authors=frozenset(_names_in(authors)),
        date=day[0] if day else None,
        moment=_read_moment(date or ""),
    )


def is_found(values: Values, field: str) -> bool:
    """Return whether a field has a value."""
    return bool(getattr(values, field))


def credit(found: Values, label: Values, field: str) -> float:
    """Return how well the found value matches the label, 0 to 1; 0 if nothing was found."""
    if field == "authors":
        both = len(found.authors) + len(label.authors)
        return 2 * len(found.authors & label.authors) / both if both else 0.0
    value = getattr(found, field)
    return float(value is not None and value == getattr(label, field))


def _names_in(texts: Iterable[str]) -> Iterable[str]:
    for text in texts:
        for part in _LIST_MARK.split(text):
            if key := _key(_SIGNS.sub("", part.strip())):
                yield key


def _key(text: str) -> str:
    return _NO_WORD.sub("", unicodedata.normalize("NFKC", text)).casefold()


def _read_moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if moment.tzinfo is None:
        return None
    try:
        return moment.astimezone(UTC).replace(second=0, microsecond=0)
    except OverflowError:  # the first or the last possible day
        return None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an extractor for one field of one page."""

    extractor: str
    corpus: str
    page: str
    fold: int
    """0 for the half of the sites that the rules were developed on, 1 for the other."""
    field: str
    is_labelled: bool
    is_found: bool
    credit: float
    confidence: float | None = None
    """The confidence that the extractor reports, if any."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The outcomes of one extractor for one field, added up."""

    n_label: int
    n_right: float
    """Credits, which are whole numbers except for authors."""
    n_wrong: float
    n_missing: int
    n_extra: int
    """Pages where something was found and the label is empty. Labels do not say whether there is
    nothing or nobody looked, so these count neither for nor against."""

    @property
    def precision(self) -> float:
        """The share of values found on pages with a label that is correct."""
        n_found = self.n_label - self.n_missing
        return self.n_right / n_found if n_found else 0.0

    @property
    def recall(self) -> float:
        """The share of labels that was found."""
        return self.n_right / self.n_label if self.n_label else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def compare(
    extractor: str,
    page: tuple[str, str, int],
    found: Values,
    label: Values,
    confidence_of: dict[str, float] | None = None,
) -> list[Outcome]:
    """Compare all fields of a page; ``page`` is its corpus, its name and its half."""
    sure = confidence_of or {}
    return [
        Outcome(
            extractor,
            *page,
            field,
            is_found(label, field),
            is_found(found, field),
            credit(found, label, field),
            sure.get(field),
        )
        for field in FIELDS
    ]


def add_up(outcomes: Iterable[Outcome]) -> Tally:
    """Add up the outcomes of one field and one extractor."""
    every: Sequence[Outcome] = list(outcomes)
    labelled = [outcome for outcome in every if outcome.is_labelled]
    n_right = sum(outcome.credit for outcome in labelled)
    n_missing = sum(not outcome.is_found for outcome in labelled)
    return Tally(
        n_label=len(labelled),
        n_right=n_right,
        n_wrong=len(labelled) - n_missing - n_right,
        n_missing=n_missing,
        n_extra=sum(outcome.is_found and not outcome.is_labelled for outcome in every),
    )


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
            metadata = read_metadata(parse(page.html, url=page.url))
        except ThresherError:  # not a page
            metadata = Metadata()
        fields = {"title": metadata.title, "authors": metadata.authors, "date": metadata.published}
        values = read_values(
            metadata.title.value if metadata.title else None,
            metadata.authors.value if metadata.authors else (),
            metadata.published.value if metadata.published else None,
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
            values = _read_answer(answer.found if answer else "")
            yield from compare(entrant.name, _place_of(page), values, label)


def _read_answer(found: str) -> Values:
    fields = json.loads(found) if found else {}
    return read_values(fields.get("title"), fields.get("authors") or (), fields.get("date"))


def _place_of(page: LabelledPage) -> tuple[str, str, int]:
    return page.corpus, page.id, fold_of(page, N_FOLD)
