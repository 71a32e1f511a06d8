"""Every tool writes cases, the outputs are scored, and all of it is one page of Markdown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.evaluation.fidelity.conftest import Echo
from tests.helpers.corpora import write_corpus
from thresher.errors import InputError, ThresherError
from thresher.evaluation.fidelity.__main__ import build_parser, format_command, main
from thresher.evaluation.fidelity.cases import Case
from thresher.evaluation.fidelity.measure import (
    OURS,
    Judgements,
    Result,
    list_worst,
    measure,
    read_judgements,
    read_pages,
    score_markdown,
    write_bench,
    write_judged,
    write_ours,
    write_scores,
)
from thresher.evaluation.leaderboard.peer_runs import Entrant, Outputs, Process

RESULTS = [
    Result(OURS, "rye", {"words": 1.0, "code": 0.5}),
    Result("peer", "rye", {"words": 1.0, "code": 1.0}),
    Result(OURS, "oats", {"words": 0.5}),
    Result("peer", "oats", {"words": 0.25}, "by design"),
]
TABLE = "| grain | sacks |\n| --- | --- |\n| rye | 12 |"


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


def test_scores_are_means_over_pages_that_have_the_feature() -> None:
    """The best scores are bold, ties included; the last line has the numbers of pages."""
    assert [
        "| tool | words | code | errors |",
        "| --- | ---: | ---: | ---: |",
        "| thresher | **75.0** | 50.0 | 0 |",
        "| peer | 62.5 | **100.0** | 1 |",
        "| pages | 2 | 1 | 2 |",
    ] == write_scores(RESULTS).splitlines()


def test_low_scores_of_ours_are_listed() -> None:
    """Only our low scores are listed; a low score for words alone is not."""
    assert "- `rye`: code 50" == list_worst(RESULTS, 0.9)
    assert "None." == list_worst(RESULTS, 0.4)


def test_judgements_are_read() -> None:
    """Every verdict that is shipped has a reason; a corpus without a table has no judgements."""
    for corpus in ("readability", "defuddle"):
        judgements = read_judgements(corpus)
        assert all(judgements.unlike.values())
        assert all(why for _, why in judgements.differ.values())
    assert Judgements() == read_judgements("rye")


@pytest.mark.parametrize("text", ["[rye", '[rye.differ]\n"a" = ["nobody", "why"]', "rye = 1"])
def test_an_unknown_verdict_is_reported(text: str, tmp_path: Path) -> None:
    """A file with an unknown verdict is an error."""
    path = tmp_path / "judgements.toml"
    path.write_text(text)
    with pytest.raises(InputError):
        read_judgements("rye", path)


def test_pages_are_counted_by_outcome() -> None:
    """Pages with equal outputs are not judged; different pages are, if there is a judgement."""
    results = [
        Result(OURS, "same", {"words": 1.0}),
        Result(OURS, "judged", {"words": 1.0, "code": 0.5}),
        Result(OURS, "new", {"words": 0.5}),
        Result("peer", "judged", {"words": 0.0}),
    ]
    judged = Judgements(differ={"judged": ("taste", "a rule"), "same": ("ours", "old")})
    assert [
        "| the same | 1 |",
        "| matter of taste | 1 |",
        "| not judged | 1 |",
    ] == write_judged(results, judged).splitlines()[2:]


def write_file(folder: Path, *pages: Mapping[str, object]) -> Path:
    file = folder / "bench.jsonl"
    file.write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    return file


def test_pages_are_read_from_lines(tmp_path: Path) -> None:
    """Both names of the expected Markdown are known, and other fields ignored."""
    page = {"track_id": "a", "html": "<p>rye", "url": "u", "meta": {"level": "hard"}}
    file = write_file(
        tmp_path,
        page | {"convert_main_content": "rye"},
        {"html": "<p>oats", "groundtruth_content": "oats"},
        {"html": "<p>one page too many"},
    )
    assert [("a", "u", "<p>rye", "rye"), ("1", None, "<p>oats", "oats")] == [
        (page.id, page.url, page.html, page.gold_html) for page in read_pages(file, 2)
    ]


@pytest.mark.parametrize("text", ["rye", '{"url": "u"}', "[1]"])
def test_another_file_is_an_input_error(text: str, tmp_path: Path) -> None:
    """A line without a page is reported with the name of its file."""
    (tmp_path / "x").write_text(text)
    with pytest.raises(InputError, match="WebMainBench"):
        list(read_pages(tmp_path / "x"))


@pytest.mark.parametrize(
    ("found", "gold", "expected"),
    [
        ("rye", "rye", {"text": 1.0, "overall": 1.0}),
        ("", "", {"overall": 1.0}),
        ("rye", "rye ok", {"text": 0.5, "overall": 0.5}),
        ("$ab$", "$ac$", {"text": 0.75, "formula": 0.5, "overall": 0.625}),
        ("```\nab\n```", "```\nab\n```", {"text": 1.0, "code": 1.0, "overall": 1.0}),
        (TABLE, TABLE, {"text": 1.0, "table": 1.0, "TEDS": 1.0, "overall": 1.0}),
        ("", TABLE, {"text": 0.0, "table": 0.0, "TEDS": 0.0, "overall": 0.0}),
    ],
)
def test_metrics_apply_where_a_side_has_the_feature(
    found: str, gold: str, expected: dict[str, float]
) -> None:
    """Each is a similarity, and the overall score the mean of those that apply."""
    assert expected == pytest.approx(score_markdown(found, gold))


def test_tools_are_rows_of_a_table(tmp_path: Path, echo: Entrant, outputs: Outputs) -> None:
    """Ours comes first, and each column is a mean over the pages where it applies."""
    html = "<article><p>Rye is a grain that grows where wheat would not grow at all.</p></article>"
    gold = "Rye is a grain that grows where wheat would not grow at all."
    file = write_file(tmp_path, {"html": html, "convert_main_content": gold})
    table = write_bench(read_pages(file), {echo: Echo()}, outputs).splitlines()
    assert "| tool | overall | text | code | formula | table | TEDS | pages |" == table[0]
    assert "| thresher | 100.0 | 100.0 | – | – | – | – | 1 |" == table[2]
    assert table[3].startswith("| markitdown | ")


@pytest.fixture
def own_pages(tmp_path: Path) -> Path:
    """A folder with one page of our own."""
    folder = tmp_path / "pages" / "list"
    folder.mkdir(parents=True)
    (folder / "about.toml").write_text('url = "https://x.example/"\ntitle = "t"\nkeep = "ul"\n')
    (folder / "page.html").write_text("<ul><li>Rye is a grain<li>Oats are another</ul>")
    (folder / "expected.md").write_text("- Rye is a grain\n- Oats are none\n")
    return folder.parent


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of a page whose label is HTML and a page without a label."""
    pages = [
        {"html": "<p>rye", "gold_html": "<p>oats", "text": "oats", "id": "readability/nytimes-5"},
        {"html": "<p>wheat"},
    ]
    return write_corpus(tmp_path, "readability", pages)


