"""HTTP API: pages in, records out.

`requests` declares the fields of a request and parses it. `handlers` contains the handlers that
`thresher.app.server` lists, and describes the API. docs/app.md is the user documentation.
"""
