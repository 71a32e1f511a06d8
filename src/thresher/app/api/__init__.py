"""HTTP API: pages in, records out.

`requests` declares the fields of a request and parses it, `batch` answers many, `openapi` describes
the API. `handlers` contains the handlers that `thresher.app.server` lists. docs/app.md is the user
documentation.
"""
