"""What MkDocs does besides for the site: pages from outside of docs/, and generated references."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath
from typing import Any, Final

from mkdocs.structure.files import File, Files

import thresher
from thresher.cli.help import list_commands

ROOT: Final = Path(__file__).parents[2]
OUTSIDE: Final = {
    "README.md": "about/readme.md",
    "ARCHITECTURE.md": "about/architecture.md",
    "CHANGELOG.md": "about/changelog.md",
    "CONTRIBUTING.md": "about/contributing.md",
    "SECURITY.md": "about/security.md",
    "src/thresher/models/learned.md": "about/models/learned.md",
    "src/thresher/models/density_lines.md": "about/models/density_lines.md",
    **{
        f"bench/results/{page.name}": f"results/{page.name}"
        for page in sorted((ROOT / "bench" / "results").glob("*.md"))
    },
}
"""Page of the repository → where it is on the site."""
_LINK: Final = re.compile(r"\[([^\[\]]*)\]\((?![a-z]+:|[#/])([^)#\s]+)(#[^)\s]*)?\)")
"""A link within the repository: text, file, anchor."""
_EMPTY_HEADER: Final = re.compile(r"<th([^>]*)></th>")
_HIDDEN: Final = ("deploy/", "site/")
"""Folders of docs/ that are not on the site."""
_COLUMNS: Final = "100"
"""Width of the help texts."""


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from outside of docs/ and the references."""
    pages = {to: (ROOT / source).read_text(encoding="utf-8") for source, to in OUTSIDE.items()}
    pages["reference/python.md"] = write_python()
    pages["reference/command.md"] = write_commands()
    pages["reference/methods.md"] = write_methods()
    for name, content in pages.items():
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Make links lead to where pages are on the site; a link to no page becomes its text."""
    name = page.file.src_uri
    origin = {to: source for source, to in OUTSIDE.items()}.get(name, f"docs/{name}")
    folder, here = PurePosixPath(origin).parent, PurePosixPath(name).parent

    def relink(found: re.Match[str]) -> str:
        text, link, anchor = found.groups()
        path = os.path.normpath(folder / link)
        target = OUTSIDE.get(path) or path.removeprefix("docs/")
        is_shown = path in OUTSIDE or (path.startswith("docs/") and not target.startswith(_HIDDEN))
        return f"[{text}]({os.path.relpath(target, here)}{anchor or ''})" if is_shown else text

    return _LINK.sub(relink, markdown)


def on_page_content(html: str, **_: Any) -> str:
    """Make empty headers of tables plain cells, since they are the headers of nothing."""
    return _EMPTY_HEADER.sub(r"<td\1></td>", html)


def write_python() -> str:
    """Return the reference of the public names, from their docstrings."""
    lines = ["# Python", "", "What is public: other names may change with any version.", ""]
    functions = [name for name in thresher.__all__ if name.islower() and name != "__version__"]
    classes = [name for name in thresher.__all__ if name[0].isupper() and not name.isupper()]
    constants = [name for name in thresher.__all__ if name.isupper()]
    for title, names in (("Functions", functions), ("Classes", classes), ("Names", constants)):
        lines += [f"## {title}", "", *(f"::: thresher.{name}\n" for name in names)]
    lines += ["## Packages", ""]
    for package in ("sites", "filters", "spark", "ray", "compat", "integrations"):
        lines.append(f"::: thresher.{package}\n")
    return "\n".join(lines)


def write_commands() -> str:
    """Return the help of every command, from the parser."""
    os.environ["COLUMNS"] = _COLUMNS
    lines = ["# Command", "", "The [guide](../command.md) explains what follows.", ""]
    for command in list_commands():
        if command.words:
            lines += [f"## {' '.join(('thresher', *command.words))}", ""]
        lines += ["```text", command.parser.format_help().rstrip(), "```", ""]
    return "\n".join(lines)


def write_methods() -> str:
    """Return what the command says of each method and its parameters."""
    lines = ["# Methods", "", "[Algorithms](../algorithms/README.md) explains each of them.", ""]
    for name in thresher.ALGORITHMS:
        command = [sys.executable, "-m", "thresher", "methods", name]
        text = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
        lines += [f"## {name}", "", "```text", text.rstrip(), "```", ""]
    return "\n".join(lines)
