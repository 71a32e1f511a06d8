"""Messages of the command about verdicts."""

from __future__ import annotations

import pytest

from tests.helpers import judged
from thresher.cli.inputs import STDIN
from thresher.cli.verdicts import has_content
from thresher.document import Verdict
from thresher.extraction import extract


def verdict_on(capsys: pytest.CaptureFixture[str], html: str, **params: object) -> list[str]:
    """Return the verdict on a page, and the message about it, if any."""
    document = extract(html, method=judged.select, params=judged.Params(**params))  # type: ignore[arg-type]
    said = not has_content(STDIN, document)
    lines = capsys.readouterr().err.splitlines()
    assert said is bool(lines)
    return [document.verdict.value, *lines]


@pytest.mark.parametrize(
    ("page_type", "verdict"), [("article", Verdict.CONTENT), ("listing", Verdict.LISTING)]
)
def test_nothing_is_said_of_content(
    capsys: pytest.CaptureFixture[str], page_type: str, verdict: Verdict
) -> None:
    """A page with content, including a listing, gives no message."""
    assert [verdict.value] == verdict_on(capsys, "<p>rye", page_type=page_type)


def test_verdict_is_said_when_nothing_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """A page without content gives a message with its verdict."""
    assert ["no main content", "thresher: standard input: no main content"] == verdict_on(
        capsys, "<p>rye", keeps=False
    )


@pytest.mark.parametrize(
    ("html", "verdict", "evidence"),
    [
        ("<title>404 Not Found</title><p>Gone.", Verdict.BLOCKED, "An error page: the title says"),
        ("<div id=root></div><script src=a.js></script>", Verdict.NEEDS_BROWSER, "The application"),
    ],
)
def test_evidence_is_said_when_there_is_an_obstacle(
    capsys: pytest.CaptureFixture[str], html: str, verdict: Verdict, evidence: str
) -> None:
    """An obstacle gives a message with its evidence, even if something is kept."""
    for keeps in (True, False):
        said, line = verdict_on(capsys, html, keeps=keeps)
        assert verdict.value == said
        assert line.startswith(f"thresher: standard input: {verdict.value}: {evidence}")
