"""`thresher extract --all-pages` and `--render`: pages that follow, or that need a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command, Web
from thresher.cli import extract as all_pages
from thresher.cli.console import Exit
from thresher.fetching.model import DELAY_S, Fetched

LEAD = "<h1>Rye</h1><p>All that a farmer has to know of rye, from the field to the mill.</p>"
LEAD_TEXT = "Rye\n\nAll that a farmer has to know of rye, from the field to the mill."
ALL = ("extract", "-m", "keep_all", "-f", "text", "--no-links", "--all-pages")
"""The command with a method that leaves nothing out."""


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses in seconds, which are recorded instead of being waited for."""
    pauses: list[float] = []
    monkeypatch.setattr(all_pages, "sleep", pauses.append)
    return pauses


def serve_story(web: Web, *texts: str, robots: str | None = None) -> str:
    """Serve a story over several pages; return the address of the first."""
    for number, text in enumerate(texts, 1):
        next_link = f"<link rel=next href='/story/{number + 1}'>" if number < len(texts) else ""
        path = f"/story/{number}" if number > 1 else "/story"
        web.serve(path, f"{next_link}<title>Rye</title>{LEAD}<p>{text}</p>".encode())
    if robots is None:
        web.serve("/robots.txt", status=404)
    else:
        web.serve("/robots.txt", robots.encode(), Content_Type="text/plain")
    return f"{web.url}/story"


ROBOTS = "User-agent: thresher\nDisallow: /story/"


@pytest.mark.parametrize(
    ("options", "robots", "texts", "status", "said"),
    [
        pytest.param((), None, ["Sow.", "Reap.", "Mill."], Exit.OK, [], id="all"),
        pytest.param(
            ("--max-pages", "2"),
            None,
            ["Sow.", "Reap."],
            Exit.OK,
            ["thresher: page 3, {0}/3: not fetched, for 2 pages is the limit"],
            id="up to a limit",
        ),
        pytest.param(
            (),
            ROBOTS,
            ["Sow."],
            Exit.FAILED,
            ["thresher: page 2, {0}/2: robots.txt asks robots not to fetch it"],
            id="against robots.txt",
        ),
        pytest.param(
            ("--user-agent", "Reaper/2"),
            ROBOTS,
            ["Sow.", "Reap.", "Mill."],
            Exit.OK,
            [],
            id="under another name",
        ),
    ],
)
def test_all_pages(
    command: Command,
    web: Web,
    pauses: list[float],
    *,
    options: tuple[str, ...],
    robots: str | None,
    texts: list[str],
    status: Exit,
    said: list[str],
) -> None:
    """The allowed pages of a story give one text without repetitions, fetched with pauses."""
    url = serve_story(web, "Sow.", "Reap.", "Mill.", robots=robots)
    out = "\n\n".join([LEAD_TEXT, *texts]) + "\n"
    assert (status, out, [line.format(url) for line in said]) == command(*ALL, *options, url)
    fetched = ["/story", "/robots.txt", "/story/2", "/story/3"][: 1 + len(texts)]
    assert fetched == [path for path, _ in web.requests]
    assert [DELAY_S] * (len(texts) - 1) == pauses


def test_one_page_alone(command: Command, web: Web) -> None:
    """Without --all-pages, or a next page, only the page itself is fetched."""
    ran = command("extract", "-m", "keep_all", "-f", "text", serve_story(web, "Sow.", "Reap."))
    assert (Exit.OK, f"{LEAD_TEXT}\n\nSow.\n", []) == ran
    assert (Exit.OK, "Rye\n", []) == command(*ALL, web.serve("/", b"<p>Rye"))
    assert ["/story", "/"] == [path for path, _ in web.requests]


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (500, b"", "HTTP 500"),
        (200, b"%PDF-1.7", "PDF"),
        (200, b"", "empty"),
        (200, b"<title>404 Not Found</title><h1>404</h1><p>Gone.", "blocked or error page"),
    ],
)
def test_all_pages_when_one_fails(
    command: Command, web: Web, status: int, body: bytes, words: str
) -> None:
    """The pages so far are written; a message names the page that failed, and the status is 1."""
    url = serve_story(web, "Sow.", "Reap.", "Mill.")
    web.serve("/story/3", body, status=status)

    ran = command(*ALL, url)

    assert (Exit.FAILED, f"{LEAD_TEXT}\n\nSow.\n\nReap.\n") == ran[:2]
    assert 1 == len(ran.errors)
    assert ran.errors[0].startswith(f"thresher: page 3, {url}/3: ")
    assert words in ran.errors[0]


