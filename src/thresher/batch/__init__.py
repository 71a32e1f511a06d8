"""Batch: many pages in, one record a page out, whatever happens to any of them.

`model` has what goes through, `guard` the worker processes, `sources` and `sinks` the ends, `run`
the way between them that can be taken up again after a crash.
"""
