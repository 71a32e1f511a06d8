"""Order of the sources for title, site name, description and tags."""

from __future__ import annotations

from typing import Final

from thresher.analysis.metadata.build import (
    HOST_LABEL,
    build_description,
    build_site_name,
    build_tags,
    build_title,
)
from thresher.analysis.metadata.decide import (
    Family,
    FieldRule,
    FieldSource,
    about_article,
    about_item,
    about_page,
    in_meta,
    on_page,
)
from thresher.analysis.metadata.evidence import PageEvidence, text_of, values_of
from thresher.analysis.metadata.normalise import key_of, plain_text
from thresher.analysis.metadata.rules.trust_levels import GENERAL, INFERRED, SHOWN, STATED
from thresher.analysis.metadata.titles import cut_kicker, shares_most_words, split_title

__all__ = ["DESCRIPTION", "SITE_NAME", "TAGS", "TITLE"]


MIN_SHOWN_LETTERS: Final = 4
"""Least letters of a title that is recognised as a line of its own."""


def _confirmed_headline(evidence: PageEvidence) -> list[str | None]:
    """Return the headline shown, if the title or a stated headline shares most of its words.

    A kicker that the stated headline lacks is cut: "Politics | Cat wins" → "Cat wins".
    """
    shown = evidence.visible.headline.text
    if not shown:
        return []
    stated = [*evidence.meta.get("og:title", [])[:1], evidence.structured.title]
    stated += [text_of(value) for value in values_of(evidence.article, "headline")[:1]]
    texts = [plain_text(text) for text in stated if text]
    for text in texts:
        if without_kicker := cut_kicker(shown, text):
            return [without_kicker]
    return [shown] if any(shares_most_words(shown, text) for text in texts) else []


def _likely_headline(evidence: PageEvidence) -> list[str | None]:
    """Return the h1, if there is one alone and the title is not shown elsewhere.

    Pages of documentation have an h1 for each section, and their name in another element.
    """
    visible, title = evidence.visible, plain_text(evidence.structured.title or "")
    if title and visible.headline.is_one_of_several:
        return []
    key = key_of(split_title(title)[0])
    if len(key) >= MIN_SHOWN_LETTERS and visible.shows_line(key):
        return []
    return [visible.headline.text]


TITLE: Final = FieldRule(
    sources=(
        FieldSource(
            Family.PAGE,
            STATED,
            "the headline shown, if metadata agrees; that is often reworded",
            on_page("page:h1", _confirmed_headline),
        ),
        FieldSource(
            Family.JSON_LD, STATED, "the headline of this article", about_article("headline")
        ),
        FieldSource(Family.MICRODATA, STATED, "the headline in microdata", about_item("headline")),
        FieldSource(Family.META, STATED, "for citation tools", in_meta("citation_title")),
        FieldSource(Family.OPENGRAPH, GENERAL, "for sharing this page", in_meta("og:title")),
        FieldSource(
            Family.JSON_LD, GENERAL, "for things without a headline", about_article("name")
        ),
        FieldSource(Family.MICRODATA, GENERAL, "for things without a headline", about_item("name")),
        FieldSource(
            Family.META,
            GENERAL,
            "for feeds and cards",
            in_meta("parsely-title", "sailthru.title", "twitter:title"),
        ),
        FieldSource(
            Family.DUBLIN_CORE,
            GENERAL,
            "for library catalogues",
            in_meta("dc.title", "dcterms.title", "dc.title.main"),
        ),
        FieldSource(
            Family.PAGE,
            SHOWN,
            "the headline shown but unconfirmed: it may be a widget's",
            on_page("page:h1", _likely_headline),
        ),
        FieldSource(
            Family.PAGE,
            INFERRED,
            "the page title, often with more than the headline",
            on_page("page:title", lambda e: [e.structured.title]),
        ),
        FieldSource(
            Family.JSON_LD, INFERRED, "mostly a copy of the title", about_page("headline", "name")
        ),
        FieldSource(Family.META, INFERRED, "rare and old", in_meta("title")),
    ),
    build=build_title,
    key=key_of,
)

SITE_NAME: Final = FieldRule(
    sources=(
        FieldSource(Family.OPENGRAPH, STATED, "for exactly this purpose", in_meta("og:site_name")),
        FieldSource(Family.JSON_LD, STATED, "the publisher", about_article("publisher")),
        FieldSource(Family.MICRODATA, STATED, "the publisher", about_item("publisher")),
        FieldSource(Family.META, GENERAL, "for citation tools", in_meta("citation_journal_title")),
        FieldSource(
            Family.JSON_LD,
            GENERAL,
            "the site's own entry",
            on_page("json-ld:WebSite.name", lambda e: e.web_site_names),
        ),
        FieldSource(
            Family.META,
            GENERAL,
            "the label of its icon",
            in_meta("application-name", "apple-mobile-web-app-title"),
        ),
        FieldSource(
            Family.DUBLIN_CORE,
            GENERAL,
            "for library catalogues",
            in_meta("dc.publisher", "dcterms.publisher"),
        ),
        FieldSource(
            Family.URL, INFERRED, "the host, as a fallback", on_page(HOST_LABEL, lambda e: [e.host])
        ),
    ),
    build=build_site_name,
    key=key_of,
)

DESCRIPTION: Final = FieldRule(
    sources=(
        FieldSource(Family.OPENGRAPH, GENERAL, "for sharing this page", in_meta("og:description")),
        FieldSource(Family.META, GENERAL, "for search results", in_meta("description")),
        FieldSource(
            Family.JSON_LD,
            GENERAL,
            "sometimes the whole text",
            about_article("description", "abstract"),
        ),
        FieldSource(
            Family.META,
            GENERAL,
            "for cards",
            in_meta("twitter:description", "sailthru.description"),
        ),
        FieldSource(
            Family.DUBLIN_CORE,
            GENERAL,
            "for library catalogues",
            in_meta("dc.description", "dcterms.abstract"),
        ),
        FieldSource(Family.MICRODATA, GENERAL, "in microdata", about_item("description")),
        FieldSource(Family.JSON_LD, INFERRED, "of the page", about_page("description")),
    ),
    build=build_description,
    key=key_of,
)

TAGS: Final = FieldRule(
    sources=(
        FieldSource(Family.OPENGRAPH, STATED, "of this article", in_meta("article:tag")),
        FieldSource(Family.JSON_LD, STATED, "of this article", about_article("keywords")),
        FieldSource(
            Family.META,
            STATED,
            "for analytics and news search",
            in_meta("parsely-tags", "sailthru.tags", "news_keywords", "citation_keywords"),
        ),
        FieldSource(Family.MICRODATA, STATED, "in microdata", about_item("keywords")),
        FieldSource(
            Family.PAGE,
            SHOWN,
            "links to tag pages",
            on_page("page:rel=tag", lambda e: e.visible.tag_links()),
        ),
        FieldSource(Family.META, SHOWN, "often those of the site", in_meta("keywords")),
        FieldSource(
            Family.DUBLIN_CORE,
            SHOWN,
            "for library catalogues",
            in_meta("dc.subject", "dcterms.subject"),
        ),
        FieldSource(Family.JSON_LD, SHOWN, "of the page", about_page("keywords")),
    ),
    build=build_tags,
    key=lambda tags: frozenset(map(key_of, tags)),
)
