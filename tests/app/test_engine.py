"""Extraction tasks of the app."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sites.pages import NOTICE, story
from thresher import read_page
from thresher.app.engine import PageSource, Task, extract_task, with_model
from thresher.errors import LimitError
from thresher.limits import Limits
from thresher.request import SelectRequest
from thresher.sites import HostRules, Rulebook, Rules, SiteFolder, learn, write_site

PAGE = PageSource("<p>One.</p><p class=x>Two.</p>", "https://example.org/")


def test_tasks_are_extracted_as_they_say() -> None:
    """Method, parameters, limits and rules of a task are applied."""
    everything = extract_task(Task(PAGE, SelectRequest("keep_all")))
    assert "One.\n\nTwo." == everything.markdown
    rules = Rulebook({"example.org": HostRules(Rules(drop=(".x",)))})
    assert "One." == extract_task(Task(PAGE, SelectRequest("keep_all", rules=rules))).markdown
    with pytest.raises(LimitError):
        extract_task(Task(PAGE, limits=Limits(max_bytes=3)))


def test_what_is_known_of_the_site_counts(tmp_path: Path) -> None:
    """Content repeated on other pages of the site is dropped."""
    sites = SiteFolder(tmp_path)
    url = "https://mill.example/4"
    known = learn(read_page(story(number)) for number in (1, 2, 3))
    sites.file_of("mill.example").write_text(write_site(known), encoding="utf-8")
    source = PageSource(story(4), url)
    assert NOTICE in extract_task(Task(source)).text
    assert NOTICE not in extract_task(Task(source, sites=sites)).text


def test_model_counts_where_the_method_has_one() -> None:
    """Weights are set only for methods that have them."""
    assert {"model": "a.npz"} == with_model(SelectRequest("learned"), "a.npz").params
    given = SelectRequest("learned", {"model": "b", "scope": "page"})
    assert {"model": "b", "scope": "page"} == with_model(given, "a.npz").params
    assert SelectRequest("bte") == with_model(SelectRequest("bte"), "a.npz")
    assert SelectRequest() == with_model(SelectRequest(), "")
    assert "nothing" == with_model(SelectRequest("nothing"), "a.npz").method
