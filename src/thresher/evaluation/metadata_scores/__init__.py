"""Titles, authors and dates: Thresher and other extractors on the same labelled pages.

    python -m thresher.evaluation.metadata_scores CORPUS... -o docs/metadata-scores.md

`peers` is the table of the others, `loaders` how they are asked; they run as on the leaderboard,
each in an environment of its own. `matching` says what counts as the same, `tally` adds it up, and
`write` makes Markdown of it.
"""

from __future__ import annotations

__all__: list[str] = []
