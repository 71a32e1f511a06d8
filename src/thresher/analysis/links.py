"""Links: their addresses, those to elements of the same page, and the signs of permalinks.

Campaigns, mailings and click counters append parameters to links; search engines and networks send
readers through a redirect of their own first. Neither changes where a link leads. Those that are
known are listed here; everything else in an address is kept byte for byte.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final, NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.native import Steps, kernel_with
from thresher.page import Page
from thresher.page.attributes import whole
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF
from thresher.page.text import count_at
from thresher.support.bounded_cache import MAX_ADDRESS_CHARS, bounded_cache
from thresher.support.cached import cached_view
from thresher.support.late import compile_late

_BASE: Final = CODE_OF["base"]
_WEB: Final = re.compile(r"https?://", re.IGNORECASE)
_REST: Final = r"(?:\?[^\x00-\x20;#]+)?(?:#[^\x00-\x20]+)?"
"""A query and a fragment; `urljoin` would leave out the sign before an empty one."""
_PLAIN_PATH: Final = re.compile(rf"(?:(?:/[\w-][\w.,-]*)+/?|/){_REST}", re.ASCII)
"""Root-relative addresses that need no normalisation: most links, and `urljoin` is slow."""
_PLAIN_ADDRESS: Final = re.compile(
    rf"https?://[\w.-]+(?::[0-9]+)?(?:/[^\x00-\x20;?#]*)?{_REST}", re.ASCII
)
"""Absolute addresses that are the same whatever they are relative to."""
_NO_HOST: Final = re.compile(r"[\x00-\x20<>^|]")
"""Characters that make a host unreadable (URL Living Standard, 3.1), of those that get this far."""
ADDRESS_BREAKS: Final = re.compile(r"[\t\n\r]+")
"""Characters that browsers, and `urlsplit`, remove from addresses (URL Standard, 4.4)."""
_MAX_BASES: Final = 256
"""Size of the cache of address roots; a page needs one."""
_MAX_GROWTH: Final = 8
"""Bytes that a base may add to all of a page's addresses, per byte of the page: as many as
canonical HTML may have."""
_MIN_GROWTH: Final = 2**16
"""Bytes that it may always add."""
_FOLLOWED_SCHEMES: Final = ("", "http", "https")
"""Schemes of links that lead to a page; empty for a relative address without a base."""


def find_base(page: Page) -> str | None:
    """Return the base of relative links, or None if it is unknown.

    It is the first `<base href>`, itself relative to the page's address (HTML Living Standard,
    2.4.3), else the page's address; also if that `<base>` is no address, or one of a script or
    of data (4.2.3). A base is unknown, so that links stay as they are written, if it is longer than
    `MAX_ADDRESS_CHARS`, or so long that the page's addresses would outgrow the page.
    """
    base, href = page.url or "", find_base_href(page)
    if href is not None and _may_be_base(stated := resolve_link(href, base)):
        base = stated
    return base if _WEB.match(base) and _is_in_proportion(base, page) else None


def _is_in_proportion(base: str, page: Page) -> bool:
    """Return whether a page's addresses can be made absolute without outgrowing it."""
    if len(base) > MAX_ADDRESS_CHARS:
        return False
    n_byte = len(escape(base).encode())
    # Every attribute could be an address.
    n_more = n_byte * page.attributes.row.size
    return n_more <= _MIN_GROWTH + _MAX_GROWTH * len(page.utf8)


def find_base_href(page: Page) -> str | None:
    """Return the address of the page's first `<base href>` as it is written, None without one."""
    for row in (page.tag[: page.n_own_row] == _BASE).nonzero()[0].tolist():
        if (href := page.attr(row, "href")) is not None:
            return href
    return None


