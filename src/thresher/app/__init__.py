"""Web app: read, inspect, compare, label and train in a browser, over the same engine.

`server` assembles it from `settings`, the shared `context`, the table of `routes`, the handlers in
`pages` (one module per page) and `api` (the HTTP API), behind the middleware in `guards` and
`forms`. All work on pages runs in the worker processes of `thresher.serving`. docs/app.md is the
user documentation.
"""
