"""`thresher app`: serve the web app of `thresher.app` until a signal stops it."""

from __future__ import annotations

import os
import webbrowser
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace

from thresher.app.settings import ApiKey, AppSettings, read_keys
from thresher.cli.app_checks import find_problems
from thresher.cli.app_options import TOKEN_VARIABLE
from thresher.cli.choices import read_sites
from thresher.cli.exits import Exit
from thresher.cli.outputs import say
from thresher.errors import MissingExtraError, UsageError
from thresher.serving.connections import ConnectionLimits
from thresher.sites.rulebook import default_rules_path
from thresher.support.files import data_folder, explain_os_error

__all__ = ["read_server_settings", "read_settings", "run", "run_server"]


def run(args: Namespace) -> Exit:
    """Serve the app, as `run_server` does."""

    def prepare(settings: AppSettings) -> None:
        if args.label:
            add_labelled(args.label, settings)

    on_listening = webbrowser.open if args.open else None
    return run_server(args, read_settings, prepare, on_listening)


def run_server(
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
    from thresher.app.labels import LABELS_FILE
    from thresher.batch.sources.base import ReadOptions
    from thresher.labelling.reading import SkippedPages, read_pages
    from thresher.labelling.store import LabelStore

    skipped = SkippedPages()
    reading = ReadOptions(
        max_bytes=settings.max_bytes,
        timeout_s=settings.timeout_s,
        user_agent=settings.user_agent,
        allow_private=settings.allow_private,
    )
    store = LabelStore(settings.data_dir / LABELS_FILE)
    n_new, n_known = store.add(read_pages(inputs, skipped, reading))
    say(f"{n_new} pages to label were added; {n_known} were there already")
    for reason, count in skipped.left_out.most_common():
        say(f"left out, {count} times: {reason}")


def read_settings(args: Namespace) -> AppSettings:
    """Create the settings from the options; UsageError if they would be unsafe."""
    return replace(
        read_server_settings(args),
        data_dir=args.data or data_folder(),
        images=args.images,
        corpora=args.corpora,
    )


def read_server_settings(args: Namespace) -> AppSettings:
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
    """Return the keys of the option; none without it."""
    try:
        return read_keys(args.keys) if args.keys is not None else ()
    except UsageError as error:
        raise UsageError(f"--keys: {error}") from error


def _read_token(args: Namespace) -> str | None:
    """Return the token from the options, a file or the environment, in this order."""
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