def _may_be_base(url: str) -> bool:
    """Return whether a browser would resolve links against an address."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    if parts.scheme in ("http", "https"):
        return bool(host) and not _NO_HOST.search(host or "")
    return parts.scheme not in ("data", "javascript")


def resolve_link(target: str, base: str | None) -> str:
    """Return the absolute address of a link, or the link unchanged if it cannot be resolved."""
    target = target.strip()
    if not base or max(len(target), len(base)) > MAX_ADDRESS_CHARS:
        return target
    if _PLAIN_ADDRESS.fullmatch(target):
        return target
    if _PLAIN_PATH.fullmatch(target) and (root := _root_of(base)):
        return root + target
    try:
        return urljoin(base, target)
    except ValueError:  # such as an unclosed bracket where a host should be
        return target


@bounded_cache(_MAX_BASES)
def _root_of(base: str) -> str | None:
    """Return the part of an address before its path; None unless it is http or https."""
    try:
        parts = urlsplit(base)
    except ValueError:
        return None
    is_web = parts.scheme in ("http", "https") and parts.netloc
    return f"{parts.scheme}://{parts.netloc}" if is_web else None


def find_plain_root(base: str | None) -> str | None:
    """Return what to put before plain root-relative addresses, such as ``/a/b``, to resolve them.

    None if that depends on the address.
    """
    if not base:
        return ""
    root = _root_of(base)
    return root if root and _PLAIN_ADDRESS.fullmatch(root) else None


def find_target(href: str, base: str | None) -> str | None:
    """Return the address of a link that leads to another page, else None."""
    href = href.strip()
    if not href or href.startswith("#") or len(href) > MAX_ADDRESS_CHARS:
        return None
    if _PLAIN_ADDRESS.fullmatch(href):  # most are, and reading an address takes long
        return href
    url = resolve_link(href, base)
    if _PLAIN_ADDRESS.fullmatch(url):
        return url
    try:
        scheme = urlsplit(url).scheme
    except ValueError:
        return None
    return url if scheme in _FOLLOWED_SCHEMES else None


# -- tracking --------------------------------------------------------------------------------------

_PREFIXES: Final = (
    "utm_",  # Google Analytics, and others that adopted its names
    "mtm_",  # Matomo
    "pk_",  # Matomo under its former name, Piwik
    "bsft_",  # Blueshift
    "guce_",  # Yahoo
    "__hs",  # HubSpot
    "_hs",
)
_NAMES: Final = frozenset(
    (
        "_ga _gl dclid gad_campaignid gad_source gbraid gclid gclsrc srsltid wbraid"  # Google
        " fb_action_ids fb_action_types fb_ref fb_source fbclid igsh igshid"  # Meta
        " msclkid"  # Microsoft Advertising
        " twclid"  # X
        " ttclid"  # TikTok
        " li_fat_id"  # LinkedIn
        " epik"  # Pinterest
        " rdt_cid"  # Reddit
        " _openstat yclid ysclid"  # Yandex
        " ef_id s_kwcid"  # Adobe Advertising
        " at_campaign at_medium xtor"  # AT Internet
        " mc_cid mc_eid"  # Mailchimp
        " hsctatracking"  # HubSpot
        " mkt_tok"  # Marketo
        " ml_subscriber ml_subscriber_hash"  # MailerLite
        " ck_subscriber_id"  # Kit
        " vero_conv vero_id"  # Vero
        " oly_anon_id oly_enc_id"  # Omeda
        " dm_i"  # Dotdigital
        " trk_contact trk_module trk_msg trk_sid"  # Listrak
        " _branch_match_id _branch_referrer"  # Branch
        " wickedid"  # Wicked Reports
        " guccounter"  # Yahoo
    ).split()
)
"""Parameters that identify a click or its origin, by the service that sets them; lower case.

