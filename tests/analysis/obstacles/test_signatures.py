"""The tables of signatures are sound."""

from __future__ import annotations

import re

import pytest

from tests.analysis.obstacles.pages import ORDINARY
from thresher.analysis.obstacles import challenges as signatures
from thresher.analysis.obstacles.page_signals import Mark, PageSignals
from thresher.page.parse import parse

TABLES = (
    signatures.CHALLENGES,
    signatures.GUARDS,
    signatures.CAPTCHAS,
    signatures.PARKING,
    signatures.CONSENT_FORMS,
    signatures.CONSENT_BOXES,
)
MARKS = [mark for table in TABLES for mark in table]
TITLES = signatures.TITLES | signatures.DEFAULT_TITLES | signatures.VAGUE_TITLES


@pytest.mark.parametrize("mark", MARKS, ids=[f"{mark.attribute} {mark.what}" for mark in MARKS])
def test_mark_can_be_looked_for(mark: Mark) -> None:
    """A pattern compiles, has no capital letter, and does not match where there is nothing."""
    assert re.search(mark.pattern, b"\0\0") is None
    assert not re.search(rb"(?<!\\)[A-Z]", mark.pattern)
    assert mark.attribute == mark.attribute.lower()


def test_tables_have_no_row_twice() -> None:
    """Each signature stands in one row, and each title in one table."""
    assert len(MARKS) == len({(mark.attribute, mark.pattern) for mark in MARKS})
    assert len(signatures.INLINE) == len(dict(signatures.INLINE))
    tables = (signatures.TITLES, signatures.DEFAULT_TITLES, signatures.VAGUE_TITLES)
    assert len(TITLES) == sum(map(len, tables))


@pytest.mark.parametrize("title", TITLES)
def test_title_written_as_it_is_looked_for(title: str) -> None:
    """Titles are compared in lower case, on one line, with straight apostrophes."""
    assert " ".join(title.lower().replace("’", "'").split()) == title


@pytest.mark.parametrize("html", ORDINARY.values(), ids=ORDINARY)
def test_no_mark_of_its_own_on_ordinary_pages(html: str) -> None:
    """No signature matches an ordinary page, however short."""
    signals = PageSignals(parse(html))
    assert signals.find_mark(signatures.CHALLENGES) is None
    assert signals.find_mark(signatures.PARKING) is None
    assert signals.title.lower() not in TITLES
