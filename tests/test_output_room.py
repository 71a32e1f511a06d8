"""No output is far longer than its page."""

from __future__ import annotations

import json
import random
import tracemalloc

import pytest

import thresher
from tests.helpers.drawn_markup import draw_markup
from tests.helpers.hostile import SHAPES
from thresher import LimitError, Verdict, WriteOptions
from thresher.algorithms import MethodName
from thresher.limits import limit_output
from thresher.output_room import check_output, output_room, room_left, same_room, take_room
from thresher.writers.formats import FormatName

_URL = "https://site.example/news/1?page=1"
_NEVER_LONG = ("csv", "html", "inplace", "text")
"""Formats that repeat nothing of a page, and so are never beyond the limit."""
_LINES_IN_QUOTES = f"{'<blockquote>' * 60}<pre>{'w' + chr(10) * 60_000 + 'w'}</pre>"
_SHORT_BLOCKS = "<p>w" * 20_000


def _is_bounded(html: str, method: MethodName = "keep_all") -> bool:
    """Write a page in every format; return whether each output is within 20 times and 64 KiB."""
    n_source = len(html.encode("utf-8", "surrogatepass")) + len(_URL)
    try:
        document = thresher.extract(html, url=_URL, method=method)
    except thresher.ThresherError:
        return True
    for format in thresher.FORMATS:
        for options in (WriteOptions(metadata=True, removed_links=True), WriteOptions()):
            try:
                written = document.write(format, options)
            except LimitError:
                if format in _NEVER_LONG:
                    raise
                continue
            if len(written.encode("utf-8", "surrogatepass")) > 20 * n_source + 2**16:
                return False
    return True


@pytest.mark.parametrize("name", SHAPES)
def test_no_output_outgrows_a_hostile_page(name: str) -> None:
    """Every format is at most 20 times the page and 64 KiB; those that repeat, or a LimitError."""
    shape = SHAPES[name]
    size = 500 * 20_000 // len(shape.build(500)) + 1
    assert _is_bounded(shape.build(size))


def test_no_output_outgrows_a_drawn_page() -> None:
    """The same of pages drawn by chance, each repeated until it is long enough to tell."""
    for seed in range(60):
        drawn = draw_markup(random.Random(seed))
        assert _is_bounded(drawn * (12_000 // (len(drawn) + 1) + 1)), seed


def test_chunks_do_not_outgrow_the_page() -> None:
    """A chunk repeats only the beginning of a heading that is as long as the page."""
    html = SHAPES["sections below a long heading"].build(3_000)
    chunks = thresher.extract(html, method="keep_all").chunks()
    assert 200 == max(len(title) for chunk in chunks for title in chunk.headings)
    n_char = sum(len("".join(chunk.headings)) + len(chunk.text) for chunk in chunks)
    assert n_char < 4 * len(html)


@pytest.mark.parametrize("format", ["markdown", "jsonl", "thread"])
def test_lines_in_quotes_are_beyond_a_limit(format: FormatName) -> None:
    """The signs before each line are counted before they are written."""
    document = thresher.extract(_LINES_IN_QUOTES, method="keep_all")
    document.write("text")
    tracemalloc.start()
    try:
        with pytest.raises(LimitError, match="bytes of output") as error:
            document.write(format)
        assert tracemalloc.get_traced_memory()[1] < 16 * 2**20
    finally:
        tracemalloc.stop()
    assert limit_output(len(_LINES_IN_QUOTES)) == error.value.limit


def test_partial_output_has_the_lines_that_there_is_room_for() -> None:
    """With partial limits the Markdown ends early, is valid, and its verdict says so."""
    document = thresher.extract(_LINES_IN_QUOTES, method="keep_all", on_limit="partial")
    written = document.write("markdown", WriteOptions(metadata=True))
    assert 'verdict: "partial"' in written
    assert limit_output(len(_LINES_IN_QUOTES)) > len(written) > 10 * len(_LINES_IN_QUOTES) / 2
    assert 2 == written.count("```")


def test_partial_json_has_the_blocks_that_there_is_room_for() -> None:
    """With partial limits the list of blocks ends early, and the verdict says so."""
    with pytest.raises(LimitError, match="bytes of output"):
        thresher.extract(_SHORT_BLOCKS, method="keep_all").json()
    document = thresher.extract(_SHORT_BLOCKS, method="keep_all", on_limit="partial")
    record = json.loads(document.json())
    assert Verdict.PARTIAL.value == record["verdict"]
    assert 20_000 / 4 < len(record["blocks"]) < 20_000
    assert document.text == record["text"]


def test_partial_chunks_are_those_that_there_is_room_for() -> None:
    """With partial limits the chunks are those of the Markdown that ends early."""
    document = thresher.extract(_LINES_IN_QUOTES, method="keep_all", on_limit="partial")
    chunks = document.chunks()
    assert 0 < sum(len(chunk.text) for chunk in chunks) < limit_output(len(_LINES_IN_QUOTES))


def test_no_part_of_deep_blocks_is_lost() -> None:
    """Text below more quotes than Markdown can show is written at the deepest level that it has."""
    html = "<blockquote>" * 400 + "<p>deep</p><pre>code</pre><ul><li>item</ul>"
    markdown = thresher.extract(html, method="keep_all").markdown
    assert 128 == max(line.count("> ") * 2 for line in markdown.split("\n"))
    for word in ("deep", "code", "item"):
        assert word in markdown


def test_room_is_taken_until_there_is_none() -> None:
    """What fits is counted; what does not raises LimitError, or is refused where output ends."""
    assert take_room(10**12)
    with output_room(0):
        assert 2**16 == room_left()
        assert take_room(2**16 - 1)
        with pytest.raises(LimitError):
            take_room(2)
    with output_room(0, ends_early=True):
        assert not take_room(2**16)
        assert take_room(100)


def test_what_is_written_again_is_counted_once() -> None:
    """Room that is taken on trial is there again afterwards."""
    with output_room(0):
        with same_room():
            take_room(1000)
            assert 2**16 - 1000 == room_left()
        assert 2**16 == room_left()


def test_whole_output_is_checked_in_bytes() -> None:
    """An output of few characters but too many bytes is a LimitError with their number."""
    with output_room(0), pytest.raises(LimitError) as error:
        check_output("\u4e2d" * 30_000)
    assert (2**16, 90_000) == (error.value.limit, error.value.value)
