"""Certificate authorities that mitmproxy trusts for servers: the usual ones, and the user's."""

from __future__ import annotations

import ssl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import certifi

from thresher.errors import UsageError
from thresher.support.files import explain_os_error

__all__ = ["bundle_authorities"]


@contextmanager
def bundle_authorities(upstream_ca: Path | None) -> Iterator[dict[str, str]]:
    """Give mitmproxy's option for the usual authorities and those of a file; empty without one.

    mitmproxy trusts the authorities of a file that it is given instead of the usual ones, so both
    are in a temporary file. UsageError if there is no certificate in the user's.
    """
    if upstream_ca is None:
        yield {}
        return
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
