"""The page itself with the boilerplate removed: its head, styles and scripts stay unchanged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt
from turbohtml import Element

from thresher.analysis.links import find_base, find_base_href
from thresher.deadline import watch
from thresher.document import Document, WriteOptions
from thresher.page import Page
from thresher.page.attributes import whole
from thresher.page.parse import pair_elements
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import CELLS, CODE_OF, flags_of
from thresher.roles import ROLES
from thresher.selection import Selection
from thresher.writers.fragment.clean import clean_fragment
from thresher.writers.fragment.fragment import write_fragment
from thresher.writers.fragment.posts import find_shown_posts
from thresher.writers.shared.article_head import keep_article_head
from thresher.writers.shared.editing import parse_source, remove_rows, serialise_source
from thresher.writers.shared.forms import NEVER_SHOWN, Forms, find_forms, read_fields

_DRAWING, _FORM, _LINK, _ROW = (CODE_OF[name] for name in "svg form a tr".split())
_ROOTS: Final = flags_of("body frameset html")


def write(document: Document, options: WriteOptions) -> str:
    """Write the page without the elements that hold leaves, but none that is kept.

    Elements without leaves stay: styles and scripts may need them. So do the head of the article
    and whole forms (`thresher.writers.shared`), and all of a page whose purpose is a form. A page
    whose URL is known gets a `<base>` if it has none, or one that is relative or unreadable, so
    that its style sheets and images load from anywhere. Content that the page was completed with is
    put at the end of its body, sanitised. The result is as safe as the page was; ``options`` change
    nothing.
    """
    page = document.page
    tree = parse_source(page)
    element_of = pair_elements(page, tree)
    selection = keep_in_place(document)
    forms = find_forms(page, selection.keep, selection.dropped_by_rule)
    if not forms.is_purpose:
        remove_rows(page, element_of, _find_dropped(page, selection.keep, forms))
    if page.attached:
        body = element_of[int(page.parent[page.n_own_row])]
        body.extend(list(_attached_markup(document).children))
    head = tree.find("head")
    base = find_base(page)
    # The first base of a page counts, so this one replaces what only means something at its URL.
    if head is not None and base and base != (find_base_href(page) or "").strip():
        head.insert(0, Element("base", {"href": base}))
    return serialise_source(tree)


def _attached_markup(document: Document) -> Element:
    """Return the kept part of the attached rows, made safe, in an enclosing element."""
    page = document.page
    keep = document.selection.keep & (page.leaves >= page.n_own_row)
    attached = replace(document, selection=replace(document.selection, keep=keep))
    return clean_fragment(write_fragment(attached, WriteOptions()).markup, find_base(page))


def _find_dropped(page: Page, keep: BoolArray, forms: Forms) -> npt.NDArray[np.intp]:
    """Return the outermost rows to remove: elements, and texts in the elements that stay."""
    keep = forms.extend(keep, page.leaves)
    kept_before = sum_before(keep)
    first, stop = page.leaf_offset[:-1], page.leaf_offset[page.end]
    holds = (kept_before[stop] > kept_before[first]) | (page.subtree_sums(forms.kept) > 0)
    # Without its cells a row would move under the wrong columns.
    stays = holds | _ROOTS[page.tag] | (CELLS[page.tag] & holds[page.parent])
    goes = ((stop > first) | forms.dropped) & ~stays & stays[page.parent]
    goes[page.n_own_row :] = False
    return np.flatnonzero(goes)


# -- heads -------------------------------------------------------------------------------------

_MAX_FACT_WORDS: Final = 12
"""Words of an element that only states who wrote a post, when, or how it was voted on."""


def keep_heads(document: Document) -> Selection:
    """Return the selection with the head of the article and, on a forum, those of its posts.

    Methods select what posts say; without names and dates nobody could tell who answers whom.
    Blocks that the user's rules exclude stay excluded.
    """
    selection, page = document.selection, document.page
    rows = [row for post in find_shown_posts(document) for row in post.fact_rows]
    if rows:
        facts = page.flag(rows)
        facts &= page.subtree_words <= _MAX_FACT_WORDS
        added = page.within(facts)[page.leaves] & ~selection.dropped_by_rule
        selection = replace(selection, keep=selection.keep | added)
    return keep_article_head(selection)


# -- what stands within the content ------------------------------------------------------------
#
# Methods select what is read. A person who works on the page also presses buttons, plays, fills
# in, opens what is closed and is warned; most of that has few words or none. So within the
# content everything stays but what serves another purpose: advertisements, requests to subscribe,
# lists of links to other pages, buttons to share this one. Beside the content, only small boxes
# with something to operate stay; warnings stay wherever they are.

_CONTENT_SHARE: Final = 0.7
"""Share of the kept words in the smallest box that is taken for the content."""
_BOXES: Final = flags_of("article body div fieldset form main section table tbody td th tr")
_WHOLE: Final = flags_of("article main")
_BESIDE: Final = flags_of("footer header nav")
_CLUTTER: Final = re.compile(
    rb"(?<![a-z])(?:ads?|adslot|advert\w*|sponsor\w*|promo(?:s|ted|tion\w*|-?(?:box|bar|block))?"
    rb"|newsletters?|subscri(?:be|ption)\w*|sign-?up|paywall|donat(?:e|ion)s?|cookies?|consent|gdpr"
    rb"|related|recommend\w*|recirc\w*|read-?(?:more|next|also)|more-?(?:from|stories|news)"
    rb"|also-?(?:read|like)|see-?also|up-?next|most-?(?:read|popular|viewed)|popular|trending"
    rb"|teasers?|outbrain|taboola|share|shares|sharing|social\w*|follow-?us|sidebar|navbar?"
    rb"|breadcrumbs?|tag-?cloud|categories|skip-?link)(?![a-z])"
)
_CLUTTER_WORDS: Final = re.compile(
    r"newsletter|subscribe|\bsign up\b|\bshare\b|tweet|follow us|\bdonate\b|advertisement|sponsored"
    r"|abonnieren|\bteilen\b|s'abonner|partager|suscr[ií]b|compartir|iscriviti|condividi|подпис"
)
"""Words of small boxes whose buttons and links lead away from the content."""
_WRAPPER_SHARE: Final = 0.5
"""Share of the page's words from which a box with such a name is a wrapper of the page."""
_UNWANTED_ROLES: Final = [
    ROLES.index(name) for name in ("related", "comment", "navigation", "legal", "advertisement")
]
_MAX_LINK_SHARE: Final = 0.5
"""Share of words in links to other pages above which a box leads away."""
_MAX_SMALL_WORDS: Final = 30
"""Words up to which a box with something to operate stays unless its names or words are clutter."""
_MAX_WARNING_WORDS: Final = 60
_OPERATED: Final = flags_of(
    "audio button canvas details dialog figcaption iframe output summary video"
)
_OPERATED_ROLES: Final = whole(
    rb"button|checkbox|combobox|menuitem\w*|note|option|slider|spinbutton|switch|tab|textbox"
    rb"|tooltip"
)
_CHANGED: Final = re.compile(
    r"""\((?:(?<=getElementById\()\s*["']|(?:(?<=querySelector\()|(?<=\$\())\s*["']#)"""
    r"""([a-z][\w-]*)["']\s*\)""",
    re.IGNORECASE,
)
"""How a script of the page names an element. A source is searched fast for a parenthesis, and not
for names of any case, so what precedes it is read behind it."""
_DIRECT: Final = re.compile(
    rb"\s*(?:#|geo:|javascript:|mailto:|sms:|tel:)|[^?#]*\.(?:apk|csv|deb|dmg|docx?|epub|exe|gpx|ics"
    rb"|iso|mp3|od[pst]|pdf|pptx?|tar|xlsx?|[gx]z|zip)(?:[?#]|$)"
)
"""Addresses within the page, of persons and of files."""
_BUTTON: Final = re.compile(rb"(?<![a-z])(?:btn|button|cta)(?![a-z])")
_TAGS: Final = re.compile(rb"(?<![a-z])tags?(?:-?(?:list|links))?(?![a-z])")
_ALERT_ROLES: Final = whole(rb"alert|status")
_WARNING: Final = re.compile(
    rb"(?<![a-z])(?:admonition|alert|callout|caution|danger|hint|notice|tip|warn(?:ing)?)(?![a-z])"
)


