"""Processes are ended with all below them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from thresher.rendering.processes import find_descendants, kill_descendants

CHILD = """
import subprocess, sys
subprocess.Popen([sys.executable, "-c", sys.argv[1]], start_new_session=True).wait()
print("ended", flush=True)
"""
GRANDCHILD = "print('up', flush=True); import time; time.sleep(600)"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
def test_grandchildren_are_found_and_killed() -> None:
    """A process of a session of its own is found below its parent, and ends."""
    child = subprocess.Popen([sys.executable, "-c", CHILD, GRANDCHILD], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert b"up\n" == child.stdout.readline()
    (grandchild,) = find_descendants(child.pid)
    assert {child.pid, grandchild} <= set(find_descendants(os.getpid()))
    kill_descendants(child.pid)
    assert b"ended\n" == child.stdout.readline()
    child.wait()
    child.stdout.close()
