"""What MkDocs does besides for the site: pages from outside of docs/, and generated references."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from argparse import ArgumentParser, _HelpAction, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

from mkdocs.structure.files import File, Files

import thresher
from thresher.cli.help import list_commands
from thresher.features.__main__ import write_page

ROOT: Final = Path(__file__).parents[2]
OUTSIDE: Final = {
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
REFERENCES: Final = {
    "src/thresher/cli/arguments.py": "reference/command.md",
    "src/thresher/features/__main__.py": "reference/features.md",
}
"""Source of which a reference is made → where that is: on the site, links lead there."""
HOME: Final = ("README.md", "index.md")
"""The site's home is the README up to a heading, and the index of docs/ from another one on."""
_README_END: Final = "## Run the tests"
_INDEX_START: Final = "## Guides"
_TARGETS: Final = OUTSIDE | REFERENCES | dict([HOME])
_IN_USE: Final = (
    *("extract", "read_page", "select", "document_of", "estimate_tokens"),
    *("Document", "Verdict", "PageType", "Block", "Metadata", "WriteOptions", "Chunk", "Heading"),
    *("Obstacle", "ObstacleKind", "Page", "Selection"),
    *("ThresherError", "InputError", "UsageError", "LimitError", "FetchError", "MissingExtraError"),
)
"""Public names in the order in which one meets them; others come last."""
_LINK: Final = re.compile(r"\[([^\[\]]*)\]\((?![a-z]+:|[#/])([^)#\s]+)(#[^)\s]*)?\)")
"""A link within the repository: text, file, anchor."""
_DOCS_PATH: Final = re.compile(r"\bdocs/([\w-]+)\.md\b")
"""A page of docs/ that a docstring or a help text names."""
_SHORT_CODE: Final = re.compile(r"<code>([^<]{1,24})</code>")
"""Code in text that is not broken between lines."""
_EMPTY_HEADER: Final = re.compile(r"<th([^>]*)></th>")
_HIDDEN: Final = ("deploy/", "site/")
"""Folders of docs/ that are not on the site."""
_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>#|]")
"""What Markdown could read as markup in a help text."""


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from outside of docs/ and the references."""
    pages = {to: (ROOT / source).read_text(encoding="utf-8") for source, to in OUTSIDE.items()}
    pages["reference/python.md"] = write_python()
    pages["reference/command.md"] = write_commands()
    pages["reference/methods.md"] = write_methods()
    pages["reference/features.md"] = write_features()
    for name, content in pages.items():
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Make links lead to where pages are on the site; put the README on its home."""
    name = page.file.src_uri
    origin = {to: source for source, to in OUTSIDE.items()}.get(name, f"docs/{name}")
    if name != HOME[1]:
        return _relink(markdown, origin, name)
    readme = (ROOT / HOME[0]).read_text(encoding="utf-8").partition(_README_END)[0]
    index = _INDEX_START + markdown.partition(_INDEX_START)[2]
    return _relink(readme, HOME[0], name) + _relink(index, origin, name)


def _relink(markdown: str, origin: str, name: str) -> str:
    """Return the text of a file for a page of the site; a link to no page becomes its text."""
    folder, here = PurePosixPath(origin).parent, PurePosixPath(name).parent

    def relink(found: re.Match[str]) -> str:
        text, link, anchor = found.groups()
        path = os.path.normpath(folder / link)
        target = _TARGETS.get(path) or path.removeprefix("docs/")
        is_shown = path in _TARGETS or (path.startswith("docs/") and not target.startswith(_HIDDEN))
        return f"[{text}]({os.path.relpath(target, here)}{anchor or ''})" if is_shown else text

    return _LINK.sub(relink, markdown)


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Make empty headers of tables plain cells, short code whole, and paths in references links."""
    if page.file.src_uri.startswith("reference/"):
        html = _DOCS_PATH.sub(r'<a href="../../\1/">\1</a>', html)
    html = _SHORT_CODE.sub(r'<code class="whole">\1</code>', html)
    return _EMPTY_HEADER.sub(r"<td\1></td>", html)


def write_python() -> str:
    """Return the reference of the public names, from their docstrings."""
    lines = ["# Python", "", "What is public: other names may change with any version.", ""]
    public = [*_IN_USE, *(name for name in thresher.__all__ if name not in _IN_USE)]
    functions = [name for name in public if name.islower() and name != "__version__"]
    classes = [name for name in public if name[0].isupper() and not name.isupper()]
    constants = [name for name in public if name.isupper()]
    for title, names in (("Functions", functions), ("Classes", classes), ("Names", constants)):
        lines += [f"## {title}", "", *(f"::: thresher.{name}\n" for name in names)]
    lines += ["## Packages", ""]
    for package in ("sites", "filters", "spark", "ray", "compat", "integrations"):
        lines.append(f"::: thresher.{package}\n")
    return "\n".join(lines)


def write_commands() -> str:
    """Return what every command takes, from its parser, with a table for each group of options."""
    lines = ["# Options", "", "The [guide](../command.md) shows what the commands are for.", ""]
    for command in list_commands():
        if command.words:
            lines += [f"## {' '.join(('thresher', *command.words))}", ""]
            lines += [_write_text(command.parser.description or command.help), ""]
            for group in command.parser._action_groups:
                lines += _write_group(command.parser, group)
    return "\n".join(lines)


def _write_text(text: str) -> str:
    """Return a text of a parser as Markdown; indented paragraphs are code."""
    return "\n\n".join(
        f"```text\n{part}\n```" if part.startswith(" ") else _escape(part)
        for part in text.split("\n\n")
    )


def _escape(text: str) -> str:
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", text)


def _write_group(parser: ArgumentParser, group: Any) -> Iterator[str]:
    """Yield the table of a group of arguments, but for commands below and --help."""
    formatter = parser._get_formatter()
    rows = []
    for action in group._group_actions:
        if isinstance(action, (_HelpAction, _SubParsersAction)):
            continue
        value = formatter._format_args(action, action.dest.upper())
        names = [f"{name} {value}".rstrip() for name in action.option_strings] or [value]
        spelled = ", ".join(f"`{name}`" for name in names).replace("|", r"\|")
        rows.append(f"| {spelled} | {_escape(formatter._expand_help(action))} |")
    if rows:
        title = group.title.capitalize()
        yield from (f"**{title}**", "", "| argument | what it does |", "|---|---|", *rows, "")


def write_features() -> str:
    """Return the list of features, as the command prints it."""
    return write_page()


def write_methods() -> str:
    """Return what the command says of each method and its parameters."""
    lines = ["# Methods", "", "[Algorithms](../algorithms/README.md) explains each of them.", ""]
    for name in thresher.ALGORITHMS:
        command = [sys.executable, "-m", "thresher", "methods", name]
        text = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
        lines += [f"## {name}", "", "```text", text.rstrip(), "```", ""]
    return "\n".join(lines)
