"""The text of each run."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.compiled_steps import needs_steps, without_compiled_steps
from thresher.native import REFUSALS
from thresher.page.parse import parse
from thresher.writers.inline import write_runs
from thresher.writers.outline.outline import Outline, outline_page

PAGES = {
    "blocks": "<p> one  <b>two</b>\n three<p>four",
    "breaks": "<p><br>one<br><br>two <br> three<br><p><br>",
    "joined": "<p>one<b>two</b><i> three</i> <u>four</u>",
    "letters": "<p>mühle <b>日本</b><p>🎉 день\xa0<p>last",
    "soft": "<p>mil\xadler \xad <b>\xad</b>\xad\xadx\xad<p>\xad\xad<p>ª\xc2­ Â",
    "white": "<p>\ta\x0b\x0c b \u2003c\u2003<pre>  d\n  e </pre>",
}


def outline_of(html: str) -> Outline:
    page = parse(html)
    return outline_page(page, np.ones(page.leaves.size, np.bool_))


def test_texts_are_collapsed_and_without_soft_hyphens() -> None:
    """White space between words must be one space, and a word broken by a soft hyphen whole."""
    outline = outline_of("<p> The mil\xadler \xad <b>sold</b>\n it.<br>All of it.<p>Then <i>r</i>")
    assert ["The miller sold it.\nAll of it.", "Then r"] == write_runs(outline, {})


def test_replaced_leaves_are_written_as_they_are_replaced() -> None:
    """Only the runs with such leaves change, in which soft hyphens go too."""
    outline = outline_of("<p>one <b>two</b> three<p>four")
    assert ["one (2) three", "four"] == write_runs(outline, {1: "(2\xad)"})


@needs_steps
@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_step_joins_the_same_texts_as_python(html: str) -> None:
    """The compiled step must refuse none of these pages, and join the same texts."""
    outline, before = outline_of(html), REFUSALS.copy()
    texts = write_runs(outline, {})
    assert before == REFUSALS
    with without_compiled_steps():
        assert texts == write_runs(outline, {})
