"""Commands of an installation without any extra."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXTRAS = (
    "anyio fastwarc jinja2 mcp mcp_types mitmproxy playwright pyarrow"
    " python_multipart rensa rich starlette torch uvicorn zstandard"
)
"""Packages that only extras bring; of each extra those that are imported first."""
COMMANDS = {
    name: argv.split()
    for name, argv in {
        "app": "app",
        "app to label": "app --label page.html",
        "serve": "serve",
        "proxy": "proxy",
        "mcp": "mcp",
        "batch": "batch page.html -o out",
        "batch of WARC": "batch crawl.warc -o out --format jsonl",
        "batch into zstd": "batch page.html -o out --format jsonl.zst",
        "batch without duplicates": "batch page.html -o one --format jsonl --dedupe",
        "train": "train corpus -o mill.npz",
        "render": "extract --render https://site.example/",
    }.items()
}
SCRIPT = """
import contextlib, io, json, sys
from pathlib import Path
for name in sys.argv[1].split():
    sys.modules[name] = None
from thresher.cli import main
found = {}
for name, argv in json.loads(sys.argv[2]).items():
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        status = int(main(argv))
    found[name] = status, said.getvalue().splitlines()
print(json.dumps(found))
"""


@pytest.mark.parametrize(
    ("missing", "commands"),
    [
        (EXTRAS, COMMANDS),
        *((name, {"app": ["app"], "serve": ["serve"]}) for name in ("click", "h11", "markupsafe")),
    ],
)
def test_each_command_names_the_extra_that_it_needs(
    missing: str, commands: dict[str, list[str]], tmp_path: Path
) -> None:
    """In one line, as the last one, with what to install; never a traceback."""
    (tmp_path / "page.html").write_text("<p>Rye is sown in autumn.")
    (tmp_path / "crawl.warc").write_bytes(b"WARC/1.0\r\n")
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/rye.html").write_text("<p>Rye.")
    (tmp_path / "corpus/rye.txt").write_text("Rye.")
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, missing, json.dumps(commands)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    for name, (status, lines) in json.loads(ran.stdout).items():
        assert 2 == status, name
        assert "needs an extra: pip install 'thresher[" in lines[-1], name
        assert not [line for line in lines if "Traceback" in line], name
