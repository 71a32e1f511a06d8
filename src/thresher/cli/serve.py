"""`thresher serve`: serve the API of `thresher.app` alone, until a signal stops it."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

from thresher.app.settings import AppSettings
from thresher.cli.app import read_server_settings, run_server
from thresher.cli.exits import Exit

__all__ = ["read_settings", "run"]


def run(args: Namespace) -> Exit:
    """Serve the API, unless anything is wrong with the options: then all of that is said."""
    return run_server(args, read_settings, prepare=lambda _: None)


def read_settings(args: Namespace) -> AppSettings:
    """Create the settings from the options; UsageError if they would be unsafe."""
    return replace(read_server_settings(args), only_api=True)
