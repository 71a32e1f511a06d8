"""Order of precedence of the sources for every field, with reasons.

Read a table from the top: the first source with a usable value decides the field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from thresher.analysis.metadata.build import (
    HOST_LABEL,
    build_authors,
    build_canonical_url,
    build_date,
    build_description,
    build_image,
    build_language,
    build_licence,
    build_site_name,
    build_tags,
    build_title,
    complete_title,
    narrow_authors,
    refine_date,
    same_day,
    some_in_common,
)
from thresher.analysis.metadata.dates import commonest_date, date_in_url, day_of
from thresher.analysis.metadata.decide import (
    FieldRule,
    FieldSource,
    about_article,
    about_item,
    about_page,
    in_link,
    in_meta,
    in_meta_like,
    on_page,
)
from thresher.analysis.metadata.evidence import PageEvidence, text_of, values_of
from thresher.analysis.metadata.languages import find_language, find_language_of_script
from thresher.analysis.metadata.normalise import address_key, key_of, plain_text, share_domain
from thresher.analysis.metadata.shown_facts import (
    Dateline,
    find_datelines,
    find_dates_in,
    find_item_dates,
    find_likely_bylines,
    find_marked_bylines,
    find_near_times,
    find_script_dates,
    find_signed_lines,
    find_times,
)
from thresher.analysis.metadata.titles import (
    HOME_NAMES,
    cut_kicker,
    lists_keywords,
    shares_most_words,
    split_title,
)
from thresher.analysis.structured import read_language, read_title
from thresher.deadline import check_deadline

STATED: Final = 0.9
"""A machine-readable statement about this article, or a headline that one confirms.

The levels of trust in a source, 0 to 1, are coarse and set by hand, not measured.
`thresher.analysis.metadata.decide` derives confidences from them."""
GENERAL: Final = 0.8
"""A machine-readable statement about the page in general."""
SHOWN: Final = 0.65
"""Shown to readers and marked with its meaning."""
INFERRED: Final = 0.45
"""Inferred from its usual position."""
GUESSED: Final = 0.3
"""Used because there is nothing else."""

MIN_SHOWN_LETTERS: Final = 4
"""Minimum letters of a title that is recognised as a line of its own."""
_DATE_NAME: Final = re.compile(
    r"(?:^|[:._-])(?:(?:date[:._-]?)?(?:published|publication|publishing|created|creation|uploaded"
    r"|posted|issued)(?:[:._-]?(?:date|time|at|on))*|(?<!event.)(?<!expiry.)(?<!expiration.)date)$"
)
"""Names of `<meta>` that end in a word for the date of publication, with any prefix."""
_ABSOLUTE_LINK: Final = re.compile(
    # A boundary of words, or ignoring case from the first letter on, would take five times as long.
    r"[hH][rR][eE][fF]\s*=\s*[\"']?(?i:https?)://([^\s\"'/?#:>]*)[^\s\"'>]*"
)
"""The address of a link; other sites' have dates of their own."""


def _confirmed_headline(evidence: PageEvidence) -> list[str | None]:
    """Return the headline shown, without a kicker, if a stated one shares most of its words."""
    shown = evidence.visible.headline.text
    if not shown or _names_section(evidence, shown):
        return []
    stated = [*evidence.meta.get("og:title", [])[:1], read_title(evidence.page)]
    stated += [text_of(value) for value in values_of(evidence.article, "headline")[:1]]
    texts = [plain_text(text) for text in stated if text]
    for text in texts:
        if without_kicker := cut_kicker(shown, text):
            return [without_kicker]
    if any(shares_most_words(shown, text) or _ends_with_first(shown, text) for text in texts):
        return [shown]
    return []


def _ends_with_first(shown: str, stated: str) -> bool:
    """Return whether a headline ends with the first of several parts of a stated title."""
    first, *rest = split_title(stated)
    key = key_of(first)
    return bool(rest) and len(first.split()) > 1 and key_of(shown).endswith(key)


