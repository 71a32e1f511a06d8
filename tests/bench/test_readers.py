"""Readers against texts, on pages made up for it."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import numpy as np
import pytest

from bench import readers
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.role_labels.labels import RoleLabel, RoleLabels, digest_html
from thresher.roles import ROLES

PARAGRAPHS = ("The old mill grinds rye.", "Nine villages bring it.", "Read more news here.")
HTML = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)


def label(*roles: str) -> RoleLabels:
    codes = np.array([ROLES.index(role) for role in roles], np.int8)
    return {("news", "1"): (RoleLabel("news", "1", digest_html(HTML), "r1", codes),)}


def page(*gold: str) -> LabelledPage:
    return LabelledPage("news", "1", HTML, text="\n".join(gold))


def test_readers_who_agree_with_the_text_are_perfect() -> None:
    """A label whose content is the gold text reaches an F1 of 1."""
    losses = readers.score_readers(page(*PARAGRAPHS[:2]), label("body", "body", "related"))
    assert losses is not None
    assert losses.is_perfect
    assert 1 == losses.word.f1


def test_disagreement_is_counted() -> None:
    """What the text leaves out is foreign, and what the label leaves out is lost."""
    losses = readers.score_readers(page(*PARAGRAPHS[1:]), label("body", "body", "related"))
    assert losses is not None
    assert (1, 5) == (losses.n_lost, losses.n_foreign_word)


def test_pages_without_a_label_are_left_out() -> None:
    """A page without a label of roles, or without a text, is not scored."""
    assert readers.score_readers(page(*PARAGRAPHS), {}) is None
    assert readers.score_readers(page(), label("body", "body", "body")) is None


def test_corpora_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command prints a row for each corpus with such pages."""
    monkeypatch.setattr(readers, "read_labels", lambda: label("body", "body", "related"))
    row = json.dumps({"id": "1", "html": HTML, "text": "\n".join(PARAGRAPHS[:2])})
    (tmp_path / "news.jsonl.xz").write_bytes(lzma.compress(row.encode()))
    assert 0 == readers.main([str(tmp_path)])
    assert ["news", "1", "100.0", "0.0", "0.0", "100.0"] == capsys.readouterr().out.split()[-6:]
