"""Shared context and rendering of the settings pages, and forms made of declared settings.

A handler starts with ``context_of(request)`` and ``visitor_of(request)``, and ends with ``render``.
A posted form is ``form_of(request)``; its token has been checked before the handler runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from itertools import groupby
from pathlib import Path
from typing import Any, Final, cast

import anyio
from jinja2 import Environment
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from thresher import __version__
from thresher.errors import StorageError, ThresherError, UsageError
from thresher.proxy.list_updates import ListUpdates
from thresher.proxy.memory import OwnedPage, OwnedPages
from thresher.proxy.settings import Profile, ProxySettings, is_in_networks
from thresher.proxy.state import ProxyState
from thresher.serving.connections import can_listen
from thresher.serving.pages import TITLES, load_templates, status_of
from thresher.serving.pool import Pool
from thresher.sites.rulebook import Rulebook
from thresher.support.files import explain_os_error
from thresher.support.quoting import quote
from thresher.support.settings import Setting, format_values


@dataclass(frozen=True, slots=True)
class Visitor:
    """Visitor of the settings pages."""

    user: str | None
    """Name authenticated by the proxy."""
    is_admin: bool
    """Administrators see and change everything; others, how pages are shown to them."""
    client: str = ""
    """Address of a visitor through the proxy; empty on the port."""


def check_reachable(settings: ProxySettings, started: ProxySettings, by: Visitor) -> None:
    """Raise UsageError for settings after which nobody could open the settings pages any more.

    ``started`` are the settings with which the proxy listens, so both must leave a way in: now, and
    after the next start.
    """
    has_admin = not settings.users or any(user.is_admin for user in settings.users.values())
    has_port = bool(started.settings_port and settings.settings_port)
    if not has_admin and not has_port:
        raise UsageError(
            "users: nobody could open these pages any more: make a user an administrator, or set "
            "settings_port and restart the proxy"
        )
    if settings.mode not in (started.mode, "regular") and not settings.settings_port:
        raise UsageError(
            f"mode: in mode {settings.mode} these pages are only on the settings port: set "
            "settings_port too"
        )
    if by.client and settings.clients and not is_in_networks(by.client, settings.clients):
        raise UsageError(
            f"clients: this would shut you out, as your own address is {by.client}: add it"
        )
    if settings.listen_host != started.listen_host and not can_listen(settings.listen_host):
        raise UsageError(
            f"listen_host: this machine cannot listen on {quote(settings.listen_host)}"
        )


_MAX_CACHE_BYTES: Final = 64 * 2**20
"""Maximum total of previews, of which the last one is kept however large it is."""


@dataclass(frozen=True, slots=True)
class PreviewPage(OwnedPage):
    """A page as received from its server, or as changed by the proxy."""

    requested_url: str = ""
    """Address before redirects."""


FIELD: Final = "csrf"
"""Form field with the CSRF token."""
PURPOSE: Final = "settings"
"""Purpose of the tokens, so that other tokens of the proxy are rejected."""
_MAX_FETCHES: Final = 4
"""Maximum number of concurrent fetches for previews."""
_THEMES: Final = ("auto", "light", "dark")
THEME_COOKIE: Final = "thresher_theme"
_BROKEN: Final = "Something went wrong on this page. The proxy keeps running."
_FOR_ALL: Final = (
    ("Overview", "/"),
    ("Filters", "/filters"),
    ("Preview", "/preview"),
    ("Set up", "/setup"),
    ("Certificate", "/certificate"),
)
_FOR_ADMINISTRATORS: Final = (
    *_FOR_ALL[:3],
    ("Sites", "/sites"),
    ("Lists", "/lists"),
    ("Proxy", "/proxy"),
    *_FOR_ALL[3:],
    ("Log", "/log"),
    ("Files", "/files"),
)


@dataclass(frozen=True, slots=True)
class ProxyContext:
    """State shared by the settings pages of one proxy."""

    state: ProxyState
    pool: Pool
    lists: ListUpdates
    ca_dir: Path
    """Folder of mitmproxy's certificate authority."""
    preview_cache: OwnedPages[PreviewPage] = field(
        default_factory=lambda: OwnedPages[PreviewPage](max_bytes=_MAX_CACHE_BYTES)
    )
    fetches: anyio.CapacityLimiter = field(
        default_factory=lambda: anyio.CapacityLimiter(_MAX_FETCHES)
    )
    templates: Environment = field(
        default_factory=lambda: load_templates(Path(__file__).parent / "templates")
    )

    def save(
        self, settings: ProxySettings, by: Visitor | None = None, *, is_file: bool = False
    ) -> None:
        """Apply other settings, and write what is changed to their file.

        ``is_file``: they replace those of the file, and the command line's options still hold.
        Raises UsageError if the proxy would serve other machines without authentication, if nobody
        could open these pages any more (`check_reachable`, for what an administrator changes), or
        if the folder of sites does not exist; StorageError if the file cannot be written.
        """
        if by:
            check_reachable(settings, self.state.started, by)
        if settings.sites != self.state.settings.current.sites:
            settings.check_folder()
        try:
            replace_all = self.state.settings.replace_file
            (replace_all if is_file else self.state.settings.replace)(settings)
        except OSError as error:
            raise not_saved("settings", self.state.settings.path, error) from error
        self.lists.apply()

    def save_form(self, wanted: Iterable[Setting], sent: Mapping[str, str], by: Visitor) -> Form:
        """Read settings from a form, and save them if they are valid."""
        form = read_form(wanted, sent)
        if form.is_right:
            try:
                self.save(replace(self.state.settings.current, **form.values), by)
            except (UsageError, StorageError) as error:
                return form.blame(error)
        return form

    def save_profile(
        self, user: str | None, profile: Profile | None, book: Rulebook | None = None
    ) -> None:
        """Set the profile of a user, or the default one; None resets it to the defaults.

        ``book`` replaces what a user chose for single sites.
        """
        settings = self.state.settings.current
        if user is None:
            of_all = profile or Profile()
            self.save(
                replace(settings, view=of_all.view, method=of_all.method, filters=of_all.filters)
            )
        elif user in settings.users:
            changed = replace(settings.users[user], profile=profile)
            changed = changed if book is None else replace(changed, book=book)
            self.save(replace(settings, users={**settings.users, user: changed}))
        else:
            raise UsageError(f"there is no user {quote(user)}")


