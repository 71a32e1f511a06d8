"""Other extractors and our methods on the same labelled pages, side by side.

    python -m thresher.evaluation.leaderboard CORPUS... -o leaderboard.md

`peers` lists the other extractors. Each has an environment of its own (`environment`), where
`worker` runs it as a separate process (`process`). `peer_runs` asks peers about pages; their
outputs are kept (`outputs`), and so are their scores (`scores`), so that a run with a new method of
ours takes only that method's time. `speed` times all of them, `board` holds the results, and
`write` formats them as Markdown.
"""

from __future__ import annotations

__all__: list[str] = []
