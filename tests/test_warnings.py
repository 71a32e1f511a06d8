"""A warning of numpy is an error in tests, in whatever process it is given."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest


def give_warning() -> float:
    """Do what numpy warns of."""
    return float(np.mean(np.array([])))


def test_warning_is_an_error_here() -> None:
    """In the process of the tests."""
    with pytest.raises(RuntimeWarning, match="empty slice"):
        give_warning()


def test_warning_is_an_error_in_a_command() -> None:
    """In a command that a test runs."""
    code = "from tests.test_warnings import give_warning; give_warning()"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert 1 == done.returncode
    assert "RuntimeWarning: Mean of empty slice" in done.stderr


@pytest.mark.parametrize("method", ["forkserver", "spawn"])
def test_warning_is_an_error_in_a_worker(method: str) -> None:
    """In workers, however they are started."""
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(1, context) as pool, pytest.raises(RuntimeWarning):
        pool.submit(give_warning).result()
