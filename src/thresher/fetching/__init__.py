"""Fetching: pages from the web, safely and politely; the shells share it.

`fetch` gets one page within limits, from addresses that `addresses` lets through, over sockets
that `connections` opens. `robots` knows what a site asks of robots, and `trail` follows the pages
of one article.
"""
