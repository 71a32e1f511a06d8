"""What every page has at hand, and how it answers.

A handler begins with ``context_of(request)`` and ``visitor_of(request)``, and ends with ``render``.
A form that was posted is ``form_of(request)``: it was checked before the handler saw it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, cast

import anyio
from jinja2 import Environment
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from thresher import __version__
from thresher.errors import ThresherError, UsageError
from thresher.proxy.list_updates import ListUpdates
from thresher.proxy.pages.fields import Form, read_form
from thresher.proxy.pages.page_cache import PageCache
from thresher.proxy.settings import Profile, ProxySettings, User
from thresher.proxy.state import ProxyState
from thresher.serving.pool import Pool
from thresher.serving.problems import TITLES, status_of
from thresher.serving.templates import load_templates
from thresher.support.settings import Setting

__all__ = [
    "FIELD",
    "PURPOSE",
    "THEME_COOKIE",
    "Context",
    "Visitor",
    "answer_error",
    "context_of",
    "form_of",
    "go_to",
    "render",
    "visitor_of",
]

FIELD: Final = "csrf"
"""Field of a form that has its token."""
PURPOSE: Final = "settings"
"""What tokens are for, so that no other token of the proxy is one."""
_MAX_FETCHES: Final = 4
"""Pages that are fetched for a preview at a time."""
_THEMES: Final = ("auto", "light", "dark")
THEME_COOKIE: Final = "thresher_theme"
_BROKEN: Final = "Something broke in the settings page; the proxy goes on."
_FOR_ALL: Final = (
    ("Overview", "/"),
    ("Filters", "/filters"),
    ("Preview", "/preview"),
    ("Certificate", "/certificate"),
)
_FOR_ADMINISTRATORS: Final = (
    *_FOR_ALL[:3],
    ("Sites", "/sites"),
    ("Lists", "/lists"),
    ("Proxy", "/proxy"),
    _FOR_ALL[3],
    ("Files", "/files"),
)


@dataclass(frozen=True, slots=True)
class Context:
    """What the pages of one proxy share."""

    state: ProxyState
    pool: Pool
    lists: ListUpdates | None
    ca_dir: Path
    """Where mitmproxy keeps its certificate authority."""
    started: ProxySettings
    """The settings with which it listens."""
    page_cache: PageCache
    fetches: anyio.CapacityLimiter = field(
        default_factory=lambda: anyio.CapacityLimiter(_MAX_FETCHES)
    )
    templates: Environment = field(
        default_factory=lambda: load_templates(Path(__file__).parent / "templates")
    )

    def save(self, settings: ProxySettings) -> None:
        """Use other settings from now on, and write them to their file.

        UsageError where it would serve others without asking who they are, or has no such folder
        of sites; ThresherError where the file cannot be written.
        """
        where = self.started.listen_host
        if settings.is_open or replace(settings, listen_host=where).is_open:
            raise UsageError(
                "users: the proxy serves more than this machine, so there must be one at least"
            )
        if settings.sites != self.state.settings.sites:
            settings.check_folder()
        try:
            self.state.replace_settings(settings)
        except OSError as error:
            raise ThresherError(f"the settings cannot be saved: {error}") from error
        if self.lists:
            self.lists.apply()

    def save_form(self, wanted: Iterable[Setting], sent: Mapping[str, str]) -> Form:
        """Read settings from a form, and save them if nothing is wrong, as the form then says."""
        form = read_form(wanted, sent)
        if form.is_right:
            try:
                self.save(replace(self.state.settings, **form.values))
            except UsageError as error:
                return form.blame(error)
        return form

    def save_profile(self, user: str | None, profile: Profile | None) -> None:
        """Set how pages are shown to a user, or to everybody; None: to the user as everybody."""
        settings = self.state.settings
        if user is None:
            of_all = profile or Profile()
            self.save(
                replace(settings, view=of_all.view, method=of_all.method, filters=of_all.filters)
            )
        elif user in settings.users:
            known = User(settings.users[user].password, profile)
            self.save(replace(settings, users={**settings.users, user: known}))
        else:
            raise UsageError(f"there is no user {user!r}")


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who looks at the settings."""

    user: str | None
    """Name given to the proxy."""
    is_admin: bool
    """Who is, sees and changes all; who is not, how pages are shown to them."""


def context_of(request: Request) -> Context:
    """Return what the pages share."""
    return cast("Context", request.scope["thresher"])


def visitor_of(request: Request) -> Visitor:
    """Say who asks: by the port the administrator; by the proxy too, while it has no users."""
    known = request.scope.get("state", {})
    user = known.get("user")
    users = context_of(request).state.settings.users
    return Visitor(user, bool(known.get("is_port")) or not (users or user))


def form_of(request: Request) -> Mapping[str, str]:
    """Return the fields of the form that was posted, but for files; of one twice, the last."""
    form = request.state.form
    return {name: value for name, value in form.multi_items() if isinstance(value, str)}


def go_to(path: str) -> Response:
    """Lead to one of our own pages after a form."""
    return RedirectResponse(path, 303)


def render(
    request: Request,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """Answer with a template; besides the values it has what `base.html` needs."""
    context, visitor = context_of(request), visitor_of(request)
    theme = request.cookies.get(THEME_COOKIE, "")
    token = context.state.token(visitor.user, PURPOSE)
    text = context.templates.get_template(template).render(
        csrf=token,
        csrf_field=FIELD,
        path=request.url.path,
        nav=_FOR_ADMINISTRATORS if visitor.is_admin else _FOR_ALL,
        visitor=visitor,
        theme=theme if theme in _THEMES else _THEMES[0],
        themes=_THEMES,
        version=__version__,
        **values,
    )
    return HTMLResponse(text, status, headers=dict(headers or {}))


def answer_error(request: Request, error: Exception) -> Response:
    """Answer a request with what went wrong."""
    status, message = status_of(error), _BROKEN
    if isinstance(error, HTTPException):
        message = error.detail
    elif isinstance(error, ThresherError):
        message = str(error)
    return render(
        request,
        "problem.html",
        status=status,
        title=TITLES.get(status, HTTPStatus(status).phrase),
        message=message,
        code=status,
    )
