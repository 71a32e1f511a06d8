"""Labels are carried over to other blocks where that is certain, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from thresher.errors import InputError
from thresher.evaluation.role_labels.desk import (
    SHIPPED_MARKS,
    carry_roles,
    mark_blocks,
    read_marks,
    write_marks,
)
from thresher.page.parse import parse
from thresher.roles import NO_ROLE, ROLES

_TITLE, _BODY, _RELATED = (ROLES.index(role) for role in ("title", "body", "related"))


def carry(before: str, after: str, *roles: int) -> list[int]:
    """Carry roles from the blocks of one page to those of another."""
    old, new = mark_blocks(parse(before)), mark_blocks(parse(after))
    return [int(code) for code in carry_roles(np.array(roles, np.int8), old, new)]


def test_unchanged_blocks_keep_their_roles() -> None:
    """A page that has not changed keeps all roles."""
    html = "<h1>Rye</h1><p>It is in.</p>"
    assert [_TITLE, _BODY] == carry(html, html, _TITLE, _BODY)


def test_white_space_does_not_matter() -> None:
    """A text whose white space has changed is the same text."""
    before, after = "<h1>Rye</h1><p>It is  in.</p>", "<h1>Rye</h1><p>It\nis in.</p>"
    assert [_TITLE, _BODY] == carry(before, after, _TITLE, _BODY)


def test_block_cut_in_two_gives_its_role_to_both() -> None:
    """Both parts of a block that is cut in two have its role."""
    before, after = "<h1>Rye</h1><p>It is in.", "<h1>Rye</h1><p>It is<p>in."
    assert [_TITLE, _BODY, _BODY] == carry(before, after, _TITLE, _BODY)


def test_joined_blocks_of_two_roles_have_none() -> None:
    """A block that joins blocks of different roles has no role."""
    before, after = "<h1>Rye</h1><p>It is in.<p>More", "<h1>Rye</h1><p>It is in. More"
    assert [_TITLE, NO_ROLE] == carry(before, after, _TITLE, _BODY, _RELATED)


def test_new_block_has_no_role() -> None:
    """A block that was not there has no role."""
    before, after = "<h1>Rye</h1><p>It is in.", "<h1>Rye</h1><p>New<p>It is in."
    assert [_TITLE, NO_ROLE, _BODY] == carry(before, after, _TITLE, _BODY)


def test_changed_text_in_the_same_place_keeps_its_role() -> None:
    """Where as many blocks as before have other texts, those in the same elements keep roles."""
    before = "<h1>Rye 1</h1><p>It is in 1</p>"
    after = "<h1>Rye 2</h1><p>It is in 2</p>"
    assert [_TITLE, _BODY] == carry(before, after, _TITLE, _BODY)


def test_marks_are_read_as_written(tmp_path: Path) -> None:
    """A file of marks gives back what was written, and has no text in it."""
    path = tmp_path / "marks.tsv.xz"
    marks = {"ab12": mark_blocks(parse("<h1>Rye</h1><p>It is in.</p>")), "cd34": ()}
    write_marks(marks, path)
    assert marks == read_marks(path)
    assert b"Rye" not in path.read_bytes()


def test_damaged_file_is_an_error(tmp_path: Path) -> None:
    """A file that is no file of marks is an InputError."""
    path = tmp_path / "marks.tsv.xz"
    path.write_bytes(b"no marks")
    with pytest.raises(InputError, match=r"marks\.tsv\.xz"):
        read_marks(path)


def test_shipped_marks_can_be_read() -> None:
    """The marks that come with Thresher can be read."""
    assert read_marks(SHIPPED_MARKS)
