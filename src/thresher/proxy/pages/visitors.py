"""Visitors of the settings pages, and what would lock the administrators among them out."""

from __future__ import annotations

from dataclasses import dataclass

from thresher.errors import UsageError
from thresher.proxy.setting_checks import is_in_networks
from thresher.proxy.settings import ProxySettings
from thresher.serving.connections import can_listen
from thresher.support.quoting import quote

__all__ = ["Visitor", "check_reachable"]


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
