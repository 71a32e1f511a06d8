"""Certificate authorities for mitmproxy."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from tests.proxy.site import Site
from thresher.errors import UsageError


def test_authorities_are_added(site: Site) -> None:
    """The user's authority is trusted besides the usual ones, while the proxy runs."""
    certifi = pytest.importorskip("certifi", reason="certifi comes with mitmproxy")
    from thresher.proxy.serve import bundle_authorities

    with bundle_authorities(site.ca) as options:
        path = Path(options["ssl_verify_upstream_trusted_ca"])
        trusted = ssl.create_default_context(cafile=str(path)).get_ca_certs()
        usual = ssl.create_default_context(cafile=certifi.where()).get_ca_certs()
        assert len(usual) + 1 == len(trusted)
    assert not path.exists()
    with bundle_authorities(None) as options:
        assert {} == options


@pytest.mark.parametrize("content", [None, b"", b"no certificate", b"\xff"])
def test_files_without_an_authority(tmp_path: Path, content: bytes | None) -> None:
    """A file that is missing or has no certificate is named."""
    pytest.importorskip("certifi", reason="certifi comes with mitmproxy")
    from thresher.proxy.serve import bundle_authorities

    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=r"ca\.pem"), bundle_authorities(path):
        pass