def _likely_headline(evidence: PageEvidence) -> list[str | None]:
    """Return the h1, if there is one alone and the title is not shown elsewhere.

    Pages of documentation have an h1 for each section, and their name in another element. The title
    of a wiki, "how_to:rye [Wiki]", is the name of a file.
    """
    visible, title = evidence.visible, plain_text(read_title(evidence.page) or "")
    parts, text = split_title(title), visible.headline.text
    if title.endswith("]") and len(parts) > 1 and key_of(text or "") not in ("", key_of(parts[-1])):
        return [text]
    if title and visible.headline.is_one_of_several:
        return []
    key = key_of(parts[0])
    if text and (key in HOME_NAMES or lists_keywords(parts)):
        return [text]
    if len(key) >= MIN_SHOWN_LETTERS and key not in key_of(text or "") and visible.shows_line(key):
        return []
    return [text]


def _names_section(evidence: PageEvidence, shown: str) -> bool:
    """Return whether an h1 is a link that ends a title, and is not in the title for sharing."""
    parts = split_title(plain_text(read_title(evidence.page) or ""))
    name, key = key_of(shown), key_of("".join(parts[:-1]))
    if name != key_of(parts[-1]) or len(key) <= len(name):
        return False
    shared = key_of("".join(evidence.meta.get("og:title", [])[:1]))
    return key in shared and not shared.endswith(name) and evidence.visible.headline.is_link


def _site_in_title(evidence: PageEvidence) -> list[str]:
    """Return the last part of the title that has the letters of the site's domain."""
    parts = split_title(plain_text(read_title(evidence.page) or ""))
    key = key_of(evidence.domain)
    return [part for part in reversed(parts) if key and key_of(part) == key][:1]


def _commonest_date(evidence: PageEvidence) -> list[str | None]:
    """Return the most frequent date in the markup of an article, other sites' addresses aside."""
    kinds = evidence.meta.get("og:type", [])
    articles = evidence.page.tagged(["article"]).sum()
    # Shops and lists have dates too: on every fifth undated page of wcxb_dev, one would be found.
    if "article" not in kinds and not evidence.article and articles != 1:
        return []
    own = evidence.host

    def blank(link: re.Match[str]) -> str:
        return link[0] if not own or share_domain(own, link[1].lower()) else ""

    source = _ABSOLUTE_LINK.sub(blank, evidence.page.source)
    check_deadline()
    return [commonest_date(source, evidence.visible.code_text())]


def _dates(datelines: Iterable[Dateline], *, updates: bool = False) -> Iterator[str]:
    """Yield the dates that are updates, or those that are not."""
    return (dateline.text for dateline in datelines if dateline.is_update == updates)


def _item_dates(name: str) -> FieldSource:
    return on_page(SHOWN, f"page:itemprop={name}", lambda e: find_item_dates(e.visible, name))


def _dates_in(
    evidence: PageEvidence, lines: Iterable[str], *, updates: bool = False
) -> Iterator[str]:
    dates = find_dates_in(evidence.visible, lines, evidence.declared_language)
    return _dates(dates, updates=updates)


def _near_dates(evidence: PageEvidence, *, updates: bool = False) -> Iterator[str]:
    return _dates_in(evidence, evidence.visible.lines_near_headline, updates=updates)


def _marked_dates(evidence: PageEvidence, *, updates: bool = False) -> Iterator[str]:
    return _dates(find_datelines(evidence.visible, evidence.declared_language), updates=updates)


