"""Definitions and lists in a shape that Markdown supports."""

from __future__ import annotations

from tests.helpers.data import cases
from tests.helpers.fixture_pages import document_keeping
from thresher.evaluation.fidelity.cases import render_markdown
from thresher.writers.stream.arranging import arrange_lists
from thresher.writers.stream.events import Close, Event, Open, Run

SIMPLE = "<dl><dt>a<dd>b<dt>c<dd><p>d</p><dd>e</dl>"


@cases(__file__, "short")
def test_list_is_written_with_colons_when_definitions_are_one_line(
    html: str, expected: str
) -> None:
    """Terms, definitions and their surroundings must be written as Pandoc and others read them."""
    base = "https://site.example"
    assert expected == document_keeping(html).markdown.replace(base, "")


def test_list_is_plain_when_it_is_in_a_cell() -> None:
    """A cell must be one line."""
    table = f"<table><tr><th>x<th>y<tr><td>{SIMPLE}<td>z</table>"
    assert "\n: " not in document_keeping(table).markdown


def test_list_comes_back_when_markdown_is_read() -> None:
    """A reader that supports description lists must get the list back."""
    read = render_markdown(document_keeping(SIMPLE).markdown)
    assert ["a", "c"] == [part.split("<")[0] for part in read.split("<dt>")[1:]]
    assert 3 == read.count("<dd>")


def test_blocks_of_a_definition_come_back_when_markdown_is_read() -> None:
    """A reader that supports description lists must get the blocks of a definition back."""
    html = "<dl><dt>a<dd>b<dt>c<dd><p>d<p>e<pre>f</pre></dl><p>g"
    read = render_markdown(document_keeping(html).markdown)
    inside = read[read.index("<dl>") : read.index("</dl>")]
    assert "<p>d</p>\n<p>e</p>\n<pre><code>f" in inside
    assert read.endswith("</dl>\n<p>g</p>\n")


def test_boxes_stay_when_html_is_written() -> None:
    """HTML must show which tasks are done, too, in disabled checkboxes."""
    written = document_keeping("<ul><li><input type=checkbox checked name=x> a</ul>").html
    assert '<li><input type="checkbox" disabled="" checked="">' in written


def test_nothing_is_changed_when_numbers_count_up() -> None:
    """A list that Markdown supports must stay unchanged."""
    events: list[Event] = [Open("ol", {"start": "2"}), Open("li", {}), Run(["a"]), Close("li")]
    events.append(Close("ol"))
    assert events == arrange_lists(events)
