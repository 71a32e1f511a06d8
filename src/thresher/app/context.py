"""Shared context and rendering of the app's pages and errors, preferences, and the weights in use.

A handler starts with ``context = context_of(request)``, runs work on pages by ``context.work``, and
ends with ``render(request, "name.html", ...)``. A posted form is ``form_of(request)``; its token is
checked before the handler runs. Preferences are stored in a cookie, so they work without scripts.
The weights are those set at startup, else those last chosen in the app. Errors are JSON for API
clients, a page for browsers.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from http import HTTPStatus
from math import inf
from pathlib import Path
from typing import Any, Final, TypeVar, cast
from urllib.parse import parse_qsl, urlencode

import anyio
import anyio.to_thread
from jinja2 import Environment
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from thresher import __version__
from thresher.algorithms.learned.model import Model
from thresher.app.engine import PageSource, Task, with_model
from thresher.app.logs import Metrics
from thresher.app.settings import AppSettings
from thresher.errors import FetchError, LimitError, ThresherError, UsageError
from thresher.fetching.model import Fetched
from thresher.request import SelectRequest
from thresher.serving.pages import TITLES, load_templates, status_of
from thresher.serving.pool import Pool
from thresher.sites.rulebook import Rulebook, read_rulebook
from thresher.support.bounded_cache import ByteCache
from thresher.support.files import DISK_FULL, is_disk_full, save_text

_T = TypeVar("_T")
_Item = TypeVar("_Item")

_MAX_WAITING: Final = 200
"""Maximum number of calls waiting for a process, at some 30 ms each; further ones are rejected."""
_LARGE_BYTES: Final = 2**20
"""Bytes above which a page is large, as 1 in 25 of 3,126 real ones is."""
_MAX_LARGE_WAITING: Final = 50
"""Maximum number of large pages waiting for a process, each with its bytes in memory."""
_MAX_FETCHES: Final = 32
"""Maximum number of concurrent fetches: each takes a thread, and the memory of a page."""
_MAX_IMAGES: Final = 16
"""Maximum number of concurrent image fetches, in addition to pages."""
_RETRY_S: Final = 5
_STEPS: Final = 4
"""Maximum number of deadlines that one call may use in sequence: to select, to write, …"""


@dataclass(frozen=True, slots=True)
class AppContext:
    """State shared by the pages of one server."""

    settings: AppSettings
    pool: Pool
    page_cache: ByteCache[PageSource]
    large: anyio.CapacityLimiter
    """Limits the processes that work on large pages."""
    templates: Environment
    metrics: Metrics
    key: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    """Signing key of this run."""
    fetches: anyio.CapacityLimiter = field(
        default_factory=lambda: anyio.CapacityLimiter(_MAX_FETCHES)
    )
    images: anyio.CapacityLimiter = field(
        default_factory=lambda: anyio.CapacityLimiter(_MAX_IMAGES)
    )

    async def work(self, function: Callable[..., _T], *args: object) -> _T:
        """Run a module-level function in a process, as `Pool.run` does; 503 if too many wait."""
        n_large = self.large.statistics().tasks_waiting if any(map(_is_large, args)) else 0
        if self.pool.n_waiting >= _MAX_WAITING or n_large >= _MAX_LARGE_WAITING:
            raise HTTPException(
                503, "too many pages are waiting; try again later", {"Retry-After": str(_RETRY_S)}
            )
        return await self.wait_and_work(function, *args)

    async def wait_and_work(self, function: Callable[..., _T], *args: object) -> _T:
        """Run a module-level function in a process, however long the queue is.

        Large pages get half of the processes at most, so that a client that sends many of them does
        not block other users.
        """
        if any(map(_is_large, args)):
            async with self.large:
                return await self.pool.run(function, *args)
        return await self.pool.run(function, *args)

    async def fetch(self, url: str) -> PageSource:
        """Fetch a page; raise FetchError and LimitError as `thresher.fetching.fetch` does."""
        fetched = await self.get(url, allow_private=self.settings.allow_private)
        return PageSource.of_fetched(fetched)

    async def get(
        self,
        url: str,
        *,
        allow_private: bool = False,
        max_bytes: int | None = None,
        timeout_s: float | None = None,
        limiter: anyio.CapacityLimiter | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Fetched:
        """Fetch any resource, within the limits of the settings or stricter ones."""
        from thresher.fetching.fetch import fetch

        settings = self.settings
        call = partial(
            fetch,
            url,
            timeout_s=min(timeout_s or settings.timeout_s, settings.timeout_s),
            max_bytes=min(max_bytes or settings.max_bytes, settings.max_bytes),
            user_agent=settings.user_agent,
            allow_private=allow_private and settings.allow_private,
            headers=headers or {},
        )
        return await anyio.to_thread.run_sync(
            call, limiter=limiter or self.fetches, abandon_on_cancel=True
        )

    def task(self, source: PageSource, request: SelectRequest | None = None) -> Task:
        """Build the task of a page, with the limits, rules and model of this server."""
        settings = self.settings
        request = with_model(request or SelectRequest(), current_model(settings))
        request = replace(request, rules=self.rulebook())
        return Task(source, request, settings.limits, settings.sites)

    def page(self, name: str) -> PageSource:
        """Return a cached page; 404 if it is unknown or was evicted."""
        source = self.page_cache.get(name)
        if source is None:
            raise HTTPException(404, "this page has expired; open it again")
        return source

    def rulebook(self) -> Rulebook:
        """Read the user's rules; raise UsageError if their file is invalid."""
        return read_rulebook(self.settings.rules_path)


