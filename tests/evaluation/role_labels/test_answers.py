"""Answers of labellers are read whole, or refused with what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.errors import InputError
from thresher.evaluation.role_labels.labels import read_answer, read_answers
from thresher.roles import ROLES

_BLOCKS = {"p1": 4}


def test_later_roles_win() -> None:
    """A role given later wins over an earlier one for the same blocks."""
    answer = read_answer("p1: kind=article lang=en navigation 0-3 title 1 body 2-3", _BLOCKS)
    roles = [ROLES[code] for code in answer.roles.tolist()]
    assert ["navigation", "title", "body", "body"] == roles
    assert ("p1", "article", "en") == answer[:3]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("p2: kind=article lang=en body 0-3", "no page"),
        ("p1: kind=article lang=en body 0-2", "block 3 has no role"),
        ("p1: kind=article lang=en body 0-4", "no block range"),
        ("p1: kind=article lang=en 0-3", "no block range"),
        ("p1: kind=poem lang=en body 0-3", "kind or language"),
        ("p1: kind=article body 0-3", "kind or language"),
        ("p1: kind=article lang=en text=1 body 0-3", "kind or language"),
        ("p1: kind=article lang=en story 0-3", "invalid literal"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, line: str, message: str) -> None:
    """A malformed answer is an InputError with its file, line and reason."""
    (tmp_path / "part-01.ans").write_text(f"\n{line}\n")
    with pytest.raises(InputError, match=rf"part-01\.ans: line 2: .*{message}"):
        list(read_answers(tmp_path, _BLOCKS))
