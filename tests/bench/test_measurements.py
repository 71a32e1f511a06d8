"""Measurements of speed, memory and growth say what they compare, on pages made up for them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import thresher
from bench import contenders, growth, native, release, rules, speed
from bench.growth import PARTS, Growth, measure_shape
from bench.harness import draw_pages, make_parser, named_corpora, spread_pages
from bench.instructions import count_instructions, has_valgrind, pages_of_tests
from bench.memory import measure_in_fork
from bench.native import measure, measure_calls
from bench.release import PAGES, RESULTS, Result, make_page
from bench.startup import BASE, measure_starts, write_starts
from tests.bench.conftest import Run
from tests.helpers.compiled_steps import needs_steps, without_compiled_steps
from tests.helpers.corpora import write_corpus
from tests.helpers.hostile import Shape
from tests.helpers.trees import PLAIN_PAGE
from thresher.algorithms.learned import SHIPPED_MODEL
from thresher.evaluation.corpora import CORPORA_VARIABLE
from thresher.native import kernels


def test_table_compares_every_start_with_numpy() -> None:
    """Each process is a row with its clock and CPU time, and numpy's are 0 beyond itself."""
    measured = measure_starts({BASE: ("-c", "pass"), "sums": ("-c", "sum(range(10**6))")}, 1)
    rows = write_starts(measured).splitlines()[2:]

    assert [BASE, "sums"] == [start.name for start in measured]
    assert all(start.wall_ms > 0 and start.cpu_ms > 0 for start in measured)
    assert ["0", "0"] == [cell.strip() for cell in rows[0].split("|")[-3:-1]]
    assert rows[1].startswith("| `sums` |")


_MAX_MILLION = 17.2
"""Bound of the instructions a page of tests/pages; 16.4 were counted, and 5 % are slack."""


@pytest.mark.slow
@pytest.mark.skipif(not has_valgrind(), reason="valgrind is not installed")
def test_a_page_takes_no_more_instructions_than_agreed() -> None:
    """From bytes to Markdown the pages of the tests take at most the agreed instructions."""
    counts = count_instructions(pages_of_tests())
    assert sum(counts.values()) <= _MAX_MILLION * 1e6, counts


SENTENCE = "<p>The mill grinds rye, oats and barley for nine villages."


def test_each_page_read_once_by_each_contender() -> None:
    """Every contender gets every page once, as a new object, and none always comes first."""
    calls: list[tuple[str, bytes]] = []
    pages = [b"<p>one", b"<p>two"]
    by_name = {
        "a": lambda source: calls.append(("a", source)),
        "b": lambda source: calls.append(("b", source)),
    }
    speed.measure_once(by_name, pages)
    assert [("a", pages[0]), ("b", pages[0]), ("b", pages[1]), ("a", pages[1])] == calls
    assert not any(source is page for _, source in calls for page in pages)


def test_median_of_ratios_is_not_the_ratio_of_medians() -> None:
    """The figure is the median over pages of the ratio on a page; that of the sums is beside it."""
    table = speed.write_ratios({"ours": [1.0, 2.0, 30.0], contenders.BASE: [1.0, 1.0, 10.0]})
    assert "| ours | 2.00 | 1.00–3.00 | 2.75 | 2000.00 |" in table


def test_peers_may_fail_but_thresher_may_not() -> None:
    """A peer's error ends its time on the page; an error of ours ends the measurement."""

    def fail(error: Exception) -> None:
        raise error

    speed.measure_once({"peer": lambda _: fail(ValueError())}, [b""])
    with pytest.raises(thresher.UsageError):
        speed.measure_once({"ours": lambda _: fail(thresher.UsageError("no"))}, [b""])


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


PARAGRAPH = "The old mill by the river grinds the rye of nine villages, as it has for years. " * 4
HTML = f"<title>Rye</title><main><p>{PARAGRAPH}</p><ul><li>Rye</ul><p>{PARAGRAPH}</p></main>"