TITLE: Final = FieldRule(
    sources=(
        # The headline shown, if metadata agrees; that is often reworded.
        on_page(STATED, "page:h1", _confirmed_headline),
        about_article(STATED, "headline"),  # the headline of this article
        about_item(STATED, "headline"),
        in_meta(STATED, "citation_title"),  # for citation tools
        in_meta(GENERAL, "og:title"),  # for sharing this page
        about_article(GENERAL, "name"),  # of things without a headline
        about_item(GENERAL, "name"),
        in_meta(GENERAL, "parsely-title sailthru.title twitter:title"),  # for feeds and cards
        in_meta(GENERAL, "dc.title dcterms.title dc.title.main"),  # for library catalogues
        # The headline shown but unconfirmed: it may be a widget's.
        on_page(SHOWN, "page:h1", _likely_headline),
        # The page title, often with more than the headline.
        on_page(INFERRED, "page:title", lambda e: [read_title(e.page)]),
        about_page(INFERRED, "headline name"),  # mostly a copy of the title
        in_meta(INFERRED, "title"),  # rare and old
    ),
    build=build_title,
    key=key_of,
    refine=complete_title,
)

_AUTHORS: Final = FieldRule(
    sources=(
        about_article(STATED, "author creator"),  # the authors of this article
        in_meta(STATED, "citation_author citation_authors"),  # for citation tools
        about_item(STATED, "author creator"),
        in_meta(GENERAL, "parsely-author sailthru.author"),  # for analytics
        in_meta(GENERAL, "article:author"),  # of this article; often a profile
        # A byline marked as such.
        on_page(SHOWN, "page:byline", lambda e: find_marked_bylines(e.visible)),
        in_meta(GENERAL, "author byl article.author"),  # sometimes the webmaster
        in_meta(GENERAL, "dc.creator dcterms.creator dc.author"),  # for library catalogues
        about_page(GENERAL, "author creator"),  # the authors of the page
        # A line near the headline that begins with By.
        on_page(SHOWN, "page:near-h1", lambda e: islice(find_signed_lines(e.visible), 1)),
        # An element that looks like a byline.
        on_page(INFERRED, "page:byline-class", lambda e: find_likely_bylines(e.visible)),
    ),
    build=build_authors,
    key=lambda names: frozenset(map(key_of, names)),
    agree=some_in_common,
    refine=narrow_authors,
)

_MODIFIED: Final = FieldRule(
    sources=(
        about_article(STATED, "dateModified"),  # of this article
        in_meta(STATED, "article:modified_time og:updated_time og:article:modified_time"),
        about_item(STATED, "dateModified"),
        about_page(GENERAL, "dateModified"),  # of the page
        in_meta(  # for search engines
            GENERAL,
            "dcterms.modified dc.date.modified last-modified lastmod lastmodified revised"
            " article.updated datemodified modified",
            family="meta",
        ),
        # Marked, outside an item.
        _item_dates("dateModified"),
        # A time, and a date line, that is marked as an update.
        on_page(SHOWN, "page:time", lambda e: _dates(find_times(e.visible), updates=True)),
        on_page(INFERRED, "page:date-class", lambda e: _marked_dates(e, updates=True)),
        # A line near the headline that says so.
        on_page(INFERRED, "page:near-h1", lambda e: _near_dates(e, updates=True)),
    ),
    build=build_date,
    key=day_of,
    agree=same_day,
)

