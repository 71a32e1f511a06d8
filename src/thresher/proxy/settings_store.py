"""Settings of a running proxy: those of the file, read again when it changes, and the options.

Several proxies and people may write the same file. A save therefore locks it, reads it again and
changes only what was changed here.
"""

from __future__ import annotations

import time
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from thresher.errors import UsageError
from thresher.proxy.run_options import NO_OPTIONS, RunOptions
from thresher.proxy.settings import ProxySettings
from thresher.proxy.settings_file import read_settings, write_settings
from thresher.proxy.settings_merge import merge
from thresher.support.files import lock_file, save_text, stamp_of

__all__ = ["SettingsStore"]

_CHECK_S: Final = 1.0
"""Seconds between checks of the file."""


class SettingsStore:
    """The settings of one run, in memory and in their file."""

    def __init__(
        self, stored: ProxySettings, run: RunOptions = NO_OPTIONS, path: Path | None = None
    ) -> None:
        """``stored`` are the settings of the file; UsageError if the options do not fit them.

        A path of None disables saving.
        """
        self.path = path
        self.error = ""
        """Why the last change of the file could not be read; empty if it could."""
        self._run = run
        self._stored = stored
        self._current = run.apply(stored)
        self._listens = self._current.listen_host
        self._stamp = stamp_of(path)
        self._checked_s = time.monotonic()

    @property
    def current(self) -> ProxySettings:
        """The settings of the run; the file is read again if it has changed."""
        now = time.monotonic()
        if self.path and now - self._checked_s > _CHECK_S:
            self._checked_s = now
            stamp = stamp_of(self.path)
            if stamp != self._stamp:
                self._stamp = stamp
                self._read_again(self.path)
        return self._current

    @property
    def stored(self) -> ProxySettings:
        """The settings of the file, without the options of the run."""
        return self._stored

    @property
    def of_run(self) -> RunOptions:
        """The options of the command line that still hold."""
        return self._run

    def replace(self, settings: ProxySettings) -> None:
        """Apply settings of the run and save what is changed.

        Raises UsageError if the file has become invalid or the proxy would serve other machines
        without authentication, OSError if it cannot be written; then nothing has changed.
        """
        with lock_file(self.path) if self.path else nullcontext():
            known = read_settings(self.path) if self.path and self.path.exists() else self._stored
            stored = merge(self._current, settings, known, self._run)
            self._apply(stored, self._run.without_changes(self._current, settings))

    def replace_file(self, stored: ProxySettings) -> None:
        """Replace what the file says; the options of the run still hold. Raises as above."""
        with lock_file(self.path) if self.path else nullcontext():
            self._apply(stored, self._run)

    def _apply(self, stored: ProxySettings, run: RunOptions) -> None:
        current = run.apply(stored)
        self._check(current)
        if self.path:
            # The file contains password hashes.
            save_text(self.path, write_settings(stored), mode=0o600)
            self._stamp = stamp_of(self.path)
        self._stored, self._run, self._current, self.error = stored, run, current, ""

    def _read_again(self, path: Path) -> None:
        self.error = ""
        try:
            # An editor may replace the file in two steps; a file that is gone changes nothing.
            stored = read_settings(path) if path.exists() else self._stored
            current = self._run.apply(stored)
            self._check(current)
        except UsageError as error:
            self.error = str(error)
        else:
            self._stored, self._current = stored, current

    def _check(self, settings: ProxySettings) -> None:
        """Raise UsageError if other machines could use the proxy without a password."""
        if settings.is_open or (not settings.users and self._is_shared):
            raise UsageError(
                "users: the proxy serves other machines, so it needs at least one user"
            )

    @property
    def _is_shared(self) -> bool:
        return ProxySettings(listen_host=self._listens).is_open
