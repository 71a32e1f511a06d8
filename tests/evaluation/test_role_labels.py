"""Role labels: their file, answers and agreement, and the marks that carry them to other blocks."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.helpers.data import cases
from thresher.errors import InputError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.role_labels.desk import (
    SHIPPED_MARKS,
    carry_roles,
    mark_blocks,
    read_marks,
    write_marks,
    write_sheet,
)
from thresher.evaluation.role_labels.labels import (
    SHIPPED_LABELS,
    RoleCodes,
    RoleLabel,
    count_pairs,
    digest_html,
    label_of,
    measure_agreement,
    read_answers,
    read_labels,
    write_labels,
    write_table,
)
from thresher.page.parse import parse
from thresher.roles import NO_ROLE, ROLES

HEAD = "corpus\tpage\tsha256\tblocks\treader\troles\n"
_BLOCKS = {"p1": 4}
CODES = arrays(np.int8, st.integers(0, 20), elements=st.integers(0, len(ROLES) - 1))
_HTML = (
    """<nav id=top><ul class=menu><li><a href=/>Home</a><li><a href=/rye>Rye</a></ul></nav>
<main><h1>Rye</h1><p>It is in.</p><p hidden>Soon</p><div class=pic><img src=a alt="A field"></div>
<p>"""
    + "long " * 60
)
_CODES = {role[0]: ROLES.index(role) for role in ("title", "body", "related")} | {"-": NO_ROLE}


def codes(*names: str) -> RoleCodes:
    return np.array([ROLES.index(name) for name in names], np.int8)


def label(*names: str, reader: str = "r1", html: str = "<p>a") -> RoleLabel:
    return RoleLabel("news", "1", digest_html(html), reader, codes(*names))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("news\t1\tabc\t1\tr1\tforum\ten", "not enough values"),
        ("news\t1\tabc\t1\tr1\tforum\ten\tbody 0\tmore", "too many values"),
        ("news\t1\tabc\tone\tr1\tforum\ten\tbody 0", "invalid literal"),
        ("news\t1\tabc\t-1\tr1\tforum\ten\tbody 0", "negative"),
        ("news\t1\tabc\t2\tr1\tforum\ten\tbody 0", "block 1 has no role"),
        ("news\t1\tabc\t2\tr1\tforum\ten\tbody 0-1 title 1", "blocks with two roles: 1"),
        ("news\t1\tabc\t2\tr1\tforum\ten\tbody 0-2", 'no block range: "0-2"'),
        ("news\t1\tabc\t2\tr1\tforum\ten\tbody 1-0", 'no block range: "1-0"'),
        ("news\t1\tabc\t2\tr1\tforum\ten\t0-1", 'no block range: "0-1"'),
        ("news\t1\tabc\t2\tr1\tforum\ten\tstory 0-1", "invalid literal"),
        ("news\t1\tabc\t2\tr1\tforum\ten\tbody -1", "invalid literal"),
    ],
)
def test_malformed_line_is_rejected(tmp_path: Path, line: str, message: str) -> None:
    """A malformed line raises an error with its number."""
    path = tmp_path / "labels.tsv"
    path.write_text(f"{HEAD}news\t0\tabc\t1\tr1\tforum\ten\tbody 0\n{line}\n")
    with pytest.raises(InputError, match=rf"labels\.tsv: line 3: .*{message}"):
        read_labels(path)


def test_files_without_labels(tmp_path: Path) -> None:
    """An empty file has no labels; one that is missing, binary or a folder is an error."""
    path = tmp_path / "labels.tsv"
    for content in ("", HEAD):
        path.write_text(content)
        assert {} == read_labels(path)
    (tmp_path / "bytes.tsv").write_bytes(b"\xff\xfe")
    for name in ("absent.tsv", "bytes.tsv", "."):
        with pytest.raises(InputError):
            read_labels(tmp_path / name)


def test_label_matches_the_page() -> None:
    """A label belongs to a page if the HTML and the number of blocks are the same."""
    page = LabelledPage("news", "1", "<p>a<p>b")
    mine = label("title", "body", html=page.html)
    labels = {("news", "1"): (label("body", "body"), mine, label("body", "body", html=page.html))}
    assert mine is label_of(labels, page, 2)
    assert label_of(labels, page, 3) is None
    assert label_of(labels, replace(page, html="<p>a<p>c"), 2) is None
    assert label_of(labels, replace(page, id="2"), 2) is None
    assert label_of({}, page, 2) is None


def test_digest_is_of_the_utf_8() -> None:
    """HTML with a lone surrogate, which occurs on some pages, has a digest too."""
    assert "ba7816bf" == digest_html("abc")[:8]
    assert digest_html("\ud800") != digest_html("\ud801")


def test_shipped_labels_are_valid(tmp_path: Path) -> None:
    """The shipped labels have each page once per annotator, every role, and the written format.

    Two annotators who are compared have labelled the same HTML.
    """
    labels = read_labels(SHIPPED_LABELS)
    assert len(labels) > 100
    for (corpus, page), found in labels.items():
        assert {(corpus, page)} == {(each.corpus, each.page) for each in found}
        assert len(found) == len({each.reader for each in found})
        assert 1 == len({(each.sha256, each.roles.size) for each in found[:2]})
        assert {"int8"} == {each.roles.dtype.name for each in found}
    told = {code for found in labels.values() for code in found[0].roles.tolist()}
    assert set(range(len(ROLES))) == told
    path = tmp_path / "labels.tsv"
    write_labels((each for found in labels.values() for each in found), path)
    expected = sorted(SHIPPED_LABELS.read_text(encoding="utf-8").splitlines())
    assert expected == sorted(path.read_text(encoding="utf-8").splitlines())


def test_later_roles_win(tmp_path: Path) -> None:
    """A role given later wins over an earlier one for the same blocks."""
    line = "p1: kind=article lang=en navigation 0-3 title 1 body 2-3"
    (tmp_path / "part-01.ans").write_text(line)
    (answer,) = read_answers(tmp_path, _BLOCKS)
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


@given(st.lists(CODES, max_size=5))
def test_identical_labels_agree_fully(pages: list[RoleCodes]) -> None:
    """With identical labels, κ and the F1 of every role are 1."""
    agreement = count_pairs((codes, codes) for codes in pages)
    assert sum(each.size for each in pages) == agreement.pairs.sum() == np.trace(agreement.pairs)
    if any(each.size for each in pages):
        assert 1 == pytest.approx(agreement.kappa)
    assert {1.0} == {agreement.f1_of(role) for role in ROLES}


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


def sheet() -> str:
    """The sheet of a made-up page."""
    page = LabelledPage("mine", "rye", _HTML, url="https://mill.example/rye", lang="en")
    return write_sheet(page, parse(_HTML), "b1p2")


def test_sheets_show_blocks() -> None:
    """Each number is there once; links share lines, long texts are cut and their words counted.

    Containers have their names, hidden blocks a mark, pictures their alternative text.
    """
    numbers = re.findall(r"(?:^| · )\s*(\d+)~? ", sheet().partition("\n")[2], re.MULTILINE)
    assert [str(number) for number in range(len(parse(_HTML).blocks))] == numbers
    assert "0 Home · 1 Rye  [links]" in sheet()
    assert "nav#top>ul.menu" in sheet()
    assert "4~ p: Soon" in sheet()
    assert "5 div.pic: (img A field)" in sheet()
    assert re.search(r"6 p 60w: (long )+.*…$", sheet(), re.MULTILINE)


@cases(__file__, "roles")
def test_roles_are_carried_to_the_blocks_of_today(
    before: str, after: str, roles: str, expected: str
) -> None:
    """Blocks, and parts of them, keep their role; new ones, and joined ones of two, have none."""
    old, new = mark_blocks(parse(before)), mark_blocks(parse(after))
    given = np.array([_CODES[role] for role in roles], np.int8)
    assert [_CODES[role] for role in expected] == carry_roles(given, old, new).tolist()


def test_marks_are_read_as_written(tmp_path: Path) -> None:
    """A file of marks has what was written, and no text; another one is an InputError."""
    path = tmp_path / "marks.tsv.xz"
    marks = {"ab12": mark_blocks(parse("<h1>Rye</h1><p>It is in.</p>")), "cd34": ()}
    write_marks(marks, path)
    assert marks == read_marks(path)
    assert b"Rye" not in path.read_bytes()
    path.write_bytes(b"no marks")
    with pytest.raises(InputError, match=r"marks\.tsv\.xz"):
        read_marks(path)
    assert read_marks(SHIPPED_MARKS)
