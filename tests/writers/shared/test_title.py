"""The title before content that does not begin with it."""

from __future__ import annotations

import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher import WriteOptions, extract
from thresher.sites import parse_rulebook
from thresher.writers.formats import ChunkedName, FormatName
from thresher.writers.shared.added import find_missing_title

TITLE = "<title>Rye &amp; oat</title><meta property=og:title content='Rye &amp; oat'>"
WITH = WriteOptions(title=True)


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("markdown", "# Rye & oat\n\nText."),
        ("text", "Rye & oat\n\nText."),
        ("html", "<h1>Rye &amp; oat</h1>\n<p>Text.</p>"),
    ],
)
def test_title_comes_first_when_requested(format: FormatName, expected: str) -> None:
    """The title must be a level-one heading before everything else."""
    assert expected == document_keeping(f"{TITLE}<p>Text.").write(format, WITH)


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("markdown", "# Rye & oat\n\nText."),
        ("text", "Text."),
        ("html", "<h1>Rye &amp; oat</h1>\n<p>Text.</p>"),
    ],
)
def test_title_depends_on_the_format_when_nothing_is_requested(
    format: FormatName, expected: str
) -> None:
    """Markdown and HTML must begin with the title, text must not; either can be left out."""
    document = document_keeping(f"{TITLE}<p>Text.")
    assert expected == document.write(format)
    assert "Rye" not in document.write(format, WriteOptions(title=False))


def test_title_is_not_written_by_default_when_nothing_is_kept() -> None:
    """A page without content must stay empty."""
    assert "" == document_keeping(f"{TITLE}<p>Text.", []).markdown


@pytest.mark.parametrize(
    "heading",
    [
        "<h1>Rye &amp; oat<a class=headerlink href=#rye>¶</a></h1>",
        "<h1>Rye &amp; oat <a class=hash-link href=#rye>Link to this heading</a></h1>",
        "<p>Farming</p><h1>Rye &amp; oat</h1>",
        "<h1>Rye: oat and more</h1>",
        "<div class=title>RYE & OAT</div>",
    ],
)
def test_title_is_written_once_when_its_heading_is_kept(heading: str) -> None:
    """A permalink, another place or other words must not bring the heading twice."""
    document = document_keeping(f"{TITLE}{heading}<p>Text.")
    assert document.markdown == document.write("markdown", WriteOptions(title=False))


@pytest.mark.parametrize("format", ["markdown", "text"])
def test_title_is_part_of_the_first_chunk(format: ChunkedName) -> None:
    """Chunks must hold the title that is written, though it is none of the kept blocks."""
    document = document_keeping(f"{TITLE}<p>{'One. ' * 30}<p>{'Two. ' * 30}")
    first, second = document.chunks(200, format, WITH)
    assert first.text.lstrip("# ").startswith("Rye & oat\n\nOne.")
    assert second.text.startswith("Two.")


@pytest.mark.parametrize("format", ["markdown", "text", "html"])
def test_title_is_not_repeated_when_the_content_begins_with_it(format: FormatName) -> None:
    """If the first heading is the title already, nothing may change."""
    document = document_keeping(f"{TITLE}<h2>RYE & <i>oat</i></h2><p>Text.")
    assert document.write(format) == document.write(format, WITH)


def test_title_is_missing_when_only_another_heading_is_there() -> None:
    """A different first heading must not replace the title."""
    document = document_keeping(f"{TITLE}<h2>Sown</h2><h2>Rye & oat</h2>", ["h2:first-of-type"])
    assert "Rye & oat" == find_missing_title(document)


def test_nothing_is_added_when_there_is_no_title() -> None:
    """A page without a title must have none in its output either."""
    document = document_keeping("<p>Text.")
    assert find_missing_title(document) is None
    assert "Text." == document.write("markdown", WITH)


def test_title_follows_front_matter_when_both_are_requested() -> None:
    """Front matter must come first."""
    written = document_keeping(f"{TITLE}<p>Text.").write(
        "markdown", WriteOptions(title=True, metadata=True)
    )
    assert written.endswith("---\n\n# Rye & oat\n\nText.")


def test_title_that_a_rule_drops_stays_away() -> None:
    """Nothing may bring back what a rule of the user drops."""
    rules = parse_rulebook('version = 1\n[host."site.example"]\ndrop = ["h1"]\n')
    html = f"{TITLE}<h1>Rye & oat</h1><p>{'Rye is sown before oat, and cut after it. ' * 9}"
    document = extract(html, url="https://site.example/rye", rules=rules)
    assert "Rye &" not in document.write("markdown", WITH)


def test_the_name_of_a_table_is_no_heading() -> None:
    """The caption of an infobox that is the title does not stand for it."""
    html = f"{TITLE}<table><caption>Rye &amp; oat</caption><tr><th>Sown<td>March</table><p>Text."
    assert "Rye & oat" == find_missing_title(extract(html, method="keep_all"))


def test_a_chapter_has_its_heading() -> None:
    """The title of a file of a book is not put above the heading of its chapter."""
    html = f'{TITLE}<section epub:type="chapter"><h2>The mill</h2><p>Text.</section>'
    assert find_missing_title(extract(html, method="keep_all")) is None