def test_all_pages_in_a_loop(command: Command, web: Web) -> None:
    """A last page that is repeated for ever ends the story without a message."""
    url = serve_story(web, "Sow.", "Reap.", "Mill.")
    for number in (3, 4, 5):
        page = f"<!-- {number} --><a rel=next href='/story/{number + 1}'></a>{LEAD}<p>Reap."
        web.serve(f"/story/{number}", page.encode())

    assert (Exit.OK, f"{LEAD_TEXT}\n\nSow.\n\nReap.\n", []) == command(*ALL, url)


def test_all_pages_as_json(command: Command, web: Web) -> None:
    """The JSON is the object of the first page, with the other pages inside."""
    url = serve_story(web, "Sow.", "Reap.")

    record = json.loads(command(*ALL, "-f", "json", url).out)

    assert (url, [f"{url}/2"]) == (record["url"], [page["url"] for page in record["next_pages"]])


def test_all_pages_of_several_stories(command: Command, web: Web) -> None:
    """Each URL has its own pages; an incomplete story gives the status of a failure."""
    url = serve_story(web, "Sow.", "Reap.")
    other = web.serve("/oat", b"<link rel=next href='/oat/2'><p>Oat")
    web.serve("/oat/2", status=404)

    ran = command(*ALL, other, url)

    assert Exit.FAILED == ran.status
    assert f"==> {other} <==\nOat\n\n==> {url} <==\n{LEAD_TEXT}\n\nSow.\n\nReap.\n" == ran.out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["http://127.0.0.1:1/", "page.html"], "--all-pages is for addresses"),
        (["http://127.0.0.1:1/", "-"], "--all-pages is for addresses"),
        (["-f", "inplace", "http://127.0.0.1:1/"], "not inplace"),
    ],
)
def test_all_pages_refused(command: Command, options: list[str], says: str) -> None:
    """Input that was not fetched and formats for one page are incorrect usage, reported first."""
    ran = command(*ALL, *options, stdin=b"<p>Rye")
    assert (Exit.USAGE, "") == ran[:2]
    assert says in ran.errors[0]


SHELL = b"<div id=root></div><script src=/app.js></script>"
SHOWN = b"<div id=root><p>A field of rye, shown by a script.</div>"


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """Show the same page for every address, in place of a browser; what it is asked for."""
    asked: list[tuple[str, dict[str, Any]]] = []

    def render(url: str, **options: Any) -> Fetched:
        asked.append((url, options))
        return Fetched(url, SHOWN, "utf-8", "text/html", 200, False)

    monkeypatch.setattr("thresher.rendering.render", render, raising=False)
    monkeypatch.setattr("thresher.rendering.check_browser", lambda: None, raising=False)
    return asked


def test_page_that_needs_a_browser_is_rendered(
    command: Command, web: Web, rendered: list[tuple[str, dict[str, Any]]]
) -> None:
    """What the browser shows is extracted, with the limits of the command."""
    url = web.serve("/app", SHELL)
    ran = command("extract", "-m", "keep_all", "--render", "--timeout", "7", url)
    assert (Exit.OK, "A field of rye, shown by a script.\n", []) == ran
    ((asked, options),) = rendered
    assert (url, 7.0, True) == (asked, options["timeout_s"], options["allow_private"])


def test_other_pages_are_not_rendered(
    command: Command, web: Web, rendered: list[tuple[str, dict[str, Any]]], tmp_path: Path
) -> None:
    """A page with its text, a file, and a page for which nobody asked are left as they are."""
    text = web.serve("/text", b"<p>A field of oats.")
    shell = web.serve("/app", SHELL)
    file = tmp_path / "app.html"
    file.write_bytes(SHELL)
    assert Exit.OK == command("extract", "-m", "keep_all", "--render", text).status
    assert Exit.NO_CONTENT == command("extract", "--render", "--url", shell, file).status
    assert Exit.NO_CONTENT == command("extract", shell).status
    assert [] == rendered
