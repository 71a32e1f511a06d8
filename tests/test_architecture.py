"""Imports point one way."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
SOURCE: Final = ROOT / "src" / "thresher"
MODULES: Final = {
    ".".join(file.relative_to(SOURCE).with_suffix("").parts)
    .removesuffix("__init__")
    .strip("."): file
    for file in sorted(SOURCE.rglob("*.py"))
}
"""Every module below `thresher` by its dotted name there; the package itself is ``""``."""

_BASICS: Final = {"deadline", "errors", "limits", "output_room", "support"}
"""What everyone may use."""
_ENGINE: Final = {"analysis", "features", "page", "roles", "selection", *_BASICS}
"""What is known of a page, and what was selected of it."""
_RESULT: Final = {"algorithms", "chunking", "document", "writers", *_ENGINE}

ALLOWED: Final[dict[str, set[str]]] = {
    "errors": set(),
    "deadline": {"errors"},
    "limits": {"errors", "support"},
    "output_room": {"errors", "limits"},
    "support": {"errors"},
    "native": {"deadline"},
    "page": {"native", *_BASICS},
    "roles": {"errors", "support"},
    "selection": {"page", "roles", *_BASICS},
    "features": {"native", "page", *_BASICS},
    "analysis": {"native", "page", "roles", "selection", *_BASICS},
    "chunking": {"analysis", "page", "selection", *_BASICS},
    "sites": {"features", "page", "selection", *_BASICS},
    "algorithms": {"native", *_ENGINE},
    "document": {"chunking", *_ENGINE},
    "merging": {"chunking", "document", "page", "writers", *_BASICS},
    "writers": {"chunking", "document", "native", *_ENGINE},
    "request": {"algorithms", *_BASICS},
    "extraction": {"request", "sites", *_RESULT},
    "": {"extraction", *_RESULT},
    "compat": {"", "extraction", *_RESULT},
    "explain": _RESULT,
    "evaluation": {"extraction", "request", "sites", *_RESULT},
    "training": {"evaluation", "extraction", *_RESULT},
    "fetching": {"", *_BASICS},
    "feeds": {"batch", "extraction", "request", *_RESULT},
    "filters": {"fetching", *_RESULT},
    "rendering": {"fetching", "filters", *_BASICS},
    "batch": {"", "extraction", "fetching", "request", "sites", *_RESULT},
    "spark": {"batch", *_BASICS},
    "ray": {"batch", *_BASICS},
    "integrations": {"", "extraction", "fetching", *_RESULT},
    "labelling": {"batch", "evaluation", "extraction", *_RESULT},
    "agents": {"", "extraction", "fetching", "request", *_RESULT},
    "serving": {"extraction", *_BASICS},
    "app": {
        *("", "batch", "evaluation", "explain", "extraction", "feeds", "fetching", "labelling"),
        *("request", "serving", "sites", "training"),
        *_RESULT,
    },
    "proxy": {"", "extraction", "fetching", "filters", "request", "serving", "sites", *_RESULT},
    "cli": {
        *("", "agents", "app", "batch", "evaluation", "explain", "extraction", "fetching"),
        *("feeds", "filters", "labelling", "merging", "proxy", "rendering", "request", "sites"),
        *("native", "serving", "training"),
        *_RESULT,
    },
    "__main__": {"cli"},
}
"""Room → rooms it may import from. A room is a module or a package right below `thresher`."""

LATE: Final[dict[tuple[str, str], str]] = {
    ("document.document", "writers"): "Document.write is the public way to a writer",
}
"""Imports against the arrows, (module, imported module) → why. They stand in functions only."""

LAYERED: Final = ("analysis", "page", "writers")
"""Rooms so large that their parts, the modules and packages right below, have an order too."""

HTML_PARSER_USERS: Final = {
    *(
        "analysis.metadata.languages",
        "page.canonical",
        "page.decode",
        "page.html_parser",
        "page.parse",
        "page.source_tags",
    ),
    *("compat.page_input", "feeds.reading", "page.reopening"),
}
"""Modules that may import turbohtml, besides the writers."""
FETCHERS: Final = {"fetching.connections", "fetching.fetch", "fetching.session"}
"""Modules that may import urllib3, and are themselves imported only where a page is fetched."""
DEPENDENCIES: Final = {"numpy", "turbohtml", "urllib3"}
TRAINERS: Final = {name for name in MODULES if name.startswith("training.learned")}
"""Modules that may import PyTorch."""
SERVERS: Final = {name for name in MODULES if name.split(".")[0] in ("app", "proxy", "serving")}
"""Modules that may import what the app and the proxy are made of."""
INTEGRATIONS: Final = {name for name in MODULES if name.startswith("integrations.")}
"""Modules that import the tool they are for; whoever uses one has it."""
PROXY: Final = {name for name in SERVERS if name.split(".")[0] == "proxy"}
EXTRAS: Final = {
    "rapidfuzz": {"evaluation.metrics", "evaluation.fidelity.score"},
    "markdown_it": {"evaluation.fidelity.cases"},
    "mdit_py_plugins": {"evaluation.fidelity.cases"},
    "publicsuffixlist": {"evaluation.folds"},
    "torch": TRAINERS,
    "mcp": {"agents.server"},
    "mcp_types": {"agents.server"},
    "pydantic": {"agents.server"},
    **{
        package: {f"integrations.{module}"}
        for module, package in (
            *(("datatrove", "datatrove"), ("duckdb", "duckdb"), ("haystack", "haystack")),
            *(("langchain", "langchain_core"), ("llama_index", "llama_index")),
            *(("pandas", "pandas"), ("polars", "polars")),
            *(("scrapy", "itemadapter"), ("scrapy", "scrapy")),
        )
    },
    **dict.fromkeys(("anyio", "h11", "jinja2", "markupsafe", "starlette", "uvicorn"), SERVERS),
    "python_multipart": {"cli.app"},
    **dict.fromkeys(("brotli", "certifi", "mitmproxy"), PROXY),
    "lxml": {"compat.page_input", "compat.trafilatura_document"},
    "protego": {"fetching.robots"},
    "playwright": {"rendering.worker"},
    "fastwarc": {"batch.sources.warc"},
    "pyarrow": {
        *("batch.known", "batch.model", "batch.sinks"),
        *("batch.sources.rows", "batch.stores", "batch.table"),
        "integrations.duckdb",
    },
    "rensa": {"batch.signatures"},
    "segno": {"proxy.pages.setup"},
    "rich": {"batch.reporting"},
    "zstandard": {"batch.sinks", "batch.sources.files", "proxy.codings"},
    "pyspark": {"spark"},
    "ray": {"ray"},
}
"""Dependencies that need not be there, and the modules that import them when needed."""

SERVES_ALGORITHMS: Final = {
    *("algorithms.base", "algorithms.classics.blurring", "algorithms.classics.sequence"),
}
"""Modules of that room which are no algorithm."""


def room_of(module: str) -> str:
    """Return the room a module lies in."""
    return module.split(".", 1)[0]


def imports_of(tree: ast.AST) -> Iterator[str]:
    """Yield each imported module or name, in functions too, dotted; none made only for types."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            stack.extend(node.orelse)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where they lead"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        else:
            stack.extend(ast.iter_child_nodes(node))


