"""Batch extraction: one record for every input page, even if a page crashes its worker.

`model` defines items, records and settings, `guard` runs the worker processes, `sources` and
`sinks` read and write, and `run` connects them; a run can be resumed after a crash.
"""
