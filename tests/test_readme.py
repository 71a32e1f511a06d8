"""The README and the docs say what is so: their examples run, their commands are CI's."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from thresher.cli import main
from thresher.cli.arguments import build_parser

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RESULTS = sorted((ROOT / "bench" / "results").glob("*.md"))
COMMAND = re.compile(r"^(?: {4}(?:\S+/|\w+=\S+ )?)?thresher ([a-z].*)$", re.MULTILINE)
WITH_COMMANDS = [file for file in DOCS if COMMAND.search(file.read_text(encoding="utf-8"))]


def fenced(text: str, language: str) -> list[str]:
    """Return the fenced code blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


WITH_EXAMPLES = [file for file in DOCS if fenced(file.read_text(encoding="utf-8"), "python")]


@pytest.mark.parametrize("file", WITH_EXAMPLES, ids=lambda file: str(file.relative_to(ROOT)))
def test_python_examples_run_when_pasted_in_order(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every Python example of a page runs, from the repository's root, after those before it."""
    examples = fenced(file.read_text(encoding="utf-8"), "python")
    monkeypatch.chdir(ROOT)
    namespace: dict[str, object] = {}
    for example in examples:
        exec(compile(example, str(file), "exec"), namespace)
    assert capsys.readouterr().out


@pytest.mark.parametrize("page", [b"<p>Some words.", b"<title>Rye</title><p>Some words."])
def test_library_example_runs_on_any_page(page: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The README's example does not count on what a page may lack."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(Path, "read_bytes", lambda _: page)
    exec(compile(fenced(README, "python")[0], "README.md", "exec"), {})


def test_commands_are_two_when_setting_up() -> None:
    """The README sets up with one command for the main job and one for the tests, CI's own."""
    set_up = [block.strip() for block in fenced(README, "sh") if "python3 -m venv" in block]
    assert 2 == len(set_up)
    assert set_up[1] in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_extras_are_installed_from_the_checkout() -> None:
    """The package is on no index: each line that installs an extra has it from this folder."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for file in DOCS:
        for what in re.findall(
            r"pip install (?:-\S+ )*'([^']+)'", file.read_text(encoding="utf-8")
        ):
            assert re.fullmatch(r"\.\[\w+\]", what), f"{file}: {what}"
            assert what[2:-1] in project["optional-dependencies"], f"{file}: {what}"


def test_main_job_prints_the_article_when_run_as_the_readme_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The README's first command extracts the shipped page: the story without boilerplate."""
    monkeypatch.chdir(ROOT)
    command = fenced(README, "sh")[0].split(".venv/bin/thresher ")[1]
    assert 0 == main(shlex.split(command))
    markdown = capsys.readouterr().out
    for kept in ("## A gauge and a bell", "| Season | Ships |", "```python"):
        assert kept in markdown
    for dropped in ("Join now", "Seven cranes", "My grandfather", "All rights reserved"):
        assert dropped not in markdown


@pytest.mark.parametrize("file", WITH_COMMANDS, ids=lambda file: str(file.relative_to(ROOT)))
def test_commands_are_accepted(file: Path) -> None:
    """Every command line of a page has a subcommand and options that exist."""
    for line in COMMAND.findall(file.read_text(encoding="utf-8")):
        command = shlex.split(re.split(r" [|>#] |  ", line)[0])
        assert vars(build_parser().parse_args(command))  # exits if it is wrong


def test_links_resolve_when_followed_from_the_docs() -> None:
    """No page of the docs or of the results links to a file that is not there."""
    broken = [
        f"{file.relative_to(ROOT)} → {target}"
        for file in [*sorted(ROOT.glob("*.md")), *DOCS[1:], *RESULTS]
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", file.read_text(encoding="utf-8"))
        if not (file.parent / target).exists()
    ]
    assert [] == broken


def test_index_lists_every_page_of_the_docs() -> None:
    """Every page of docs/ is linked from docs/index.md, those of a folder from a page in it."""
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {str(file.relative_to(ROOT / "docs")) for file in DOCS[1:]} - {"index.md"}
    linked = set(re.findall(r"\]\(([^)#:\s]+\.md)", index))
    assert [] == sorted(page for page in pages - linked if not page.startswith("algorithms/"))


def test_every_page_of_results_is_listed_and_says_what_made_it() -> None:
    """The index of bench/results has each page, and each page the command that made it."""
    pages = [page for page in RESULTS if page.name != "README.md"]
    index = (ROOT / "bench" / "results" / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in pages] == sorted(re.findall(r"^\| \[.+?\]\((\S+)\)", index, re.M))
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert re.search(r"python -m (bench|thresher)\.|thresher (eval|train) ", text), page


def test_comparison_has_the_figures_of_the_leaderboard() -> None:
    """The README's mean word F1 of each extractor is that of bench/results/leaderboard.md."""
    board = (ROOT / "bench" / "results" / "leaderboard.md").read_text(encoding="utf-8")
    words = board.partition("## Words by corpus")[2].partition("\n## ")[0]
    rows = (line.strip("| ").split(" | ") for line in words.splitlines() if line.startswith("| "))
    means = {cells[0].strip("*"): cells[1].replace("*", "") for cells in rows}
    shown = re.findall(r"^\| (.+?) \| ([*\d.]+ ± [\d.]+) \|", README, re.MULTILINE)
    assert 5 == len(shown)
    for name, mean in shown:
        known = "learned" if "`learned`" in name else name.split()[0]
        assert means[known] == mean.replace("*", "")
