"""The web app: read, inspect, compare, label and train, in a browser over the same engine.

`server` puts it together: `settings` what the user chose, `context` what every page has at hand,
`routes` which page is where, `pages` the pages, one a module, `api` the interface for programs.
`guards` and `bodies` stand before all of them. Pages are worked on in the processes of
`thresher.serving`, never here. docs/app.md is for those who use it.
"""
