"""`python -m thresher`: the command."""

from __future__ import annotations

import sys

from thresher.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(main())
