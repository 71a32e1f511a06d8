"""Labelling: users label the blocks of their own pages, and export the labels as a corpus.

`queue` reads pages, `reading` prepares them for display, `store` holds pages and labels (`model`)
in an SQLite file (`database`), `agreement` compares two labellers, `export` writes corpora for
`thresher train` and `thresher eval`.
"""

from __future__ import annotations
