"""Every tool writes cases, from the page and from the content, and the outputs are scored."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.evaluation.fidelity.conftest import Echo
from thresher.errors import ThresherError
from thresher.evaluation.fidelity.cases import Case
from thresher.evaluation.fidelity.measure import OURS, measure, write_ours
from thresher.evaluation.leaderboard.peer_runs import Entrant, Outputs, Process


def test_all_write_the_content(rye: Case, echo: Entrant, outputs: Outputs) -> None:
    """Ours comes first; a tool that writes another word is only worse in words."""
    ours, other = measure([rye], "content", {echo: Echo()}, outputs)
    measured = ("words", "headings", "headings_shifted", "pieces")
    assert (OURS, "rye", 1.0) == (ours.tool, ours.case, ours.word_f1)
    assert dict.fromkeys(measured, 1.0) == ours.scores
    assert ("markitdown", None) == (other.tool, other.word_f1)
    assert other.scores["words"] < 1.0 == other.scores["headings"]


def test_label_is_converted_to_text_too_when_it_is_html(rye: Case, outputs: Outputs) -> None:
    """The text label of a corpus may differ from the text that we write from its markup."""
    content = "<p>Rye <img class=latex alt=a^2 src=/a.png></p>"
    case = replace(rye, html=content, content=content, text="Rye a")
    (result,) = measure([case], "content", {}, outputs)
    assert 1.0 == result.like_f1
    assert result.word_f1 is not None
    assert result.word_f1 < 1.0


def test_a_case_without_content_is_skipped(rye: Case, outputs: Outputs) -> None:
    """A case without marked content is skipped."""
    bare = replace(rye, content=None)
    assert [] == list(measure([bare], "content", {}, outputs))
    assert 1 == len(list(measure([bare], "page", {}, outputs)))


def test_errors_are_reported(rye: Case, echo: Entrant, outputs: Outputs) -> None:
    """A peer that fails on a page scores 0 there, and so do we if the input is invalid."""
    broken = replace(rye, html="%PDF-1.7 raise")
    ours, other = measure([broken], "page", {echo: Echo()}, outputs)
    assert ours.error is not None
    assert "by design" == other.error
    assert 0.0 == ours.scores["headings"] == other.scores["headings"]


def test_a_peer_that_cannot_be_started_ends_the_run(
    rye: Case, echo: Entrant, outputs: Outputs
) -> None:
    """A peer that does not start stops the run, as a column of zeros would be misleading."""
    with pytest.raises(ThresherError, match="markitdown"):
        list(measure([rye], "page", {echo: Process(["no such program"], deadline_s=1.0)}, outputs))


def test_nothing_is_left_out_of_content() -> None:
    """We keep all of the content, even if it looks like boilerplate."""
    markdown, text, error = write_ours("<footer><p>Imprint</p></footer>", None, "content")
    assert ("Imprint", "Imprint", None) == (markdown, text, error)
