"""Checks of the options of a server: all that is wrong is found before it starts."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from thresher.cli.choices import read_sites
from thresher.errors import ThresherError, UsageError
from thresher.sites.rulebook import default_rules_path, read_rulebook
from thresher.support.files import data_folder, explain_os_error

__all__ = ["find_problems"]


def find_problems(args: Namespace) -> list[str]:
    """Return what is wrong with the paths, each as a message that names the option.

    Options that the command does not have are left alone.
    """
    checks = [(option, check) for option, check in _CHECKS if hasattr(args, option[2:])]
    return [f"{option}: {problem}" for option, check in checks for problem in _run(check, args)]


def _run(check: Callable[[Namespace], object], args: Namespace) -> Iterator[str]:
    try:
        check(args)
    except ThresherError as error:
        yield str(error)
    except OSError as error:
        yield f"{error.filename}: {explain_os_error(error)}"


def _check_data(args: Namespace) -> None:
    """Create the folder and the databases, if they do not exist."""
    from thresher.app.labels import LABELS_FILE
    from thresher.app.saved import SAVED_FILE, SavedList
    from thresher.labelling.store import make_database

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
