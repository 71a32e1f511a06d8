"""`thresher explain`: its report and its errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command, Web
from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.cli.exits import Exit

PAGE = "<title>Körner</title><p>穀物 <b>and</b> more".encode()


@pytest.mark.parametrize("method", ALGORITHMS)
def test_explain_by_every_method(command: Command, method: str) -> None:
    """Every method gives a report of the page that names the method."""
    ran = command("explain", "-m", method, "-", stdin=PAGE)
    assert ran.status in (Exit.OK, Exit.NO_CONTENT)
    assert ran.out.startswith("<!DOCTYPE html>")
    assert f"<title>Körner: explained by {method}</title>" in ran.out
    assert "穀物 and more" in ran.out


def test_explain_without_a_name_reads_standard_input(command: Command) -> None:
    """A page piped in is explained by the default method."""
    ran = command("explain", stdin=PAGE)
    assert f"explained by {DEFAULT_METHOD}" in ran.out


def test_explain_into_a_file(command: Command, tmp_path: Path) -> None:
    """With -o the report is written to the file, and nothing is printed."""
    page, report = tmp_path / "page.html", tmp_path / "new" / "report.html"
    page.write_bytes(PAGE)
    ran = command("explain", page, "-m", "keep_all", "-o", report)
    assert (Exit.OK, "", []) == ran
    assert command("explain", page, "-m", "keep_all").out == report.read_text(encoding="utf-8")


def test_explain_of_a_fetched_page(command: Command, web: Web) -> None:
    """The report of a fetched page has its URL."""
    url = web.serve("/story", PAGE)
    ran = command("explain", "-m", "keep_all", url)
    assert Exit.OK == ran.status
    assert f'<a href="{url}"' in ran.out


def test_explain_heeds_its_options(command: Command) -> None:
    """Parameters, base URL and charset are those of the command line."""
    options = ("-p", "degree=2", "--url", "https://a.example/", "--charset", "koi8-r")
    ran = command("explain", "-m", "max_density", *options, stdin="<p>зерно".encode("koi8-r"))
    for part in ("degree = 2", 'href="https://a.example/"', "зерно"):
        assert part in ran.out


def test_explain_where_nothing_is_found(command: Command) -> None:
    """A page without main content has a report, and gives the status of such a page."""
    ran = command("explain", stdin=b"<p></p>")
    assert (Exit.NO_CONTENT, ["thresher: standard input: no main content"]) == (
        ran.status,
        ran.errors,
    )
    assert "This page shows no text." in ran.out


def test_explain_of_error_page(command: Command) -> None:
    """An error page has a report with that verdict, which is also printed, and status 3."""
    ran = command("explain", "-m", "keep_all", stdin=b"<title>404 Not Found</title><h1>404</h1>")
    assert Exit.NO_CONTENT == ran.status
    assert "Verdict: blocked or error page" in ran.out
    assert ran.errors[0].startswith("thresher: standard input: blocked or error page: ")


@pytest.mark.parametrize(
    ("name", "says"), [("gone.html", "no such file"), (".", "this is a directory")]
)
def test_explain_of_no_page(command: Command, name: str, says: str) -> None:
    """An input that cannot be read is reported in one line."""
    ran = command("explain", name)
    assert (Exit.FAILED, "") == (ran.status, ran.out)
    assert [True] == [f"thresher: {name}: {says}" in line for line in ran.errors]


def test_explain_of_pdf(command: Command) -> None:
    """A file that is not HTML is reported in one line."""
    ran = command("explain", stdin=b"%PDF-1.7 ")
    assert Exit.FAILED == ran.status
    assert ran.errors[0].startswith("thresher: standard input: ")


@pytest.mark.parametrize(
    "argv",
    [["-m", "magic"], ["-p", "speed=1"], ["-p", "speed"], ["--charset", "runes"], ["a", "b"]],
)
def test_explain_refuses_what_makes_no_sense(command: Command, argv: list[str]) -> None:
    """Incorrect usage is reported before anything is read."""
    ran = command("explain", *argv, stdin=PAGE)
    assert (Exit.USAGE, "") == (ran.status, ran.out)


def test_explain_on_a_terminal(command: Command) -> None:
    """At a terminal without input, the command asks for one instead of waiting."""
    ran = command("explain")
    assert Exit.USAGE == ran.status
    assert "no input" in ran.errors[0]
