"""Filtering HTTP proxy: content extraction on every page that a group of people visits.

After Gupta, Kaiser, Neistadt, Grimm, "DOM-based Content Extraction of HTML Documents", WWW 2003,
whose system Crunch is a proxy too. mitmproxy provides TLS, HTTP/2 and WebSockets; this package
decides which responses are pages, rewrites them, and controls access.

Independent of mitmproxy: `navigation` (is this response a page?), `buffered_body` (the body in
transit), `rewrite` (the page in a view), `page_parts` (what is added to a page). Built on
mitmproxy: `stream`, `addon`, `serve`.
"""
