"""Document: what is told of every block, and where it came from."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

import thresher
from thresher.document import Document, Verdict, WriteOptions, Writer
from thresher.hidden import Hidden
from thresher.parse import parse

HTML = (
    "<body><div id=menu><a href=/>Home</a></div>"
    "<div id=story><p>First   line<br>and second.</p><noscript>Without scripts.</noscript></div>"
)


def document_of(
    html: str, keep: list[bool], writers: Mapping[str, Writer] | None = None
) -> Document:
    page = parse(html)
    n_block = len(page.blocks)
    selection = thresher.Selection(
        page,
        "by hand",
        np.array(keep, np.bool_),
        score=np.arange(n_block, dtype=np.float32),
        reason_code=np.zeros(n_block, np.int16),
        reasons=("told so",),
    )
    return Document(page, selection, writers or {})


def test_blocks_carry_their_evidence_when_listed() -> None:
    """A block says what it is, whether and why it was kept, and where it came from."""
    menu, story, fallback = document_of(HTML, [False, True, True, False]).blocks
    assert (0, "Home", "div", False, 0.0, "told so") == (
        menu.index,
        menu.text,
        menu.tag,
        menu.kept,
        menu.score,
        menu.reason,
    )
    assert ("First line\nand second.", "p", True) == (story.text, story.tag, story.kept)
    assert "/html[1]/body[1]/div[2]/p[1]" == (story.path and story.path.xpath)
    assert story.source is not None
    assert "First   line<br>and second." == HTML[slice(*story.source)]
    assert (Hidden(0), Hidden.NOSCRIPT) == (story.hidden, fallback.hidden)


@pytest.mark.parametrize(
    ("keep", "verdict"),
    [([False, False], Verdict.NO_MAIN_CONTENT), ([False, True], Verdict.CONTENT)],
)
def test_verdict_says_whether_there_is_content(keep: list[bool], verdict: Verdict) -> None:
    """A page of which nothing is kept has no main content; that is a result, not an error."""
    assert verdict is document_of("<p>one<p>two", keep).verdict


def test_writer_called_with_options_when_written() -> None:
    """A document is written by the table it was given, with the options it is asked for."""
    seen: list[WriteOptions] = []

    def shout(document: Document, options: WriteOptions) -> str:
        seen.append(options)
        return document.page.text.upper()

    document = document_of("<p>one", [True], {"text": shout})
    assert "ONE" == document.text == document.write("text", WriteOptions(links=False))
    assert [WriteOptions(), WriteOptions(links=False)] == seen


def test_usage_error_when_format_is_unknown() -> None:
    """An unknown format is answered with the known ones."""
    with pytest.raises(thresher.UsageError, match="'docx'; one of text, html"):
        document_of("", [], {"text": lambda *_: "", "html": lambda *_: ""}).write("docx")
