"""What a browser shows is extracted, not what it was sent."""

from __future__ import annotations

import asyncio

import pytest

from tests.helpers.browser import browsing
from tests.helpers.harbour import HARBOUR
from thresher.integrations.playwright import extract, extract_async


@pytest.mark.slow
def test_page_of_a_browser_is_extracted() -> None:
    """The document is of the page after its scripts, with the address that it has."""
    with browsing() as browser:
        page = browser.new_page()
        page.set_content("<body><script>document.body.innerHTML = '<p>Made by a script.'</script>")
        document = extract(page, method="keep_all")
    assert "Made by a script." == document.text
    assert "about:blank" == document.page.url


def test_asynchronous_page_is_extracted() -> None:
    """A page of the asynchronous interface is awaited; the caller's address wins."""

    class Page:
        url = "about:blank"

        async def content(self) -> str:
            return HARBOUR

    document = asyncio.run(extract_async(Page(), url="https://tidewater.example/"))
    assert "The harbour" in document.text
    assert "https://tidewater.example/" == document.page.url