def build_context(settings: AppSettings) -> AppContext:
    """Build the shared state; does not start processes yet."""
    templates = load_templates(Path(__file__).parent / "templates")
    pool = Pool(settings.n_worker, settings.deadline_s * _STEPS, settings.max_memory_bytes)
    large = anyio.CapacityLimiter(max(1, settings.n_worker // 2))
    page_cache = ByteCache[PageSource](settings.kept_bytes, lambda source: source.n_bytes)
    return AppContext(settings, pool, page_cache, large, templates, Metrics())


def context_of(request: Request) -> AppContext:
    """Return the context of the app that handles a request."""
    return cast("AppContext", request.app.state.context)


def form_of(request: Request) -> FormData:
    """Return the posted form; empty if there is none."""
    return cast("FormData", getattr(request.state, "form", FormData()))


def render(
    request: Request,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """Render a template with the values, and with those that `base.html` needs."""
    context = context_of(request)
    text = context.templates.get_template(template).render(
        csrf=getattr(request.state, "csrf", ""),
        path=request.url.path,
        here=path_with(request.url.path, request.url.query),
        view=read_preferences(request.cookies.get(COOKIE, "")),
        choices=CHOICES,
        nav=request.app.state.nav,
        lab=request.app.state.lab,
        version=__version__,
        has_token=context.settings.token is not None,
        **values,
    )
    return HTMLResponse(text, status, headers=dict(headers or {}))


def _is_large(argument: object) -> bool:
    """Return whether an argument is a large page, or a task with one."""
    if isinstance(argument, bytes):
        return len(argument) > _LARGE_BYTES
    source = getattr(argument, "source", argument)
    return isinstance(source, PageSource) and len(source.body) > _LARGE_BYTES


def path_with(path: str, query: str, fragment: str = "") -> str:
    """Return a path with a query and a fragment; either may be empty."""
    return path + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")


async def map_all(
    function: Callable[[_Item], Awaitable[_T]], items: Iterable[_Item], n_at_once: float = inf
) -> list[_T]:
    """Call a function with all items, some at a time; return the results in their order.

    A call begins when there is room for it, so that many items do not become as many tasks.
    """
    limit = anyio.CapacityLimiter(n_at_once)
    results: dict[int, _T] = {}

    async def call(place: int, item: _Item) -> None:
        try:
            results[place] = await function(item)
        finally:
            limit.release_on_behalf_of(place)

    async with anyio.create_task_group() as group:
        for place, item in enumerate(items):
            await limit.acquire_on_behalf_of(place)
            group.start_soon(call, place, item)
    return [results[place] for place in sorted(results)]


COOKIE: Final = "thresher_view"
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": ("auto", "light", "dark"),
    "face": ("serif", "sans"),
    "size": ("3", "1", "2", "4", "5"),
    "width": ("normal", "narrow", "wide"),
}
"""Options of each preference, the default first; each is a `data-…` attribute of the document."""


def read_preferences(cookie: str) -> dict[str, str]:
    """Parse the cookie, with defaults for missing or invalid values."""
    chosen = dict(parse_qsl(cookie.strip('"')))
    return {
        name: chosen[name] if chosen.get(name) in values else values[0]
        for name, values in CHOICES.items()
    }


def write_preferences(chosen: Mapping[str, str]) -> str:
    """Serialize the cookie, without invalid values."""
    return urlencode(
        [(name, chosen[name]) for name in CHOICES if chosen.get(name) in CHOICES[name]]
    )


_CHOSEN_MODEL: Final = "model.txt"
"""File in the data folder with the path of the chosen weights."""


def current_model(settings: AppSettings) -> str:
    """Return the file of the weights; empty for the shipped ones, or if the chosen file is gone."""
    if settings.model:
        return str(settings.model)
    if settings.only_api:  # what it answers does not depend on a user's folder
        return ""
    try:
        chosen = (settings.data_dir / _CHOSEN_MODEL).read_text(encoding="utf-8").strip()
    except OSError:
        return ""
    return chosen if Path(chosen).is_file() else ""


def use_model(settings: AppSettings, path: Path) -> None:
    """Choose weights; UsageError if the file is invalid or weights were set at startup."""
    if settings.model:
        raise UsageError(f"this server was started with --model {settings.model}")
    Model.load(path)
    save_text(settings.data_dir / _CHOSEN_MODEL, f"{path}\n")


def forget_model(settings: AppSettings) -> None:
    """Return to the shipped weights."""
    (settings.data_dir / _CHOSEN_MODEL).unlink(missing_ok=True)


_WORD: Final = re.compile(r"[a-z]+ ")


def describe(error: Exception) -> dict[str, object]:
    """Return the API's description of an error: type, message and attributes."""
    if isinstance(error, HTTPException):
        phrase = HTTPStatus(error.status_code).phrase.title().replace(" ", "").replace("-", "")
        return {"type": phrase, "message": error.detail, "status": error.status_code}
    if is_disk_full(error):
        return {"type": "StorageError", "message": DISK_FULL, "status": status_of(error)}
    if not isinstance(error, ThresherError):
        # Details go to the log, not to clients.
        return {"type": "InternalError", "message": "internal server error", "status": 500}
    said: dict[str, object] = {
        "type": type(error).__name__,
        "message": str(error),
        "status": status_of(error),
    }
    if isinstance(error, LimitError):
        said |= {"what": error.what, "limit": error.limit, "value": error.value}
    if isinstance(error, FetchError):
        said |= {"url": error.url, "http_status": error.status}
    return said


def is_for_programs(request: Request) -> bool:
    """Return whether the client expects JSON, as all do where only the API is served."""
    if context_of(request).settings.only_api:
        return True
    wants = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or "application/json" in wants


def answer(request: Request, error: Exception) -> Response:
    """Return the response to a request that failed."""
    status, headers = status_of(error), dict(getattr(error, "headers", None) or {})
    if is_for_programs(request):
        return JSONResponse({"error": describe(error)}, status, headers)
    return render(
        request,
        "problem.html",
        status=status,
        headers=headers,
        title=TITLES.get(status, "Something went wrong"),
        message=_begin_sentence(_say(error)),
        code=status,
    )


def _say(error: Exception) -> str:
    message = str(describe(error)["message"])
    return "there is no page at this address" if message == HTTPStatus.NOT_FOUND.phrase else message


def _begin_sentence(message: str) -> str:
    """Capitalise a message that begins with a word, not with a name such as that of a file."""
    return message[:1].upper() + message[1:] if _WORD.match(message) else message


async def handle(request: Request, error: Exception) -> Response:
    """Return the error response; asynchronous, as Starlette requires."""
    return answer(request, error)
