"""Politeness: the Robots Exclusion Protocol (RFC 9309), and the pages of one article in turn.

Protego parses the rules; here they are fetched, cached, and simplified before parsing.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from thresher.errors import FetchError, ThresherError
from thresher.fetching.model import DELAY_S, MAX_DELAY_S, USER_AGENT, Fetched, Get

if TYPE_CHECKING:
    from protego import Protego

_TOKEN: Final = re.compile(r"[A-Za-z_-]+")
"""The product token of a user agent (RFC 9309, 2.2.1)."""
_AGENT_LINE: Final = re.compile(r"\s*user[- ]?agent\s*:?\s*([^#]*)", re.IGNORECASE)
_OTHERS: Final = "User-agent: all others"
"""Replaces all groups for other robots; no product token contains a space."""
_BUSY: Final = 429
"""Too Many Requests: temporary, so unlike other 4xx it does not mean that there are no rules."""


@dataclass(slots=True)
class Robots:
    """The robots.txt of each site, fetched once.

    A site without one (4xx, or too many redirects) allows everything; one whose robots.txt is
    unreachable (5xx, no answer, too large) allows nothing (RFC 9309, 2.3.1).
    """

    get: Get
    """Function that fetches a robots.txt, with a limit such as `MAX_ROBOTS_BYTES`."""
    user_agent: str = USER_AGENT
    """Our user agent; rules apply to its leading product token."""
    _rules: dict[str, Protego | bool] = field(default_factory=dict)

    def allows(self, url: str) -> bool:
        """Return whether the robot may fetch an absolute http or https URL."""
        rules = self._rules_for(url)
        return rules if isinstance(rules, bool) else rules.can_fetch(url, self._token)

    def delay_s(self, url: str) -> float:
        """Return the crawl delay of a site in seconds, 0 without one."""
        rules = self._rules_for(url)
        return 0.0 if isinstance(rules, bool) else rules.crawl_delay(self._token) or 0.0

    def pause_s(self, url: str, minimum_s: float = DELAY_S) -> float:
        """Return the seconds to wait before a page, at least the given minimum.

        Raises FetchError for a page that robots.txt disallows, and for a crawl delay above
        `MAX_DELAY_S`.
        """
        if not self.allows(url):
            raise FetchError("robots.txt asks robots not to fetch it", url=url)
        asked_s = self.delay_s(url)
        if asked_s > MAX_DELAY_S:
            message = f"robots.txt asks for {asked_s:g} s between pages, too long to wait for"
            raise FetchError(message, url=url)
        return max(asked_s, minimum_s)

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
        # Imported late, as most commands need no robots.txt.
        from protego import Protego

        try:
            fetched: Fetched = self.get(url)
        except FetchError as error:
            status = error.status or 500
            return 300 <= status < 500 and status != _BUSY
        except ThresherError:
            return False
        return Protego.parse(_narrow(fetched.body.decode("utf-8", "replace"), self._token))


def _narrow(text: str, token: str) -> str:
    """Merge the names of groups for other robots, as Protego copies rules for each name."""
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


@dataclass(slots=True)
class Trail:
    """Follows next pages within one site, without visiting a page twice."""

    url: str
    """The first page."""
    body: bytes
    """The body of the first page, already fetched."""
    get: Get
    robots: Robots
    sleep: Callable[[float], object] = time.sleep
    """Waits for a number of seconds."""
    _visited: set[str] = field(init=False)
    _digests: set[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self._visited = {_without_fragment(self.url)}
        self._digests = {_digest(self.body)}

    def follow(self, url: str) -> Fetched | None:
        """Fetch the next page, after a delay; None if it was visited before.

        Raises FetchError for a page of another site, and otherwise as `Robots.pause_s` and ``get``
        do.
        """
        if _without_fragment(url) in self._visited:
            return None
        self._check_site(url, url)
        self.sleep(self.robots.pause_s(url))
        fetched = self.get(url)
        self._check_site(fetched.url, url)
        seen = (
            _without_fragment(fetched.url) in self._visited
            or _digest(fetched.body) in self._digests
        )
        self._visited |= {_without_fragment(url), _without_fragment(fetched.url)}
        self._digests.add(_digest(fetched.body))
        return None if seen else fetched

    def _check_site(self, url: str, asked: str) -> None:
        if _site_of(url) != _site_of(self.url):
            raise FetchError(f"it is of another site: {url}", url=asked)


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]


def _site_of(url: str) -> str:
    """Return host and port, without ``www.``, as a site may use http and https."""
    return urlsplit(url).netloc.lower().removeprefix("www.")


def _digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).digest()
