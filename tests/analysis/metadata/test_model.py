"""Metadata as plain values and as evidence."""

from __future__ import annotations

import json
import pickle

from thresher.analysis.metadata import Field, Metadata

KNOWN = Metadata(
    title=Field("Rye", "page:h1", 0.65), authors=Field(("Ada Roth",), "meta:author", 0.8)
)


def test_as_dict_when_some_fields_are_known_has_only_those() -> None:
    """Front matter holds plain values of what is known."""
    assert {"title": "Rye", "authors": ["Ada Roth"]} == KNOWN.as_dict()


def test_as_evidence_when_some_fields_are_known_has_source_and_confidence() -> None:
    """Every known value comes with where it is from, and how sure it is."""
    expected = {
        "title": {"value": "Rye", "source": "page:h1", "confidence": 0.65},
        "authors": {"value": ["Ada Roth"], "source": "meta:author", "confidence": 0.8},
    }
    assert expected == json.loads(json.dumps(KNOWN.as_evidence()))


def test_metadata_when_nothing_is_known_is_empty() -> None:
    """Unknown fields are None."""
    assert {} == Metadata().as_dict()
    assert {} == Metadata().as_evidence()


def test_metadata_when_pickled_is_the_same() -> None:
    """Metadata travels between processes."""
    assert pickle.loads(pickle.dumps(KNOWN)) == KNOWN
