"""`thresher app`, `serve` and `mcp`: serve the app, its API, or tools for agents until stopped.

All that is wrong with the options of the app is found before it starts.
"""

from __future__ import annotations

import os
import webbrowser
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from thresher.app.settings import ApiKey, AppSettings, read_keys
from thresher.cli.app_options import TOKEN_VARIABLE
from thresher.cli.choices import read_limits, read_sites
from thresher.cli.console import Exit, say
from thresher.errors import MissingExtraError, ThresherError, UsageError
from thresher.serving.connections import ConnectionLimits
from thresher.sites.rulebook import default_rules_path, read_rulebook
from thresher.support.files import data_folder, explain_os_error

_MCP_HOST: Final = "127.0.0.1"
"""Reachable only from this machine."""


def run(args: Namespace) -> Exit:
    """Serve the app, as `_run_server` does."""

    def prepare(settings: AppSettings) -> None:
        if args.label:
            add_labelled(args.label, settings)

    on_listening = webbrowser.open if args.open else None
    return _run_server(args, read_settings, prepare, on_listening)


def run_serve(args: Namespace) -> Exit:
    """Serve the API, unless anything is wrong with the options: then all of that is said."""
    return _run_server(args, read_api_settings, prepare=lambda _: None)


def run_mcp(args: Namespace) -> Exit:
    """Serve the tools of `thresher.agents` until the client disconnects.

    MissingExtraError if the SDK is not installed.
    """
    from thresher.agents.guarded import GuardedTools
    from thresher.agents.server import build_server

    tools = GuardedTools(args.timeout, read_limits(args), args.user_agent)
    server = build_server(tools)
    try:
        if args.http is None:
            server.run("stdio")
        else:
            server.run("streamable-http", host=_MCP_HOST, port=args.http)
    finally:
        tools.close()
    return Exit.OK


def _run_server(
    args: Namespace,
    read: Callable[[Namespace], AppSettings],
    prepare: Callable[[AppSettings], object],
    on_listening: Callable[[str], object] | None = None,
) -> Exit:
    """Serve, unless anything is wrong with the options: then all of that is said.

    MissingExtraError if the extra is not installed, which the checks need too.
    """
    serve = _import_serve()
    problems = find_problems(args)
    try:
        settings = read(args)
    except UsageError as error:
        problems.insert(0, str(error))
    if problems:
        for problem in dict.fromkeys(problems):
            say(problem)
        return Exit.USAGE
    prepare(settings)
    serve(settings, on_listening=on_listening)
    return Exit.OK


def _import_serve() -> Callable[..., None]:
    try:
        import python_multipart  # noqa: F401 - which Starlette misses only at a form

        from thresher.app.server import serve
    except ImportError as error:  # absent, too old, or without what it needs itself
        if (error.name or "").partition(".")[0] == "thresher":
            raise
        raise MissingExtraError("the server", "app") from error
    return serve


def add_labelled(inputs: Sequence[str], settings: AppSettings) -> None:
    """Add pages to be labelled; UsageError for missing inputs."""
    # Needed only for labelling.
    from thresher.batch.sources.base import ReadOptions
    from thresher.labelling.reading import read_pages
    from thresher.labelling.store import LABELS_FILE, LabelStore

    skipped: Counter[str] = Counter()
    reading = ReadOptions(
        max_bytes=settings.max_bytes,
        timeout_s=settings.timeout_s,
        user_agent=settings.user_agent,
        allow_private=settings.allow_private,
    )
    store = LabelStore(settings.data_dir / LABELS_FILE)
    n_new, n_known = store.add(read_pages(inputs, skipped, reading))
    say(f"{n_new} pages to label were added; {n_known} were there already")
    for reason, count in skipped.most_common():
        say(f"left out, {count} times: {reason}")


def read_settings(args: Namespace) -> AppSettings:
    """Create the settings from the options; UsageError if they would be unsafe."""
    return replace(
        _read_server_settings(args),
        data_dir=args.data or data_folder(),
        images=args.images,
        corpora=args.corpora,
    )


def read_api_settings(args: Namespace) -> AppSettings:
    """Create the settings from the options; UsageError if they would be unsafe."""
    return replace(_read_server_settings(args), only_api=True)


