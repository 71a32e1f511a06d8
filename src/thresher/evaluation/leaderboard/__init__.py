"""Other extractors and our methods on the same labelled pages, side by side.

    python -m thresher.evaluation.leaderboard CORPUS... -o leaderboard.md

`peers` is the table of other extractors. Each lives in an environment of its own (`environment`),
where `worker` runs it as a process of its own (`process`). `contest` brings peers before pages;
what they find is kept (`outputs`), and how well that fits the labels (`scores`), so that a run with
a new method of ours costs that method's time. `speed` times all, `board` holds what came out, and
`write` makes Markdown of it.
"""

from __future__ import annotations

__all__: list[str] = []
