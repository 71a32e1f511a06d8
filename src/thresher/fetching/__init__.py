"""Fetching of pages from the web, safely and politely, for all shells.

`fetch` fetches one page within limits, from addresses that `addresses` allows, over sockets that
`connections` opens; `session` is one fetch with its redirects, whose body `gunzip` decompresses as
it arrives. `robots` evaluates robots.txt, and follows the pages of one article.
"""
