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
from thresher.analysis.metadata.decide import FieldRule
from thresher.analysis.metadata.evidence import PageEvidence, text_of, values_of
from thresher.analysis.metadata.normalise import key_of, plain_text
from thresher.analysis.metadata.rules.trust_levels import GENERAL, INFERRED, SHOWN, STATED
from thresher.analysis.metadata.sources import (
    Family,
    Source,
    about_article,
    about_item,
    about_page,
    in_meta,
    on_page,
)
from thresher.analysis.metadata.titles import cut_kicker, shares_most_words

__all__ = ["DESCRIPTION", "SITE_NAME", "TAGS", "TITLE"]


def _confirmed_headline(evidence: PageEvidence) -> list[str | None]:
    """Return the headline shown, if the title or a stated headline shares most of its words.

    A kicker that the stated headline lacks is cut: "Politics | Cat wins" → "Cat wins".
    """
    shown = evidence.visible.headline
    if not shown:
        return []
    stated = [*evidence.structured.opengraph.get("og:title", [])[:1], evidence.structured.title]
    stated += [text_of(value) for value in values_of(evidence.article, "headline")[:1]]
    texts = [plain_text(text) for text in stated if text]
    for text in texts:
        if without_kicker := cut_kicker(shown, text):
            return [without_kicker]
    return [shown] if any(shares_most_words(shown, text) for text in texts) else []


TITLE: Final = FieldRule(
    sources=(
        Source(
            Family.PAGE,
            STATED,
            "the headline shown, if metadata agrees; that is often reworded",
            on_page("page:h1", _confirmed_headline),
        ),
        Source(Family.JSON_LD, STATED, "the headline of this article", about_article("headline")),
        Source(Family.MICRODATA, STATED, "the headline in microdata", about_item("headline")),
        Source(Family.META, STATED, "for citation tools", in_meta("citation_title")),
        Source(Family.OPENGRAPH, GENERAL, "for sharing this page", in_meta("og:title")),
        Source(Family.JSON_LD, GENERAL, "for things without a headline", about_article("name")),
        Source(Family.MICRODATA, GENERAL, "for things without a headline", about_item("name")),
        Source(
            Family.META,
            GENERAL,
            "for feeds and cards",
            in_meta("parsely-title", "sailthru.title", "twitter:title"),
        ),
        Source(
            Family.DUBLIN_CORE,
            GENERAL,
            "for library catalogues",
            in_meta("dc.title", "dcterms.title", "dc.title.main"),
        ),
        Source(
            Family.PAGE,
            SHOWN,
            "the headline shown but unconfirmed: it may be a widget's",
            on_page("page:h1", lambda e: [e.visible.headline]),
        ),
        Source(
            Family.PAGE,
            INFERRED,
            "the page title, often with more than the headline",
            on_page("page:title", lambda e: [e.structured.title]),
        ),
        Source(
            Family.JSON_LD, INFERRED, "mostly a copy of the title", about_page("headline", "name")
        ),
        Source(Family.META, INFERRED, "rare and old", in_meta("title")),
    ),
    build=build_title,
    key=key_of,
)

SITE_NAME: Final = FieldRule(
    sources=(
        Source(Family.OPENGRAPH, STATED, "for exactly this purpose", in_meta("og:site_name")),
        Source(Family.JSON_LD, STATED, "the publisher", about_article("publisher")),
        Source(Family.MICRODATA, STATED, "the publisher", about_item("publisher")),
        Source(Family.META, GENERAL, "for citation tools", in_meta("citation_journal_title")),
        Source(
            Family.JSON_LD,
            GENERAL,
            "the site's own entry",
            on_page("json-ld:WebSite.name", lambda e: e.web_site_names),
        ),
        Source(
            Family.META,
            GENERAL,
            "the label of its icon",
            in_meta("application-name", "apple-mobile-web-app-title"),
        ),
        Source(
            Family.DUBLIN_CORE,
            GENERAL,
            "for library catalogues",
            in_meta("dc.publisher", "dcterms.publisher"),
        ),
        Source(
            Family.URL, INFERRED, "the host, as a fallback", on_page(HOST_LABEL, lambda e: [e.host])
        ),
    ),
    build=build_site_name,
    key=key_of,
)

DESCRIPTION: Final = FieldRule(
    sources=(
        Source(Family.OPENGRAPH, GENERAL, "for sharing this page", in_meta("og:description")),
        Source(Family.META, GENERAL, "for search results", in_meta("description")),
        Source(
            Family.JSON_LD,
            GENERAL,
            "sometimes the whole text",
            about_article("description", "abstract"),
        ),
        Source(
            Family.META,
            GENERAL,
            "for cards",
            in_meta("twitter:description", "sailthru.description"),
        ),
        Source(
            Family.DUBLIN_CORE,
            GENERAL,
            "for library catalogues",
            in_meta("dc.description", "dcterms.abstract"),
        ),
        Source(Family.MICRODATA, GENERAL, "in microdata", about_item("description")),
        Source(Family.JSON_LD, INFERRED, "of the page", about_page("description")),
    ),
    build=build_description,
    key=key_of,
)

TAGS: Final = FieldRule(
    sources=(
        Source(Family.OPENGRAPH, STATED, "of this article", in_meta("article:tag")),
        Source(Family.JSON_LD, STATED, "of this article", about_article("keywords")),
        Source(
            Family.META,
            STATED,
            "for analytics and news search",
            in_meta("parsely-tags", "sailthru.tags", "news_keywords", "citation_keywords"),
        ),
        Source(Family.MICRODATA, STATED, "in microdata", about_item("keywords")),
        Source(
            Family.PAGE,
            SHOWN,
            "links to tag pages",
            on_page("page:rel=tag", lambda e: e.visible.tag_links()),
        ),
        Source(Family.META, SHOWN, "often those of the site", in_meta("keywords")),
        Source(
            Family.DUBLIN_CORE,
            SHOWN,
            "for library catalogues",
            in_meta("dc.subject", "dcterms.subject"),
        ),
        Source(Family.JSON_LD, SHOWN, "of the page", about_page("keywords")),
    ),
    build=build_tags,
    key=lambda tags: frozenset(map(key_of, tags)),
)