def _read_server_settings(args: Namespace) -> AppSettings:
    """Create the settings from the options that `thresher serve` has too; UsageError as above."""
    return AppSettings(
        host=args.host,
        port=args.port,
        token=_read_token(args),
        keys=_read_keys(args),
        rules_path=args.rules or default_rules_path(),
        n_worker=args.workers,
        deadline_s=args.deadline,
        max_bytes=args.max_bytes,
        max_nodes=args.max_nodes,
        on_limit=args.on_limit,
        timeout_s=args.timeout,
        user_agent=args.user_agent,
        allow_private=args.allow_private,
        connections=ConnectionLimits(
            max_connections=args.max_connections, max_per_client=args.max_connections_per_client
        ),
        hosts=tuple(args.allow_host),
        json_logs=args.json_logs,
        sites=read_sites(args) if args.sites and args.sites.is_dir() else None,
        model=args.model,
    )


def _read_keys(args: Namespace) -> tuple[ApiKey, ...]:
    try:
        return read_keys(args.keys) if args.keys is not None else ()
    except UsageError as error:
        raise UsageError(f"--keys: {error}") from error


def _read_token(args: Namespace) -> str | None:
    if args.token is not None:
        return str(args.token)
    if args.token_file is None:
        return os.environ.get(TOKEN_VARIABLE) or None
    try:
        token: str = args.token_file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = (
            explain_os_error(error) if isinstance(error, OSError) else "it is not text in UTF-8"
        )
        raise UsageError(f"--token-file: {args.token_file} cannot be read: {reason}") from error
    return token


def find_problems(args: Namespace) -> list[str]:
    """Return what is wrong with the paths, each as a message that names the option.

    Options that the command does not have are left alone.
    """
    problems = []
    for option, check in _CHECKS:
        if hasattr(args, option[2:]):
            try:
                check(args)
            except ThresherError as error:
                problems.append(f"{option}: {error}")
            except OSError as error:
                problems.append(f"{option}: {error.filename}: {explain_os_error(error)}")
    return problems


def _check_data(args: Namespace) -> None:
    from thresher.app.saved import SAVED_FILE, SavedList
    from thresher.labelling.store import LABELS_FILE, make_database

    folder: Path = args.data or data_folder()
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = explain_os_error(error)
        raise UsageError(f"{folder} cannot be created: {reason}; name another folder") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"{folder} cannot be written; change its permissions or name another")
    make_database(folder / LABELS_FILE)
    SavedList(folder / SAVED_FILE)


def _check_rules(args: Namespace) -> None:
    """Read the rulebook; what is wrong inside of it can be corrected while the app runs."""
    path: Path = args.rules or default_rules_path()
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a file, such as {path / 'rules.toml'}")
    for folder in path.parents:
        if folder.is_dir():
            break
        if folder.exists():
            raise UsageError(f"{folder} is a file, so {path} cannot be written")
    if path.exists() and not os.access(path, os.R_OK):
        read_rulebook(path)


def _check_corpora(args: Namespace) -> None:
    from thresher.evaluation.corpora import find_corpora  # only if given

    if args.corpora is None:
        return
    if not args.corpora.exists():
        raise UsageError(f"{args.corpora}: no such folder")
    find_corpora([args.corpora])


def _check_model(args: Namespace) -> None:
    from thresher.algorithms.learned.model import Model  # only if given

    if args.model is None:
        return
    if not args.model.is_file():
        kind = "is a folder" if args.model.is_dir() else "does not exist"
        raise UsageError(f"{args.model} {kind}; name a file that thresher train has written")
    Model.load(args.model)


def _check_labelled(args: Namespace) -> None:
    from thresher.batch.sources.plan import find_places  # only if given

    for _ in find_places(args.label):
        pass


_CHECKS: Final[tuple[tuple[str, Callable[[Namespace], object]], ...]] = (
    ("--data", _check_data),
    ("--rules", _check_rules),
    ("--sites", read_sites),
    ("--corpora", _check_corpora),
    ("--model", _check_model),
    ("--label", _check_labelled),
)
"""Option and check of every path."""
