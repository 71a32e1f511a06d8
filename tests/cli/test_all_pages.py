"""`thresher extract --all-pages` and `--render`: pages that follow, or that need a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command, Web
from thresher.cli import extract as all_pages
from thresher.cli.console import Exit
from thresher.errors import MissingExtraError
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


def test_all_pages(command: Command, web: Web, pauses: list[float]) -> None:
    """The pages of a story give one text without repetitions, and requests are spaced by pauses."""
    url = serve_story(web, "Sow.", "Reap.", "Mill.")

    assert (Exit.OK, f"{LEAD_TEXT}\n\nSow.\n\nReap.\n\nMill.\n", []) == command(*ALL, url)
    assert [DELAY_S, DELAY_S] == pauses
    paths = [path for path, _ in web.requests]
    assert ["/story", "/robots.txt", "/story/2", "/story/3"] == paths


def test_one_page_without_the_option(command: Command, web: Web) -> None:
    """Without --all-pages only the page itself is fetched."""
    ran = command("extract", "-m", "keep_all", "-f", "text", serve_story(web, "Sow.", "Reap."))

    assert (Exit.OK, f"{LEAD_TEXT}\n\nSow.\n", []) == ran
    assert ["/story"] == [path for path, _ in web.requests]


def test_all_pages_up_to_a_limit(command: Command, web: Web) -> None:
    """At the limit, a message names the page that was not fetched; the status is success."""
    url = serve_story(web, "Sow.", "Reap.", "Mill.")

    ran = command(*ALL, "--max-pages", "2", url)

    assert (Exit.OK, f"{LEAD_TEXT}\n\nSow.\n\nReap.\n") == ran[:2]
    assert [f"thresher: page 3, {url}/3: not fetched, for 2 pages is the limit"] == ran.errors


def test_all_pages_of_a_single_page(command: Command, web: Web) -> None:
    """A page without a next page is written as usual, without a request for robots.txt."""
    url = web.serve("/", b"<p>Rye")

    assert (Exit.OK, "Rye\n", []) == command(*ALL, url)
    assert ["/"] == [path for path, _ in web.requests]


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


def test_all_pages_against_robots(command: Command, web: Web) -> None:
    """A page that robots.txt disallows is not fetched, and counts as failed."""
    url = serve_story(web, "Sow.", "Reap.", robots="User-agent: thresher\nDisallow: /story/")

    ran = command(*ALL, url)

    assert (Exit.FAILED, f"{LEAD_TEXT}\n\nSow.\n") == ran[:2]
    assert "robots.txt asks" in ran.errors[0]
    assert ["/story", "/robots.txt"] == [path for path, _ in web.requests]


def test_all_pages_goes_by_the_name_it_is_given(command: Command, web: Web) -> None:
    """Rules of robots.txt for a user agent apply if that name is given."""
    url = serve_story(web, "Sow.", "Reap.", robots="User-agent: thresher\nDisallow: /story/")

    assert Exit.OK == command(*ALL, "--user-agent", "Reaper/2", url).status


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


@pytest.mark.parametrize("name", ["page.html", "-"])
def test_all_pages_of_no_address(command: Command, tmp_path: Path, name: str) -> None:
    """Input that was not fetched has no next pages: incorrect usage, reported first."""
    ran = command(*ALL, "http://127.0.0.1:1/", name, stdin=b"<p>Rye")

    assert (Exit.USAGE, "") == ran[:2]
    assert "--all-pages is for addresses" in ran.errors[0]


def test_all_pages_in_a_format_for_one(command: Command) -> None:
    """A format for single pages is incorrect usage, reported before anything is fetched."""
    ran = command(*ALL, "-f", "inplace", "http://127.0.0.1:1/")

    assert Exit.USAGE == ran.status
    assert "not inplace" in ran.errors[0]


@pytest.mark.parametrize(("option", "status"), [((), Exit.OK), (("--no-private",), Exit.FAILED)])
def test_private_addresses(
    command: Command, web: Web, option: tuple[str, ...], status: Exit
) -> None:
    """A typed URL of this machine is fetched, unless private addresses are forbidden."""
    url = web.serve("/", b"<p>Rye")

    assert status == command(*ALL, *option, url).status
    assert (status is Exit.OK) == bool(web.requests)


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


def test_missing_extra_is_said_before_anything_is_fetched(
    command: Command, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who lacks Playwright learns what to install, even if no page would need it."""

    def check() -> None:
        raise MissingExtraError("rendering pages", "browser")

    monkeypatch.setattr("thresher.rendering.check_browser", check, raising=False)
    ran = command("extract", "--render", web.serve("/text", b"<p>A field of oats."))
    assert Exit.USAGE == ran.status
    assert "thresher[browser]" in ran.errors[-1]
    assert [] == web.requests
