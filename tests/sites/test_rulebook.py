"""The user's rules come back from files and forms, and apply to the pages of their host."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.errors import UsageError
from thresher.extraction import extract
from thresher.sites.rule_forms import Draft, StaleRulesError, change_rules, draft_of, read_rules
from thresher.sites.rulebook import (
    NO_RULES,
    HostRules,
    Rulebook,
    Rules,
    default_rules_path,
    parse_rulebook,
    read_rulebook,
    save_rulebook,
    write_rulebook,
)

PAGE = (
    "<main><h1>Grain</h1><p>The rye is in the barn, and the miller says that it was a good year "
    "for all who sowed early.</p><p class=promo>Take our weekly letter on the prices of grain, "
    "which the millers of the valley read with their bread.</p></main><nav class=map>Barns</nav>"
)
MILL = HostRules(Rules(keep=(".map",), drop=(".promo",)))


def test_keep_and_drop_hold_for_the_host() -> None:
    """What a rule names is kept or dropped on pages of its host, and on no others."""
    book = Rulebook({"mill.example": MILL})
    text = extract(PAGE, url="https://mill.example/rye", rules=book).text
    assert "Barns" in text
    assert "weekly" not in text
    for url in ("https://oven.example/", None):
        assert extract(PAGE, url=url).text == extract(PAGE, url=url, rules=book).text


def test_the_nearest_domain_counts() -> None:
    """A host has its own rules, else those of the nearest domain above it; new ones go there."""
    deep = HostRules(view="text")
    book = Rulebook({"mill.example": MILL, "old.mill.example": deep})
    assert MILL == book.of("https://mill.example:8080/x")
    assert MILL == book.of("http://WWW.Mill.example./")
    assert deep == book.of("https://a.old.mill.example/")
    for url in ("https://windmill.example/", "https://example/", "https://[", "", None):
        assert NO_RULES == book.of(url)
    assert "mill.example" == book.host_for("https://news.mill.example/")
    assert "oven.example" == book.host_for("https://www.oven.example/")
    assert "" == book.host_for(None)


@pytest.mark.parametrize("host", ["", " ", "https://mill.example/", "a b", "mill.example/x", "a@b"])
def test_hosts_have_a_table(host: str) -> None:
    """Names and numbers are hosts; one without rules has no table. A rulebook never changes."""
    with pytest.raises(UsageError, match="not a host name"):
        Rulebook().with_host(host, MILL)
    book = Rulebook().with_host(" Mill.Example ", MILL)
    assert {"mill.example": MILL} == dict(book.hosts)
    assert Rulebook() == book.with_host("mill.example", HostRules())
    with pytest.raises(TypeError):
        book.hosts["oven.example"] = MILL  # type: ignore[index]
    book = Rulebook().with_host("::1", MILL).with_host("127.0.0.1", HostRules(view="text"))
    assert book == parse_rulebook(write_rulebook(book))
    assert MILL == book.of("http://[::1]:8000/")


@settings(max_examples=30)
@given(
    st.dictionaries(
        st.sampled_from(["a.example", "b.example", "xn--4ca.example", "127.0.0.1"]),
        st.builds(
            HostRules,
            st.builds(
                Rules,
                st.lists(st.text(st.characters(codec="utf-8"))).map(tuple),
                st.lists(st.text(st.characters(codec="utf-8"))).map(tuple),
            ),
            st.sampled_from([None, "reader"]),
            st.one_of(st.none(), st.text(st.characters(codec="utf-8"))),
            st.dictionaries(st.text(st.characters(codec="utf-8")), st.booleans()).map(
                lambda filters: tuple(sorted(filters.items()))
            ),
        ).filter(lambda rules: rules != NO_RULES),
    )
)
def test_a_rulebook_comes_back_as_it_was(hosts: dict[str, HostRules]) -> None:
    """From the file, and from another process."""
    book = Rulebook(hosts)
    assert book == parse_rulebook(write_rulebook(book))
    assert book == pickle.loads(pickle.dumps(book))


def test_a_missing_file_is_an_empty_rulebook(tmp_path: Path) -> None:
    """Saving makes the file and its folders; where it cannot, nothing is left behind."""
    path = tmp_path / "new" / "folder" / "rules.toml"
    assert Rulebook() == read_rulebook(path)
    save_rulebook(Rulebook({"mill.example": MILL}), path)
    assert MILL == read_rulebook(path).of("https://mill.example/")
    assert [path] == list(path.parent.iterdir())
    with pytest.raises(OSError):
        save_rulebook(Rulebook(), path.parent)
    assert [path.parent] == list(path.parent.parent.iterdir())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the line version = 1 is missing"),
        ("version = 2", "version must be 1, not 2"),
        ("version = 1\nversion = 1", "Cannot overwrite a value"),
        ("version = 1\nhosts = 1", "unknown: hosts"),
        ("version = 1\nhost = 1", "host must be a table"),
        ("version = 1\nhost.a = 1", "a: must be a table"),
        ("version = 1\nhost.a.keep = 'p'", "a: keep must be a list of CSS selectors"),
        ("version = 1\nhost.a.drop = [1]", "a: drop must be a list of CSS selectors"),
        ("version = 1\nhost.a.hide = []", "a: unknown: hide"),
        ("version = 1\nhost.a.view = 'all'", "a: view must be one of original, inplace"),
        ("version = 1\nhost.a.method = 1", "a: method must be a name"),
        ("version = 1\nhost.'a b'.keep = []", '"a b" is not a host name'),
        ("a = " + "[" * 100_000, ""),
    ],
)
def test_what_is_no_rulebook_is_a_usage_error(tmp_path: Path, text: str, message: str) -> None:
    """The file is named, and what is wrong with it."""
    path = tmp_path / "rules.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"rules.toml is not a rulebook: ") as caught:
        read_rulebook(path)
    assert message in str(caught.value)


def test_a_file_that_cannot_be_read_is_a_usage_error(tmp_path: Path) -> None:
    """A folder, or bytes that are not text, give a UsageError."""
    with pytest.raises(UsageError, match="directory"):
        read_rulebook(tmp_path)
    path = tmp_path / "rules.toml"
    path.write_bytes(b"\xff")
    with pytest.raises(UsageError, match="is not a rulebook"):
        read_rulebook(path)


def test_where_the_rulebook_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The environment names the file or the folder of configuration, else it is the home's."""
    monkeypatch.delenv("THRESHER_RULES", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    for unset in ("", "relative"):
        monkeypatch.setenv("XDG_CONFIG_HOME", unset)
        assert tmp_path / ".config" / "thresher" / "rules.toml" == default_rules_path()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    assert tmp_path / "xdg" / "thresher" / "rules.toml" == default_rules_path()
    monkeypatch.setenv("THRESHER_RULES", "mine.toml")
    assert Path("mine.toml") == default_rules_path()


METHODS = ("learned", "slope")
KNOWN = HostRules(Rules(("h1",), (".a",)), "reader", "slope")


def test_form_built_from_rules_replaces_them() -> None:
    """What is no longer in the form is gone."""
    draft = replace(draft_of("mill.example", KNOWN, was=KNOWN), drop=".b", view="")
    assert HostRules(Rules(("h1",), (".b",)), None, "slope") == change_rules(
        KNOWN, draft, read_rules(draft, METHODS)
    )


def test_form_built_from_other_rules_is_refused() -> None:
    """The error has the rules that are stored."""
    draft = draft_of("mill.example", KNOWN, was=HostRules())
    with pytest.raises(StaleRulesError) as caught:
        change_rules(KNOWN, draft, read_rules(draft, METHODS))
    assert KNOWN == caught.value.stored


def test_filters_of_a_host_survive_its_forms() -> None:
    """A form holds the switches, adds to them, and refuses what is neither on nor off."""
    known = replace(KNOWN, filters=(("ads", False),))
    form = draft_of("mill.example", known, was=known)
    assert known == change_rules(known, form, read_rules(form, METHODS))
    more = Draft("mill.example", filters="consent=on, ads=on")
    assert (("ads", True), ("consent", True)) == change_rules(
        known, more, read_rules(more, METHODS)
    ).filters
    with pytest.raises(UsageError, match="NAME=on or NAME=off"):
        read_rules(Draft("mill.example", filters="ads"), METHODS)
