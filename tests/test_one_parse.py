"""A page is parsed once, and a document written once, whatever is asked for, in any order."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.helpers.compiled_steps import needs_steps, without_compiled_steps
from tests.helpers.counting import count_calls, count_parses
from tests.helpers.document_calls import CALLS, Call
from thresher.analysis.structured import find_json_ld
from thresher.writers.formats import ChunkedName, FormatName
from thresher.writers.outline.content import read_content

_TEXT: Final = """<script type="application/ld+json">{"@type": "Article", "name": "Rye"}</script>
  <meta property="og:title" content="Rye"><title>Rye</title>
  <article itemscope itemtype="https://schema.org/Article"><h1 itemprop="name">Rye</h1>
  <p>The farmers thresh their rye before the rain, as they have always done, wherever they live.
  <p>The <a href="/oats">oats</a> wait, and so does the barley, which is as tall as a child now.
  <div class="comments" id="comments">
  <div class="comment"><b class="author">Ada</b> <time datetime="2024-05-03">May</time><p>So it is.
  </div><div class="comment"><b class="author">Tom</b> <time datetime="2024-05-04">May</time>
  <p>So it was.</div></div></article>"""
PAGES: Final = {
    "taken": _TEXT,
    "refused": f"<b><p>A paragraph in which the formatting ends.</b>{_TEXT}",
}
"""Pages that the compiled step takes, and refuses."""
PARSES: Final = {
    ("taken", "compiled"): {"canonicalise": 1},
    ("refused", "compiled"): {"canonicalise": 1, "parse": 1},
    ("taken", "numpy"): {"parse": 1},
    ("refused", "numpy"): {"parse": 1},
}
"""Calls of the step and of the parser, which reads what the step refuses."""

# The page in place is edited in a tree of the source, which nothing else needs.
_CALLS: Final = {name: call for name, call in CALLS.items() if "inplace" not in name}
OUTPUTS: Final[dict[str, Call]] = {
    **{name.partition(",")[0]: call for name, call in _CALLS.items() if ", plain" in name},
    **{name: _CALLS[name] for name in ("metadata", "blocks", "threads", "verdict", "explanation")},
    "structured data": lambda document: find_json_ld(document.page),
}
"""The formats, and what else is known of a page."""


def parses_of(page: str, steps: str, calls: Iterable[Call]) -> dict[str, int]:
    """Extract a page, ask for outputs, and return the calls of each parser of pages."""
    choice = nullcontext() if steps == "compiled" else without_compiled_steps()
    with choice, count_parses() as counts:
        document = thresher.extract(PAGES[page], url="https://a.example/b", method="keep_all")
        for call in calls:
            call(document)
    # The sanitiser's are of what is written, not of the page.
    return {name: count for name, count in counts.items() if name != "parse_fragment"}


@needs_steps
@pytest.mark.parametrize(("page", "steps"), PARSES)
def test_page_is_parsed_once(page: str, steps: str) -> None:
    """For each output alone, and for all of them in either order."""
    calls = tuple(OUTPUTS.values())
    for asked in (*((call,) for call in calls), calls, calls[::-1]):
        assert PARSES[page, steps] == parses_of(page, steps, asked)


@needs_steps
@pytest.mark.slow
@pytest.mark.parametrize(("page", "steps"), PARSES)
@given(names=st.lists(st.sampled_from(sorted(_CALLS)), unique=True))
def test_page_is_parsed_once_for_any_outputs(page: str, steps: str, names: list[str]) -> None:
    """With any options and limits, chunks and several pages too, in any order."""
    calls = [_CALLS[name] for name in names]
    assert PARSES[page, steps] == parses_of(page, steps, calls)


WRITTEN: Final = {"text": 1, "markdown": 1, "html": 1, "json": 1, "csv": 1, "jsonl": 1}
"""Times that each output reads the content; JSON Lines has the text and the Markdown."""


@pytest.mark.parametrize("limit", [None, 100])
@pytest.mark.parametrize(("format", "times"), WRITTEN.items())
def test_content_is_read_once_for_each_text_of_an_output(
    format: FormatName, times: int, limit: int | None
) -> None:
    """With a limit too, where the whole is needed to say how much was left out."""
    document = thresher.extract(_TEXT, method="keep_all")
    with count_calls(read_content) as counts:
        document.write(format, thresher.WriteOptions(max_chars=limit))
    assert {"read_content": times} == counts


def test_text_is_written_once_for_all_outputs_with_it() -> None:
    """The text, and the JSON, JSON Lines and CSV of one document, which contain it."""
    document = thresher.extract(_TEXT, method="keep_all")
    with count_calls(read_content) as counts:
        _ = document.text
        for format in ("json", "csv", "json"):
            document.write(format)
    assert {"read_content": 1} == counts


@pytest.mark.parametrize("format", ["text", "markdown"])
def test_content_is_read_once_for_chunks(format: ChunkedName) -> None:
    """However many there are."""
    document = thresher.extract(_TEXT, method="keep_all")
    with count_calls(read_content) as counts:
        assert len(document.chunks(100, format)) > 1
    assert {"read_content": 1} == counts
