"""The HTML writer's output for attacks, loaded in a real browser: nothing may run."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.helpers.fixture_pages import document_keeping
from tests.writers.test_safety import VECTORS

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
WAIT_MS: Final = 10_000
"""Budget of Chromium's virtual time, which advances faster than real time when idle."""
CONTROL: Final = "<img src=x onerror=boom()>"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine"),
]


def load_in_browser(fragments: list[str], folder: Path) -> set[int]:
    """Load each fragment in its own frame; return which of them ran a script."""
    frames = "".join(
        f'<iframe srcdoc="{html.escape(_frame(index, fragment))}"></iframe>'
        for index, fragment in enumerate(fragments)
    )
    page = folder / "attacks.html"
    page.write_text(f"<!DOCTYPE html><meta charset=utf-8><ul id=ran></ul>{frames}")
    command = [
        str(CHROMIUM),
        *("--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"),
        f"--user-data-dir={folder / 'profile'}",
        f"--virtual-time-budget={WAIT_MS}",
        page.as_uri(),
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=100)
    return {int(number) for number in re.findall(r"<li>(\d+)</li>", done.stdout)}


def _frame(index: int, fragment: str) -> str:
    """Return a page that tells its parent when a fragment calls ``boom``.

    The fragment is there twice: parsed with the page, and put in as an application would.
    """
    told = f"parent.document.getElementById('ran').innerHTML += '<li>{index}</li>'"
    script = f"function boom(){{{told}}} alert = confirm = prompt = boom"
    put = f"document.getElementById('into').innerHTML = {_spell(fragment)}"
    return f"<script>{script}</script>{fragment}<div id=into></div><script>{put}</script>"


def _spell(text: str) -> str:
    """Encode a text as a string of JavaScript inside a script."""
    return '"' + "".join(f"\\u{unit:04x}" for unit in _units(text)) + '"'


def _units(text: str) -> list[int]:
    encoded = text.encode("utf-16-le", "surrogatepass")
    return [encoded[i] | encoded[i + 1] << 8 for i in range(0, len(encoded), 2)]


def test_nothing_runs_when_a_browser_loads_the_result(tmp_path: Path) -> None:
    """No result of any attack may call a function; the unsanitised attack must."""
    results = [document_keeping(f"<body>{vector}").html for vector in VECTORS]
    ran = load_in_browser([CONTROL, *results], tmp_path)
    assert 0 in ran, "the browser ran nothing at all"
    assert [] == [VECTORS[index - 1] for index in sorted(ran - {0})]
