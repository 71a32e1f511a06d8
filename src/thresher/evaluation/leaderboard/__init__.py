"""Other extractors and our methods on the same labelled pages, side by side.

    python -m thresher.evaluation.leaderboard CORPUS... -o bench/results/leaderboard.md

`peers` lists the other extractors, each with an environment of its own, where `worker` runs it as a
separate process; `peer_runs` asks them about pages. Their outputs are kept, and so are their
scores: a run with a new method of ours takes only that method's time. `board` has the scores and
results, and formats them as Markdown.
"""
