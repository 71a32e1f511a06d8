"""Infrastructure shared by the HTTP servers: the web app and the proxy.

`pool` runs the work on pages in separate processes; the other modules and the files in `static`
serve the web pages of both.
"""
