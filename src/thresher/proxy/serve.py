"""Assembly and main loop of the proxy: mitmproxy with our addons."""

from __future__ import annotations

import asyncio
import signal
import ssl
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thresher.errors import MissingExtraError, ThresherError, UsageError
from thresher.proxy.list_updates import ListUpdates
from thresher.proxy.settings import ProxySettings
from thresher.proxy.state import ProxyState
from thresher.serving.connections import (
    ConnectionLimits,
    log_accept_errors_seldom,
    raise_descriptor_limit,
)
from thresher.support.files import explain_os_error

if TYPE_CHECKING:
    from mitmproxy.master import Master

    from thresher.proxy.port import Port
    from thresher.serving.http_server import AsgiApp
    from thresher.serving.pool import Pool


@contextmanager
def bundle_authorities(upstream_ca: Path | None) -> Iterator[dict[str, str]]:
    """Give mitmproxy's option for the usual authorities and those of a file; empty without one.

    mitmproxy trusts the authorities of a file that it is given instead of the usual ones, so both
    are in a temporary file. UsageError if there is no certificate in the user's.
    """
    if upstream_ca is None:
        yield {}
        return
    import certifi

    own = _read(upstream_ca)
    with tempfile.TemporaryDirectory(prefix="thresher-") as folder:
        bundle = Path(folder) / "authorities.pem"
        bundle.write_bytes(Path(certifi.where()).read_bytes() + b"\n" + own)
        yield {"ssl_verify_upstream_trusted_ca": str(bundle)}


def _read(path: Path) -> bytes:
    try:
        content = path.read_bytes()
        ssl.create_default_context().load_verify_locations(path)
    except ssl.SSLError as error:
        raise UsageError(f"{path} has no certificate authority in PEM") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {explain_os_error(error)}") from error
    return content


_GRACE_S = 5.0
"""Seconds after the deadline until the worker process of a page is killed."""
_DESCRIPTORS = 3
"""Descriptors for each connection of a client: its own, that to a server, and some for the rest."""
_MIB = 2**20
_ADDONS = frozenset(
    "block core disable_h2c dns_resolver next_layer onboarding proxyserver strip_dns_https_records "
    "tlsconfig update_alt_svc upstream_auth".split()
)
"""mitmproxy's addons that a proxy needs, by module. Each is called at every step of every flow; the
others are for inspecting flows or changing them by hand, and `Access` replaces `proxyauth`."""


def serve(
    state: ProxyState,
    *,
    confdir: Path | None = None,
    when_ready: Callable[[int, Callable[[], None]], None] | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM.

    ``confdir`` is the folder of mitmproxy's certificate authority, ``~/.mitmproxy`` by default.
    ``when_ready`` is called with the port, and with a function that stops the proxy from any
    thread.

    Raises UsageError if it would serve other machines without authentication or if the folder of
    sites does not exist, MissingExtraError without mitmproxy or uvicorn, ThresherError if it cannot
    listen.
    """
    settings = state.settings.current
    if settings.is_open:
        raise UsageError(
            f"listening on {settings.listen_host or 'all addresses'} serves other machines: "
            "define users first (--user NAME)"
        )
    settings.check_folder()
    try:
        import anyio  # noqa: F401
        import jinja2  # noqa: F401
        import mitmproxy.master  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("the proxy", "proxy") from error

    with bundle_authorities(state.upstream_ca) as trusted:
        asyncio.run(_serve(state, confdir, trusted, when_ready))


async def _serve(
    state: ProxyState,
    confdir: Path | None,
    options: dict[str, Any],
    when_ready: Callable[[int, Callable[[], None]], None] | None,
) -> None:
    from thresher.proxy.pages import build_pages
    from thresher.proxy.port import OwnConnections, serve_port
    from thresher.serving.pool import Pool

    settings = state.settings.current
    n_byte = settings.max_memory * _MIB or None
    pool = Pool(settings.n_worker, settings.deadline_s + _GRACE_S, n_byte)
    lists, own = ListUpdates(state), OwnConnections()
    pages = build_pages(state, pool, lists, confdir)
    master = _build_master(state, pool, confdir, options, pages)
    master.addons.add(own)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, master.shutdown)
    await pool.warm()
    running = asyncio.create_task(master.run())
    proxyserver = master.addons.get("proxyserver")
    errors: list[Exception] = []
    while not (running.done() or proxyserver.listen_addrs() or errors):
        await asyncio.sleep(0.01)
        errors = [server.last_exception for server in proxyserver.servers if server.last_exception]
    place = f"{settings.listen_host}:{settings.listen_port}"
    port: Port | None = None
    if settings.settings_port and not errors:
        try:
            port = await serve_port(pages, settings.settings_port, own)
        except OSError as error:
            errors, place = [error], f"127.0.0.1:{settings.settings_port}"
    lists.apply()
    log_accept_errors_seldom(loop)
    if errors:
        master.shutdown()
    elif not running.done():
        state.listening_port = proxyserver.listen_addrs()[0][1]
        if when_ready:
            when_ready(state.listening_port, master.shutdown)
    try:
        await running
    finally:
        lists.stop()
        if port:
            await port.close()
        await pool.close()
    if errors:
        raise ThresherError(f"cannot listen on {place}: {errors[0]}")


def _build_master(
    state: ProxyState,
    pool: Pool,
    confdir: Path | None,
    options: dict[str, Any],
    pages: AsgiApp,
) -> Master:
    from mitmproxy import addons
    from mitmproxy.exceptions import OptionsError
    from mitmproxy.master import Master
    from mitmproxy.options import Options

    from thresher.proxy.access import Access, Fences
    from thresher.proxy.addon import ThresherAddon
    from thresher.proxy.own_answers import Failures, OwnAnswers
    from thresher.proxy.slow_clients import SlowClients

    settings = state.settings.current
    chosen = Options()
    if confdir:
        chosen.update(confdir=str(confdir))
    master = Master(chosen)
    master.addons.add(
        *(
            addon
            for addon in addons.default_addons()
            if type(addon).__module__.rpartition(".")[2] in _ADDONS
        )
    )
    master.addons.add(
        Access(state), Fences(state), ThresherAddon(state, pool), OwnAnswers(state, pool, pages),
        Failures(state), SlowClients(_limits_of(settings)),
    )  # fmt: skip
    mode = f"upstream:{settings.upstream}" if settings.upstream else settings.mode
    try:
        chosen.update(
            listen_host=settings.listen_host,
            listen_port=settings.listen_port,
            mode=[mode],
            # Users and the allowlist of clients control access.
            block_global=not (settings.users or settings.clients),
            # mitmproxy's page mitm.it offers the certificate; so do the settings pages.
            **options,
        )
    except (OptionsError, KeyError) as error:
        raise UsageError(str(error)) from error
    return master


def _limits_of(settings: ProxySettings) -> ConnectionLimits:
    """Return the limits of connections, as far as there are descriptors for them."""
    n = settings.max_connections
    n_descriptor = raise_descriptor_limit(n * _DESCRIPTORS)
    return ConnectionLimits(
        max_connections=min(n, max(1, n_descriptor // _DESCRIPTORS)),
        max_per_client=settings.max_connections_per_client,
    )
