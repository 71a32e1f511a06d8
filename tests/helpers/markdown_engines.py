"""Engines that read Markdown, each as it is when it lets HTML through, and what they make of it.

Those in Python are in the extra `test`, GitHub's own in `test-markdown`; npm installs the others.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import turbohtml

_NODE_PACKAGES: Final = (
    *("marked@18.2.1", "markdown-it@15.0.3", "showdown@2.1.0", "snarkdown@2.0.0"),
)
_INSTALL_TIMEOUT_S: Final = 300
_WORKER: Final = Path(__file__).with_suffix(".mjs")

_ELEMENTS: Final = frozenset(
    "a blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr img input li mark ol p pre s"
    " section strong sub sup table tbody td th thead tr ul".split()
)
"""Elements that engines make of Markdown, and those that we write as such."""
_ADDRESSES: Final = frozenset("action background data formaction href poster src srcdoc".split())
_SCRIPT: Final = re.compile(r"[\x00-\x20]*(?:javascript|data|vbscript):", re.IGNORECASE)
_IGNORED: Final = re.compile(r"[\t\n\r]")
_FENCE: Final = re.compile(r"^([ >*+.)\d-]*)(`{3,})[^`\n]*$", re.MULTILINE)

Engine = Callable[[str], str]


@cache
def in_python() -> Mapping[str, Engine]:
    """Return the engines that are installed for Python, by name."""
    import markdown
    import mistune
    from markdown_it import MarkdownIt

    plugins = ["footnotes", "strikethrough", "table", "task_lists", "url"]
    engines: dict[str, Any] = {
        "markdown-it-py": MarkdownIt("commonmark").enable(["table", "strikethrough"]).render,
        "markdown-it-py, linkify": MarkdownIt("gfm-like", {"html": True}).render,
        "mistune": mistune.create_markdown(escape=False),
        "mistune, plugins": mistune.create_markdown(escape=False, plugins=plugins),
        "Python-Markdown": markdown.markdown,
        "Python-Markdown, extra": lambda text: markdown.markdown(text, extensions=["extra"]),
    }
    if find_spec("cmarkgfm"):
        import cmarkgfm
        from cmarkgfm.cmark import Options

        engines["cmark-gfm"] = lambda text: cmarkgfm.markdown_to_html_with_extensions(
            text,
            Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES,
            ["autolink", "strikethrough", "table", "tasklist"],
        )
    return engines


@contextmanager
def node_engines(folder: Path) -> Iterator[Callable[[str], Mapping[str, str]]]:
    """Install the engines for Node.js in a folder; yield what renders a text with all of them.

    Raises OSError or SubprocessError if there is no Node.js, or a package cannot be installed.
    """
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        raise FileNotFoundError("Node.js is not installed")
    command = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), *_NODE_PACKAGES]
    subprocess.run(command, check=True, capture_output=True, timeout=_INSTALL_TIMEOUT_S)
    with subprocess.Popen(
        [node, str(_WORKER), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        asked, answered = process.stdin, process.stdout
        assert asked
        assert answered

        def render(text: str) -> Mapping[str, str]:
            asked.write(json.dumps(text) + "\n")
            asked.flush()
            made: dict[str, str] = json.loads(answered.readline())
            return made

        yield render


def find_revived(name: str, markdown: str, html: str) -> list[str]:
    """Return the elements, handlers and schemes that an engine made of the text of a page.

    Blocks of code are left to the engines that read them where they stand.
    """
    if not _reads_code(name, markdown):
        return []
    found: list[str] = []
    for element in turbohtml.parse_fragment(html).iter_elements():
        # One that shows addresses in angle brackets as they stand makes an element of each.
        is_address = name == "snarkdown" and element.tag in ("http:", "https:")
        if element.tag not in _ELEMENTS and not is_address:
            found.append(f"<{element.tag}>")
        for key in element.attrs:
            value = element.attr(key) or ""
            if key.startswith("on"):
                found.append(f"{element.tag} {key}")
            if key in _ADDRESSES and _SCRIPT.match(_IGNORED.sub("", value)):
                found.append(f"{element.tag} {key}={value}")
    return found


def _reads_code(name: str, markdown: str) -> bool:
    """Return whether an engine reads all blocks of code of a text.

    Some know none, or only those at the margin, between three backticks.
    """
    fences = _FENCE.findall(markdown)
    if name == "Python-Markdown":
        return not fences
    if name == "Python-Markdown, extra" or name.startswith("showdown"):
        return not any(prefix for prefix, _ in fences)
    if name == "snarkdown":
        return not any(prefix or len(fence) > 3 for prefix, fence in fences)
    return True
