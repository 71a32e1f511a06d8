"""The file of role labels: written, read, rejected if malformed, and searched by page."""

from __future__ import annotations

import string
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from thresher.errors import InputError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.role_labels.labels import (
    SHIPPED_LABELS,
    RoleLabel,
    digest_html,
    format_roles,
    label_of,
    read_labels,
    write_labels,
)
from thresher.roles import ROLES

HEAD = "corpus\tpage\tsha256\tblocks\treader\troles\n"
NAMES = st.text(string.ascii_letters + string.digits + "-_./ äß漢", min_size=1).map("p".__add__)
LABELS = st.lists(
    st.builds(
        RoleLabel,
        corpus=st.sampled_from(["news", "wcxb_dev"]),
        page=NAMES,
        sha256=st.binary(max_size=9).map(bytes.hex),
        reader=st.sampled_from(["r1", "r2"]),
        roles=arrays(np.int8, st.integers(1, 30), elements=st.integers(0, len(ROLES) - 1)),
    ),
    max_size=6,
)


def codes(*names: str) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    return np.array([ROLES.index(name) for name in names], np.int8)


def label(*names: str, reader: str = "r1", html: str = "<p>a") -> RoleLabel:
    return RoleLabel("news", "1", digest_html(html), reader, codes(*names))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that each test overwrites."""
    return tmp_path_factory.mktemp("labels") / "labels.tsv"


@given(LABELS)
def test_labels_are_the_same_when_read_back(path: Path, labels: list[RoleLabel]) -> None:
    """Labels are read back by page, in the order of the file, with the role of each block."""
    write_labels(labels, path)
    found = read_labels(path)
    assert {(each.corpus, each.page) for each in labels} == set(found)
    for key, same in found.items():
        own = [each for each in labels if (each.corpus, each.page) == key]
        for one, other in zip(own, same, strict=True):
            assert (one.sha256, one.reader) == (other.sha256, other.reader)
            assert ("int8", one.roles.tolist()) == (other.roles.dtype.name, other.roles.tolist())


@pytest.mark.parametrize(
    ("names", "spelled"),
    [
        ((), ""),
        (("body",), "body 0"),
        (("navigation", "navigation", "title"), "navigation 0-1 title 2"),
        (("body", "title", "body", "body"), "body 0 2-3 title 1"),
    ],
)
def test_roles_are_formatted_by_ranges(names: tuple[str, ...], spelled: str) -> None:
    """Each role is written once, followed by the ranges of its blocks."""
    assert spelled == format_roles(codes(*names))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("news\t1\tabc\t1\tr1\tforum\ten", "not enough values"),
        ("news\t1\tabc\t1\tr1\tforum\ten\tbody 0\tmore", "too many values"),
        ("", "not enough values"),
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


def test_file_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing or binary file raises an error with its name."""
    (tmp_path / "bytes.tsv").write_bytes(b"\xff\xfe")
    for name in ("absent.tsv", "bytes.tsv", "."):
        with pytest.raises(InputError):
            read_labels(tmp_path / name)


def test_file_without_labels(tmp_path: Path) -> None:
    """An empty file has no labels."""
    path = tmp_path / "labels.tsv"
    for content in ("", HEAD):
        path.write_text(content)
        assert {} == read_labels(path)


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


def test_shipped_labels_are_valid() -> None:
    """The shipped labels have each page once per annotator, and use every role.

    Two annotators who are compared have labelled the same HTML.
    """
    labels = read_labels(SHIPPED_LABELS)
    assert len(labels) > 100
    for (corpus, page), found in labels.items():
        assert {(corpus, page)} == {(each.corpus, each.page) for each in found}
        assert len(found) == len({each.reader for each in found})
        assert 1 == len({(each.sha256, each.roles.size) for each in found[:2]})
    told = Counter(code for found in labels.values() for code in found[0].roles.tolist())
    assert set(range(len(ROLES))) == set(told)


def test_shipped_labels_have_the_format_of_write_labels(tmp_path: Path) -> None:
    """The shipped file has the lines that `write_labels` writes."""
    labels = read_labels(SHIPPED_LABELS)
    path = tmp_path / "labels.tsv"
    write_labels((each for found in labels.values() for each in found), path)
    expected = sorted(SHIPPED_LABELS.read_text(encoding="utf-8").splitlines())
    assert expected == sorted(path.read_text(encoding="utf-8").splitlines())