def test_everything_is_on_one_page(
    own_pages: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The output has our pages, the corpus with its judgements, and the properties."""
    output = tmp_path / "results" / "fidelity.md"
    call = [str(corpus), "--own-pages", str(own_pages), "--properties", "--peer", "none"]
    assert 0 == main([*call, "-o", str(output)])
    text = output.read_text()
    assert "with `python -m thresher.evaluation.fidelity CORPUS --peer none --properties`" in text
    assert "each with one feature: 1." in text
    assert "- `list`: lists 50" in text
    assert "- `readability/nytimes-5` 0%: A front page" in text
    assert "| readability | 2 | 0 | 0 | 0 | 0 | 0 |" in text
    assert "own pages, content: done" in capsys.readouterr().err


def test_the_metrics_of_webmainbench_are_an_option(own_pages: Path, tmp_path: Path) -> None:
    """A file of the benchmark adds a section, without its location in the command."""
    bench, output = tmp_path / "bench.jsonl", tmp_path / "out.md"
    bench.write_text('{"html": "<p>Rye is a grain", "convert_main_content": "Rye is a grain"}\n')
    call = ["--own-pages", str(own_pages), "--peer", "none", "--webmainbench", str(bench)]
    assert 0 == main([*call, "-o", str(output)])
    assert "--peer none --webmainbench FILE`" in output.read_text()
    assert "## WebMainBench" in output.read_text()


def test_a_peer_that_is_missing_takes_no_part(
    own_pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing peer is reported, and the others continue."""
    call = ["--own-pages", str(own_pages), "--environment", str(tmp_path), "--no-install"]
    assert 0 == main([*call, "--peer", "markitdown"])
    written = capsys.readouterr()
    assert "| thresher |" in written.out
    assert "markitdown: not installed" in written.err


def test_incorrect_usage_is_told_from_invalid_data() -> None:
    """Incorrect usage gives status 2, as in every command here, a broken folder of pages 1."""
    assert 2 == main(["/no/corpus", "--peer", "none"])
    assert 1 == main(["--own-pages", "/no/pages", "--peer", "none"])


def test_the_command_is_formatted_without_locations() -> None:
    """The reported command omits file locations, as they do not affect the result."""
    args = build_parser().parse_args(["/data/x", "--pages", "3", "-o", "/tmp/y"])
    assert "python -m thresher.evaluation.fidelity CORPUS --pages 3" == format_command(args)
