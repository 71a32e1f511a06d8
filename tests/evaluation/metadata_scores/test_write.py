"""The page of scores explains its method and marks the best."""

from __future__ import annotations

from thresher.evaluation.metadata_scores.__main__ import Contestant, Scores, write_scores
from thresher.evaluation.metadata_scores.scores import Outcome, Values, compare, read_values
from thresher.evaluation.summary import EvaluatedCorpus

LABEL = read_values("Rye", ["Ada Roth"], "2024-05-03")


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
