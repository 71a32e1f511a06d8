"""Titles, authors and dates: Thresher and other extractors on the same labelled pages.

    python -m thresher.evaluation.metadata_scores CORPUS... -o bench/results/metadata-scores.md

`loaders` calls the other extractors; they run as on the leaderboard, each in an environment of its
own. `scores` defines which values are the same, and adds up the credits.
"""
