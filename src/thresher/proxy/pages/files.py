"""Files page: export and import of settings and rules as TOML."""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from thresher.errors import StorageError, UsageError
from thresher.proxy.pages.context import (
    ProxyContext,
    context_of,
    go_to,
    not_saved,
    render,
    visitor_of,
)
from thresher.proxy.pages.uploads import read_upload
from thresher.proxy.settings_file import parse_settings, write_settings
from thresher.sites import check_rules, parse_rulebook, write_rulebook
from thresher.sites.rulebook import HostRules

__all__ = ["send", "show", "take"]

_SETTINGS, _RULES = "proxy.toml", "rules.toml"
_NAMES: Final = (_SETTINGS, _RULES)


async def show(request: Request) -> Response:
    """Show the paths of the files, and the import forms."""
    return _answer(request)


async def send(request: Request) -> Response:
    """Export one of the files."""
    name, state = request.path_params["name"], context_of(request).state
    if name not in _NAMES:
        raise HTTPException(404, "there is no such file")
    is_settings = name == _SETTINGS
    text = write_settings(state.stored_settings) if is_settings else write_rulebook(state.rulebook)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/toml", headers=headers)


async def take(request: Request) -> Response:
    """Replace the settings or rules by an imported file, if it is valid."""
    name, context = request.path_params["name"], context_of(request)
    if name not in _NAMES:
        raise HTTPException(404, "there is no such file")
    text = ""
    try:
        text = await read_upload(request)
        if name == _SETTINGS:
            context.save(parse_settings(text), visitor_of(request), is_file=True)
        else:
            _replace_rules(context, text)
    except (UsageError, StorageError) as error:
        return _answer(request, errors={name: str(error)}, text={name: text}, status=422)
    return go_to(f"/files?saved={name}")


def _replace_rules(context: ProxyContext, text: str) -> None:
    book = parse_rulebook(text)
    for rules in book.hosts.values():
        check_rules(rules.rules)
    try:
        for host in context.state.rulebook.hosts.keys() - book.hosts.keys():
            context.state.replace_rules(host, HostRules())
        for host, rules in book.hosts.items():
            context.state.replace_rules(host, rules)
    except OSError as error:
        raise not_saved("rules", context.state.rules_path, error) from error


def _answer(
    request: Request,
    *,
    errors: dict[str, str] | None = None,
    text: dict[str, str] | None = None,
    status: int = 200,
) -> Response:
    state = context_of(request).state
    return render(
        request,
        "files.html",
        status=status,
        files=(
            (_SETTINGS, "Settings", state.settings_path, bool(state.settings.users)),
            (_RULES, "Site rules", state.rules_path, False),
        ),
        errors=errors or {},
        text=text or {},
        saved=request.query_params.get("saved", ""),
    )
