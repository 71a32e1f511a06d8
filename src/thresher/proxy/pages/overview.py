"""Overview and log: statistics since the start of the proxy, and its latest requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from thresher.proxy.pages.context import (
    THEME_COOKIE,
    context_of,
    form_of,
    go_to,
    render,
    visitor_of,
)
from thresher.proxy.pages.settings import offered_lists
from thresher.serving.pages import YEAR_S

_MAX_HOSTS: Final = 10
_MAX_RECENT: Final = 8


async def show(request: Request) -> Response:
    """Show the statistics; visited hosts are visible to the administrator only."""
    context, visitor = context_of(request), visitor_of(request)
    counts = context.state.statistics
    hosts = Counter(seen.host for seen in counts.recent)
    return render(
        request,
        "overview.html",
        profile=context.state.settings.current.profile_of(visitor.user),
        counts=counts,
        since=datetime.fromtimestamp(counts.since, UTC),
        outcomes=_by_count(counts.outcomes),
        reasons=_by_count(counts.reasons),
        removed=_by_count(counts.removed),
        hosts=hosts.most_common(_MAX_HOSTS),
        recent=list(counts.recent)[:_MAX_RECENT],
        n_recent=len(counts.recent),
        stopped=counts.stopped.most_common(_MAX_HOSTS),
        n_rule=len(context.state.blocklist),
        lists=context.lists.states if context.lists else (),
        settings_error=context.state.settings.error,
        rules_error=context.state.rules_error,
        offered=offered_lists(context),
        is_updating=bool(context.lists and context.lists.is_updating),
    )


async def set_theme(request: Request) -> Response:
    """Save the colour theme in a cookie, and redirect back."""
    form = form_of(request)
    response = go_to(_local_path(form.get("next", "/")))
    response.set_cookie(
        THEME_COOKIE, form.get("theme", "auto")[:5], max_age=YEAR_S, samesite="lax", httponly=True
    )
    return response


def _by_count(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _local_path(path: str) -> str:
    """Return a local path; the first page for anything that leads elsewhere."""
    is_local = path.startswith("/") and path.isascii() and path.isprintable()
    return path if is_local and not path.startswith("//") and "\\" not in path else "/"


async def show_log(request: Request) -> Response:
    """Show the entries that contain the words of the query."""
    words = request.query_params.get("words", "")
    entries = context_of(request).state.log.find(words)
    times = [datetime.fromtimestamp(entry.when, UTC).strftime("%H:%M:%S") for entry in entries]
    return render(
        request,
        "log.html",
        words=words,
        entries=tuple(zip(times, entries, strict=True)),
        has_users=any(entry.user for entry in entries),
    )
