"""CSV and JSON Lines: a record for each page."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers import judged
from tests.helpers.fixture_pages import document_keeping
from tests.helpers.trees import soups
from thresher import WriteOptions
from thresher.extraction import extract
from thresher.writers.csv import name_row

HEADER = "url,title,authors,published,modified,language,site_name,verdict,page_type,confidence,text"


def rows_of(written: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(written, newline=""), strict=True))


def test_columns_are_named_when_written() -> None:
    """The first line must name the columns, lines end as in RFC 4180, and lists are one cell."""
    html = '<meta name=author content=Ann><meta name=author content=Ben><p>a, "b"<p>c'
    written = document_keeping(html).write("csv")
    assert written.startswith(f"{HEADER}\r\n")
    assert written.endswith("\r\n")
    names, row = rows_of(written)
    record = dict(zip(names, row, strict=True))
    assert ('a, "b"\n\nc', "", "content") == (record["text"], record["title"], record["verdict"])
    assert "Ann" in record["authors"]


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@a", "＝1", "－1"])
def test_no_cell_is_a_formula_when_a_page_begins_like_one(start: str) -> None:
    """A text that a spreadsheet would execute must have a leading apostrophe."""
    assert f"'{start}" == rows_of(document_keeping(f"<p>{start}").write("csv"))[1][-1]


def test_cell_is_unchanged_when_it_is_not_a_formula() -> None:
    """Signs further inside must change nothing."""
    assert "a = b" == rows_of(document_keeping("<p>a = b").write("csv"))[1][-1]


@given(soups(), st.text(max_size=9))
def test_there_is_one_row_when_a_page_is_soup(html: str, name: str) -> None:
    """Any page and any name must give exactly one row with a cell for each column."""
    written = document_keeping(html or "x").write("csv")
    names, row = rows_of(written)
    assert len(names) == len(row)
    assert [len(names) + 1] * 2 == [
        len(cells) for cells in rows_of(name_row(written, "input", name, header=True))
    ]
    assert 1 == len(rows_of(name_row(written, "input", name, header=False)))


def test_name_is_not_a_formula_either() -> None:
    """A file can be named like a formula too; a large text must not be a problem."""
    written = document_keeping(f"<p>{'a' * 200_000}").write("csv")
    assert name_row(written, "input", "=a", header=True).startswith(f"input,{HEADER}\r\n'=a,")


PAGE = (
    "<html lang=en><title>Rye</title><meta name=author content='Ann Reed'>"
    "<meta property=article:published_time content=2024-05-03>"
    "<p>Rye <a href=/sown>is sown</a>.\n<p>Late.<img src=/a.png>"
)


def test_record_has_all_fields_when_written() -> None:
    """The record must be one line with the fields of docs/agents.md, in order."""
    line = document_keeping(PAGE).write("jsonl")
    assert "\n" not in line
    record = json.loads(line)
    assert [
        *("schema", "url", "title", "authors", "published", "modified", "language", "site_name"),
        *("verdict", "page_type", "confidence", "text", "markdown", "truncated"),
    ] == list(record)
    assert ("thresher.page/1", "https://site.example/dir/page.html") == (
        record["schema"],
        record["url"],
    )
    assert (["Ann Reed"], "2024-05-03", None) == (
        record["authors"],
        record["published"],
        record["modified"],
    )
    assert ("content", None, None) == tuple(
        record[name] for name in ("verdict", "page_type", "confidence")
    )
    assert "Rye is sown.\n\nLate." == record["text"]


def test_markdown_follows_the_options_when_written() -> None:
    """Links and images apply to the Markdown; front matter is not part of it."""
    document = document_keeping(PAGE)
    options = WriteOptions(
        links=False, images=False, metadata=True, removed_links=True, title=False
    )
    assert "Rye is sown.\n\nLate." == json.loads(document.write("jsonl", options))["markdown"]
    assert document.markdown == json.loads(document.write("jsonl"))["markdown"]


def test_judgement_is_written_when_there_is_one() -> None:
    """Page type and confidence of a method that judges must be in the record."""
    params = judged.Params(page_type="forum", probability=0.75)
    record = json.loads(extract("<p>a<p>b", method=judged.select, params=params).write("jsonl"))
    assert ("forum", judged.CONFIDENCE) == (record["page_type"], record["confidence"])


def test_url_is_the_canonical_one_when_no_other_is_known() -> None:
    """A page from a file must be identified by the URL it declares."""
    html = "<link rel=canonical href=https://site.example/rye><p>a"
    document = document_keeping(html, url=None)
    assert "https://site.example/rye" == json.loads(document.write("jsonl"))["url"]
