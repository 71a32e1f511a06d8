"""The table of agreement counts the pages that the step accepts, refuses and writes differently."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from bench import agreement
from bench.agreement import compare, main, read_cases
from tests.helpers.compiled_steps import needs_steps
from thresher.page.canonical import canonicalise

pytestmark = needs_steps

CASES = """#data
<p>One
<p>Two
#errors
(1,3): expected-doctype
#document
| <html>

#data
<td>a part of a table
#errors
#document-fragment
tr
#document
| <td>
"""


def test_pages_are_counted() -> None:
    """Every page is accepted or refused, and none differs."""
    found = compare("three", ["<p>a", "<b><p>a</b>", "<ul><li>a"])
    assert ("three", 3, 1, ()) == (found.name, found.n_page, found.n_refused, found.differing)


def test_what_differs_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A difference is shown with the bytes of both outputs, or the places of tags, from there."""
    other = canonicalise(b"<p>a")._replace(html=b"<html><body>")
    by_parser = SimpleNamespace(definition=lambda html: other)
    monkeypatch.setattr(agreement, "canonicalise", by_parser)
    (differing,) = compare("one", ["<p>a"]).differing
    assert differing.startswith("b'head></head>")
    assert differing.endswith("b'body>'")
    by_parser = SimpleNamespace(definition=lambda html: canonicalise(html.replace(b" ", b"")))
    monkeypatch.setattr(agreement, "canonicalise", by_parser)
    assert ("tags at [0, 4, -1, -1] for [0, 3, -1, -1]",) == compare("one", ["<p >a"]).differing


def test_cases_are_read_without_fragments(tmp_path: Path) -> None:
    """The page of a case is the text below #data; cases of fragments are left out."""
    file = tmp_path / "some.dat"
    file.write_text(CASES)
    assert ["<p>One\n<p>Two"] == list(read_cases(file))


def test_table_has_a_row_for_all_that_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a corpus, the table has rows for the cases and for random pages."""
    (tmp_path / "some.dat").write_text(CASES)
    monkeypatch.setattr(sys, "argv", ["agreement", "--cases", str(tmp_path), "--drawn", "20"])
    monkeypatch.delenv("THRESHER_CORPORA", raising=False)
    main()
    rows = capsys.readouterr().out.splitlines()[2:]
    assert "| some | 1 | 1 | 0 | 0 |" == rows[0]
    assert rows[1].startswith("| drawn by chance | 20 |")
    assert rows[1].endswith("| 0 |")
