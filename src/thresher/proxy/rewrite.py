"""One page in the view that was asked for: what a worker does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from thresher.document import Document
from thresher.errors import InputError
from thresher.extract import extract, read_page
from thresher.filters import filter_page
from thresher.filters.blocklist import BlockList
from thresher.page.decode import Decoded, decode
from thresher.proxy.badge import Badge, write_badge
from thresher.proxy.buffered_body import find_head
from thresher.proxy.encode import encode_as
from thresher.proxy.generated_pages import POLICY, write_reader, write_text_page
from thresher.proxy.headline import keep_headline
from thresher.proxy.navigation import charset_of
from thresher.proxy.passthrough import passthrough_reason
from thresher.proxy.settings import Profile
from thresher.proxy.state import ListFile, load_list
from thresher.sites import Rulebook, Rules, SiteFolder, force
from thresher.sites.rulebook import NO_RULES, HostRules
from thresher.writers import FORMATS

__all__ = ["NOTES", "ReceivedPage", "RewriteOptions", "Rewritten", "rewrite"]

NOTES: Final[Mapping[str, str]] = {
    "original": "This is the original page.",
    "inplace": "Menus, advertisements and the like were taken out of this page.",
    "reader": "The main content of the page.",
    "text": "The text of the page.",
}
"""What the mark says of each view."""
_NO_RULES: Final = Rules()
_LEFT: Final = "left alone"
_WHOLE_PAGE: Final = re.compile(r"<(?:!doctype|html|head|body|title|frameset)\b", re.IGNORECASE)
_WHOLE_PAGE_CHARS: Final = 4096
"""Characters in which a page says that it is a whole one."""
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class ReceivedPage:
    """A page as its server sent it."""

    body: bytes
    """Decompressed."""
    content_type: str
    """The header."""
    url: str


@dataclass(frozen=True, slots=True)
class RewriteOptions:
    """What is known of a page and of the request for it, beside its address."""

    forced: bool = False
    """The view was chosen for this page or site: show it so, whatever kind of page it is."""
    is_part: bool = False
    """It is shown in a frame of another page: filters work, the method does not, nor the mark."""
    is_guess: bool = False
    """The request did not say that it was for a page."""
    is_plain: bool = False
    """Whoever asks takes no HTML, so that text can be sent as such."""
    badge: Badge | None = None
    """Links for the mark; None for no mark."""
    n_sent: int = 0
    """Bytes of the body that were sent on already."""
    deadline_s: float | None = None
    sites: SiteFolder | None = None
    """What was learned from other pages, by host."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What became of a page."""

    outcome: str
    """The view, or "left alone"."""
    body: bytes | None = None
    """What follows the bytes that were sent already; None: the page goes on as it came."""
    content_type: str | None = None
    """None: the server's."""
    policy: str | None = None
    """The Content Security Policy of a page of ours; None for the site's page."""
    reason: str = ""
    """Why it was left alone."""
    removed: Mapping[str, int] = field(default_factory=dict)
    """Filter → elements."""
    removed_chars: int = 0
    keeps_head: bool = False
    """The page begins with the head it came with, which so could have been sent on early."""


