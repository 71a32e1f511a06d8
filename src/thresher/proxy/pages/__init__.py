"""Web application with the settings of the proxy.

The proxy serves it at its own host name, and on a local port. A visitor on the port is the
administrator, as is every visitor through the proxy while it has no users. A user who visits
through the proxy sees and changes only how pages are shown to them.
"""

from __future__ import annotations

from thresher.proxy.pages.application import build_pages

__all__ = ["build_pages"]