_PUBLISHED: Final = FieldRule(
    sources=(
        about_article(STATED, "datePublished"),  # of this article
        in_meta(STATED, "article:published_time og:article:published_time og:published_time"),
        about_item(STATED, "datePublished"),
        # For citation tools.
        in_meta(STATED, "citation_publication_date citation_online_date citation_date"),
        in_meta(  # for analytics and search engines
            GENERAL,
            "parsely-pub-date sailthru.date article.published publishdate publish-date publish_date"
            " published-date publication_date pubdate datepublished dc.date.issued dcterms.issued"
            " dcterms.created dc.date.created date dc.date dcterms.date"
            " cxenseparse:recs:publishtime originalpublicationdate article:post_date created",
        ),
        about_page(GENERAL, "datePublished"),  # of the page
        about_article(GENERAL, "dateCreated uploadDate startDate"),  # approximate
        about_item(GENERAL, "dateCreated uploadDate"),  # questions and videos have no other
        # Marked, outside an item.
        _item_dates("datePublished"),
        # The time nearest to the headline.
        on_page(SHOWN, "page:time", lambda e: _dates(find_near_times(e.visible))),
        on_page(SHOWN, "url:date", lambda e: map(date_in_url, e.own_urls)),  # set at publication
        # An unlisted name that means a date.
        in_meta_like(INFERRED, _DATE_NAME, "date", "ed", "ing", "time", "at", "on"),
        # A date near the headline; a more distant time is often another article's.
        on_page(INFERRED, "page:near-h1", _near_dates),
        on_page(INFERRED, "page:date-class", _marked_dates),  # an element that looks like one
        on_page(INFERRED, "page:time", lambda e: _dates(find_times(e.visible))),  # more distant
        # Data from which a script builds the page.
        on_page(
            INFERRED, "script:date", lambda e: find_script_dates(e.visible), is_last_resort=True
        ),
        # Not later than the last update; correct for half of such pages in wcxb_dev.
        *(replace(source, trust=GUESSED, is_last_resort=True) for source in _MODIFIED.sources),
        # A date on its own line, anywhere.
        on_page(
            GUESSED,
            "page:line",
            lambda e: islice(_dates_in(e, e.visible.lines_with_digits()), 1),
            is_last_resort=True,
        ),
        # A time, even among comments: some pages consist only of unrelated parts.
        on_page(
            GUESSED,
            "page:time",
            lambda e: islice(_dates(find_times(e.visible, anywhere=True)), 1),
            is_last_resort=True,
        ),
        # Images and feeds are filed by day; little better than nothing.
        on_page(GUESSED, "text:commonest", _commonest_date, is_last_resort=True),
    ),
    build=build_date,
    key=day_of,
    agree=same_day,
    refine=refine_date,
)

_SITE_NAME: Final = FieldRule(
    sources=(
        in_meta(STATED, "og:site_name"),  # for exactly this purpose
        in_meta(GENERAL, "citation_journal_title"),  # for citation tools
        # The host's name as the title spells it, while the publisher may be a company.
        on_page(STATED, "page:title", _site_in_title),
        about_article(STATED, "publisher"),
        about_item(STATED, "publisher"),
        # The site's own entry.
        on_page(GENERAL, "json-ld:WebSite.name", lambda e: e.web_site_names),
        in_meta(GENERAL, "application-name apple-mobile-web-app-title"),  # the label of its icon
        in_meta(GENERAL, "dc.publisher dcterms.publisher"),  # for library catalogues
        on_page(INFERRED, HOST_LABEL, lambda e: [e.host]),  # a fallback
    ),
    build=build_site_name,
    key=key_of,
)

_DESCRIPTION: Final = FieldRule(
    sources=(
        in_meta(GENERAL, "og:description"),  # for sharing this page
        in_meta(GENERAL, "description"),  # for search results
        about_article(GENERAL, "description abstract"),  # sometimes the whole text
        in_meta(GENERAL, "twitter:description sailthru.description"),  # for cards
        in_meta(GENERAL, "dc.description dcterms.abstract"),  # for library catalogues
        about_item(GENERAL, "description"),
        about_page(INFERRED, "description"),  # of the page
    ),
    build=build_description,
    key=key_of,
)

_LANGUAGE: Final = FieldRule(
    sources=(
        # A text in another script than that of the declared language.
        on_page(SHOWN, "text:guess", find_language_of_script),
        # Used by browsers, but often wrong in templates.
        on_page(GENERAL, "page:lang", lambda e: [read_language(e.page)]),
        about_article(GENERAL, "inLanguage"),  # of this article
        in_meta(SHOWN, "content-language language"),  # older forms of the same
        in_meta(SHOWN, "dc.language dcterms.language"),  # for library catalogues
        in_meta(SHOWN, "og:locale"),  # many sites leave the default
        on_page(SHOWN, "text:guess", find_language),  # guessed from the words
    ),
    build=build_language,
    key=lambda tag: tag.partition("-")[0],
)

