"""The settings page: what the proxy does, seen and changed in a browser.

It is served by the proxy itself, at a name of its own, and on a port of its machine. Who comes by
the port is the administrator, as is everybody who comes by the proxy while it has no users. A user
who comes by the proxy sees and changes nothing but how pages are shown to them.
"""

from __future__ import annotations

from thresher.proxy.pages.application import build_pages

__all__ = ["build_pages"]
