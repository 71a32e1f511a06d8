"""HTTP API: pages in, records out.

`requests` declares the fields of a request and parses it, `openapi` describes them, and `batches`
answers many at once. `handlers` contains the handlers that `thresher.app.server` lists. docs/app.md
is the user documentation.
"""
