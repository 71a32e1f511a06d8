"""The examples of docs/integrations.md, run as they are where their packages are installed.

They run in a folder with the files that they name; `https://example.org` is a server of the test.
"""

from __future__ import annotations

import csv
import importlib
import re
from functools import partial, partialmethod
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from tests.fetching.web import Web
from tests.helpers.browser import find_browser
from tests.helpers.harbour import HARBOUR

PAGE: Final = Path(__file__).parents[2] / "docs" / "integrations.md"
ADDRESS: Final = "https://example.org"
TITLE: Final = "The harbour that learned to wait"
FIRST_WORDS: Final = "For two hundred years"
"""Of the text, where precision is favoured and the title is not kept."""
SECTIONS: Final = {
    name: re.findall(r"^```py\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    for name, text in re.findall(
        r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
}
"""Heading → the examples below it that need a package."""


@pytest.fixture
def web(web: Web, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Web:
    """Serve the pages that the examples name, in a folder with their files."""
    monkeypatch.chdir(tmp_path)
    Path("saved.html").write_text(HARBOUR, encoding="utf-8")
    fetching = importlib.import_module("thresher.fetching.fetch")
    monkeypatch.setattr(fetching, "fetch", partial(fetching.fetch, allow_private=True))
    for path in ("/story", "/app"):
        web.serve(path, HARBOUR.encode(), Content_Type="text/html; charset=utf-8")
    return web


def run(web: Web, section: str, place: int = 0, **names: Any) -> dict[str, Any]:
    """Run an example of a section; returns what it has defined."""
    example = SECTIONS[section][place].replace(ADDRESS, web.url)
    exec(compile(example, f"{PAGE.name}, {section}", "exec"), names)
    return names


def test_every_section_with_a_package_has_a_test() -> None:
    """No example is without a test below."""
    tests = Path(__file__).read_text(encoding="utf-8")
    for section, examples in SECTIONS.items():
        assert len(examples) == len(re.findall(rf'\brun\(\s*web, "{section}"', tests)), section


def test_response_is_extracted(web: Web, capsys: pytest.CaptureFixture[str]) -> None:
    """A response of requests is a page."""
    pytest.importorskip("requests", reason="requests is not installed")
    run(web, "Responses")
    assert capsys.readouterr().out.startswith(f"# {TITLE}")


@pytest.mark.slow
def test_page_of_browser_is_extracted(
    web: Web, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a browser shows is extracted; here it is the one that the other tests use."""
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    options = {"executable_path": find_browser(), "args": ["--no-sandbox"]}
    monkeypatch.setattr(api.BrowserType, "launch", partialmethod(api.BrowserType.launch, **options))
    run(web, "Playwright")
    assert capsys.readouterr().out.startswith(f"# {TITLE}")


def test_column_of_pandas_is_extracted(web: Web) -> None:
    """A column of HTML gets one of texts beside it."""
    pytest.importorskip("pandas", reason="pandas is not installed")
    with Path("pages.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["html"], [HARBOUR], [""]])
    frame = run(web, "pandas and Polars")["frame"]
    assert FIRST_WORDS in frame["text"][0]


def test_column_of_polars_is_extracted(web: Web) -> None:
    """An expression extracts a column of a lazy frame."""
    pl = pytest.importorskip("polars", reason="Polars is not installed")
    pl.DataFrame({"html": [HARBOUR]}).write_parquet("pages.parquet")
    pages = run(web, "pandas and Polars", 1)["pages"].collect()
    assert pages["text"][0].startswith(f"# {TITLE}")


def test_sql_of_duckdb_extracts(web: Web) -> None:
    """A function of SQL extracts the column of a file."""
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    table = importlib.import_module("pyarrow").table({"url": [ADDRESS], "html": [HARBOUR]})
    parquet.write_table(table, "pages.parquet")
    [(url, text)] = run(web, "DuckDB")["texts"].fetchall()
    assert url == ADDRESS
    assert text.startswith(TITLE)


def test_loader_and_transformer_of_langchain_yield_documents(web: Web) -> None:
    """The loader fetches the address; the transformer, which comes after it, extracts as well."""
    documents = pytest.importorskip("langchain_core.documents", reason="LangChain is not installed")
    others = [documents.Document(page_content=HARBOUR)]
    [document] = run(web, "LangChain", other_documents=others)["documents"]
    assert document.page_content.startswith(f"# {TITLE}")
    assert ["/story"] == [path for path, _ in web.requests]


def test_reader_of_llama_index_yields_documents(web: Web) -> None:
    """The address and the file are a document each."""
    pytest.importorskip("llama_index.core", reason="LlamaIndex is not installed")
    documents = run(web, "LlamaIndex")["documents"]
    assert [True, True] == [each.text.startswith(f"# {TITLE}") for each in documents]


def test_pipeline_of_haystack_is_saved_and_read(web: Web) -> None:
    """A pipeline with the converter, read again, converts a file."""
    pytest.importorskip("haystack", reason="Haystack is not installed")
    pipeline = run(web, "Haystack")["pipeline"]
    [document] = pipeline.run({"convert": {"sources": ["saved.html"]}})["convert"]["documents"]
    assert document.content.startswith(TITLE)


@pytest.mark.filterwarnings("ignore")  # theirs, of the processes that they start
def test_pipeline_of_datatrove_extracts(web: Web) -> None:
    """The extractor of the pipeline gives the content of a document."""
    data = pytest.importorskip("datatrove.data", reason="datatrove is not installed")
    for needed in ("cchardet", "magic", "warcio"):
        reason = f"datatrove reads WARC files with {needed}"
        pytest.importorskip(needed, reason=reason, exc_type=ImportError)
    _, extractor = run(web, "datatrove")["pipeline"]
    [document] = extractor.run(iter([data.Document(HARBOUR, "1")]))
    assert FIRST_WORDS in document.text


def test_settings_of_scrapy_name_what_extracts(web: Web) -> None:
    """With these settings a response has a document, and an item its text."""
    pytest.importorskip("scrapy", reason="Scrapy is not installed")
    from scrapy.http import HtmlResponse, Request
    from scrapy.settings import Settings
    from scrapy.utils.misc import build_from_crawler, load_object

    named = {name: value for name, value in run(web, "Scrapy").items() if name.isupper()}
    crawler = SimpleNamespace(settings=Settings(named))
    [middleware], [pipeline] = named["SPIDER_MIDDLEWARES"], named["ITEM_PIPELINES"]
    request = Request(f"{ADDRESS}/story")
    response = HtmlResponse(request.url, body=HARBOUR, encoding="utf-8", request=request)
    build_from_crawler(load_object(middleware), crawler).process_spider_input(response)
    assert TITLE == response.meta["thresher"].metadata.title.value
    item = build_from_crawler(load_object(pipeline), crawler).process_item({"html": HARBOUR})
    assert item["text"].startswith(f"# {TITLE}")
