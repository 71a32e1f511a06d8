"""The work on one page: an item in, a record out."""

from __future__ import annotations

from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher import __version__
from thresher.batch.model import Item, Settings
from thresher.batch.work import describe_error, extract_item, scope_of
from thresher.errors import InputError, UsageError
from thresher.limits import Limits
from thresher.sites import HostRules, Rulebook, Rules

PAGE = """<html lang="en"><head><title>Rye</title>
<meta name="author" content="Ada Reaper"><link rel="canonical" href="https://example.org/rye">
</head><body><nav><a href="/">Home</a></nav><article><h1>Rye</h1>
<p>Rye is sown in autumn, and it is cut in the heat of the summer after.</p></article></body></html>
"""


def test_a_record_has_the_content_and_what_is_known() -> None:
    """A record has the requested formats, the metadata and the processing data."""
    settings = Settings(formats=("markdown",), scope="article")
    record = extract_item(Item("1", PAGE.encode(), "https://example.org/rye?from=x"), settings)
    assert "Rye is sown in autumn" in (record.markdown or "")
    assert (None, None) == (record.text, record.html)
    assert ("Rye", ("Ada Reaper",), "en") == (record.title, record.authors, record.language)
    assert ("content", "article", "learned") == (record.verdict, record.scope, record.method)
    assert ("https://example.org/rye?from=x", None) == (record.url, record.error)
    assert (len(PAGE), __version__) == (record.n_bytes, record.version)
    assert blake2b(PAGE.encode(), digest_size=16).hexdigest() == record.digest
    assert 0 < (record.confidence or 0) <= 1
    assert record.elapsed_s > 0


def test_rules_of_the_host_hold() -> None:
    """The user's rules apply to the pages of their host only."""
    book = Rulebook({"example.org": HostRules(Rules(drop=("h1",)))})
    settings = Settings(rules=book, method="keep_all")
    for url, is_kept in (("https://example.org/rye", False), ("https://other.org/rye", True)):
        record = extract_item(Item("1", PAGE, url), settings)
        assert is_kept == ("Rye\n" in (record.text or ""))


def test_a_record_without_metadata_has_none() -> None:
    """Without metadata, its columns are empty and the URL is the given one."""
    record = extract_item(Item("1", PAGE), Settings(metadata=False))
    assert (None, (), None) == (record.title, record.authors, record.url)
    assert "https://example.org/rye" == extract_item(Item("1", PAGE), Settings()).url


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_nothing_raises(body: bytes | str) -> None:
    """Any input gives a record with a verdict, or with an error and no content."""
    record = extract_item(Item("1", body), Settings())
    assert (record.error is None) == (record.verdict is not None) == (record.text is not None)


def test_errors_name_themselves() -> None:
    """An error begins with the name of the exception, and the record identifies the page."""
    record = extract_item(Item("7", b"%PDF-1.7", "https://example.org/leaflet"), Settings())
    assert (record.error or "").startswith("InputError: ")
    assert ("7", "https://example.org/leaflet", 8) == (record.id, record.url, record.n_bytes)
    assert "InputError: two lines" == describe_error(InputError("two\n  lines"))
    assert "MemoryError" == describe_error(MemoryError())


def test_partial_result_is_accepted_by_setting() -> None:
    """A page beyond a limit is an error, or by setting a partial record with that verdict."""
    page = "<p>One sheaf after the other was brought in.</p>" * 1000
    error = extract_item(Item("1", page), Settings(limits=Limits(max_nodes=500))).error
    assert (error or "").startswith("LimitError: nodes of the page")
    partial = Limits(max_nodes=500, on_limit="partial", deadline_s=60)
    record = extract_item(Item("1", page), Settings(limits=partial))
    assert ("partial", None) == (record.verdict, record.error)
    assert record.text


def test_the_scope_is_the_methods() -> None:
    """The scope comes from the settings, the parameters or the method's default, or is None."""
    assert "auto" == scope_of(Settings())
    assert "page" == scope_of(Settings(scope="page"))
    assert "thread" == scope_of(Settings(params={"scope": "thread"}))
    assert scope_of(Settings(method="keep_all")) is None
    with pytest.raises(UsageError, match="keep_all has no scope"):
        scope_of(Settings(method="keep_all", scope="page"))
