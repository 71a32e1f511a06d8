"""Starting imports what is needed and no more: each start has the list of its modules."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import thresher
from tests.helpers.compiled_steps import needs_steps
from tests.test_architecture import DEPENDENCIES
from thresher.cli.arguments import COMMANDS

FOR_NAMES: Final = {"support": "late"}
"""Room → its modules and packages that ``import thresher`` imports; nothing else but Python's."""
FOR_VERSION: Final = {
    "cli": "arguments console",
    "deadline": "",
    "errors": "",
    "fetching": "model",
    "limits": "",
    "native": "_compiled kernels steps",
    "support": "late quoting settings",
    "writers": "formats",
}
"""The same for `thresher --version`, which says whether there are compiled steps."""
FOR_EXTRACT: Final = {
    "algorithms": "base learned",
    "analysis": (
        "companions contents_lists footnotes kept_page links live_posts metadata obstacles "
        "narrow_copies pictures stated_parts systems word_exports"
    ),
    "chunking": "",
    "cli": "arguments choices console extract options page_options",
    "deadline": "",
    "document": "document options",
    "errors": "",
    "extraction": "",
    "features": (
        "base block by_compiled characters container_chain containers declared "
        "hashing inputs names neighbours path place siblings table whole wording "
        "words"
    ),
    "fetching": "model",
    "limits": "",
    "merging": "",
    "native": "_compiled kernels steps",
    "output_room": "",
    "page": (
        "abutting archives as_shown attribute_places attributes blocks boxed "
        "canonical characters decode fields hidden in_line leaves mhtml names page parse parts "
        "paths rearranging revealed rows scan shadow_roots sniff source_positions stand_ins "
        "source_tags style table tags text webarchive"
    ),
    "request": "",
    "roles": "",
    "selection": "",
    "support": "array_files bounded_cache cached files late quoting settings",
    "writers": "code formats fragment markdown math outline shared stream",
}
"""The same for `thresher extract` of an ordinary page as Markdown, which needs numpy too."""

UNNEEDED: Final = {"asyncio", "email", "http.client", "importlib.metadata", "socket", "ssl"}
"""Modules of Python that take long to import, and that only fetching or the app need."""


def imports_of(code: str, *arguments: str) -> tuple[dict[str, set[str]], set[str]]:
    """Run code in a new process: what it imports of ours, by room, and the other modules."""
    listing = "import sys; print('', *sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{listing}", *arguments],
        capture_output=True,
        check=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(thresher.__file__).parents[1])},
    )
    modules = set(done.stderr.split())
    rooms: dict[str, set[str]] = {}
    for module in modules:
        package, _, place = module.partition(".")
        if package == "thresher" and place:
            room, _, below = place.partition(".")
            rooms.setdefault(room, set()).update(below.split(".")[:1] if below else ())
    return rooms, modules


def as_sets(listed: dict[str, str]) -> dict[str, set[str]]:
    return {room: set(names.split()) for room, names in listed.items()}


def packages_of(modules: set[str]) -> set[str]:
    """Return the packages among modules that a wheel of another project installs."""
    return {module.partition(".")[0] for module in modules} & DEPENDENCIES


def test_import_of_thresher_loads_names_alone() -> None:
    """``import thresher`` imports what loads the names on first use."""
    rooms, modules = imports_of("import thresher")
    assert as_sets(FOR_NAMES) == rooms
    # Nor any other package: not one of the tools that there are integrations with.
    packages = {module.partition(".")[0] for module in modules - imports_of("")[1]}
    assert {"thresher"} == packages - sys.stdlib_module_names


@needs_steps
def test_version_needs_parser_and_steps_alone() -> None:
    """`thresher --version` imports no engine, and not even numpy."""
    rooms, modules = imports_of("from thresher.cli import main\nassert main(['--version']) == 0")
    assert as_sets(FOR_VERSION) == rooms
    assert set() == packages_of(modules)


def test_help_of_every_command_needs_no_engine() -> None:
    """The help of no command imports numpy, the HTML parser or the network."""
    commands = [[], *([name] for name in COMMANDS)]
    code = "from thresher.cli import main\n"
    code += f"for command in {commands}: assert main([*command, '--help']) == 0"
    assert set() == packages_of(imports_of(code)[1])


@needs_steps
def test_extract_imports_what_an_ordinary_page_needs() -> None:
    """Extracting a page as Markdown imports no other method or format, parser or network."""
    page = Path(thresher.__file__).parent / "app" / "sample.html"
    code = "import sys\nfrom thresher.cli import main\nassert main(sys.argv[1:]) == 0"
    rooms, modules = imports_of(code, "extract", str(page))
    assert as_sets(FOR_EXTRACT) == rooms
    assert {"numpy"} == packages_of(modules)
    assert set() == UNNEEDED & modules
