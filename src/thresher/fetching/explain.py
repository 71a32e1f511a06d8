"""Short descriptions of failures below HTTP."""

from __future__ import annotations

import http.client

from urllib3 import exceptions as errors

__all__ = ["explain"]


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