def test_rule_is_measured_by_weights_of_folds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command prints the pages of each corpus and of all, and how the rule changed them."""
    row = {"id": "1", "html": HTML, "text": f"{PARAGRAPH}\nRye\n{PARAGRAPH}"}
    write_corpus(tmp_path, "news", [row])
    for fold in range(2):
        (tmp_path / f"fold-{fold}.npz").write_bytes(SHIPPED_MODEL.read_bytes())
    assert 0 == rules.main(["--folds", str(tmp_path), str(tmp_path)])
    *_, last = capsys.readouterr().out.splitlines()
    rule, name, n_page, better, worse, *_ = last.split()
    assert ("between", "all", 1) == (rule, name, int(n_page))
    assert int(better) + int(worse) <= 1


@needs_steps
def test_steps_are_left_out_and_come_back() -> None:
    """Kernels are replaced by their definitions only inside the context."""
    with without_compiled_steps():
        assert kernels.steps is None
    assert kernels.steps is not None


def test_calls_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kernel has the time of one call."""
    monkeypatch.setattr(native, "_N_CALL", 2)
    assert all(duration > 0 for duration in measure_calls().values())


def test_every_stage_is_measured_twice() -> None:
    """Each stage is measured with and without compiled steps, the parser first."""
    stages = measure([PLAIN_PAGE], 1)
    assert "bare parse" == stages[0].name
    assert all(stage.with_steps > 0 and stage.without > 0 for stage in stages)
    assert {"columns (scan)", "view: hidden", "HTML to Markdown"} <= {s.name for s in stages}


@pytest.mark.parametrize("argv", [[], ["here"]])
def test_folder_taken_from_environment_when_none_is_named(
    argv: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment variable names the corpora if the command does not."""
    monkeypatch.setenv(CORPORA_VARIABLE, "there")
    parser = make_parser("Read.\n\nAnd write.", corpora=True)
    assert "Read." == parser.description
    assert [Path("here" if argv else "there")] == parser.parse_args(argv).corpora


def test_usage_said_when_there_is_no_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a corpus the command ends, and explains how to name one."""
    monkeypatch.delenv(CORPORA_VARIABLE, raising=False)
    with pytest.raises(SystemExit, match=CORPORA_VARIABLE):
        named_corpora([])


def test_pages_are_drawn_alike_and_spread_evenly(tmp_path: Path) -> None:
    """The same pages are drawn each time, at most all; others have equal distances."""
    pages = [str(number) for number in range(10)]
    assert draw_pages(pages, 4) == draw_pages(pages, 4)
    assert sorted(draw_pages(pages, 99)) == pages
    path = write_corpus(tmp_path, "tiny", [{"id": page, "html": page} for page in pages])
    (corpus,) = named_corpora([path])
    assert ["0", "3", "6"] == [page.id for page in spread_pages(corpus, 3)]


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


_GREEDY = """
import mmap, thresher
from bench.memory import measure_here

class Document:
    def __init__(self, html, method=None):
        self.taken = 100 * 2**20 if html == b"page" else mmap.PAGESIZE

    def write(self, format):
        # The memory must come from the system: a process would reuse what it has freed.
        with mmap.mmap(-1, self.taken) as memory:
            memory[:: mmap.PAGESIZE] = b"x" * (self.taken // mmap.PAGESIZE)

thresher.extract = Document
measure_here("text")
"""


@on_linux
@pytest.mark.slow
def test_peak_sees_what_is_taken() -> None:
    """An allocation of a hundred megabytes that is soon freed is in the peak."""
    done = subprocess.run(
        [sys.executable, "-c", _GREEDY], input=b"page", check=True, stdout=subprocess.PIPE
    )
    assert 90 * 2**20 <= int(done.stdout) < 300 * 2**20


@on_linux
@pytest.mark.slow
def test_page_takes_more_than_itself(tmp_path: Path) -> None:
    """A page takes more memory than its size."""
    html = "<p>One sheaf after the other was brought in, and none was lost.</p>" * 16_000
    write_corpus(tmp_path, "one", [{"id": "sheaves", "html": html}])
    command = [sys.executable, "-m", "bench.memory", str(tmp_path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    (ratio,) = re.findall(r"median ([\d.]+) ×", done.stdout)
    assert float(ratio) > 1


@on_linux
def test_fork_measures_a_shape() -> None:
    """A shape takes more memory than its size in a fork, also where it ends in a LimitError."""
    shape = Shape(lambda n: f"{'<blockquote>' * 60}<pre>{'w' + chr(10) * n}</pre>", 1)
    for format in ("text", "markdown"):
        assert 500_000 < measure_in_fork(shape, 500_000, format) < 500_000_000


@pytest.mark.slow
@pytest.mark.usefixtures("frozen_heap")
def test_every_part_is_measured() -> None:
    """Every part, method and format has a row, and none failed."""
    rows = list(measure_shape("paragraphs", divide=10_000))
    assert list(PARTS) == [row.part for row in rows]
    methods = {f"select {method}" for method in thresher.ALGORITHMS}
    assert methods | {f"write {format}" for format in thresher.FORMATS} < PARTS.keys()
    assert [] == [row for row in rows if row.failed]


def test_quadratic_cost_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that takes four times as long on a page twice as large fails."""
    monkeypatch.setattr(growth, "_time", lambda run: float(len(run.args[0].html) ** 2) / 1e9)
    (row,) = measure_shape("one word", parts=["parse"], divide=1000)
    assert row.failed
    assert 4 == pytest.approx(row.growth, rel=0.01)


def test_size_grows_until_a_part_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last page is the one whose double would exceed the time limit."""
    monkeypatch.setattr(growth, "_time", lambda run: len(run.args[0].html) / 10_000)
    (row,) = measure_shape("one word", parts=["parse"], divide=1000, max_seconds=1)
    assert 10_000 == row.n_byte
    assert not row.full
    (row,) = measure_shape("one word", parts=["parse"], divide=1000, max_seconds=10)
    assert 20_000 == row.n_byte
    assert row.full


def test_table_has_the_most_of_each_part() -> None:
    """Each part is listed with the shape that grows most and the one that costs most per byte."""
    rows = [
        Growth("paragraphs", "parse", 1_000_000, 1.0, 2.0),
        Growth("links", "parse", 1_000_000, 0.5, 2.2),
        Growth("ids", "parse", 10, 1e-6, None),
    ]
    table = growth._table(rows)
    assert "| parse | 2 shapes | 2.20 | links | 1.00 s a MB | paragraphs |" in table


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ZeroDivisionError("by design"), "ZeroDivisionError: by design"),
        (thresher.LimitError("nodes of the page", limit=1), None),
    ],
)
def test_errors_of_others_fail(
    monkeypatch: pytest.MonkeyPatch, error: Exception, said: str | None
) -> None:
    """Any error that is not Thresher's own is a failure, listed with its name."""

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(thresher, "select", fail)
    (row,) = measure_shape("paragraphs", parts=["select slope"], divide=10_000)
    assert (said is not None, said) == (row.failed, row.error)


