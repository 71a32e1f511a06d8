"""The filtering proxy: content extraction on every page that a group of people visits.

After Gupta, Kaiser, Neistadt, Grimm, "DOM-based Content Extraction of HTML Documents", WWW 2003,
which is a proxy (Crunch). TLS, HTTP/2 and WebSockets are mitmproxy's; here are the choice of what
is a page, its rewriting, and who may do what.

What knows nothing of mitmproxy: `navigation` (is this a page?), `held` (the body on its way),
`rewrite` (the page in a view), `headers`, `csp`, `mark`. What does: `stream`, `addon`, `serve`.
"""
