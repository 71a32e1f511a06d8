"""Serving: what the shells that answer requests share, the web app and the proxy.

`pool` keeps the work on pages out of the process that answers; `headers` and the files of `static`
are those that the pages of both have.
"""
