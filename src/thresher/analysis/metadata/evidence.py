"""Evidence about a page: its structured data and what it shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from thresher.analysis import structured
from thresher.analysis.links import find_base_href
from thresher.analysis.metadata.normalise import (
    absolute_url,
    address_key,
    host_of,
    key_of,
    plain_text,
    words_of,
)
from thresher.analysis.metadata.people import AuthorStatement
from thresher.analysis.metadata.titles import MAX_TITLE_CHARS
from thresher.analysis.metadata.visible import VisibleEvidence
from thresher.analysis.structured import Entity, JsonValue, as_list
from thresher.page import Page
from thresher.support.cached import cached_lookup, cached_property

ARTICLE_TYPES: Final = words_of(
    """
    AdvertiserContentArticle AnalysisNewsArticle APIReference Article AskPublicNewsArticle
    BackgroundNewsArticle BlogPosting DiscussionForumPosting LiveBlogPosting
    MedicalScholarlyArticle NewsArticle OpinionNewsArticle Report ReportageNewsArticle
    ReviewNewsArticle SatiricalArticle ScholarlyArticle SocialMediaPosting TechArticle
    """
)
"""schema.org's Article and all its subtypes (version 28)."""
THING_TYPES: Final = words_of(
    """
    AudioObject Book Course CreativeWork CriticReview Dataset Event Game HowTo ImageObject
    JobPosting Movie MusicAlbum NewsEvent PodcastEpisode Product ProductGroup Question Recipe Review
    SoftwareApplication SoftwareSourceCode TVEpisode TVSeries VideoGame VideoObject WebApplication
    """
)
"""Types that a page may be about or merely contain, so they must match the page."""
PAGE_TYPES: Final = words_of(
    """
    AboutPage CheckoutPage CollectionPage ContactPage FAQPage ItemPage MedicalWebPage ProfilePage
    QAPage RealEstateListing SearchResultsPage WebPage
    """
)
_HOLDERS: Final = ("mainEntity", "blogPost")
"""Properties of a page or a blog for the object that it is about."""
_LANGUAGES: Final = ("content-language", "dc.language")
_ADDRESSES: Final = ("url", "mainEntityOfPage", "@id")
_NAMES: Final = ("headline", "name")
_SITE_NAMES: Final = ("og:site_name", "application-name", "apple-mobile-web-app-title")
MIN_MATCH_CHARS: Final = 8
"""Minimum letters of a headline by which an object is recognised."""
MAX_ENTITIES: Final = 2000
"""Objects examined for the main one."""
_GENERIC_HOST_LABELS: Final = words_of("ac blog co com edu gov m mobile net news org www")
"""Parts of hosts that do not name a site."""


