"""Limits of a worker process, set in a process of their own: they cannot be taken back."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")

HALF_GIB = 2**29


def confined(code: str) -> str:
    """Run a program behind the imports that it needs; return what it says."""
    program = f"import resource\nfrom thresher.support.confinement import limit_memory\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}\n{program}"],
        check=True,
        capture_output=True,
        text=True,
        timeout=100,
    )
    return done.stdout.strip()


def test_memory_runs_out() -> None:
    """Allocation must fail above the limit and succeed below it, and core dumps must be off."""
    code = f"""
limit_memory({HALF_GIB})
bytearray({HALF_GIB // 4})
try:
    bytearray({HALF_GIB})
except MemoryError:
    print("no more", resource.getrlimit(resource.RLIMIT_CORE))
"""
    assert "no more (0, 0)" == confined(code)


def test_without_a_limit() -> None:
    """Memory stays as it was, and no core is dumped."""
    code = """
before = resource.getrlimit(resource.RLIMIT_DATA)
limit_memory(None)
print(before == resource.getrlimit(resource.RLIMIT_DATA), resource.getrlimit(resource.RLIMIT_CORE))
"""
    assert "True (0, 0)" == confined(code)


def test_a_narrower_limit_stays() -> None:
    """A system limit that is lower must not be raised."""
    code = f"""
resource.setrlimit(resource.RLIMIT_DATA, ({HALF_GIB}, {HALF_GIB}))
limit_memory({HALF_GIB * 2})
print(resource.getrlimit(resource.RLIMIT_DATA))
"""
    assert f"({HALF_GIB}, {HALF_GIB})" == confined(code)
