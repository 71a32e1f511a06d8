"""Fetching of one page over HTTP, within limits of time and size whatever the server does.

Retries are off, as they multiply the timeout. Redirects are followed here, not in urllib3, so that
each hop is checked like the first address, with one time budget for all. A socket timeout cannot
bound name lookup or slowly sent headers, so the work runs in a separate thread, whose sockets are
aborted on timeout.
"""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from types import MappingProxyType
from typing import Final, TypeVar

from urllib3 import exceptions as errors
from urllib3.util import make_headers

from thresher.errors import ThresherError, UsageError
from thresher.fetching.addresses import Resolver, system_resolver
from thresher.fetching.model import MAX_REDIRECTS, TIMEOUT_S, USER_AGENT, Fetched
from thresher.fetching.session import FetchSession
from thresher.limits import MAX_BYTES
from thresher.support.quoting import quote

_ACCEPT: Final = "text/html,application/xhtml+xml,*/*;q=0.8"

_T = TypeVar("_T")


def fetch(
    url: str,
    *,
    timeout_s: float = TIMEOUT_S,
    max_bytes: int = MAX_BYTES,
    max_redirects: int = MAX_REDIRECTS,
    user_agent: str = USER_AGENT,
    allow_private: bool = False,
    resolver: Resolver = system_resolver,
    headers: Mapping[str, str] = MappingProxyType({}),
    via: str | None = None,
    ca_file: Path | None = None,
) -> Fetched:
    """Fetch a page.

    Each host in the chain of redirects must have only public addresses (see
    `thresher.fetching.addresses`). With ``allow_private`` non-public hosts are allowed too until a
    public one has answered: no page of the web can redirect to this machine or its network. Proxies
    are taken from the environment, ``HTTP_PROXY``, ``HTTPS_PROXY``, ``NO_PROXY``, unless ``via``
    names one. A proxy resolves names itself; the addresses that a name has here, if any, are
    checked anyway. ``ca_file`` is a PEM file of certificate authorities to trust besides the
    system's.

    ``timeout_s`` covers name lookup, all redirects and the whole body. ``max_bytes`` counts
    decompressed bytes. The caller checks whether the response is HTML. ``headers`` are sent too,
    for example for conditional requests (RFC 9110, 13.1); an unchanged page is a FetchError with
    status 304.

    Raises FetchError if the page cannot be fetched, with the status if a server answered;
    LimitError if it is too large; UsageError for a user agent that is not a valid header value.
    """
    if not (user_agent.isascii() and user_agent.isprintable()):
        raise UsageError(f"the user agent must be printable ASCII, not {quote(user_agent)}")
    sent = {
        **make_headers(accept_encoding=True, user_agent=user_agent),
        "Accept": _ACCEPT,
        **headers,
    }
    session = FetchSession(
        url,
        sent,
        time.monotonic() + timeout_s,
        max_bytes,
        max_redirects,
        allow_private,
        resolver,
        via,
        ca_file,
    )
    try:
        return _run_within(timeout_s, session.run)
    except ThresherError:
        raise
    except errors.NewConnectionError as error:  # a subclass of TimeoutError in urllib3
        raise session.failure(explain(error)) from error
    except (TimeoutError, errors.TimeoutError) as error:
        raise session.failure(f"no complete answer within {timeout_s:g} s") from error
    except (errors.HTTPError, http.client.HTTPException, OSError, ValueError) as error:
        raise session.failure(explain(error)) from error
    finally:
        session.sockets.break_off()


def _run_within(seconds: float, work: Callable[[], _T]) -> _T:
    """Run work in a thread; TimeoutError, without joining it, if it takes too long."""
    future: Future[_T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # re-raised in the caller's thread
            future.set_exception(error)

    Thread(target=run, name="thresher-fetch", daemon=True).start()
    return future.result(timeout=seconds)


def explain(error: Exception) -> str:
    """Return a short description of a failure below HTTP."""
    broken = error.args[-1] if isinstance(error, errors.ProtocolError) and error.args else error
    detail = getattr(error.__cause__ or broken, "strerror", None) or str(broken)
    match broken:
        case errors.LocationValueError():
            says = f"the address is malformed: {broken}"
        case errors.ProxyError(original_error=cause):
            says = f"the proxy cannot be reached: {explain(cause)}"
        case errors.NameResolutionError():
            says = f"the host name cannot be resolved: {detail}"
        case errors.NewConnectionError():
            says = f"no connection: {detail}"
        case errors.SSLError():
            reason = error.args[0] if error.args else error
            says = f"TLS failure: {getattr(reason, 'verify_message', '') or reason}"
        case errors.DecodeError():
            says = "the answer is not compressed as its Content-Encoding says"
        case http.client.BadStatusLine() | http.client.UnknownProtocol():
            says = "the answer is not HTTP"
        case errors.IncompleteRead() | http.client.IncompleteRead():
            says = "the connection ended before the page did"
        case _:
            says = f"the connection broke: {detail or type(broken).__name__}"
    return says
