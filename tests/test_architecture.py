"""Imports point one way, and every module has its tests."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
SOURCE: Final = ROOT / "src" / "thresher"
TESTS: Final = ROOT / "tests"
MODULES: Final = {
    ".".join(file.relative_to(SOURCE).with_suffix("").parts)
    .removesuffix("__init__")
    .strip("."): file
    for file in sorted(SOURCE.rglob("*.py"))
}
"""Every module below `thresher` by its dotted name there; the package itself is ``""``."""

_VIEWS: Final = {"attributes", "blocks", "characters", "hidden", "paths", "scan", "tags", "text"}
_READERS: Final = {
    *("blocks", "errors", "hidden", "page", "paths", "rows", "scan", "selection", "tags"),
}
"""What may be known of a page by those who read it."""

ALLOWED: Final[dict[str, set[str]]] = {
    "native": {"native"},  # which fills arrays, and knows of nothing else
    "errors": set(),
    "deadline": {"errors"},  # which whoever works long may look at
    "limits": {"errors"},
    "atomic": set(),
    "cached": set(),  # which everyone may use
    "confinement": set(),
    "hosts": set(),
    "remembered": set(),
    "user_folders": set(),
    "toml_files": {"errors"},
    "names": {"native"},
    "tags": set(),
    "scan": {"names", "native", "tags"},
    "characters": {"native"},
    "text": {"characters", "native", "scan", "tags"},
    "attributes": {"names", "native", "scan", "tags"},
    "rows": {"native", "scan"},
    "leaves": {"rows", "scan", "tags"},
    "blocks": {"leaves", "native", "rows", "scan", "tags"},
    "hidden": {"attributes", "native", "rows", "scan", "tags"},
    "paths": {"remembered", "scan", "tags"},
    "table": {"attributes", "paths", "rows", "scan", "tags"},
    "page": {"leaves", "rows", "table", *_VIEWS},
    "reopening": set(),
    "xml_syntax": set(),
    "canonical": {"errors", "limits", "native", "reopening", "xml_syntax"},
    "places": {"canonical", "scan", "table", "tags", "xml_syntax"},
    "parse": {"canonical", "errors", "limits", "page", "places", "scan", "table", "tags"},
    "judgement": set(),
    "roles": {"errors"},
    "selection": {"errors", "judgement", "page", "roles", "rows"},
    "features": {"characters", "features", "hidden", "names", "native", "page", "scan", "tags"},
    "obstacles": {"hidden", "obstacles", "page", "scan", "tags", "text"},
    "links": {"blocks", "page", "remembered", "scan", "selection", "tags"},
    "anchors": {"links", "native", "page", "rows", "scan", "tags", "text"},
    "footnotes": {"anchors", "footnotes", "page", "rows", "tags"},
    "sniff": {"errors"},
    "decode": {"errors", "native", "sniff"},
    "structured": {"errors", "page", "xml_syntax"},
    "metadata": {"metadata", "remembered", "structured", *_READERS} - {"selection"},
    "embedded": {
        *("embedded", "judgement", "obstacles", "page", "parse", "roles", "scan", "selection"),
        *("structured", "tags"),
    },
    "next_words": set(),
    "page_addresses": {"remembered"},
    "next_page": {"links", "next_words", "page", "page_addresses", "scan", "tags"},
    "chunking": {"page", "selection", "tags"} | {"chunking"},
    "document": {
        *("chunking", "links", "metadata", "next_page", "obstacles", "roles", "threads"),
        *_READERS,
    },
    "threads": {"links", "metadata", "remembered", "structured", "threads", *_READERS},
    "tracking": {"remembered"},
    "merging": {"chunking", "document", "errors", "tags"},
    "fetching": {"", "errors", "fetching", "limits"},
    "algorithms": {
        "rows",
        *("anchors", "footnotes"),
        *("algorithms", "blocks", "errors", "features", "hidden", "judgement", "obstacles"),
        *("native", "page", "roles", "selection", "tags"),
    },
    "filters": {
        "rows",
        *("hosts", "toml_files"),
        *(
            "algorithms",
            "atomic",
            "errors",
            "fetching",
            "filters",
            "hidden",
            "obstacles",
            "page",
            "tags",
        ),
        *("tracking", "writers"),
    },
    "writers": {
        *("chunking", "writers", "document", "links", "metadata", "obstacles", "parse", "text"),
        *("anchors", "footnotes", "leaves", "names", "native", "rows", "threads", "tracking"),
        "xml_syntax",
        *_READERS,
    },
    "extract": {
        *("algorithms", "decode", "document", "embedded", "errors", "limits", "page", "parse"),
        *("selection", "sites", "sniff", "writers"),
    },
    "sites": {
        *("remembered", "rows"),
        *("hosts", "toml_files", "user_folders"),
        *("atomic", "canonical", "characters", "errors", "features", "page", "parse", "scan"),
        *("selection", "sites", "tags"),
    },
    "evaluation": {
        *("hosts", "user_folders"),
        *("algorithms", "decode", "document", "errors", "evaluation", "extract", "features"),
        *("canonical", "judgement", "metadata", "obstacles", "page", "parse", "scan"),
        *("selection", "sites"),
        *("tags", "text"),
    },
    "training": {
        *("atomic", "roles", "rows"),
        "hosts",
        *("algorithms", "blocks", "errors", "evaluation", "extract", "features", "page", "parse"),
        *("scan", "selection", "tags", "text", "training"),
    },
    "agents": {
        *("", "agents", "chunking", "confinement", "document", "errors", "extract"),
        *("fetching", "limits"),
    },
    "labelling": {
        "rows",
        *("batch", "decode", "errors", "evaluation", "extract", "labelling", "limits", "page"),
        *("sniff", "tags"),
    },
    "serving": {"confinement", "errors", "extract", "serving"},
    "app": {
        "rows",
        *("hosts", "user_folders"),
        *(
            "",
            "algorithms",
            "app",
            "atomic",
            "batch",
            "document",
            "errors",
            "evaluation",
            "extract",
        ),
        *("features", "fetching", "hidden", "labelling", "limits", "links", "page", "serving"),
        *("sites", "tags", "training", "writers"),
    },
    "proxy": {
        *("hosts", "toml_files", "user_folders"),
        *(
            "",
            "algorithms",
            "atomic",
            "decode",
            "document",
            "errors",
            "extract",
            "fetching",
            "filters",
        ),
        *("chunking", "limits", "links", "page", "proxy", "serving", "sites", "tags", "writers"),
    },
    "batch": {
        "hosts",
        *("", "algorithms", "batch", "document", "errors", "extract", "fetching", "limits"),
        *("atomic", "confinement", "sites"),
    },
    "cli": {
        *("hosts", "user_folders"),
        *("", "agents", "algorithms", "app", "atomic", "batch", "chunking", "cli", "decode"),
        "document",
        *("errors", "evaluation", "extract", "filters", "labelling", "proxy"),
        *("fetching", "limits", "merging", "next_page", "page", "selection", "sites", "sniff"),
        *("roles", "training", "writers"),
    },
    "spark": {"batch", "errors"},
    "ray": {"batch", "errors"},
    "__main__": {"cli"},
    "": {
        "chunking",
        *("algorithms", "document", "errors", "extract", "metadata", "obstacles", "page"),
        *("selection", "writers"),
    },
}
"""Room → rooms it may import from. A room is a module or a package right below `thresher`."""

HTML_PARSER_USERS: Final = {
    *("canonical", "decode", "parse", "places", "reopening", "structured", "writers"),
}
"""Rooms that may import turbohtml."""
FETCHERS: Final = {
    *("fetching.connections", "fetching.explain", "fetching.fetch", "fetching.journey"),
    "fetching.urls",
}
"""Modules that may import urllib3, and are themselves imported only where a page is fetched."""
DEPENDENCIES: Final = {"numpy", "turbohtml", "urllib3"}
TRAINERS: Final = {name for name in MODULES if name.startswith("training.learned")}
"""Modules that may import PyTorch."""
SERVERS: Final = {name for name in MODULES if name.split(".")[0] in ("app", "proxy", "serving")}
"""Modules that may import what the app and the proxy are made of."""
PROXY: Final = {name for name in SERVERS if name.split(".")[0] == "proxy"}
EXTRAS: Final = {
    "rapidfuzz": {"evaluation.lcs", "evaluation.fidelity.similarity"},
    "markdown_it": {"evaluation.fidelity.render"},
    "mdit_py_plugins": {"evaluation.fidelity.render"},
    "publicsuffixlist": {"evaluation.folds"},
    "torch": TRAINERS,
    "mcp": {"agents.server"},
    "mcp_types": {"agents.server"},
    "pydantic": {"agents.server"},
    **dict.fromkeys(("anyio", "jinja2", "markupsafe", "starlette", "uvicorn"), SERVERS),
    "python_multipart": {"cli.app"},
    **dict.fromkeys(("brotli", "mitmproxy"), PROXY),
    "protego": {"fetching.robots"},
    "fastwarc": {"batch.sources.http_body", "batch.sources.warc"},
    "pyarrow": {
        *("batch.archives", "batch.columns", "batch.sinks.parquet", "batch.sources.parquet"),
    },
    "rensa": {"batch.duplicates"},
    "rich": {"batch.progress"},
    "zstandard": {"batch.sinks.jsonl", "batch.sources.members", "proxy.decoders"},
    "pyspark": {"spark"},
    "ray": {"ray"},
}
"""Dependencies that need not be there, and the modules that import them when needed."""

SERVES_ALGORITHMS: Final = {"algorithms.base", "algorithms.blurring", "algorithms.sequence"}
"""Modules of that room which are no algorithm."""

TESTED_ELSEWHERE: Final = {
    "agents": "agents/test_tools.py",
    **dict.fromkeys(("batch", "batch.model", "batch.sinks"), "batch/test_run.py"),
    "batch.sources": "batch/sources/test_plan.py",
    "batch.sources.base": "batch/sources/test_warc.py",
    "batch.process": "batch/test_guard.py",
    "batch.worker": "batch/test_guard.py",
    "spark": "spark/test_spark.py",
    "sites": "sites/test_learn.py",
    "sites.model": "sites/test_learn.py",
    "cli.site_options": "cli/test_sites.py",
    "ray": "ray/test_ray.py",
    "chunking": "chunking/test_split.py",
    "chunking.layout": "writers/test_layout.py",
    **dict.fromkeys(("app", "app.routes", "app.context", "app.problems"), "app/test_server.py"),
    **dict.fromkeys(
        ("app.api", "app.api.handlers", "app.api.record", "app.api.requests"),
        "app/api/test_extract.py",
    ),
    **dict.fromkeys(("app.pages", "app.pages.start"), "app/pages/test_read.py"),
    "app.pages.preferences": "app/pages/test_access.py",
    "cli.app_options": "cli/test_app.py",
    **dict.fromkeys(("labelling", "labelling.model"), "labelling/test_store.py"),
    "training.own": "training/own/test_recipe.py",
    **dict.fromkeys(("app.events", "app.pages.runs"), "app/pages/test_train.py"),
    "app.pages.looks": "app/pages/test_inspect.py",
    "serving": "serving/test_pool.py",
    **dict.fromkeys(
        (
            *("proxy", "proxy.access", "proxy.addon", "proxy.headers", "proxy.serve"),
            "proxy.stream",
        ),
        "proxy/test_serve.py",
    ),
    "proxy.mark": "proxy/test_internal.py",
    "proxy.pages": "proxy/pages/test_application.py",
    "proxy.pages.context": "proxy/pages/test_network.py",
    "proxy.own_pages": "proxy/test_rewrite.py",
    **dict.fromkeys(("proxy.once", "proxy.statistics"), "proxy/test_state.py"),
    "proxy.settings": "proxy/test_settings_file.py",
    "cli.proxy_options": "cli/test_proxy.py",
    "cli.filter_options": "cli/test_filter.py",
    **dict.fromkeys(("filters", "filters.case"), "filters/test_apply.py"),
    "native.learned": "features/test_by_compiled.py",
    **dict.fromkeys(
        ("native.writers", "writers.kept", "writers.plain", "writers.structure"),
        "writers/test_by_compiled.py",
    ),
    "": "test_readme.py",
    "__main__": "cli/test_main.py",
    "algorithms": "algorithms/test_contract.py",
    "cli": "cli/test_main.py",
    "cli.arguments": "cli/test_main.py",
    "cli.page_options": "cli/test_main.py",
    "cli.batch_options": "cli/test_batch.py",
    "cli.exits": "cli/test_main.py",
    "evaluation": "evaluation/test_evaluate.py",
    "evaluation.fidelity": "evaluation/fidelity/test_main.py",
    "evaluation.fidelity.__main__": "evaluation/fidelity/test_main.py",
    "evaluation.fidelity.arguments": "evaluation/fidelity/test_main.py",
    "evaluation.metadata_scores": "evaluation/metadata_scores/test_main.py",
    "evaluation.metadata_scores.__main__": "evaluation/metadata_scores/test_main.py",
    "evaluation.leaderboard": "evaluation/leaderboard/test_main.py",
    "evaluation.leaderboard.__main__": "evaluation/leaderboard/test_main.py",
    "features": "features/test_features.py",
    **dict.fromkeys(
        ("fetching", "fetching.connections", "fetching.explain", "fetching.journey"),
        "fetching/test_fetch.py",
    ),
    **dict.fromkeys(("fetching.limits", "fetching.model"), "fetching/test_fetch.py"),
    "features.__main__": "features/test_features.py",
    "metadata": "metadata/test_read_metadata.py",
    "metadata.rules": "metadata/test_rules.py",
    "metadata.rules.authors": "metadata/test_rules.py",
    "metadata.rules.dates": "metadata/test_rules.py",
    "metadata.rules.levels": "metadata/test_rules.py",
    "metadata.rules.naming": "metadata/test_rules.py",
    "metadata.rules.page": "metadata/test_rules.py",
    "table": "test_page.py",
    "footnotes": "footnotes/test_find.py",
    "footnotes.model": "footnotes/test_find.py",
    "writers.crossing_links": "writers/test_fragment.py",
    "writers.record": "writers/test_jsonl.py",
    "writers.whole": "writers/test_layout.py",
    "training": "training/test_density_lines.py",
    "training.learned": "training/learned/test_recipe.py",
    "training.roles": "training/roles/test_labels.py",
    "training.roles.__main__": "training/roles/test_main.py",
}
"""Modules without a test file of their own name, and where they are tested."""


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


def tree_of(module: str) -> ast.Module:
    """Parse a module of ours."""
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def top_imports_of(module: str) -> set[str]:
    """Return what a module imports as soon as it is imported itself."""
    top = [node for node in tree_of(module).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return {name for node in top for name in imports_of(node)}


def targets_of(module: str) -> set[str]:
    """Return the modules of ours that a module imports."""
    targets = {own_module_of(imported) for imported in imports_of(tree_of(module))}
    return {target for target in targets if target is not None}


@pytest.mark.parametrize("module", MODULES)
def test_imports_follow_the_arrows(module: str) -> None:
    """A module imports only from rooms that its own may know."""
    rooms = {room_of(target) for target in targets_of(module)}
    assert not rooms - ALLOWED[room_of(module)] - {"cached", "deadline"}


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("algorithms.")])
def test_algorithms_never_import_each_other(module: str) -> None:
    """An algorithm stands alone: of its room it knows what serves them all, and its own parts."""
    own_room = {target for target in targets_of(module) if room_of(target) == "algorithms"}
    own_parts = {target for target in own_room if target.split(".")[1] == module.split(".")[1]}
    assert own_room - own_parts <= SERVES_ALGORITHMS


@pytest.mark.parametrize("module", MODULES)
def test_dependencies_stay_in_their_rooms(module: str) -> None:
    """The HTML parser and the network are known to few, and nothing else is needed at all."""
    imported = {name.split(".", 1)[0] for name in imports_of(tree_of(module))}
    known = imported & DEPENDENCIES
    assert "turbohtml" not in known or room_of(module) in HTML_PARSER_USERS
    assert "urllib3" not in known or module in FETCHERS
    extras = {name for name, users in EXTRAS.items() if module in users}
    assert not imported - DEPENDENCIES - extras - sys.stdlib_module_names - {"thresher"}


@pytest.mark.parametrize("module", MODULES)
def test_the_network_is_imported_when_needed(module: str) -> None:
    """No module but a fetcher imports one at its top: importing Thresher costs no HTTP library."""
    if module in FETCHERS:
        return
    assert not {own_module_of(name) for name in top_imports_of(module)} & FETCHERS


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
    """No module but those of a trainer or a server needs an extra to be imported."""
    assert not find_needing_extras() - TRAINERS - SERVERS


def test_arrows_have_no_cycle() -> None:
    """The rooms can be put in an order in which each knows only those before it."""
    rooms = {room: allowed - {room} for room, allowed in ALLOWED.items()}
    while rooms:
        settled = {room for room, allowed in rooms.items() if not allowed & rooms.keys()}
        assert settled, f"a cycle among {sorted(rooms)}"
        rooms = {room: allowed for room, allowed in rooms.items() if room not in settled}


def test_every_room_exists() -> None:
    """The table names the rooms there are, and no others."""
    assert set(ALLOWED) == {room_of(module) for module in MODULES}


@pytest.mark.parametrize("module", MODULES)
def test_every_module_has_a_twin(module: str) -> None:
    """Who changes a file finds its tests under the same name, or in the table of exceptions."""
    *folders, name = module.split(".")
    twin = TESTED_ELSEWHERE.get(module, "/".join((*folders, f"test_{name}.py")))
    assert (TESTS / twin).is_file()


@pytest.mark.parametrize("module", TESTED_ELSEWHERE)
def test_exceptions_are_needed(module: str) -> None:
    """No exception outlives its module."""
    assert module in MODULES