Collected by hand from the documentation of these services. Names that select content on some sites
(`ref`, `source`, `cid`) are left out.
"""
_MAYBE: Final = compile_late(
    rf"[?&#;](?:{'|'.join(map(re.escape, (*_PREFIXES, *sorted(_NAMES))))})", re.IGNORECASE
)
_REDIRECTS: Final[tuple[tuple[re.Pattern[str], str, tuple[str, ...]], ...]] = (
    (re.compile(r"(?:www\.)?google\.[a-z.]{2,6}"), "/url", ("q", "url")),
    (re.compile(r"(?:l|lm)\.(?:facebook|instagram)\.com"), "/l.php", ("u",)),
    (re.compile(r"l\.instagram\.com"), "/", ("u",)),
    (re.compile(r"(?:www\.)?facebook\.com"), "/l.php", ("u",)),
    (re.compile(r"(?:www\.)?youtube\.com"), "/redirect", ("q",)),
    (re.compile(r"duckduckgo\.com"), "/l/", ("uddg",)),
    (re.compile(r"(?:www\.)?linkedin\.com"), "/redir/redirect", ("url",)),
    (re.compile(r"vk\.com"), "/away.php", ("to",)),
    (re.compile(r"steamcommunity\.com"), "/linkfilter/", ("url", "u")),
    (re.compile(r"slack-redir\.net"), "/link", ("url",)),
    (re.compile(r"\w+\.safelinks\.protection\.outlook\.com"), "/", ("url",)),
)
"""Host, path, and the parameters that hold the target address."""
_MAYBE_REDIRECT: Final = compile_late(
    r"https?://[\w.-]*(?:google|facebook|instagram|youtube|duckduckgo|linkedin|vk|steamcommunity"
    r"|slack-redir|outlook)\.[a-z.]{1,40}/[^?#]*\?",
    re.IGNORECASE,
)
_WEB_PAGE: Final = re.compile(r"https?://[^\s/]", re.IGNORECASE)
_MAX_REDIRECTS: Final = 3


def clean_address(url: str) -> str:
    """Return an address without the parameters and redirects that only count clicks."""
    if not ("?" in url or "#" in url or "&" in url or ";" in url):
        return url
    for _ in range(_MAX_REDIRECTS):
        target = _redirect_target(url) if _MAYBE_REDIRECT.match(url) else None
        if target is None:
            break
        url = target
    if not _MAYBE.search(url):
        return url
    head, hash_sign, fragment = url.partition("#")
    path, mark, query = head.partition("?")
    query, fragment = _without_tracking(query), _without_tracking(fragment)
    return f"{path}{mark if query else ''}{query}{hash_sign if fragment else ''}{fragment}"


def _without_tracking(query: str) -> str:
    """Return the other parameters, in their original order and spelling."""
    parameters = query.split("&")
    kept = [parameter for parameter in parameters if not _tracks(parameter)]
    return query if len(kept) == len(parameters) else "&".join(kept)


def _tracks(parameter: str) -> bool:
    name = parameter.removeprefix("amp;").partition("=")[0].lower()
    return name in _NAMES or name.startswith(_PREFIXES)


def _redirect_target(url: str) -> str | None:
    if len(url) > MAX_ADDRESS_CHARS:
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return None
    for pattern, path, names in _REDIRECTS:
        if parts.path != path or not pattern.fullmatch(host):
            continue
        values = dict(pair.partition("=")[::2] for pair in reversed(parts.query.split("&")))
        targets = (unquote(values.get(name, "").replace("+", "%20")) for name in names)
        return next((target for target in targets if _WEB_PAGE.match(target)), None)
    return None


# -- links into the page itself --------------------------------------------------------------------

_A: Final = CODE_OF["a"]
_DEAD: Final = ("#", "#!")
"""Addresses of links for which a script waits."""
_TOGGLES: Final = ("data-toggle", "data-bs-toggle")
_TOGGLED: Final = rb"collapse|dropdown|modal|pill|tab"
"""What Bootstrap opens and closes, and shows in place of another; a tip may be a footnote."""


class InnerLink(NamedTuple):
    """A link to an element of its own page."""

    row: int
    name: str
    """The element's id or name."""
    target: int
    """The element's row, −1 if it does not exist."""


def find_inner_links(page: Page, keep: BoolArray) -> list[InnerLink]:
    """Return the links with kept leaves that point into the page itself, in document order."""
    return find_links_within(page, keep).inner


class LinksWithin(NamedTuple):
    """Links to the page itself, in document order."""

    inner: list[InnerLink]
    dead: list[int]
    """Rows of those for which a script waits: without a target, or to what they open."""


def find_links_within(page: Page, keep: BoolArray) -> LinksWithin:
    """Find the links with kept leaves that point to the page itself."""
    marked = find_marked_links(page, keep)
    if not marked.size:
        return LinksWithin([], [])
    attributes = page.attributes
    entries = attributes.named("href")
    entries = entries[page.flag(marked).take(attributes.row.take(entries))]
    opening = set(attributes.rows_named("aria-expanded").tolist())
    for attribute in _TOGGLES:
        opening.update(attributes.rows_matching(attribute, whole(_TOGGLED)).tolist())
    named: list[tuple[int, str]] = []
    dead: list[int] = []
    for row, address in watch(attributes.values_of(entries).items()):
        before, _, name = address.strip().partition("#")
        if address.strip() in _DEAD or (not before and row in opening):
            dead.append(row)
        elif name and (not before or is_own_address(page, before)):
            named.append((row, unquote(name)))
    targets = _find_targets(page) if named else {}
    inner = [InnerLink(row, name, targets.get(name, -1)) for row, name in watch(named)]
    return LinksWithin(inner, dead)


