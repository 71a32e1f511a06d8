"""The speed report compares all contenders on the same pages, each page once."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import speed
from bench.contenders import BASE, MARKDOWN
from tests.helpers.corpora import write_corpus

SENTENCE = "<p>The mill grinds rye, oats and barley for nine villages."


def test_each_page_read_once_by_each_contender() -> None:
    """Every contender gets every page once, as a new object, and none always comes first."""
    calls: list[tuple[str, bytes]] = []
    pages = [b"<p>one", b"<p>two"]
    contenders = {
        "a": lambda source: calls.append(("a", source)),
        "b": lambda source: calls.append(("b", source)),
    }
    speed.measure_once(contenders, pages)
    assert [("a", pages[0]), ("b", pages[0]), ("b", pages[1]), ("a", pages[1])] == calls
    assert not any(source is page for _, source in calls for page in pages)


def test_median_of_ratios_is_not_the_ratio_of_medians() -> None:
    """The figure is the median over pages of the ratio on a page; that of the sums is beside it."""
    table = speed.write_ratios({MARKDOWN: [1.0, 2.0, 30.0], BASE: [1.0, 1.0, 10.0]})
    assert f"| {MARKDOWN} | 2.00 | 1.00–3.00 | 2.75 | 2000.00 |" in table


def test_peers_may_fail_but_thresher_may_not() -> None:
    """A peer's error ends its time on the page; an error of ours ends the measurement."""
    from thresher import UsageError

    def fail(error: Exception) -> None:
        raise error

    speed.measure_once({"peer": lambda _: fail(ValueError())}, [b""])
    with pytest.raises(UsageError):
        speed.measure_once({"ours": lambda _: fail(UsageError("no"))}, [b""])


@pytest.mark.slow
def test_report_complete_on_tiny_corpora(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sets of the table and corpora of none are measured, and what is written equals the print."""
    folder = tmp_path / "corpora"
    folder.mkdir()
    write_corpus(folder, "tiny", [{"html": SENTENCE * 20}] * 3)
    write_corpus(folder, "postlight", [{"html": SENTENCE * n} for n in (9, 1000)])
    out = tmp_path / "performance.md"
    monkeypatch.setattr(speed, "_START_ROUNDS", 1)
    monkeypatch.setattr("sys.argv", ["speed", str(folder), "--fastest", "2", "-o", str(out)])
    speed.main()
    written = out.read_text()
    assert written.strip() == capsys.readouterr().out.strip()
    assert "## 20 to 200 kB: 1 pages" in written
    assert "## Tiny: 3 pages" in written
    assert written.count("fastest of 2 calls") == 2
    assert all(f"| {part} |" in written for part in ("read", "write markdown", "one thread"))
    assert str(tmp_path) not in written