def keep_in_place(document: Document) -> Selection:
    """Return the selection with its heads (`keep_heads`) and with what stands within it.

    What the user's rules exclude stays excluded.
    """
    selection = keep_heads(document)
    page, keep = selection.page, selection.keep
    if not keep.any():
        return selection
    added = np.zeros_like(keep)
    for row in _Surroundings(selection).find():
        added[slice(*page.leaf_span(row))] = True
    added &= ~(keep | selection.dropped_by_rule)
    return replace(selection, keep=keep | added) if added.any() else selection


class _Surroundings:
    """Finds the outermost boxes and texts without anything selected that stay."""

    def __init__(self, selection: Selection) -> None:
        self.selection = selection
        self.page = selection.page
        self.words = self.page.subtree_words

    def find(self) -> Iterator[int]:
        """Yield the rows of what stays."""
        page, keep = self.page, self.selection.keep
        kept = page.flag(page.leaves[keep])
        holds = page.subtree_sums(kept) > 0
        first, stop = page.leaf_offset[:-1], page.leaf_offset[page.end]
        outer = ~holds & holds[page.parent] & (stop > first)
        outer &= (page.hidden & NEVER_SHOWN) == 0
        content, scope = self._find_content(keep)
        chosen = np.flatnonzero(keep)
        within = outer & (first > chosen[0]) & (stop <= chosen[-1])
        # A table that is kept in part has its last rows too.
        within |= outer & (page.tag == _ROW) & (self.words <= _MAX_SMALL_WORDS)
        within[: content + 1] = within[page.end[content] :] = False
        near = outer.copy()
        near[: scope + 1] = near[page.end[scope] :] = False
        attributes = page.attributes
        alerts = page.flag(attributes.rows_matching("role", _ALERT_ROLES))
        warnings = self._flag("class", _WARNING.search) | alerts
        warned = outer & (page.subtree_sums(alerts) > 0) | near & (page.subtree_sums(warnings) > 0)
        warned &= self.words <= _MAX_WARNING_WORDS
        if not (near.any() or warned.any()):
            return
        direct = self._find_direct()
        operated = self._find_operated() | direct
        small = near & (page.subtree_sums(operated) > 0) & (self.words <= _MAX_SMALL_WORDS)
        named = self._find_named(direct)
        for row in watch(np.flatnonzero((small | warned) & ~named).tolist()):
            if not _CLUTTER_WORDS.search(page.text_of(row).casefold()):
                yield row
        others = within & ~small & ~warned & ~named
        if others.any():
            yield from np.flatnonzero(others & ~self._leads_away(direct)).tolist()

    def _find_content(self, keep: BoolArray) -> tuple[int, int]:
        """Return the smallest box with most of the kept words, and the one with its controls."""
        page = self.page
        counts = np.zeros(len(page), np.int64)
        counts[page.leaves[keep]] = page.leaf_words[keep] + 1
        total = page.subtree_sums(counts)
        enough = np.flatnonzero((total >= _CONTENT_SHARE * total[0]) & _BOXES[page.tag])
        content = int(enough[-1]) if enough.size else 0
        around = enough[_WHOLE[page.tag[enough]]]
        return content, int(around[0]) if around.size else content

    def _find_operated(self) -> BoolArray:
        """Flag what a person operates, what scripts change, and captions; bool[n_row]."""
        fields, attributes = read_fields(self.page), self.page.attributes
        operated: BoolArray = _OPERATED[self.page.tag] | fields.buttons | fields.fields
        operated |= fields.editable
        operated[attributes.rows_matching("role", _OPERATED_ROLES)] = True
        operated[attributes.rows_named("onclick")] = True
        changed = {name.lower().encode() for name in _CHANGED.findall(self.page.source)}
        return operated | (self._flag("id", changed.__contains__) if changed else False)

    def _find_direct(self) -> BoolArray:
        """Flag the links within the page, to neighbours, tags, files or persons; bool[n_row]."""
        attributes = self.page.attributes
        direct = self._flag("href", _DIRECT.match)
        direct |= self._flag("class", _BUTTON.search)
        direct |= self.page.within(self._flag("class", _TAGS.search))
        direct[attributes.rows_matching("rel", rb"\b(?:next|prev)\b")] = True
        direct[attributes.rows_named("download")] = True
        direct &= self.page.tag == _LINK
        return direct

    def _find_named(self, direct: BoolArray) -> BoolArray:
        """Flag what is in clutter by its name, or mostly consists of it; bool[n_row].

        Navigation that only leads through the page, or to its neighbours, is none.
        """
        page, words = self.page, self.words
        named = self._flag("class", _CLUTTER.search)
        named |= self._flag("id", _CLUTTER.search)
        other = (page.tag == _LINK) & ~direct
        named |= _BESIDE[page.tag] & (page.subtree_sums(other) > 0)
        named &= words <= _WRAPPER_SHARE * int(page.words_before[-1])
        fields = read_fields(page)
        for row in np.flatnonzero(page.tag == _FORM).tolist():
            named[row] = named[row] or fields.is_subscription(row)
        inside = page.subtree_sums(np.where(named & ~page.below(named), words, 0))
        clutter: BoolArray = page.within(named) | (2 * inside > words)
        return clutter

    def _flag(self, name: str, matches: Callable[[bytes], object]) -> BoolArray:
        """Flag the elements with a value of an attribute, in lower case, that matches."""
        values = self.page.attributes.distinct(name)
        flags = np.zeros(len(self.page), np.bool_)
        matching = [n for n, text in enumerate(values.texts) if matches(text.lower())]
        flags[values.rows_with(matching)] = True
        return flags

    def _leads_away(self, direct: BoolArray) -> BoolArray:
        """Flag what mostly consists of links to other pages, or is taken for clutter."""
        page, words = self.page, self.words
        linked = page.link_words_before[page.end] - page.link_words_before[:-1]
        drawn = page.within(page.tag == _DRAWING)
        other = page.subtree_sums((page.tag == _LINK) & ~direct & ~drawn) > 0
        away: BoolArray = other & (linked > _MAX_LINK_SHARE * words)
        roles = self.selection.role_code
        if roles is not None:
            unwanted = np.isin(roles, _UNWANTED_ROLES)[page.blocks.of_leaf]
            counts = np.zeros(len(page), np.int64)
            counts[page.leaves[unwanted]] = page.leaf_words[unwanted]
            away |= 2 * page.subtree_sums(counts) > words
        return away