def not_saved(what: str, path: Path | None, error: OSError) -> StorageError:
    """Return an error that says why a file could not be written, for the form that was sent."""
    return StorageError(f"the {what} were not saved: {path}: {explain_os_error(error)}")


def context_of(request: Request) -> ProxyContext:
    """Return the shared state."""
    return cast("ProxyContext", request.scope["thresher"])


def visitor_of(request: Request) -> Visitor:
    """Return the visitor: an administrator on the port, by name, or while there are no users."""
    state = request.scope.get("state", {})
    user, is_port = state.get("user"), bool(state.get("is_port"))
    is_admin = context_of(request).state.settings.current.may_administer(user)
    client = request.client.host if request.client and not is_port else ""
    return Visitor(user, is_port or is_admin, client)


def form_of(request: Request) -> Mapping[str, str]:
    """Return the text fields of the posted form; of duplicates, the last."""
    form = request.state.form
    return {name: value for name, value in form.multi_items() if isinstance(value, str)}


def go_to(path: str) -> Response:
    """Redirect to another settings page after a form."""
    return RedirectResponse(path, 303)


def send_download(content: str | bytes, name: str, kind: str = "application/toml") -> Response:
    """Send a file that a browser saves under a name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)


def render(
    request: Request,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """Render a template with the values, and with those that `base.html` needs."""
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
    """Respond with an error page."""
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


_MAX_UPLOAD_BYTES: Final = 4 * 2**20


async def read_upload(request: Request) -> str:
    """Return the text of the form's ``file`` or else ``text``; UsageError without any."""
    file = request.state.form.get("file")
    if isinstance(file, UploadFile) and file.size:
        body = await file.read(_MAX_UPLOAD_BYTES)
        try:
            return body.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UsageError("the file is not UTF-8") from error
    text = form_of(request).get("text", "")
    if not text.strip():
        raise UsageError("choose a file or paste its text")
    return text


