"""Agreement of two annotators beyond chance, and its table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from thresher.evaluation.role_labels.labels import (
    RoleAgreement,
    RoleCodes,
    RoleLabel,
    count_pairs,
    measure_agreement,
    write_table,
)
from thresher.roles import ROLES

CODES = arrays(np.int8, st.integers(0, 20), elements=st.integers(0, len(ROLES) - 1))
PAIRS = st.lists(
    st.lists(st.tuples(st.integers(0, len(ROLES) - 1), st.integers(0, len(ROLES) - 1)), max_size=9),
    max_size=5,
)


def codes(*names: str) -> RoleCodes:
    return np.array([ROLES.index(name) for name in names], np.int8)


def count(pages: list[list[tuple[int, int]]]) -> RoleAgreement:
    return count_pairs(
        (np.array([a for a, _ in page], np.int8), np.array([b for _, b in page], np.int8))
        for page in pages
    )


@given(st.lists(CODES, max_size=5))
def test_identical_labels_agree_fully(pages: list[RoleCodes]) -> None:
    """With identical labels, κ and the F1 of every role are 1."""
    agreement = count_pairs((codes, codes) for codes in pages)
    assert sum(each.size for each in pages) == agreement.pairs.sum() == np.trace(agreement.pairs)
    if any(each.size for each in pages):
        assert 1 == pytest.approx(agreement.kappa)
    assert {1.0} == {agreement.f1_of(role) for role in ROLES}


@given(PAIRS)
def test_agreement_is_symmetric(pages: list[list[tuple[int, int]]]) -> None:
    """Swapping the annotators does not change the agreement."""
    one, other = count(pages), count([[(b, a) for a, b in page] for page in pages])
    assert (len(pages), sum(map(len, pages))) == (one.n_page, one.pairs.sum())
    assert one.kappa == pytest.approx(other.kappa)
    assert -1 <= one.kappa <= 1 + 1e-9
    assert [one.f1_of(role) for role in ROLES] == [other.f1_of(role) for role in ROLES]


def test_worked_example() -> None:
    """If three of four agree where chance would give two, κ is 1/2."""
    first, second = (
        codes("body", "body", "legal", "legal"),
        codes("body", "legal", "legal", "legal"),
    )
    agreement = count_pairs([(first, second)])
    # By chance: body 2/4 · 1/4, legal 2/4 · 3/4.
    assert (3 / 4 - 1 / 2) / (1 - 1 / 2) == pytest.approx(agreement.kappa)
    assert 2 / 3 == pytest.approx(agreement.f1_of("body"))
    assert 4 / 5 == pytest.approx(agreement.f1_of("legal"))
    assert 1 == agreement.f1_of("title")


def test_only_pages_with_two_annotators_are_compared() -> None:
    """The first two annotators of a page count; pages with one annotator do not."""

    def read(page: str, *names: str) -> RoleLabel:
        return RoleLabel("news", page, f"sha256 of {page}", "r", codes(*names))

    agreement = measure_agreement(
        {
            ("news", "1"): (read("1", "body"), read("1", "legal"), read("1", "title")),
            ("news", "2"): (read("2", "body"),),
            ("news", "3"): (read("3", "date", "body"), read("3", "date", "body")),
        }
    )
    assert 2 == agreement.n_page
    assert 3 == agreement.pairs.sum()
    assert 1 == agreement.pairs[ROLES.index("body"), ROLES.index("legal")]


def test_table_has_every_role() -> None:
    """Each role has precision, recall and F1 of the model, and the F1 of the annotators."""
    told = count_pairs([(codes("body", "body", "legal"), codes("body", "legal", "legal"))])
    readers = count_pairs([(codes("body", "date"), codes("body", "body"))])
    head, _, *rows = write_table(told, readers).splitlines()
    assert "| role | blocks | precision | recall | F1 | two readers |" == head
    assert [f"| {role} |" for role in ROLES] == [f"|{row.split('|')[1]}|" for row in rows]
    assert "| body | 2 | 1.00 | 0.50 | 0.67 | 0.67 |" in rows
    assert "| legal | 1 | 0.50 | 1.00 | 0.67 | 1.00 |" in rows
    assert "| title | 0 | 0.00 | 0.00 | 1.00 | 1.00 |" in rows
