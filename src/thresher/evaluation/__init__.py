"""How well methods find the main content: metrics, corpora, and runs of methods over corpora.

`metrics` compares a text that was found with the gold. `corpora` reads labelled pages. `evaluate`
runs methods over them, `summary` takes means, `tables` and `report` show them. The engine knows
nothing of this package.
"""

from __future__ import annotations

__all__: list[str] = []
