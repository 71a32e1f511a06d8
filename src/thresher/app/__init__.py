"""Web app: read, inspect, compare, label and train in a browser, over the same engine.

`server` assembles it from `settings`, the shared `context`, a table of routes, the handlers in
`pages` and `api` (the HTTP API), behind the middleware in `guards`. All work on pages runs in the
worker processes of `thresher.serving`. docs/app.md is the user documentation.
"""
