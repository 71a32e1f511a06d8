"""The card: how a model was made, and how accurate it is."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import numpy as np
import pytest

from thresher.evaluation.corpora import Corpus
from thresher.evaluation.evaluate import PageResult
from thresher.evaluation.metrics import Score
from thresher.evaluation.role_labels.labels import count_pairs
from thresher.training.learned.recipe import Making, write_card


def result(
    page: str,
    f1: float,
    *,
    kind: str | None = None,
    corpus: str = "news",
    confidence: float | None = None,
) -> PageResult:
    return PageResult(
        corpus,
        page,
        "learned",
        {"word": Score(0.5, 0.25, f1)},
        n_byte=1,
        cpu_s=0.1,
        is_empty=not f1,
        page_type=kind,
        confidence=confidence,
    )


@pytest.fixture
def making(tmp_path: Path) -> Making:
    """A model of a packed corpus and of a folder."""
    packed, folder, weights = (tmp_path / name for name in ("news.jsonl.xz", "own", "mill.npz"))
    packed.write_bytes(b"pages")
    folder.mkdir()
    weights.write_bytes(b"weights")
    return Making(
        date="2026-11-22",
        command="thresher train -o mill.npz",
        versions={"python": "3.13", "torch": "2.9"},
        corpora=(Corpus("news", packed, "train"), Corpus("own", folder)),
        left_out=(),
        n_network=2,
        seed=2026,
        n_page=1234,
        n_block=56789,
        n_site=321,
        n_fold=7,
        n_token=4321,
        n_role_page=98,
        roles=count_pairs([(np.array([3, 3, 10], np.int8), np.array([3, 10, 10], np.int8))]),
        readers=count_pairs([(np.array([3, 3], np.int8), np.array([3, 3], np.int8))] * 5),
        weights=weights,
    )


def rows_of(card: str, head: str) -> dict[str, list[str]]:
    """Return the cells of each row of the table below a heading, by its first cell."""
    table = card.partition(f"**{head}**")[2].partition("**")[0]
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in table.splitlines()
        if line.startswith("|")
    ]
    return {first: rest for first, *rest in cells}


def test_card_states_how_the_model_was_made(making: Making) -> None:
    """The card has command, date, versions, and the digests of inputs and weights."""
    card = write_card(making, [result("1", 0.5)])
    assert card.startswith("# mill\n")
    assert "2026-11-22" in card
    assert "\n    thresher train -o mill.npz\n" in card
    assert "python 3.13, torch 2.9" in card
    assert f"7 bytes, SHA-256 `{hashlib.sha256(b'weights').hexdigest()}`" in card
    numbers = "1,234 pages, 321 sites, 56,789 blocks, 4,321 names, 7 folds, 98 pages"
    assert all(number in card for number in numbers.split(", "))
    rows = rows_of(card, "Data.")
    assert ["train", "not told", f"`{hashlib.sha256(b'pages').hexdigest()}`"] == rows["news"]
    assert ["none", "not told", "a folder"] == rows["own"]


def test_card_has_scores(making: Making) -> None:
    """Each corpus has its mean and error, and so has each page type if there are several."""
    results = [
        *(result(page, f1, kind="article") for page, f1 in (("1", 0.25), ("2", 0.75))),
        result("3", 0.0, kind="forum"),
        result("4", 1.0, corpus="own"),
    ]
    rows = rows_of(write_card(making, results), "Scores.")
    # 0.25, 0.75 and 0 have a mean of 1/3 and a deviation of 0.3819; the error divides it by √3.
    assert ["3", "0.333 ± 0.220", "0.500", "0.250", "1"] == rows["news"]
    assert ["2", "0.500 ± 0.250", "0.500", "0.250", "0"] == rows["– article"]
    assert ["1", "0.000 ± 0.000", "0.500", "0.250", "1"] == rows["– forum"]
    assert ["1", "1.000 ± 0.000", "0.500", "0.250", "0"] == rows["own"]
    assert "– other" not in rows


def test_card_compares_confidence_with_f1(making: Making) -> None:
    """Pages in quarters, the least confident first: mean confidence and mean F1."""
    results = [
        *(result(str(n), f1, confidence=n / 8) for n, f1 in enumerate([0, 0.5, 0.5, 0.5, 1, 0.5])),
        *(result(str(n), 1.0, confidence=0.75) for n in (6, 7)),
        result("8", 0.25),
        result("9", 0.5, corpus="own", confidence=0.25),
        result("10", 0.5, corpus="silent"),
    ]
    rows = rows_of(write_card(making, results), "Confidence.")
    quarters = ["0.06 → 0.25", "0.31 → 0.50", "0.56 → 0.75", "0.75 → 1.00"]
    assert quarters == rows["news"]
    assert ["0.25 → 0.50"] == rows["own"]
    assert "silent" not in rows


def test_card_has_agreement_on_roles(making: Making) -> None:
    """Each role has a row, and κ is given for the models and for two annotators."""
    card = write_card(making, [result("1", 0.5)])
    rows = rows_of(card, "Roles.")
    assert ["2", "1.00", "0.50", "0.67", "1.00"] == rows["body"]
    assert ["1", "0.50", "1.00", "0.67", "1.00"] == rows["legal"]
    assert "on 5 pages" in card
    assert "of two readers 1.00" in card


def test_card_has_no_file_locations(making: Making, tmp_path: Path) -> None:
    """Corpora and weights are listed by name, without folders."""
    assert not re.search(re.escape(str(tmp_path)), write_card(making, [result("1", 0.5)]))
