"""The tools for agents, without a protocol, and in a separate process."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from threading import Timer

import pytest

from tests.fetching.web import Web
from thresher import FetchError, InputError, LimitError, ThresherError, UsageError
from thresher.agents.guarded import GuardedTools
from thresher.agents.tools import CACHE_S, CACHED_PAGES, Tools
from thresher.fetching import fetch as fetch_module
from thresher.fetching.model import Fetched
from thresher.limits import Limits

SECTIONS = "".join(
    f"<h2>Section {n}</h2><p>{'The grain of this section is rye. ' * 10}</p>" for n in range(4)
)
PAGE = f"<title>Grain</title><article>{SECTIONS}</article>"


def test_extract_returns_front_matter_and_markdown() -> None:
    """Metadata of the page come first, then its content, whose last line says if it is cut."""
    text = Tools().extract(html=PAGE, url="https://site.example/grain")
    assert text.startswith('---\ntitle: "Grain"')
    assert "\n## Section 0\n\nThe grain of" in text
    text = Tools().extract(html=PAGE, max_chars=600)
    assert len(text) <= 600
    assert text.endswith("characters left out]")


def test_outline_names_the_chunk_of_each_heading() -> None:
    """Each heading has the number of its chunk."""
    tools = Tools()
    outline = tools.outline(html=PAGE, max_chars=500)
    assert "title: Grain" in outline
    assert "verdict: content" in outline
    for line in outline.splitlines():
        if "Section" in line:
            title, _, number = line.strip(" -)").partition(" (chunk ")
            assert f"## {title}" in tools.chunk(int(number), html=PAGE, max_chars=500)
    assert "\n- Section 3 (chunk 3)" in outline


def test_outline_says_so_when_there_is_no_heading() -> None:
    """A page without headings has an outline too, with evidence if it is blocked."""
    assert Tools().outline(html="<p>Rye.").endswith("\n\n(no headings)")
    gone = Tools().outline(html="<title>404 Not Found</title><p>Page not found")
    assert "evidence: " in gone


@pytest.mark.parametrize(
    ("html", "message"),
    [
        ("<p>Rye stands in the field.", "no chunk 7; the last is 0"),
        ("<p></p>", "nothing was found"),
    ],
)
def test_usage_error_when_there_is_no_such_chunk(html: str, message: str) -> None:
    """A chunk begins with its number and headings; beyond the last, the error names that."""
    text = Tools().chunk(2, html=PAGE, max_chars=500)
    assert text.startswith("[chunk 2 of 0 to 3: Section 2]\n\n## Section 2")
    with pytest.raises(UsageError, match=message):
        Tools().chunk(7, html=html)


def test_limit_error_when_html_is_too_large() -> None:
    """The size of HTML is limited in bytes, like that of fetched pages."""
    with pytest.raises(LimitError):
        Tools(limits=Limits(max_bytes=10)).extract(html="<p>" + "ä" * 4)


def test_fetch_error_when_an_address_is_private(web: Web) -> None:
    """Agents cannot fetch anything from this machine."""
    url = web.serve("/", PAGE.encode())
    with pytest.raises(FetchError, match="not public"):
        Tools().extract(url)
    assert [] == web.requests


class Fetches:
    """Replaces the network and records requests."""

    def __init__(self) -> None:
        self.urls: list[str] = []

    def __call__(self, url: str, **options: object) -> Fetched:
        assert options["allow_private"] is False
        self.urls.append(url)
        return Fetched(url, PAGE.encode(), "utf-8", "text/html", 200, is_public=True)


@pytest.fixture
def fetches(monkeypatch: pytest.MonkeyPatch) -> Fetches:
    stand_in = Fetches()
    monkeypatch.setattr(fetch_module, "fetch", stand_in)
    return stand_in


def test_page_is_fetched_once_when_its_chunks_are_read(fetches: Fetches) -> None:
    """A page is cached for a while, and fetched again afterwards."""
    now_s = [0.0]
    tools = Tools(clock_s=lambda: now_s[0])
    tools.outline("https://site.example/", max_chars=500)
    tools.chunk(1, "https://site.example/", max_chars=500)
    assert ["https://site.example/"] == fetches.urls
    now_s[0] = CACHE_S + 1
    tools.chunk(2, "https://site.example/", max_chars=500)
    assert 2 == len(fetches.urls)


def test_pages_are_few_when_many_are_read(fetches: Fetches) -> None:
    """Only the latest pages are cached, separately for each scope."""
    tools = Tools()
    for n in range(CACHED_PAGES + 1):
        tools.outline(f"https://site.example/{n}")
    tools.outline("https://site.example/1")
    tools.outline("https://site.example/0")
    tools.outline("https://site.example/0", scope="page")
    assert ["https://site.example/0"] * 2 == fetches.urls[CACHED_PAGES + 1 :]


@pytest.fixture
def guarded() -> Iterator[Callable[..., GuardedTools]]:
    made: list[GuardedTools] = []

    def make(**options: object) -> GuardedTools:
        made.append(GuardedTools(**options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for tools in made:
        tools.close()


def test_answers_are_those_of_the_tools(guarded: Callable[..., GuardedTools]) -> None:
    """Each tool returns and raises the same as without a process."""
    tools, plain = guarded(), Tools()
    assert plain.extract(html=PAGE) == tools.extract(html=PAGE)
    assert plain.outline(html=PAGE) == tools.outline(html=PAGE)
    assert plain.chunk(0, html=PAGE) == tools.chunk(0, html=PAGE)
    with pytest.raises(UsageError, match="there is no chunk 9"):
        tools.chunk(9, html=PAGE)
    with pytest.raises(InputError, match="PDF"):
        tools.extract(html="%PDF-1.7 no page")


def test_call_that_takes_too_long_ends_its_process(guarded: Callable[..., GuardedTools]) -> None:
    """The call fails, and the next one gets a new process."""
    tools = guarded(call_s=0.001)
    with pytest.raises(LimitError, match="seconds of a call"):
        tools.extract(html=PAGE)
    tools._call_s = 60.0
    assert "rye" in tools.extract(html=PAGE)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_process_that_dies_costs_one_call(guarded: Callable[..., GuardedTools]) -> None:
    """A process that dies during a call fails that call only; between calls it fails none."""
    tools = guarded()
    assert "rye" in tools.extract(html=PAGE)
    assert tools._worker
    pid = tools._worker.process.pid
    os.kill(pid, signal.SIGSTOP)  # so that it does not answer
    killer = Timer(0.2, lambda: os.kill(pid, signal.SIGKILL))
    killer.start()
    with pytest.raises(ThresherError, match="died"):
        tools.extract(html=PAGE)
    assert "rye" in tools.extract(html=PAGE)
    assert tools._worker
    os.kill(tools._worker.process.pid, signal.SIGKILL)
    tools._worker.process.wait()
    assert "rye" in tools.extract(html=PAGE)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="counts memory as Linux does")
def test_page_that_takes_all_memory_costs_one_call(guarded: Callable[..., GuardedTools]) -> None:
    """The limit is that of the process; the error names it."""
    tools = guarded(max_memory_bytes=300 * 2**20)
    with pytest.raises(ThresherError, match=r"memory|died"):
        tools.extract(html="<p>w" * 490_000, format="markdown")
    assert "rye" in tools.extract(html=PAGE)