def test_main_exits_with_one_when_something_failed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failure is printed with its shape and part, and gives status 1."""
    row = Growth("paragraphs", "parse", 10, 1.0, 3.0)
    monkeypatch.setattr(growth, "measure_shape", lambda *_, **__: iter([row]))
    assert "FAILED paragraphs | parse | 1.00 s | 3.00" in run(
        growth, "--shape", "paragraphs", status=1
    )


def test_every_page_of_the_table_is_in_the_index() -> None:
    """The index of the results lists each page that the command makes."""
    index = (RESULTS / "README.md").read_text(encoding="utf-8")
    assert all(f"]({name})" in index for name in PAGES)


def test_printed_results_stand_below_their_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page quotes what each of its commands printed; words that stand for paths become paths."""
    page = Result("Marks", ("json.tool CORPORA --compact", "json.tool tiny"))
    monkeypatch.setattr(release, "PAGES", {"marks.md": page})
    (tmp_path / "a.json").write_text('{"a":\n1}')
    paths = {name: [str(tmp_path / "a.json")] for name in ("CORPORA", "tiny")}
    assert make_page("marks.md", paths, tmp_path)
    written = (tmp_path / "marks.md").read_text()
    assert written.startswith("# Marks\n")
    assert '## `python -m json.tool CORPORA --compact`\n\n    {"a":1}\n' in written
    assert '## `python -m json.tool tiny`\n\n    {\n        "a": 1\n    }\n' in written
    assert str(tmp_path) not in written


def test_failed_command_leaves_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a command fails, the page is as it was and the failure is reported."""
    monkeypatch.setattr(release, "PAGES", {"marks.md": Result("Marks", ("json.tool nowhere",))})
    monkeypatch.setattr(release, "RESULTS", tmp_path)
    (tmp_path / "marks.md").write_text("as it was")
    arguments = ["release", "--folds", str(tmp_path), "--only", "marks.md"]
    monkeypatch.setattr(sys, "argv", arguments)
    monkeypatch.setattr(release, "named_corpora", lambda _: ())
    with pytest.raises(SystemExit, match=r"failed: marks\.md"):
        release.main()
    assert "as it was" == (tmp_path / "marks.md").read_text()
