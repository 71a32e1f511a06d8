"""Labels of one's own: pages in, what of them is content, said block by block, and out as a corpus.

`queue` finds pages, `reading` makes of each what a labeller sees, `store` keeps pages and labels
(`model`) in one SQLite file (`database`), `agreement` compares two labellers, `export` writes what
`thresher train` and `thresher eval` read.
"""

from __future__ import annotations