_CANONICAL_URL: Final = FieldRule(
    sources=(
        in_link(STATED, "canonical"),  # for exactly this purpose (RFC 6596)
        in_meta(GENERAL, "og:url"),  # the address to share
        about_article(GENERAL, "url mainEntityOfPage"),  # of this article
        about_page(SHOWN, "url"),  # of the page
        about_item(SHOWN, "url mainEntityOfPage"),
        on_page(SHOWN, "url:page", lambda e: [e.page.url]),  # the page's own address
    ),
    build=build_canonical_url,
    key=address_key,
)

_IMAGE: Final = FieldRule(
    sources=(
        in_meta(GENERAL, "og:image og:image:secure_url og:image:url"),  # the image to share
        about_article(GENERAL, "image thumbnailUrl"),  # of this article
        in_meta(GENERAL, "twitter:image twitter:image:src"),  # for cards
        in_link(GENERAL, "image_src"),  # older, for sharing
        about_item(GENERAL, "image thumbnailUrl"),
        in_meta(SHOWN, "parsely-image-url sailthru.image.full thumbnail"),  # for analytics
        about_page(SHOWN, "primaryImageOfPage image thumbnailUrl"),  # of the page
    ),
    build=build_image,
    key=address_key,
)

_TAGS: Final = FieldRule(
    sources=(
        in_meta(STATED, "article:tag"),  # of this article
        about_article(STATED, "keywords"),
        # For analytics and news search.
        in_meta(STATED, "parsely-tags sailthru.tags news_keywords citation_keywords"),
        about_item(STATED, "keywords"),
        on_page(SHOWN, "page:rel=tag", lambda e: e.visible.tag_links()),  # links to tag pages
        in_meta(SHOWN, "keywords"),  # often those of the site
        in_meta(SHOWN, "dc.subject dcterms.subject"),  # for library catalogues
        about_page(SHOWN, "keywords"),  # of the page
    ),
    build=build_tags,
    key=lambda tags: frozenset(map(key_of, tags)),
)

_LICENCE: Final = FieldRule(
    sources=(
        about_article(STATED, "license"),  # of this article
        about_item(STATED, "license"),
        in_meta(STATED, "dcterms.license dc.rights dcterms.rights"),  # for exactly this purpose
        in_link(GENERAL, "license"),  # of the page, if all agree
        about_page(GENERAL, "license"),
        in_meta(SHOWN, "copyright rights"),  # a Creative Commons name in the notice
    ),
    build=build_licence,
    key=lambda url: address_key(url).removesuffix("/deed"),
)

FIELDS: Final[dict[str, FieldRule[Any]]] = {
    "title": TITLE,
    "authors": _AUTHORS,
    "published": _PUBLISHED,
    "modified": _MODIFIED,
    "site_name": _SITE_NAME,
    "description": _DESCRIPTION,
    "language": _LANGUAGE,
    "canonical_url": _CANONICAL_URL,
    "image": _IMAGE,
    "tags": _TAGS,
    "licence": _LICENCE,
}
"""The rules of all fields of `Metadata`, in their order."""


def _without_entries(rule: FieldRule[Any]) -> FieldRule[Any]:
    """Leave out what is only inferred from the text shown: on a listing, it is an entry's."""
    own = (source for source in rule.sources if source.family == "meta" or source.trust > INFERRED)
    return replace(rule, sources=tuple(own))


FIELDS_OF_LISTING: Final = {
    **FIELDS,
    "authors": _without_entries(_AUTHORS),
    "published": _without_entries(_PUBLISHED),
}
"""The same of pages that list others, whose dates and bylines stand before the entries."""
