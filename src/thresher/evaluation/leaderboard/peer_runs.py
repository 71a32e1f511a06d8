"""Running peers on labelled pages: ask each for outputs that are not cached, and score them.

A peer gets the HTML as text, the URL, and the language: that of the label, otherwise the one
declared in the page's metadata or detected in its text. HTML output of any peer is converted to
text in the same way, by our `keep_all`, outside the peer's time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from thresher.errors import ThresherError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.evaluate import Found
from thresher.evaluation.leaderboard.environment import Environment
from thresher.evaluation.leaderboard.outputs import Outputs, key_of
from thresher.evaluation.leaderboard.peers import Peer
from thresher.evaluation.leaderboard.process import PeerAnswer, Process
from thresher.extraction import extract

__all__ = ["AskResult", "Entrant", "ask_all", "gather", "open_outputs", "request_of", "run_peer"]

_WORKER: Final = Path(__file__).with_name("worker.py")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A peer that takes part; it finds on a page what is in the file of outputs."""

    peer: Peer
    environment: Environment
    outputs: Path

    @property
    def name(self) -> str:
        """Its name in tables."""
        return self.peer.name

    @property
    def key(self) -> tuple[str, str]:
        """The settings and the version under which its outputs are kept."""
        return f"{self.peer.name}: {self.peer.call}", self.environment.version

    def find(self, page: LabelledPage) -> Found:
        """Return what the peer found; ThresherError if it was not asked."""
        with Outputs(self.outputs) as outputs:
            answer = outputs.get(*self.key, key_of(page))
        if answer is None:
            raise ThresherError("the peer was not asked")
        return Found(answer.found, answer.cpu_s, not answer.found.strip(), answer.error)


@dataclass(frozen=True, slots=True)
class AskResult:
    """The result of asking peers."""

    n_answer: int
    """New answers of all peers."""
    problems: Mapping[Entrant, str]
    """The peers that could not be started, and why."""


def run_peer(entrant: Entrant, *, deadline_s: float, loaders: Path | None = None) -> Process:
    """Return the process that runs a peer in its environment; it starts with the first request.

    ``deadline_s`` is the processor time it has per page. ``loaders`` is a file that asks peers for
    something other than the text, see `worker`.
    """
    command = [str(entrant.environment.python), "-I", str(_WORKER), entrant.peer.name]
    command += [str(deadline_s), *([str(loaders)] if loaders else [])]
    return Process(command, deadline_s=deadline_s)


def open_outputs(stack: ExitStack, cache: Path | None) -> tuple[Path, Outputs]:
    """Open the file of peer outputs: the cache, or without one a temporary file for this run."""
    path = cache or Path(stack.enter_context(TemporaryDirectory())) / "kept"
    return path, stack.enter_context(Outputs(path))


def gather(
    stack: ExitStack,
    peers: Iterable[Peer],
    bring: Callable[[Peer], Entrant],
    start: Callable[[Entrant], Process],
    on_absent: Callable[[Peer, str], object],
) -> dict[Entrant, Process]:
    """Prepare peers, each with the process that runs it; report those that are not available."""
    entrants: dict[Entrant, Process] = {}
    for peer in peers:
        try:
            entrant = bring(peer)
        except ThresherError as error:
            on_absent(peer, str(error))
            continue
        entrants[entrant] = stack.enter_context(start(entrant))
    return entrants


def ask_all(
    entrants: Mapping[Entrant, Process],
    pages: Iterable[LabelledPage],
    outputs: Outputs,
    *,
    n_job: int = 1,
) -> AskResult:
    """Ask each peer about each page for which it has no answer yet, and store the answers.

    ``n_job`` peers work at the same time. A peer that cannot be started is not asked again.
    """
    n_answer = 0
    problems: dict[Entrant, str] = {}
    with ThreadPoolExecutor(n_job) as threads:
        for page in pages:
            key = key_of(page)
            waiting = [
                each
                for each in entrants
                if each not in problems and outputs.get(*each.key, key) is None
            ]
            request = request_of(page) if waiting else {}
            asked = [threads.submit(_ask, each, entrants[each], request) for each in waiting]
            for entrant, answer in zip(waiting, asked, strict=True):
                try:
                    outputs.put(*entrant.key, key, answer.result())
                    n_answer += 1
                except ThresherError as error:
                    problems[entrant] = str(error)
    return AskResult(n_answer, problems)


def request_of(page: LabelledPage) -> dict[str, Any]:
    """Return the request that peers get for a page."""
    return {"html": page.html, "url": page.url, "lang": _language_of(page)}


def _ask(entrant: Entrant, process: Process, request: Mapping[str, Any]) -> PeerAnswer:
    answer = process.ask(request)
    if not entrant.peer.gives_html or not answer.found.strip():
        return answer
    try:
        return PeerAnswer(_text_of(answer.found), answer.cpu_s, answer.error)
    except ThresherError as error:  # its output is not HTML
        return PeerAnswer("", answer.cpu_s, str(error))


def _text_of(html: str) -> str:
    return extract(html, method="keep_all").text


def _language_of(page: LabelledPage) -> str | None:
    """Return the language as a code of two letters, or of three if it has none of two."""
    tag = page.lang
    if not tag:
        try:
            language = extract(page.html, url=page.url, method="keep_all").metadata.language
        except ThresherError:  # not a page
            return None
        tag = language.value if language else None
    return tag.split("-")[0].lower() if tag else None
