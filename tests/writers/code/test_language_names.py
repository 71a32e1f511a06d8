"""Names of languages."""

from __future__ import annotations

from thresher.writers.code.gutters import LANGUAGE_LABELS, LANGUAGES


def test_labels_name_a_language_or_none_when_they_are_looked_up() -> None:
    """Every label must map to a known name, and no label may itself be a name."""
    assert LANGUAGES >= set(LANGUAGE_LABELS.values()) - {""}
    assert LANGUAGES.isdisjoint(LANGUAGE_LABELS)
    assert all(name == name.lower() for name in LANGUAGES | LANGUAGE_LABELS.keys())
