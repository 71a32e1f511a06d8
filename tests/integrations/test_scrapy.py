"""Scrapy's responses have a document, and its items the text."""

from __future__ import annotations

from copy import copy
from types import SimpleNamespace
from typing import Any

import pytest

from tests.helpers.harbour import HARBOUR, NO_PAGE

scrapy = pytest.importorskip("scrapy", reason="Scrapy is not installed")


def crawler_with(**thresher: Any) -> Any:
    from scrapy.settings import Settings

    return SimpleNamespace(settings=Settings({"THRESHER": thresher}))


def test_response_has_a_document() -> None:
    """``thresher`` in a response's meta is the page's document, with its address."""
    from scrapy.http import HtmlResponse, Request

    from thresher.integrations.scrapy import ThresherMiddleware

    request = Request("https://tidewater.example/harbour")
    response = HtmlResponse(request.url, body=HARBOUR, encoding="utf-8", request=request)
    middleware = ThresherMiddleware.from_crawler(crawler_with(options={"scope": "article"}))
    middleware.process_spider_input(response)
    assert "The harbour that learned to wait" == response.meta["thresher"].metadata.title.value
    assert "https://tidewater.example/harbour" == response.meta["thresher"].page.url
    # Spiders hand the meta of a response on, and Scrapy copies it.
    assert copy(response.meta["thresher"]).verdict == response.meta["thresher"].verdict


def test_items_get_text_and_metadata() -> None:
    """HTML of an item is extracted; fields that it has stay, and what is no page is dropped."""
    from scrapy.exceptions import DropItem

    from thresher.integrations.scrapy import ThresherPipeline

    class Story(scrapy.Item):  # type: ignore[name-defined]
        html = scrapy.Field()
        text = scrapy.Field()
        title = scrapy.Field()

    pipeline = ThresherPipeline.from_crawler(crawler_with(format="text"))
    item = pipeline.process_item({"html": HARBOUR, "title": "Mine"})
    assert item["text"].startswith("The harbour that learned to wait")
    assert ("Mine", "Mara Lindqvist") == (item["title"], item["authors"])
    assert "The harbour that learned to wait" == pipeline.process_item(Story(html=HARBOUR))["title"]
    assert {"name": 1} == pipeline.process_item({"name": 1})
    with pytest.raises(DropItem):
        pipeline.process_item({"html": NO_PAGE})
