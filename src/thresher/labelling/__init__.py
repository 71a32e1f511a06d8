"""Labelling: users label the blocks of their own pages, and export the labels as a corpus.

`reading` reads pages and prepares them for display, `store` holds pages and labels (`model`) in an
SQLite file, `queues` deals the pages to several labellers, `decisions` compares two of them and
writes corpora for `thresher train` and `thresher eval`.
"""