def own_module_of(imported: str) -> str | None:
    """Return the module of ours that an import leads to, None where it leads elsewhere."""
    package, _, name = imported.partition(".")
    if package != "thresher":
        return None
    while name not in MODULES:
        name = name.rpartition(".")[0]
    return name


@cache
def tree_of(module: str) -> ast.Module:
    """Parse a module of ours."""
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def top_imports_of(module: str) -> set[str]:
    """Return what a module imports as soon as it is imported itself."""
    top = [node for node in tree_of(module).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return {name for node in top for name in imports_of(node)}


def all_targets_of(module: str) -> set[str]:
    """Return the modules of ours that a module imports."""
    targets = {own_module_of(imported) for imported in imports_of(tree_of(module))}
    return {target for target in targets if target is not None}


def targets_of(module: str) -> set[str]:
    """Return the same without the late imports that are allowed against the arrows."""
    return {target for target in all_targets_of(module) if (module, target) not in LATE}


def test_imports_follow_the_arrows() -> None:
    """A module imports only from rooms that its own may know."""
    for module in MODULES:
        rooms = {room_of(target) for target in targets_of(module)}
        wrong = rooms - ALLOWED[room_of(module)] - {room_of(module)}
        assert not wrong, f"{module} imports from {wrong}"


def test_late_imports_are_late_and_needed() -> None:
    """Each one that the table allows is there, in a function, and would break the arrows."""
    for module, target in LATE:
        assert target in all_targets_of(module), "the table allows what nobody does"
        assert target not in {own_module_of(name) for name in top_imports_of(module)}
        assert room_of(target) not in ALLOWED[room_of(module)]
        # Without the table the rooms would have no order.
        arrows = ALLOWED | {room_of(module): {*ALLOWED[room_of(module)], room_of(target)}}
        assert settle(arrows) != []


def test_algorithms_never_import_each_other() -> None:
    """An algorithm stands alone: of its room it knows what serves them all, and its own parts."""
    for module in (name for name in MODULES if name.startswith("algorithms.")):
        package = module.split(".")[1]
        own_room = {target for target in targets_of(module) if room_of(target) == "algorithms"}
        own_parts = {target for target in own_room if target.split(".")[1] == package}
        if package == "classics":  # one algorithm a file
            own_parts = set()
        assert own_room - own_parts <= SERVES_ALGORITHMS, module


def test_dependencies_stay_in_their_rooms() -> None:
    """The HTML parser and the network are known to few, and nothing else is needed at all."""
    for module in MODULES:
        imported = {name.split(".", 1)[0] for name in imports_of(tree_of(module))}
        may_parse = room_of(module) == "writers" or module in HTML_PARSER_USERS
        assert may_parse or "turbohtml" not in imported, module
        assert module in FETCHERS or "urllib3" not in imported, module
        extras = {name for name, users in EXTRAS.items() if module in users}
        unknown = imported - DEPENDENCIES - extras - sys.stdlib_module_names - {"thresher"}
        assert not unknown, f"{module} imports {unknown}"


def test_the_network_is_imported_when_needed() -> None:
    """No module but a fetcher imports one at its top: importing Thresher costs no HTTP library."""
    for module in MODULES.keys() - FETCHERS:
        assert not {own_module_of(name) for name in top_imports_of(module)} & FETCHERS, module


def find_needing_extras() -> set[str]:
    """Return the modules that cannot be imported without an extra: by themselves, or by another."""
    tops = {name: top_imports_of(name) for name in MODULES}
    roots = {name: {each.split(".", 1)[0] for each in top} for name, top in tops.items()}
    needing = {name for name, root in roots.items() if root & EXTRAS.keys()}
    while True:
        more = {
            name for name, top in tops.items() if {own_module_of(each) for each in top} & needing
        }
        if more <= needing:
            return needing
        needing |= more


def test_extras_are_imported_when_needed() -> None:
    """No module but those of a trainer, a server or another tool needs an extra to be imported."""
    assert not find_needing_extras() - TRAINERS - SERVERS - INTEGRATIONS


def settle(arrows: Mapping[str, set[str]]) -> list[str]:
    """Return what cannot be put in an order in which each knows only those before it."""
    left = {name: targets - {name} for name, targets in arrows.items()}
    while settled := {name for name, targets in left.items() if not targets & left.keys()}:
        left = {name: targets for name, targets in left.items() if name not in settled}
    return sorted(left)


def part_of(module: str) -> str:
    """Return the module or package right below a room that a module is, or lies in."""
    return ".".join(module.split(".")[:2])


def test_arrows_have_no_cycle() -> None:
    """The rooms can be put in an order in which each knows only those before it."""
    assert settle(ALLOWED) == []


@pytest.mark.parametrize("room", LAYERED)
def test_parts_of_a_room_have_no_cycle(room: str) -> None:
    """Within a large room, too, each part can be read with only those before it in mind."""
    parts: dict[str, set[str]] = {}
    for module in (name for name in MODULES if room_of(name) == room and name != room):
        inside = {part_of(target) for target in targets_of(module) if room_of(target) == room}
        parts.setdefault(part_of(module), set()).update(inside - {part_of(module), room})
    assert settle(parts) == []


def test_every_room_exists() -> None:
    """The table names the rooms there are, and no others."""
    assert set(ALLOWED) == {room_of(module) for module in MODULES}


def test_a_class_name_has_one_meaning() -> None:
    """No two modules define a class of one name, but for the parameters of each algorithm."""
    homes: dict[str, list[str]] = {}
    for module in MODULES:
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(module)
    shared = {name: modules for name, modules in homes.items() if len(modules) > 1}
    assert {"Params"} == shared.keys(), shared
    assert {"algorithms"} == {room_of(module) for module in shared["Params"]}
