"""Rewriting of one page into a view; runs in a worker process.

Pages sent as XML (application/xhtml+xml) are shown by browsers only if they are well-formed. The
filters read HTML, where ``<div/>`` is a start tag and where more may follow the end of the body. So
empty tags are spelled out before, what was added is moved into the body after, and the result is
checked: a page that is no longer well-formed passes unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from xml.parsers import expat

from thresher.deadline import deadline
from thresher.document import Document, Verdict
from thresher.errors import InputError
from thresher.extraction import extract_request, read_page
from thresher.fetching.model import read_content_type
from thresher.filters import Filtered, Filters, filter_page, first_stage
from thresher.filters.apply import drop_unwanted
from thresher.filters.blocklist import BlockList
from thresher.filters.filter_context import Forced
from thresher.filters.settings import switch_filters
from thresher.page import Page
from thresher.page.canonical import canonicalise
from thresher.page.decode import read_utf8, register_codecs
from thresher.page.rows import BoolArray
from thresher.proxy.buffered_body import find_head
from thresher.proxy.navigation import XHTML
from thresher.proxy.page_parts import (
    POLICY,
    write_badge,
    write_frame_style,
    write_reader,
    write_rule_style,
    write_text_page,
)
from thresher.proxy.passthrough import find_rows, is_application, passthrough_reason
from thresher.proxy.rewrite_model import ReceivedPage, RewriteOptions, Rewritten, describe_removed
from thresher.proxy.settings import Profile
from thresher.proxy.state import ListFile, load_list
from thresher.request import SelectRequest
from thresher.sites import Rulebook, Rules
from thresher.sites.apply import match_rules
from thresher.sites.rulebook import NO_RULES, HostRules
from thresher.support.hosts import host_of
from thresher.writers import FORMATS
from thresher.writers.inplace import keep_in_place

_VOID: Final = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()
)
_TOKEN: Final = re.compile(
    r"<!--(?>.*?-->|.*)|<!\[CDATA\[(?>.*?\]\]>|.*)|<\?(?>.*?\?>|.*)"
    r"""|<(?P<name>[\w:.-]+)(?P<attributes>(?>\s+[^\s=<>/]+\s*=\s*(?>"[^"<]*"|'[^'<]*'))*+)\s*/>""",
    re.DOTALL,
)
_BODY_END: Final = re.compile(r"</body\s*>\s*(?:</html\s*>)?")


def is_xhtml(content_type: str) -> bool:
    """Return whether a Content-Type header states that a page is XML."""
    return read_content_type(content_type)[1] == XHTML


def spell_out_empty(xml: str) -> str:
    """Return a page whose empty elements have end tags, but for those that HTML knows as void."""
    return _TOKEN.sub(_spell_out, xml)


def settle_xhtml(html: str) -> str:
    """Return a page with what follows its end moved into the body; InputError if not XML then."""
    ends = list(_BODY_END.finditer(html))
    if not ends:
        raise InputError("the page has no end of its body")
    at, end = ends[-1].span()
    settled = f"{html[:at]}{html[end:].strip()}{html[at:end]}\n"
    try:
        expat.ParserCreate().Parse(settled.encode(), True)
    except expat.ExpatError as error:
        raise InputError(f"the page would not be well-formed: {error}") from error
    return settled


def _spell_out(match: re.Match[str]) -> str:
    name = match["name"]
    if name is None or name in _VOID:
        return match[0]
    return f"<{name}{match['attributes']}></{name}>"


_CODECS: Final = {
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "ibm866": "cp866",
    "iso-8859-8-i": "iso8859-8",
    "macintosh": "mac-roman",
    "shift_jis": "cp932",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
}
"""WHATWG encoding name → Python codec, where the names differ in more than punctuation."""
_UTF8: Final = "utf-8"


def encode_as(text: str, encoding: str) -> tuple[bytes, str]:
    """Encode the source of a page; return the bytes and their encoding.

    ``encoding`` is a name as returned by `thresher.page.decode`. Characters that it lacks become
    character references. Falls back to UTF-8 where Python and the WHATWG disagree on the text, and
    for UTF-16, whose forms are submitted in UTF-8 anyway.
    """
    whole = text.encode(_UTF8, "replace")
    if encoding == _UTF8 or encoding.startswith("utf-16"):
        return whole, _UTF8
    register_codecs()
    codec = _CODECS.get(encoding, encoding)
    try:
        shown = text.encode(codec, "ignore")
        if shown.decode(f"whatwg-{encoding}") != shown.decode(codec):
            return whole, _UTF8
        return text.encode(codec, "xmlcharrefreplace"), encoding
    except (LookupError, UnicodeError):
        return whole, _UTF8


_NOTES: Final[Mapping[str, str]] = {
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
_NOTHING: Final = Rewritten("original", reason="a part of a page")


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
    options = options or RewriteOptions()
    # Read once in each process, which is not the page's time.
    rules_of_lists = (
        blocklist if isinstance(blocklist, BlockList) else load_list(blocklist or ListFile())
    )
    with deadline(options.deadline_s):
        is_xml = is_xhtml(page.content_type)
        received = _read_xhtml(page) if is_xml else page
        done = _Rewriting(received, profile, rules, rules_of_lists, options).run()
        if not is_xml or done.body is None or done.policy:
            return done
        body = settle_xhtml(done.body.decode()).encode()
        return replace(done, body=body, content_type=f"{XHTML}; charset=utf-8")


def _read_xhtml(page: ReceivedPage) -> ReceivedPage:
    """Return a page that is XML as HTML."""
    try:
        html = spell_out_empty(page.body.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError("XHTML in another encoding than UTF-8") from error
    return ReceivedPage(html.encode(), "text/html; charset=utf-8", page.url)


@dataclass
class _Rewriting:
    """A page as received and as decoded, and how it is to be shown."""

    page: ReceivedPage
    profile: Profile
    rules: HostRules
    blocklist: BlockList
    options: RewriteOptions

    def __post_init__(self) -> None:
        self.charset, _ = read_content_type(self.page.content_type)
        utf8, self.encoding = read_utf8(self.page.body, http_charset=self.charset)
        self.text = utf8.decode()

    def run(self) -> Rewritten:
        """Rewrite the page."""
        options, view = self.options, self.rules.view or self.profile.view
        if options.is_guess and not _WHOLE_PAGE.search(self.text, 0, _WHOLE_PAGE_CHARS):
            return _NOTHING
        if view == "original":
            return self._send(self.text, "original")
        if options.is_part:
            return self._filter_part() if view == "inplace" else _NOTHING
        document = self._extract()
        reason = passthrough_reason(document)
        works = is_application(document) or (None if reason else False)
        if not reason and (works or options.of_application):
            reason = _APPLICATION
        if reason and not (options.forced and document.selection.keep.any()):
            return replace(self._pass_on(document, reason), is_application=works)
        if reason:
            document = _with_rows(document)
        if view == "inplace":
            selection = keep_in_place(document)
            done = self._filter(
                document.page,
                self.profile.filters,
                keep=selection.keep,
                dropped=selection.dropped_by_rule,
            )
            shown = self._send(done.html, "inplace", done=done, page=document.page)
        else:
            shown = self._generate(document, view)
        return replace(shown, is_application=works)

    def _extract(self) -> Document:
        page, rules, sites = self.page, self.rules, self.options.sites
        has_rules = rules.rules != _NO_RULES
        request = SelectRequest(
            rules.method or self.profile.method,
            site=sites.site_of(page.url) if sites else None,
            rules=Rulebook({Rulebook().host_for(page.url): rules}) if has_rules else None,
        )
        return extract_request(page.body, request, url=page.url, http_charset=self.charset)

    def _pass_on(self, document: Document, reason: str) -> Rewritten:
        """Return the page without advertisements, consent dialogs and tracking, else unchanged."""
        # Of a partial page only the part within the limits could be written.
        if document.verdict is not Verdict.PARTIAL:
            page = self._parse() if document.page.attached else document.page
            done = self._filter(page, first_stage(self.profile.filters))
            if done.removed:
                note = f"Only ads and tracking were removed: {reason}."
                return self._send(done.html, _LEFT_ALONE, note, reason=reason, done=done, page=page)
        return self._send(self.text, _LEFT_ALONE, f"Not filtered: {reason}.", reason=reason)

    def _filter_part(self) -> Rewritten:
        """Return a page in a frame without what the filters remove."""
        page = self._parse()
        done = self._filter(page, self.profile.filters)
        return self._send(done.html, "inplace", done=done, page=page) if done.removed else _NOTHING

    def _generate(self, document: Document, view: str) -> Rewritten:
        """Return a page with the content of the document."""
        selection, options = document.selection, self.options
        filters = self.profile.filters
        keep = drop_unwanted(document.page, filters, self.blocklist, selection.keep)
        document = replace(document, selection=replace(selection, keep=keep))
        if view == "text" and options.is_plain:
            body = document.text.encode("utf-8", "replace")
            return Rewritten(view, body, FORMATS["text"].content_type, POLICY)
        write = write_reader if view == "reader" else write_text_page
        html = write(document, options.badge, _NOTES[view], options.hidden_origin)
        body = html.encode("utf-8", "replace")
        return Rewritten(view, body, "text/html; charset=utf-8", POLICY)

    def _parse(self) -> Page:
        return read_page(self.page.body, url=self.page.url, http_charset=self.charset)

    def _filter(
        self,
        page: Page,
        filters: Filters,
        *,
        keep: BoolArray | None = None,
        dropped: BoolArray | None = None,
    ) -> Filtered:
        """Filter the page that was received, which ``page`` is, by the user's rules too."""
        rules, options = self.rules.rules, self.options
        sent = self.page.body[: options.n_sent].removeprefix(_BOM)
        done = filter_page(
            page,
            filters,
            self.blocklist,
            keep=keep,
            dropped=dropped,
            forced=None if rules == _NO_RULES else Forced(*match_rules(page, rules)),
            n_fixed_char=len(sent.decode("utf-8", "replace")),
            lists_rows=options.lists_removed,
        )
        style = write_frame_style(self.text, filters, self.blocklist, host_of(self.page.url))
        return replace(done, html=done.html + style)

    def _send(
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
        added = write_rule_style(self.rules.rules) if outcome != "original" else ""
        if options.badge is not None:
            added += write_badge(options.badge, note or _NOTES[outcome], html) + options.picker
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


def _with_rows(document: Document) -> Document:
    """Return a list of which all rows are kept, whatever the method kept of them."""
    page, selection = document.page, document.selection
    rows = find_rows(document)
    if rows is None:
        return document
    added = page.within(rows)[page.leaves] & ~selection.dropped_by_rule
    return replace(document, selection=selection.with_leaves(added))


def _with_head(head: bytes, changed: bytes) -> bytes:
    """Return a changed page with its original head; InputError if it is then another page.

    A page that is too malformed to be edited in its source is written anew, head and all.
    """
    joined = head + changed[len(find_head(changed)) :]
    if canonicalise(joined).html != canonicalise(changed).html:
        raise InputError("the head of the page has changed after it was sent")
    return joined
