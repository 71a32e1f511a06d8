"""Commands of an installation without any extra."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.helpers.data import read_data

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
SCRIPT = read_data("without-extras.py.txt")
"""Runs commands without packages, both from its arguments; prints status and errors of each."""


def test_each_command_names_the_extra_that_it_needs(tmp_path: Path) -> None:
    """In one line, as the last one, with what to install; never a traceback, and no output."""
    (tmp_path / "page.html").write_text("<p>Rye is sown in autumn.")
    (tmp_path / "crawl.warc").write_bytes(b"WARC/1.0\r\n")
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/rye.html").write_text("<p>Rye.")
    (tmp_path / "corpus/rye.txt").write_text("Rye.")
    servers = {"app": ["app"], "serve": ["serve"]}
    cases = {EXTRAS: COMMANDS} | dict.fromkeys(("click", "h11", "markupsafe"), servers)
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(cases)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    for missing, name, status, lines in json.loads(ran.stdout):
        assert 2 == status, (missing, name)
        assert "needs an extra: pip install 'thresher[" in lines[-1], (missing, name)
        assert not [line for line in lines if "Traceback" in line], (missing, name)
    assert not list(tmp_path.glob("*/part-*"))
    assert not (tmp_path / "mill.npz").exists()