@cached_view
def _find_targets(page: Page) -> dict[str, int]:
    """Return id or name → the row of the first element with it, ids first."""
    attributes = page.attributes
    targets = {name: row for row, name in reversed(attributes.values("name").items())}
    targets |= {name: row for row, name in reversed(attributes.values("id").items())}
    return targets


def _find_marked_by_step(steps: Steps, page: Page, keep: BoolArray) -> IntArray | None:
    columns = (page.tag, page.end, page.open_start, page.open_stop, page.leaf_offset)
    return steps.find_marked_links(page.buffer, *columns, keep, _A)


@kernel_with(_find_marked_by_step)
def find_marked_links(page: Page, keep: BoolArray) -> IntArray:
    """Find the links with kept leaves and a # in their tags, usually few; int32[n]."""
    rows = (page.tag == _A).nonzero()[0].astype(np.int32)
    first, stop = page.leaf_offset[rows], page.leaf_offset[page.end[rows]]
    rows = rows[count_at(keep, stop) > count_at(keep, first)]
    spans = zip(page.open_start[rows].tolist(), page.open_stop[rows].tolist(), strict=True)
    find = page.buffer.find
    return np.asarray(rows[[find(b"#", start, stop) >= 0 for start, stop in spans]])


def is_own_address(page: Page, address: str) -> bool:
    """Return whether an address is the page's; False if that is not known."""
    if page.url is None:
        return False
    return resolve_link(address, page.url) == page.url.partition("#")[0]


# -- signs of permalinks ---------------------------------------------------------------------------

_PERMALINK_CLASS: Final = re.compile(
    r"(?i)(?:^|[\s_-])(?:anchor|anchor-?link|hash-?link|header-?link|heading-?link|permalink)"
    r"(?:$|[\s_-])"
)
"""Class names used by documentation generators: Sphinx, Docusaurus, GitHub, MkDocs, Hugo themes."""
_SCRIPT: Final = re.compile(r"javascript:", re.IGNORECASE)
_SIGNS: Final = frozenset("#¶§∞⚓🔗↩⁋")
"""Characters that permalinks show."""
_WORD: Final = re.compile(r"\w")
_INNER: Final = b'="#'
"""What the tag of every link to an element of the page contains."""


def find_signs_of(page: Page, links: npt.NDArray[np.integer]) -> list[int]:
    """Return those of some links of headings that are not part of the words."""
    shown = links[page.has_text(links)].tolist()
    return [row for row in shown if is_sign(page, row) or _is_label(page, row)]


def is_sign(page: Page, row: int) -> bool:
    """Return whether a link of a heading is a mere sign.

    Not if it leads elsewhere, as the "&" of a type in a signature does.
    """
    text = page.text_of(row)
    if _WORD.search(text):
        return False
    address = (page.attr(row, "href") or "").strip()
    if not address or address.startswith("#") or _SCRIPT.match(address):
        return True
    return is_named_permalink(page, row) or not _SIGNS.isdisjoint(text)


def is_named_permalink(page: Page, row: int) -> bool:
    """Return whether the class of a link says that it is a permalink."""
    return bool(_PERMALINK_CLASS.search(page.attr(row, "class") or ""))


def _is_label(page: Page, row: int) -> bool:
    """Return whether a link has words that name it, such as "Link to this heading"."""
    if page.buffer.find(_INNER, page.open_start[row], page.open_stop[row]) < 0:
        return False  # as most
    if not (page.attr(row, "href") or "").startswith("#") or not is_named_permalink(page, row):
        return False
    own, around = row, int(page.parent[row])
    chars = page.chars_before
    return bool(chars[page.end[own]] - chars[own] < chars[page.end[around]] - chars[around])