def rewrite(
    page: ReceivedPage,
    profile: Profile,
    rules: HostRules = NO_RULES,
    blocklist: BlockList | ListFile | None = None,
    options: RewriteOptions | None = None,
) -> Rewritten:
    """Rewrite a page as ``profile`` says, but as ``rules`` say where they have a view or a method.

    Raises InputError for what is no page, LimitError beyond the deadline, UsageError for rules or a
    site that are none; then the page is to be passed on as it is.
    """
    options = options or RewriteOptions()
    view = rules.view or profile.view
    charset = charset_of(page.content_type)
    read = decode(page.body, http_charset=charset)
    if options.is_guess and not _WHOLE_PAGE.search(read.text, 0, _WHOLE_PAGE_CHARS):
        return Rewritten("original", reason="a part of a page")
    source = _Source(page, read, options)
    if view == "original":
        return source.send(read.text, "original")
    if options.is_part:
        return _filter_part(source, profile, blocklist) if view == "inplace" else _NOTHING
    has_rules = rules.rules != _NO_RULES
    document = extract(
        page.body,
        url=page.url,
        http_charset=charset,
        method=rules.method or profile.method,
        site=options.sites.site_of(page.url) if options.sites else None,
        rules=Rulebook({Rulebook().host_for(page.url): rules}) if has_rules else None,
        deadline_s=options.deadline_s,
    )
    if view == "inplace" and (kept := keep_headline(document)) is not document:
        document = replace(kept, selection=force(kept.selection, rules.rules))
    reason = passthrough_reason(document)
    if reason and not (options.forced and document.selection.keep.any()):
        return source.send(read.text, _LEFT, f"Left as it is: {reason}.", reason=reason)
    if view == "inplace":
        return _filter_document(source, document, profile, blocklist)
    return _write_own(document, view, options)


@dataclass(frozen=True, slots=True)
class _Source:
    """A page as it came, and as it was read."""

    page: ReceivedPage
    read: Decoded
    options: RewriteOptions

    def send(
        self,
        html: str,
        outcome: str,
        note: str | None = None,
        *,
        reason: str = "",
        removed: Mapping[str, int] | None = None,
        removed_chars: int = 0,
    ) -> Rewritten:
        """Send the page's source as it was changed, with the mark, in the page's encoding.

        InputError where what was sent on already is not what the page begins with now.
        """
        badge, body = self.options.badge, self.page.body
        if html == self.read.text:
            # Not decoded and encoded again: that may not be the same where it is malformed.
            changed, encoding = body, self.read.encoding
        else:
            changed, encoding = encode_as(html, self.read.encoding)
            if encoding == "utf-8" and body.startswith(_BOM):
                changed = _BOM + changed
        if badge is not None and not encoding.startswith("utf-16"):
            changed += write_badge(badge, note or NOTES[outcome]).encode("ascii")
        elif changed is body:
            return Rewritten(outcome, reason=reason)
        n_sent = self.options.n_sent
        if changed[:n_sent] != body[:n_sent]:
            raise InputError("the head of the page was sent already, and is another now")
        return Rewritten(
            outcome,
            changed[n_sent:],
            None if n_sent or html == self.read.text else f"text/html; charset={encoding}",
            reason=reason,
            removed=removed or {},
            removed_chars=removed_chars,
            keeps_head=changed.startswith(find_head(body)),
        )


_NOTHING: Final = Rewritten("original", reason="a part of a page")


def _filter_document(
    source: _Source, document: Document, profile: Profile, blocklist: BlockList | ListFile | None
) -> Rewritten:
    done = filter_page(
        document.page, profile.filters, _list_of(blocklist), keep=document.selection.keep
    )
    return source.send(
        done.html, "inplace", removed=dict(done.removed), removed_chars=done.removed_chars
    )


def _filter_part(
    source: _Source, profile: Profile, blocklist: BlockList | ListFile | None
) -> Rewritten:
    came = source.page
    charset = charset_of(came.content_type)
    page = read_page(came.body, url=came.url, http_charset=charset)
    done = filter_page(page, profile.filters, _list_of(blocklist), keep=None)
    if not done.removed:
        return _NOTHING
    return source.send(
        done.html, "inplace", removed=dict(done.removed), removed_chars=done.removed_chars
    )


def _write_own(document: Document, view: str, options: RewriteOptions) -> Rewritten:
    if view == "text" and options.is_plain:
        body = document.text.encode("utf-8", "replace")
        return Rewritten(view, body, FORMATS["text"].content_type, POLICY)
    write = write_reader if view == "reader" else write_text_page
    body = write(document, options.badge, NOTES[view]).encode("utf-8", "replace")
    return Rewritten(view, body, "text/html; charset=utf-8", POLICY)


def _list_of(blocklist: BlockList | ListFile | None) -> BlockList:
    return blocklist if isinstance(blocklist, BlockList) else load_list(blocklist or ListFile())
