"""Limits of connections."""

from __future__ import annotations

from typing import Any

import pytest

from thresher.errors import UsageError
from thresher.serving.limits import ConnectionLimits


@pytest.mark.parametrize("wrong", [{"header_s": 0.0}, {"body_s": -1.0}, {"max_connections": 0}])
def test_limits_are_above_nothing(wrong: dict[str, Any]) -> None:
    """A limit that lets nobody in is an error."""
    with pytest.raises(UsageError):
        ConnectionLimits(**wrong)
