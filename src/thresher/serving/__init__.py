"""Serving: what the shells that answer requests share, the web app and the proxy.

`pool` keeps the work on pages out of the process that answers; the other modules and the files of
`static` are what the pages of both have.
"""
