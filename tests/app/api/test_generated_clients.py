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
from thresher.app.api.handlers import describe_api
from thresher.app.settings import AppSettings

pytestmark = pytest.mark.slow

INSTALL_S: Final = 240
PYTHON_TOOLS: Final = ("openapi-python-client>=0.29,<0.30", "httpx")
NODE_TOOLS: Final = ("openapi-typescript@7", "openapi-fetch@0.13", "typescript@5")
_USE: Final = """
import json, sys
from generated import Client, errors
from generated.api.default import batch, extract, health, methods
from generated.models import BatchRequest, Error, LineError, LineRecord, Record, Request
from generated.models import RequestFormatsItem as Format, RequestMethod as Method, Verdict

client = Client(base_url=sys.argv[1], raise_on_unexpected_status=True)
page = "<title>Rye</title><article><h1>Rye</h1><p>Rye is sown in autumn.</p></article>"
ask = dict(method=Method.KEEP_ALL, formats=[Format.TEXT, Format.JSON], links=False)
record = extract.sync(client=client, body=Request(id=7, html=page, **ask))
assert isinstance(record, Record) and isinstance(record.verdict, Verdict), record
assert record.id == 7 and record.metadata.title == "Rye" and record.method == "keep_all"
assert record.obstacle is None and not record.additional_properties
assert "autumn" in record.output.text and record.output.json["blocks"]
refused = extract.sync(client=client, body=Request(html="%PDF-1.7"))
assert isinstance(refused, Error) and refused.error.type_ == "InputError", refused
pages = [Request(html=page, **ask), Request(html="%PDF-1.7", id="b"), Request(html=page)]
first, second, third = batch.sync(client=client, body=BatchRequest(pages=pages)).records
assert isinstance(first, LineRecord) and (first.line, third.line) == (1, 3)
assert isinstance(second, LineError) and (second.id, second.error.status) == ("b", 422)
assert "autumn" in third.output.markdown
assert [each.name for each in methods.sync(client=client) if each.is_default] == ["learned"]
assert health.sync(client=client).status == "ok"
print("the client works")
"""
_USE_TYPED: Final = """
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const client = createClient<paths>({ baseUrl: process.argv[2] });
const html = "<title>Rye</title><article><h1>Rye</h1><p>Rye is sown in autumn.</p></article>";
const page: components["schemas"]["Request"] = { html, method: "keep_all", formats: ["text"] };
const { data } = await client.POST("/api/extract", { body: page });
const title: string | undefined = data?.metadata.title;
const text: string | undefined = data?.output.text;
const refused = await client.POST("/api/extract", { body: { html: "%PDF-1.7" } });
const kind: string | undefined = refused.error?.error.type;
const many = await client.POST("/api/batch", { body: { pages: [page, { html: "%PDF-1.7" }] } });
const found = typeof many.data === "object" ? many.data.records : [];
const said = found.map((each) => ("error" in each ? each.error.type : each.output.text?.trim()));
const methods = (await client.GET("/api/methods")).data?.filter((each) => each.is_default);
const health = (await client.GET("/healthz")).data?.status;
console.log(JSON.stringify({ title, text: text?.includes("autumn"), kind, lines: found.map((each) =>
  each.line), failed: said[1], methods: methods?.map((each) => each.name), health }));
"""
# Each must be a mistake for the compiler: the body of a request is typed.
_MISUSE: Final = """
import type { components } from "./api.js";
export const misspelled: components["schemas"]["Request"] = { htm: "<p>" };
export const unknown: components["schemas"]["Request"] = { html: "<p>", method: "guess" };
"""
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
    (folder / "use.py").write_text(_USE)
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
    # The only name of Node's that it uses.
    (folder / "use.ts").write_text("declare const process: { argv: string[] };\n" + _USE_TYPED)
    run([tools / "tsc"], folder)
    found: dict[str, Any] = json.loads(run(["node", "use.js", address], folder))
    expected = {"title": "Rye", "text": True, "kind": "InputError", "lines": [1, 2]}
    assert {**expected, "failed": "InputError", "methods": ["learned"], "health": "ok"} == found
    (folder / "misuse.ts").write_text(_MISUSE)
    command: list[str | Path] = [tools / "tsc", "--noEmit"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert 2 == done.stdout.count("error TS"), done.stdout
