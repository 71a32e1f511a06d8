"""Rewriting of one page into a view; runs in a worker process."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from thresher.deadline import deadline
from thresher.document import Document, Verdict
from thresher.errors import InputError
from thresher.extraction import extract_request, read_page
from thresher.filters import Filtered, Filters, filter_page, first_stage
from thresher.filters.apply import drop_unwanted
from thresher.filters.blocklist import BlockList
from thresher.filters.filter_context import Forced
from thresher.filters.switches import switch_filters
from thresher.page import Page
from thresher.page.canonical import canonicalise
from thresher.page.decode import read_utf8
from thresher.page.rows import BoolArray
from thresher.proxy.applications import is_application
from thresher.proxy.badge import write_badge
from thresher.proxy.buffered_body import find_head
from thresher.proxy.encode import encode_as
from thresher.proxy.generated_pages import POLICY, write_reader, write_text_page
from thresher.proxy.navigation import XHTML, charset_of
from thresher.proxy.passthrough import find_rows, passthrough_reason
from thresher.proxy.removed_elements import describe_removed
from thresher.proxy.rewrite_model import ReceivedPage, RewriteOptions, Rewritten
from thresher.proxy.rule_style import write_frame_style, write_rule_style
from thresher.proxy.settings import Profile
from thresher.proxy.state import ListFile, load_list
from thresher.proxy.xhtml import is_xhtml, settle_xhtml, spell_out_empty
from thresher.request import SelectRequest
from thresher.sites import Rulebook, Rules
from thresher.sites.apply import match_rules
from thresher.sites.rulebook import NO_RULES, HostRules
from thresher.support.hosts import host_of
from thresher.writers import FORMATS
from thresher.writers.inplace import keep_in_place

__all__ = ["NOTES", "rewrite"]

NOTES: Final[Mapping[str, str]] = {
    "original": "This is the original page.",
    "inplace": "Menus, ads and other clutter were removed from this page.",
    "reader": "Main content of the page.",
    "text": "Text of the page.",
}
"""Note in the badge for each view."""
_NO_RULES: Final = Rules()
_LEFT_ALONE: Final = "left alone"
_APPLICATION: Final = "an application or a shop"
_WHOLE_PAGE: Final = re.compile(r"<(?:!doctype|html|head|body|title|frameset)\b", re.IGNORECASE)
_WHOLE_PAGE_CHARS: Final = 4096
"""Characters within which a complete page is recognized."""
_BOM: Final = b"\xef\xbb\xbf"


def rewrite(
    page: ReceivedPage,
    profile: Profile,
    rules: HostRules = NO_RULES,
    blocklist: BlockList | ListFile | None = None,
    options: RewriteOptions | None = None,
) -> Rewritten:
    """Rewrite a page according to ``profile``, over which the choices in ``rules`` take precedence.

    Raises InputError for non-HTML input, LimitError beyond the deadline, UsageError for invalid
    rules or an invalid site file; the page is then to be passed unchanged.
    """
    profile = replace(profile, filters=switch_filters(profile.filters, rules.filters))
    rewrite_page = _rewrite_xhtml if is_xhtml(page.content_type) else _rewrite_html
    options = options or RewriteOptions()
    # Read once in each process, which is not the page's time.
    known = blocklist if isinstance(blocklist, BlockList) else load_list(blocklist or ListFile())
    with deadline(options.deadline_s):
        return rewrite_page(page, profile, rules, known, options)


def _rewrite_html(
    page: ReceivedPage,
    profile: Profile,
    rules: HostRules,
    blocklist: BlockList,
    options: RewriteOptions,
) -> Rewritten:
    view = rules.view or profile.view
    charset = charset_of(page.content_type)
    utf8, encoding = read_utf8(page.body, http_charset=charset)
    text = utf8.decode()
    if options.is_guess and not _WHOLE_PAGE.search(text, 0, _WHOLE_PAGE_CHARS):
        return Rewritten("original", reason="a part of a page")
    source = _Source(page, text, encoding, options, rules.rules)
    if view == "original":
        return source.send(text, "original")
    if options.is_part:
        return _filter_part(source, profile, blocklist) if view == "inplace" else _NOTHING
    has_rules = rules.rules != _NO_RULES
    request = SelectRequest(
        rules.method or profile.method,
        site=options.sites.site_of(page.url) if options.sites else None,
        rules=Rulebook({Rulebook().host_for(page.url): rules}) if has_rules else None,
    )
    document = extract_request(page.body, request, url=page.url, http_charset=charset)
    reason = passthrough_reason(document)
    works = is_application(document) or (None if reason else False)
    if not reason and (works or options.of_application):
        reason = _APPLICATION
    if reason and not (options.forced and document.selection.keep.any()):
        done = _pass_on(source, document, profile, blocklist, reason)
        return replace(done, is_application=works)
    if reason:
        document = _with_rows(document)
    if view == "inplace":
        document = replace(document, selection=keep_in_place(document))
        done = _filter_document(source, document, profile, blocklist)
    else:
        keep = drop_unwanted(document.page, profile.filters, blocklist, document.selection.keep)
        document = replace(document, selection=replace(document.selection, keep=keep))
        done = _generate(document, view, options)
    return replace(done, is_application=works)


def _rewrite_xhtml(
    page: ReceivedPage,
    profile: Profile,
    rules: HostRules,
    blocklist: BlockList,
    options: RewriteOptions,
) -> Rewritten:
    """Rewrite a page that is XML, and leave it XML."""
    try:
        html = spell_out_empty(page.body.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError("XHTML in another encoding than UTF-8") from error
    read = ReceivedPage(html.encode(), "text/html; charset=utf-8", page.url)
    done = _rewrite_html(read, profile, rules, blocklist, options)
    if done.body is None or done.policy:
        return done
    body = settle_xhtml(done.body.decode()).encode()
    return replace(done, body=body, content_type=f"{XHTML}; charset=utf-8")


def _with_rows(document: Document) -> Document:
    """Return a list of which all rows are kept, whatever the method kept of them."""
    page, selection = document.page, document.selection
    rows = find_rows(document)
    if rows is None:
        return document
    added = page.within(rows)[page.leaves] & ~selection.dropped_by_rule
    return replace(document, selection=selection.with_leaves(added))


@dataclass(frozen=True, slots=True)
class _Source:
    """Page as received and as decoded."""

    page: ReceivedPage
    text: str
    encoding: str
    options: RewriteOptions
    rules: Rules
    """What the user always keeps and drops on the site."""

    def filter(
        self,
        page: Page,
        filters: Filters,
        blocklist: BlockList,
        *,
        keep: BoolArray | None = None,
        dropped: BoolArray | None = None,
    ) -> Filtered:
        """Filter the page that was received, which ``page`` is, by the user's rules too."""
        forced = None if self.rules == _NO_RULES else Forced(*match_rules(page, self.rules))
        lists = self.options.lists_removed
        sent = self.page.body[: self.options.n_sent].removeprefix(_BOM)
        done = filter_page(
            page,
            filters,
            blocklist,
            keep=keep,
            dropped=dropped,
            forced=forced,
            n_fixed_char=len(sent.decode("utf-8", "replace")),
            lists_rows=lists,
        )
        style = write_frame_style(self.text, filters, blocklist, host_of(self.page.url))
        return replace(done, html=done.html + style)

    def parse(self) -> Page:
        """Return the page as it was received, without anything attached."""
        charset = charset_of(self.page.content_type)
        return read_page(self.page.body, url=self.page.url, http_charset=charset)

    def send(
        self,
        html: str,
        outcome: str,
        note: str | None = None,
        *,
        reason: str = "",
        done: Filtered | None = None,
        page: Page | None = None,
    ) -> Rewritten:
        """Return the changed source with the badge, in the page's encoding.

        ``done`` says what was removed from ``page``. Raises InputError if the result does not begin
        with the bytes that were already sent.
        """
        options, body = self.options, self.page.body
        if html == self.text:
            # Not decoded and re-encoded: that may differ for malformed input.
            changed, encoding = body, self.encoding
        else:
            changed, encoding = encode_as(html, self.encoding)
            if encoding == "utf-8" and body.startswith(_BOM):
                changed = _BOM + changed
        added = write_rule_style(self.rules) if outcome != "original" else ""
        if options.badge is not None:
            added += write_badge(options.badge, note or NOTES[outcome], html) + options.picker
        if added and not encoding.startswith("utf-16"):
            changed += added.encode("ascii")
        elif changed is body:
            return Rewritten(outcome, reason=reason)
        n_sent = options.n_sent
        if changed[:n_sent] != body[:n_sent]:
            changed = _with_head(body[:n_sent], changed)
        return Rewritten(
            outcome,
            changed[n_sent:],
            None if n_sent or html == self.text else f"text/html; charset={encoding}",
            reason=reason,
            removed=dict(done.removed) if done else {},
            removed_chars=done.removed_chars if done else 0,
            elements=describe_removed(page, done.rows) if done and page and done.rows else (),
        )


