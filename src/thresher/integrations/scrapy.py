"""Scrapy: ``response.meta["thresher"]`` in spiders, and a pipeline that extracts items' HTML.

In the settings of the project:

    SPIDER_MIDDLEWARES = {"thresher.integrations.scrapy.ThresherMiddleware": 900}
    ITEM_PIPELINES = {"thresher.integrations.scrapy.ThresherPipeline": 300}
    THRESHER = {"html": "html", "text": "text", "format": "markdown", "options": {}}
"""

from __future__ import annotations

from typing import Any, Final

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.http import Response

import thresher
from thresher.errors import InputError, LimitError
from thresher.integrations.reading import read_text
from thresher.integrations.responses import extract
from thresher.support.cached import cached_property

__all__ = ["ThresherMiddleware", "ThresherPipeline"]

_DEFAULTS: Final = {"html": "html", "text": "text", "format": "markdown", "options": {}}
"""Of the setting ``THRESHER``: fields of items with the HTML and for the text, and how."""


class _LateDocument:
    """A Document that is extracted when something of it is first asked for."""

    def __init__(self, response: Response, options: dict[str, Any]) -> None:
        self._response = response
        self._options = options

    @cached_property
    def _document(self) -> thresher.Document:
        return extract(self._response, **self._options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # what copying and pickling look for
            raise AttributeError(name)
        return getattr(self._document, name)


class ThresherMiddleware:
    """A spider middleware that gives each response a Document, ``response.meta["thresher"]``.

    It is computed when first used, and raises then as `thresher.extract` does. Scrapy's responses
    take no new attributes.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ThresherMiddleware:
        """Create it with the options in the setting ``THRESHER``."""
        return cls(_read_settings(crawler)["options"])

    def process_spider_input(self, response: Response, spider: object = None) -> None:
        """Attach the document to a response."""
        response.meta["thresher"] = _LateDocument(response, self.options)


class ThresherPipeline:
    """An item pipeline that replaces nothing: it adds the text, and metadata that have a field.

    An item whose HTML cannot be read is dropped; one without HTML is left alone.
    """

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ThresherPipeline:
        """Create it with the setting ``THRESHER``."""
        return cls(_read_settings(crawler))

    def process_item(self, item: Any, spider: object = None) -> Any:
        """Extract the HTML of an item."""
        adapter = ItemAdapter(item)
        html = adapter.get(self.settings["html"])
        if not html:
            return item
        options = {"url": adapter.get("url")} | self.settings["options"]
        try:
            text = read_text(html, self.settings["format"], **options)
        except (InputError, LimitError) as error:
            raise DropItem(f"no page: {error}") from error
        adapter[self.settings["text"]] = text.text
        for name, value in text.facts.items():
            # Items with declared fields take no others; a plain dict takes all.
            if adapter.get(name) is None and (
                isinstance(adapter.item, dict) or name in adapter.field_names()
            ):
                adapter[name] = value
        return item


def _read_settings(crawler: Crawler) -> dict[str, Any]:
    return _DEFAULTS | crawler.settings.getdict("THRESHER")
