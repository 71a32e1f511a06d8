"""Clients that public tools generate from the OpenAPI document, in Python and TypeScript.

The tools are installed into folders of the test's own; where that is not possible, e.g. without a
network, the test is skipped.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from tests.app.serving import serving
from thresher.app.api.openapi import describe_api
from thresher.app.settings import AppSettings

pytestmark = pytest.mark.slow

INSTALL_S: Final = 240
PYTHON_TOOLS: Final = ("openapi-python-client>=0.29,<0.30", "httpx")
NODE_TOOLS: Final = ("openapi-typescript@7", "openapi-fetch@0.13", "typescript@5")
CLIENTS: Final = Path(__file__).with_name("clients")
"""Programs that use a generated client, and what its types must refuse."""

_OPTIONS: Final = {
    "strict": True,
    "target": "es2022",
    "module": "nodenext",
    "lib": ["es2022", "dom"],
    "types": [],
    "skipLibCheck": True,
}


def run(command: Sequence[str | Path], folder: Path) -> str:
    """Run a command that must succeed; return its output."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def install(command: Sequence[str | Path], folder: Path) -> None:
    """Install tools; skips where that is not possible."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=INSTALL_S, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"{command[0]} takes too long to install the generator")
    if done.returncode:
        pytest.skip(f"the generator cannot be installed: {done.stderr.strip()[-200:]}")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a running app."""
    with serving(tmp_path_factory.mktemp("served")) as (found, _):
        yield found


@pytest.fixture
def document(tmp_path: Path) -> Path:
    """File with the OpenAPI document."""
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(describe_api(AppSettings())))
    return path


def test_a_python_client_works(address: str, document: Path) -> None:
    """All JSON endpoints are generated, with types for requests, records and errors."""
    folder = document.parent
    venv.create(folder / "env", with_pip=True)
    scripts = folder / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    install([scripts / "python", "-m", "pip", "install", "-q", *PYTHON_TOOLS], folder)
    made: list[str | Path] = ["--path", document, "--output-path", "generated", "--meta", "none"]
    run([scripts / "openapi-python-client", "generate", *made], folder)
    shutil.copy(CLIENTS / "use.py.txt", folder / "use.py")
    assert "the client works\n" == run([scripts / "python", "use.py", address], folder)


def test_a_typescript_client_works(address: str, document: Path) -> None:
    """Requests and answers are typed: wrong ones do not compile, and records arrive."""
    folder = document.parent
    if not shutil.which("npm") or not shutil.which("node"):
        pytest.skip("there is no npm here")
    (folder / "package.json").write_text(json.dumps({"type": "module", "private": True}))
    install(["npm", "install", "--no-audit", "--no-fund", *NODE_TOOLS], folder)
    tools = folder / "node_modules" / ".bin"
    run([tools / "openapi-typescript", document, "-o", "api.ts"], folder)
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": _OPTIONS}))
    shutil.copy(CLIENTS / "use.ts", folder)

    run([tools / "tsc"], folder)
    found: dict[str, Any] = json.loads(run(["node", "use.js", address], folder))
    expected = {"title": "Rye", "text": True, "kind": "InputError", "lines": [1, 2]}
    assert {**expected, "failed": "InputError", "methods": ["learned"], "health": "ok"} == found
    shutil.copy(CLIENTS / "misuse.ts", folder)
    command: list[str | Path] = [tools / "tsc", "--noEmit"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert 2 == done.stdout.count("error TS"), done.stdout
