"""Titles, authors and dates: Thresher and other extractors on the same labelled pages.

    python -m thresher.evaluation.metadata_scores CORPUS... -o docs/metadata-scores.md

`peers` lists the other extractors, `loaders` calls them; they run as on the leaderboard, each in an
environment of its own. `matching` defines which values are the same, `tally` adds up the credits,
and `write` formats them as Markdown.
"""

from __future__ import annotations

__all__: list[str] = []
