"""The interface for programs: pages in, records out, over HTTP.

`options` is the one table of what a request can say; `requests` reads it, `record` makes the
answer in a worker process, `batch` streams many, `openapi` describes it all. `handlers` has what
`thresher.app.routes` lists. docs/app.md shows how to use it.
"""
