"""JSON Lines, and the record it shares with CSV."""

from __future__ import annotations

import json

from tests.helpers import judged
from tests.helpers.fixture_pages import document_keeping
from thresher import WriteOptions
from thresher.extraction import extract

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