@dataclass(frozen=True)
class PageEvidence:
    """A page with all evidence about it; computed on demand, at most once."""

    page: Page

    @cached_property
    def meta(self) -> dict[str, list[str]]:
        """The contents of `<meta>` by name; most sources are there."""
        return structured.read_meta(self.page)

    @cached_property
    def visible(self) -> VisibleEvidence:
        """The evidence shown on the page."""
        return VisibleEvidence(self.page)

    @cached_property
    def base_url(self) -> str | None:
        """The base of relative addresses: `<base href>`, else the page's address."""
        base = find_base_href(self.page)
        return (absolute_url(base, self.page.url) if base else None) or self.page.url

    @cached_lookup  # several fields state the same
    def absolute(self, href: str) -> str | None:
        """Resolve an address by `absolute_url`."""
        return absolute_url(href, self.base_url)

    @cached_property
    def declared_language(self) -> str | None:
        """The language that the page declares, with its region if given, for parsing its dates.

        Open Graph's locale is ignored: many sites leave the default en_US.
        """
        meta = self.meta
        stated = [structured.read_language(self.page)]
        stated += [tag for name in _LANGUAGES for tag in meta.get(name, [])[:1]]
        tags = [tag.strip().replace("_", "-") for tag in stated if tag]
        same = [tag for tag in tags if tag.lower().startswith(f"{tags[0].lower()}-")]
        return (same or tags)[0] if tags else None

    @cached_property
    def known_names(self) -> dict[AuthorStatement, list[str]]:
        """The names in the statements that were read; many sources state the same."""
        return {}

    # -- the one object of several that the page is about ------------------------------------------

    @cached_property
    def article(self) -> Entity | None:
        """The article, recipe, product … of the page among its JSON-LD objects."""
        return self._main_of(structured.find_json_ld(self.page))

    @cached_property
    def web_page(self) -> Entity | None:
        """The page itself among its JSON-LD objects."""
        entities = structured.find_json_ld(self.page)
        pages = [entity for entity in entities if type_of(entity) in PAGE_TYPES]
        return next(filter(self._has_address, pages), pages[0] if pages else None)

    @cached_property
    def item(self) -> Entity | None:
        """The article, recipe, product … of the page among its microdata items."""
        return self._main_of(structured.read_microdata(self.page))

    @cached_property
    def _by_id(self) -> dict[str, Entity]:
        named: dict[str, Entity] = {}
        for entity in structured.find_json_ld(self.page):
            name = entity.get("@id")
            if isinstance(name, str) and len(entity) > 1:
                named.setdefault(name, entity)
        return named

    def resolve(self, value: JsonValue) -> JsonValue:
        """Return the object that a bare `{"@id": …}` refers to; anything else unchanged."""
        if isinstance(value, dict) and "name" not in value:
            name = value.get("@id")
            if isinstance(name, str):
                return self._by_id.get(name, value)
        return value

    def _main_of(self, entities: Iterable[Entity]) -> Entity | None:
        """Choose by address, then by headline; as a last resort, the first article.

        Teasers of other articles are articles too, with other addresses and headlines.
        """
        candidates: list[Entity] = []
        for entity in entities:
            candidates.append(entity)
            for holder in _HOLDERS:
                held = values_of(entity, holder)
                if len(held) == 1 and isinstance(value := self.resolve(held[0]), dict):
                    candidates.append(value)
            if len(candidates) > MAX_ENTITIES:
                break
        kinds = [(type_of(entity), entity) for entity in candidates]
        articles = [entity for kind, entity in kinds if kind in ARTICLE_TYPES]
        things = [entity for kind, entity in kinds if kind in THING_TYPES]
        matching = (
            entity
            for group in (articles, things)
            for matches in (self._has_address, self._has_headline)
            for entity in filter(matches, group)
        )
        return next(matching, articles[0] if articles else None)

    def _has_address(self, entity: Entity) -> bool:
        stated = (value for name in _ADDRESSES for value in values_of(entity, name))
        keys = {
            address_key(text)
            for text in (text_of(value, "@id", "url") for value in stated)
            if text and "#" not in text
        }
        return bool(keys & self._address_keys)

    def _has_headline(self, entity: Entity) -> bool:
        names = (text_of(value) for name in _NAMES for value in values_of(entity, name))
        keys = [key_of(plain_text(name)) for name in names if name]
        return any(
            len(key) >= MIN_MATCH_CHARS and any(key in heading for heading in self._heading_keys)
            for key in keys
        )

    @cached_property
    def _heading_keys(self) -> tuple[str, ...]:
        title = (structured.read_title(self.page) or "")[:MAX_TITLE_CHARS]
        return key_of(title), *map(key_of, self.visible.headline.headings)

    @cached_property
    def _address_keys(self) -> frozenset[str]:
        """The page's own addresses, except home pages, which are often stated for all pages."""
        stated = [self.page.url, structured.read_canonical(self.page)]
        urls = [self.absolute(url) for url in stated if url]
        return frozenset(address_key(url) for url in urls if url and urlsplit(url).path.strip("/"))

    # -- the site --------------------------------------------------------------------------------

    @cached_property
    def site_keys(self) -> frozenset[str]:
        """All names of the site as `key_of` normalises them, including the labels of its host."""
        meta = self.meta
        names = [name for key in _SITE_NAMES for name in meta.get(key, [])[:1]]
        for entity in (self.article, self.web_page, self.item):
            publishers = map(self.resolve, values_of(entity, "publisher"))
            names += [text_of(publisher, "name") or "" for publisher in publishers]
        names += self.web_site_names
        host = self.host
        if host:
            names += [host, *(label for label in host.split(".") if len(label) > 2)]
        keys = {key_of(plain_text(name)) for name in names}
        return frozenset(keys - {"", *_GENERIC_HOST_LABELS})

    @cached_property
    def web_site_names(self) -> list[str]:
        """Names of the site's own entry among the JSON-LD objects."""
        entities = structured.find_json_ld(self.page)[:MAX_ENTITIES]
        sites = (entity for entity in entities if type_of(entity) == "WebSite")
        names = (text_of(value) for site in sites for value in values_of(site, "name"))
        return [name for name in names if name]

    @cached_property
    def host(self) -> str | None:
        """The page's host without `www.`, if known."""
        for url in self.own_urls:
            if absolute := absolute_url(url, None):
                return host_of(urlsplit(absolute)).removeprefix("www.") or None
        return None

    @property
    def domain(self) -> str:
        """The last label of the host that may name the site: ``sheaf`` of blog.sheaf.co.uk."""
        labels = reversed((self.host or "").split(".")[:-1])
        return next((label for label in labels if label not in _GENERIC_HOST_LABELS), "")

    @cached_property
    def own_urls(self) -> list[str]:
        """Addresses of the page: the one given, the canonical one, and the one to share."""
        shared = self.meta.get("og:url", [])[:1]
        stated = [self.page.url, structured.read_canonical(self.page), *shared]
        return [url for url in stated if url]


def type_of(entity: Entity) -> str:
    """Return the type of an object without its vocabulary; empty if it has none."""
    stated = entity.get("@type")
    if isinstance(stated, str) and stated.isalnum():
        return stated  # as most are
    for kind in values_of(entity, "@type"):
        if isinstance(kind, str):
            return kind.rstrip("/").replace("#", "/").rpartition("/")[2].rpartition(":")[2]
    return ""


def values_of(entity: Entity | None, name: str) -> list[JsonValue]:
    """Return the non-empty values of a property, one or many."""
    value = entity.get(name) if entity else None
    if isinstance(value, str):  # most are
        return [value] if value else []
    if value is None:
        return []
    flat = [part for one in as_list(value) for part in as_list(one)]
    return [part for part in flat if part not in (None, "", {}, [])]


def text_of(value: JsonValue, *names: str) -> str | None:
    """Return a value as text; of an object, its first property of these names that is a text."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        inner = (part for name in names for part in values_of(value, name))
        return next((part for part in inner if isinstance(part, str)), None)
    # Years and times in seconds are sometimes numbers; booleans and fractions are meaningless here.
    return str(value) if type(value) is int and abs(value) < 10**15 else None
