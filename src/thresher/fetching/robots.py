"""What sites ask of robots: the Robots Exclusion Protocol, RFC 9309.

Protego reads the rules; here they are fetched, kept, and made safe to read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from thresher.errors import FetchError, ThresherError
from thresher.fetching.limits import USER_AGENT
from thresher.fetching.model import Fetched, Get

if TYPE_CHECKING:
    from protego import Protego

__all__ = ["Robots"]

_TOKEN: Final = re.compile(r"[A-Za-z_-]+")
"""The product token of a user agent (RFC 9309, 2.2.1)."""
_AGENT_LINE: Final = re.compile(r"\s*user[- ]?agent\s*:?\s*([^#]*)", re.IGNORECASE)
_OTHERS: Final = "User-agent: all others"
"""Stands for every group that is not about us; no token has a space."""
_BUSY: Final = 429
"""Too Many Requests: no refusal for good, so no “there are no rules”, unlike the rest of 4xx."""


@dataclass(slots=True)
class Robots:
    """The robots.txt of every site that was asked about, each fetched once.

    A site without one (4xx, or endless redirects) allows everything; one that cannot say (5xx, no
    answer, one too large to read) allows nothing (RFC 9309, 2.3.1).
    """

    get: Get
    """How a robots.txt is fetched: give it a limit such as `MAX_ROBOTS_BYTES`."""
    user_agent: str = USER_AGENT
    """The name we go by; what counts is the token it begins with."""
    _rules: dict[str, Protego | bool] = field(default_factory=dict)

    def allows(self, url: str) -> bool:
        """Tell whether a robot may fetch an absolute http or https URL."""
        rules = self._rules_for(url)
        return rules if isinstance(rules, bool) else rules.can_fetch(url, self._token)

    def delay_s(self, url: str) -> float:
        """Return the seconds between two requests that a site asks for, 0 if it asks for none."""
        rules = self._rules_for(url)
        return 0.0 if isinstance(rules, bool) else rules.crawl_delay(self._token) or 0.0

    @property
    def _token(self) -> str:
        match = _TOKEN.match(self.user_agent)
        return match[0].lower() if match else "*"

    def _rules_for(self, url: str) -> Protego | bool:
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}".lower()
        if site not in self._rules:
            self._rules[site] = self._fetch(f"{site}/robots.txt")
        return self._rules[site]

    def _fetch(self, url: str) -> Protego | bool:
        # Most commands never ask a robots.txt.
        from protego import Protego  # noqa: PLC0415

        try:
            fetched: Fetched = self.get(url)
        except FetchError as error:
            status = error.status or 500
            return 300 <= status < 500 and status != _BUSY
        except ThresherError:
            return False
        return Protego.parse(_narrow(fetched.body.decode("utf-8", "replace"), self._token))


def _narrow(text: str, token: str) -> str:
    """Give all groups for others one name: every rule is kept once for each name of its group."""
    lines = []
    for line in text.removeprefix("\ufeff").splitlines():
        match = _AGENT_LINE.match(line)
        if match is None:
            lines.append(line)
            continue
        names = match[1].strip().lower()
        ours = names == "*" or names.replace("*", "").strip() == token
        if ours or not lines or lines[-1] != _OTHERS:
            lines.append(line if ours else _OTHERS)
    return "\n".join(lines)
