"""HTTP API: pages in, records out.

`options` declares the fields of a request; `requests` parses it, `record` computes the response in
a worker process, `batch` streams many, `openapi` describes the API. `handlers` contains the
handlers that `thresher.app.routes` lists. docs/app.md is the user documentation.
"""
