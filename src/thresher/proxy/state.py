"""The state of a running proxy: what the addon and the settings pages share.

Settings, rules and block list are immutable objects that are replaced whole, so a page that is at
work keeps those it began with. All is for one event loop.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import shutil
import tempfile
import time
import weakref
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from thresher.errors import UsageError
from thresher.filters.blocklist import BlockList, own_blocklist
from thresher.proxy.settings import ProxySettings
from thresher.proxy.settings_file import write_settings
from thresher.proxy.statistics import Statistics
from thresher.proxy.steady_heads import SteadyHeads
from thresher.proxy.temporary_views import TemporaryViews
from thresher.sites.rulebook import HostRules, Rulebook, read_rulebook, save_rulebook
from thresher.support.atomic import save_text

__all__ = ["ListFile", "ProxyState", "load_list"]

_RULES_CHECK_S: Final = 1.0
"""Seconds between looks at the rulebook's file, which the app and the user change too."""
_LIST_NAME: Final = "blocklist.txt"


@dataclass(frozen=True, slots=True)
class ListFile:
    """A block list as workers get it: a file they read once, not a set that is sent with each page.

    No path is the list that ships with Thresher.
    """

    path: Path | None = None
    digest: str = ""
    """Of the file; another one is another list."""


@lru_cache(maxsize=2)
def load_list(file: ListFile) -> BlockList:
    """Return the block list of a file, kept for the next page; our own where it is not there."""
    if file.path is None:
        return own_blocklist()
    try:
        with file.path.open(encoding="utf-8") as lines:
            return BlockList.parse(lines)
    except OSError:
        return own_blocklist()


class ProxyState:
    """What there is one of in a proxy. Files are written whole or not at all."""

    def __init__(
        self,
        settings: ProxySettings,
        *,
        settings_path: Path | None = None,
        rules_path: Path | None = None,
        data_dir: Path | None = None,
    ) -> None:
        """Raise UsageError where the rulebook is none. A path that is None is not written to.

        ``data_dir`` is for what can be had again: block lists. Without it they are lost at the end.
        """
        self.settings_path = settings_path
        self.rules_path = rules_path
        self.data_dir = data_dir
        self.statistics = Statistics()
        self.temporary_views = TemporaryViews()
        self.steady_heads = SteadyHeads()
        self.rules_error = ""
        """Why the rulebook's file was not read when it was changed last; empty where it was."""
        self._settings = settings
        self._rulebook = read_rulebook(rules_path) if rules_path else Rulebook()
        self._rules_stamp = _stamp(rules_path)
        self._rules_checked_s = time.monotonic()
        self._blocklist = own_blocklist()
        self._list_file = ListFile()
        self._secret = secrets.token_bytes(32)

    @property
    def settings(self) -> ProxySettings:
        """The settings of now."""
        return self._settings

    def replace_settings(self, settings: ProxySettings) -> None:
        """Use other settings from the next page on, and save them; raises OSError.

        What belongs to the network (address, port, mode …) holds from the next start on.
        """
        if self.settings_path:
            # It holds passwords, if salted ones.
            save_text(self.settings_path, write_settings(settings), mode=0o600)
        self._settings = settings

    @property
    def rulebook(self) -> Rulebook:
        """The rules of all hosts, as in the file; read again where that was changed."""
        now = time.monotonic()
        if self.rules_path and now - self._rules_checked_s > _RULES_CHECK_S:
            self._rules_checked_s = now
            stamp = _stamp(self.rules_path)
            if stamp != self._rules_stamp:
                self._rules_stamp = stamp
                self.rules_error = ""
                try:
                    self._rulebook = read_rulebook(self.rules_path)
                except UsageError as error:
                    self.rules_error = str(error)
        return self._rulebook

    def replace_rules(self, host: str, rules: HostRules) -> None:
        """Set the rules of one host, and save them; UsageError for no host, raises OSError."""
        known = read_rulebook(self.rules_path) if self.rules_path else self._rulebook
        book = known.with_host(host, rules)
        if self.rules_path:
            save_rulebook(book, self.rules_path)
            self._rules_stamp = _stamp(self.rules_path)
        self._rulebook = book

    def remember(self, host: str, view: str | None) -> None:
        """Show a host's pages in a view from now on; None: as all others. Raises as above."""
        self.replace_rules(host, replace(self.rulebook.hosts.get(host, HostRules()), view=view))

    @property
    def blocklist(self) -> BlockList:
        """Hosts whose content is removed."""
        return self._blocklist

    @property
    def list_file(self) -> ListFile:
        """The same, for workers."""
        return self._list_file

    def replace_blocklist(self, blocklist: BlockList) -> None:
        """Use another block list from the next page on.

        It is written to the data folder, for the workers; raises OSError.
        """
        if self.data_dir is None:
            self.data_dir = Path(tempfile.mkdtemp(prefix="thresher-"))
            weakref.finalize(self, shutil.rmtree, self.data_dir, ignore_errors=True)
        lines = [*sorted(blocklist.blocked), *(f"@@{host}" for host in sorted(blocklist.excepted))]
        text = "\n".join(lines) + "\n"
        digest = hashlib.sha256(text.encode()).hexdigest()
        path = self.data_dir / _LIST_NAME
        save_text(path, text)
        self._list_file = ListFile(path, digest)
        self._blocklist = blocklist

    def token(self, user: str | None, purpose: str) -> str:
        """Return what a form carries so that nobody but the proxy's own pages can send it."""
        about = f"{user or ''}\0{purpose}".encode("utf-8", "surrogatepass")
        return hmac.new(self._secret, about, hashlib.sha256).hexdigest()[:32]

    def is_token(self, token: str, user: str | None, purpose: str) -> bool:
        """Say whether a token is that of a user and a purpose."""
        given = token.encode("utf-8", "surrogatepass")
        return hmac.compare_digest(given, self.token(user, purpose).encode())


def _stamp(path: Path | None) -> tuple[int, int, int] | None:
    """Return what changes with a file; None where it is not there."""
    if path is None:
        return None
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