@dataclass(frozen=True, slots=True)
class SettingField:
    """Form field of one setting."""

    setting: Setting
    value: str
    """Formatted as `Setting.parse` reads it; a list has one word a line."""
    error: str = ""

    @property
    def label(self) -> str:
        """Label of the field."""
        return self.setting.name.replace("_", " ").capitalize()

    @property
    def hint(self) -> str:
        """Description of the setting, as a sentence without its full stop."""
        return self.setting.help[:1].upper() + self.setting.help[1:]

    @property
    def is_on(self) -> bool:
        """True if the switch is on."""
        return self.value == "yes"

    @property
    def is_default(self) -> bool:
        """True if the value is the default."""
        return self.value.split() == _lines(self.setting, self.setting.default).split()


@dataclass(frozen=True, slots=True)
class Group:
    """Group of related settings."""

    name: str
    fields: tuple[SettingField, ...]

    @property
    def n_changed(self) -> int:
        """Number of fields with a value other than the default."""
        return sum(not shown.is_default for shown in self.fields)

    @property
    def n_error(self) -> int:
        """Number of fields with an error."""
        return sum(bool(shown.error) for shown in self.fields)


@dataclass(frozen=True, slots=True)
class Form:
    """Form with settings, as displayed or as submitted."""

    groups: tuple[Group, ...]
    values: Mapping[str, Any] = field(default_factory=dict)
    """Valid values by name."""
    error: str = ""
    """Error that concerns no single field."""

    @property
    def is_right(self) -> bool:
        """True if all fields are valid."""
        return not self.error and not any(group.n_error for group in self.groups)

    def blame(self, error: ThresherError) -> Form:
        """Return the form with an error at the field that its message names, or above the form."""
        message = str(error)
        name = message.partition(" ")[0].rstrip(":")
        fields = [
            replace(shown, error=message) if shown.setting.name == name else shown
            for group in self.groups
            for shown in group.fields
        ]
        is_placed = any(shown.error for shown in fields)
        return Form(_group(fields), self.values, self.error if is_placed else message)


def make_form(wanted: Iterable[Setting], *objects: object) -> Form:
    """Build a form of settings, with their values taken from objects."""
    values: dict[str, str] = {}
    for source in objects:
        values |= format_values(source)
    fields = [SettingField(setting, _by_lines(setting, values[setting.name])) for setting in wanted]
    return Form(_group(fields))


def read_form(wanted: Iterable[Setting], sent: Mapping[str, str]) -> Form:
    """Read settings from a form, each independently, so that all errors are reported at once.

    A missing switch is off, as browsers submit it; other missing settings have their defaults.
    """
    fields, values = [], {}
    for setting in wanted:
        missing = "no" if setting.kind == "switch" else setting.format(setting.default)
        text, error = sent.get(setting.name, missing), ""
        try:
            values[setting.name] = setting.parse(text)
            shown = _lines(setting, values[setting.name])
        except UsageError as trouble:
            shown, error = text, str(trouble)
        fields.append(SettingField(setting, shown, error))
    return Form(_group(fields), values)


def _group(fields: list[SettingField]) -> tuple[Group, ...]:
    groups = groupby(fields, key=lambda shown: shown.setting.group)
    return tuple(Group(name, tuple(members)) for name, members in groups)


def _lines(setting: Setting, value: object) -> str:
    return _by_lines(setting, setting.format(value))


def _by_lines(setting: Setting, text: str) -> str:
    return text.replace(", ", "\n") if setting.kind == "list" else text