def _with_head(head: bytes, changed: bytes) -> bytes:
    """Return a changed page with its original head; InputError if it is then another page.

    A page that is too malformed to be edited in its source is written anew, head and all.
    """
    joined = head + changed[len(find_head(changed)) :]
    if canonicalise(joined).html != canonicalise(changed).html:
        raise InputError("the head of the page has changed after it was sent")
    return joined


_NOTHING: Final = Rewritten("original", reason="a part of a page")


def _pass_on(
    source: _Source,
    document: Document,
    profile: Profile,
    blocklist: BlockList,
    reason: str,
) -> Rewritten:
    """Return a page without advertisements, consent dialogs and tracking, otherwise unchanged."""
    if document.verdict is not Verdict.PARTIAL:  # only the part within the limits could be written
        page = source.parse() if document.page.attached else document.page
        done = source.filter(page, first_stage(profile.filters), blocklist)
        if done.removed:
            note = f"Only ads and tracking were removed: {reason}."
            return source.send(done.html, _LEFT_ALONE, note, reason=reason, done=done, page=page)
    note = f"Not filtered: {reason}."
    return source.send(source.text, _LEFT_ALONE, note, reason=reason)


def _filter_document(
    source: _Source, document: Document, profile: Profile, blocklist: BlockList
) -> Rewritten:
    page, selection = document.page, document.selection
    done = source.filter(
        page,
        profile.filters,
        blocklist,
        keep=selection.keep,
        dropped=selection.dropped_by_rule,
    )
    return source.send(done.html, "inplace", done=done, page=page)


def _filter_part(source: _Source, profile: Profile, blocklist: BlockList) -> Rewritten:
    page = source.parse()
    done = source.filter(page, profile.filters, blocklist)
    if not done.removed:
        return _NOTHING
    return source.send(done.html, "inplace", done=done, page=page)


def _generate(document: Document, view: str, options: RewriteOptions) -> Rewritten:
    if view == "text" and options.is_plain:
        body = document.text.encode("utf-8", "replace")
        return Rewritten(view, body, FORMATS["text"].content_type, POLICY)
    write = write_reader if view == "reader" else write_text_page
    body = write(document, options.badge, NOTES[view], options.hidden_origin).encode(
        "utf-8", "replace"
    )
    return Rewritten(view, body, "text/html; charset=utf-8", POLICY)
