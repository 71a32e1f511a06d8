"""Rewriting of one page into every view, and pages that pass unchanged."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import thresher
from tests.helpers.fixture_pages import PAGES
from tests.helpers.harbour import HARBOUR
from tests.proxy.scripted_pages import CASES
from tests.proxy.site import ARTICLE, HEAD, MENU, PORTAL, STORY
from thresher.algorithms import MethodName
from thresher.deadline import check_deadline
from thresher.errors import InputError, LimitError
from thresher.filters import NO_FILTERS, BlockList
from thresher.page.decode import decode
from thresher.page.parse import parse
from thresher.proxy.page_parts import Badge
from thresher.proxy.passthrough import find_rows, is_application, passthrough_reason
from thresher.proxy.rewrite import encode_as, is_xhtml, rewrite, settle_xhtml, spell_out_empty
from thresher.proxy.rewrite_model import ReceivedPage, RewriteOptions, Rewritten
from thresher.proxy.settings import Profile
from thresher.proxy.state import ListFile
from thresher.sites import Rules, SiteFolder, learn, write_site
from thresher.sites.rulebook import NO_RULES, HostRules

URL = "https://www.example.org/mill"
BADGE = Badge((("Settings", "http://thresher.internal/"),))
HTML = "text/html; charset=utf-8"


def show(
    page: str | bytes,
    view: str = "inplace",
    kind: str = HTML,
    *,
    profile: Profile | None = None,
    rules: HostRules = NO_RULES,
    blocklist: BlockList | ListFile | None = None,
    **asked: object,
) -> Rewritten:
    """Rewrite a page in a view, or by a profile."""
    received = ReceivedPage(page if isinstance(page, bytes) else page.encode(), kind, URL)
    options = RewriteOptions(**asked)  # type: ignore[arg-type]
    return rewrite(received, profile or Profile(view=view), rules, blocklist, options)


def body_of(page: str | bytes, view: str = "inplace", **asked: Any) -> bytes:
    """Return the body of a page that is rewritten, which must be a new one."""
    body = show(page, view, **asked).body
    assert body is not None
    return body


@pytest.mark.parametrize("is_part", [False, True])
def test_the_deadline_covers_all_work(is_part: bool) -> None:
    """A page that takes longer than its deadline is given up, one in a frame too."""
    with pytest.raises(LimitError, match="seconds of work"):
        show(ARTICLE, deadline_s=1e-9, is_part=is_part)


def test_reading_a_list_is_not_the_pages_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first page after an update of the lists has its whole deadline for itself."""
    read: list[ListFile] = []

    def load(file: ListFile) -> BlockList:
        check_deadline()
        read.append(file)
        return BlockList()

    monkeypatch.setattr("thresher.proxy.rewrite.load_list", load)
    file = ListFile(None, "new")
    with pytest.raises(LimitError):
        show(ARTICLE, blocklist=file, deadline_s=1e-9)
    assert [file] == read


def test_in_place() -> None:
    """Boilerplate is removed and counted; the rest of the source is unchanged."""
    done = show(ARTICLE)
    assert done.body is not None
    assert "inplace" == done.outcome
    assert done.body.startswith(HEAD.encode())
    assert STORY.encode() in done.body
    assert b"banner.png" not in done.body
    assert 0 < sum(done.removed.values())


TAG = '<script src="https://ad.doubleclick.net/x.js"></script>'


@pytest.mark.parametrize(
    ("head", "change"),
    [
        (HEAD, None),
        (HEAD.replace("</head>", f"<title>Rye é</title>{TAG}</head>"), None),
        # Written anew: what follows the head is sent if that is the same page.
        (
            HEAD.replace('<html lang="en">', "<HTML lang=en>"),
            (">Imprint", "><b><p>Im</b>print</p><table><b>"),
        ),
    ],
    ids=["plain", "filtered", "malformed"],
)
def test_a_head_that_was_sent_stays(head: str, change: tuple[str, str] | None) -> None:
    """What the filters remove from a head stays in one that was sent; the rest is filtered."""
    page = ARTICLE.replace(HEAD, head).replace(*change) if change else ARTICLE.replace(HEAD, head)
    whole, rest = body_of(page), body_of(page, n_sent=len(head.encode()))
    assert TAG.encode() not in whole
    assert b"doubleclick" not in rest
    assert rest.lstrip().startswith(b"<body")
    assert b"Paragraph 7" in rest
    assert head != HEAD or whole == head.encode() + rest


def test_a_head_that_would_be_another() -> None:
    """Where the rest would not fit the head that was sent, an error is raised."""
    head = HEAD.replace("</head>", "</head><table><tr><b><div><a href=/a>Field 1</a></b>")
    page = ARTICLE.replace(HEAD, head)
    assert body_of(page)
    with pytest.raises(InputError):
        show(page, n_sent=len(head))


def test_links_of_a_page_with_a_base() -> None:
    """Links follow the page's base in place and in the reader; the badge's do not."""
    base = '<base href="http://other.example/a/">'
    link = '<p>The miller kept <a href="books">the books</a> of every sack, and sold some.</p>'
    page = ARTICLE.replace("<title>", f"{base}<title>").replace("</h1>", f"</h1>{link}")
    inplace, reader = (body_of(page, view, badge=BADGE) for view in ("inplace", "reader"))
    assert base.encode() in inplace
    assert b'<a href="books">' in inplace
    assert b'<a href="http://other.example/a/books"' in reader
    assert b"<base" not in reader
    for body in (inplace, reader):
        assert b'<a href="http://thresher.internal/"' in body


def test_reader_and_text() -> None:
    """Generated pages have the content, title and policy, and nothing else of the site."""
    for view, sign in (("reader", b"<article>"), ("text", b'<pre class="text">')):
        done = show(ARTICLE, view, badge=BADGE)
        assert done.body is not None
        assert view == done.outcome
        assert sign in done.body
        assert b"<title>The mill by the weir</title>" in done.body
        assert b"thresher.internal" in done.body
        assert b"banner" not in done.body
        assert "default-src 'none'" in (done.policy or "")
    plain = show(ARTICLE, "text", is_plain=True)
    assert "text/plain; charset=utf-8" == plain.content_type


@pytest.mark.parametrize("view", ["inplace", "reader", "text"])
def test_portals(view: str) -> None:
    """Portals pass unchanged with the badge, unless a view is forced; so do empty pages."""
    left = show(PORTAL, view, badge=BADGE)
    assert left.body is not None
    assert "left alone" == left.outcome
    assert left.body.startswith(PORTAL.encode())
    assert b"<thresher-mark>" in left.body
    assert show(PORTAL, view).body is None
    assert view == show(PORTAL, view, forced=True).outcome
    assert show("<html><body></body></html>", view, forced=True).body is None


AD = '<img src="https://ad.doubleclick.net/banner.png">'
FORM = "<form>" + "<label>Name<input></label>" * 4 + "<button>Send</button></form>"


@pytest.mark.parametrize(
    "page", [PORTAL, f"{HEAD}<body><ul>{MENU}</ul><h1>Contact</h1>{FORM}</body>"]
)
def test_advertisements_go_from_pages_without_a_selection(page: str) -> None:
    """Portals and pages to be filled in lose advertisements and nothing else."""
    left = show(page.replace("<body>", f"<body>{AD}"), badge=BADGE)
    assert "left alone" == left.outcome
    assert left.reason
    assert left.body is not None
    assert {"ads": 1} == left.removed
    assert b"doubleclick" not in left.body
    assert page.count("<a ") == left.body.partition(b"<thresher-mark>")[0].count(b"<a ")
    assert page.count("<input") == left.body.count(b"<input")


def test_forms_beside_an_article_stay_whole() -> None:
    """The search in a menu stays with its button, and the menu goes."""
    search = '<form role="search"><input name="q"><button>Search</button></form>'
    body = body_of(ARTICLE.replace('<div id="menu">', f'<div id="menu">{search}'))
    assert search.encode() in body
    assert b'<ul><li><a href="/p1"' not in body.partition(b"<details")[0]


def test_filters_of_a_site() -> None:
    """What is switched for the site is done there, whatever the profile says."""
    page = ARTICLE.replace("</body>", f"{AD}</body>")
    for view in ("inplace", None):
        rules = HostRules(Rules(), view, "keep_all", (("ads", False), ("images", False)))
        kept = show(page, rules=rules)
        assert kept.body is None or b"doubleclick" in kept.body
        assert "ads" not in kept.removed
    rules = HostRules(method="keep_all", filters=(("ads", True),))
    assert "ads" in show(page, profile=Profile(filters=NO_FILTERS), rules=rules).removed


def test_parts_of_pages() -> None:
    """Fragments are not pages; frames are filtered without a badge."""
    assert show("<li>one</li>", is_guess=True).body is None
    assert body_of("<!doctype html><p>one", is_guess=True, badge=BADGE)
    part = body_of(ARTICLE, is_part=True)
    assert b"Imprint and cookies" in part
    assert b"banner.png" not in part
    assert show(ARTICLE, "reader", is_part=True).body is None
    assert show(STORY, is_part=True).body is None


def test_rules_of_the_host() -> None:
    """Rules of the host override the profile, and the restoration of the headline."""
    assert show(ARTICLE, rules=HostRules(view="original", method="keep_all")).body is None
    profile = Profile(filters=NO_FILTERS)
    done = show(ARTICLE, profile=profile, rules=HostRules(method="keep_all"))
    assert b"Imprint" in (done.body or ARTICLE.encode())
    for view in ("inplace", "reader"):
        rules = HostRules(Rules(keep=("footer",), drop=("h1",)), view=view)
        body = body_of(ARTICLE, profile=profile, rules=rules)
        assert STORY[:40].encode() in body
        assert b"Imprint and cookies" in body
        assert b"<h1>The mill" not in body


def test_what_is_known_of_the_site(tmp_path: Path) -> None:
    """Content repeated on the site is dropped if site data exist."""
    pages = ARTICLE.replace("The mill by the weir", "{0}").replace(STORY, "<p>{0} came late.</p>")
    site = learn(parse(pages.replace("{0}", name)) for name in ("Rye", "Oats", "Spelt"))
    (tmp_path / "www.example.org.toml").write_text(write_site(site), encoding="utf-8")
    profile = Profile(view="text", method="keep_all")
    for folder, is_there in ((tmp_path, False), (tmp_path / "none", True)):
        body = body_of(ARTICLE, profile=profile, forced=True, sites=SiteFolder(folder))
        assert is_there == (b"Imprint and cookies" in body)
        assert b"Paragraph" in body


def test_charsets() -> None:
    """Rewritten pages declare their charset; unchanged ones keep their bytes."""
    page = ARTICLE.replace('<meta charset="utf-8">', "").replace("mill", "мельница")
    done = show(page.encode("cp1251"), kind="text/html")
    assert done.body is not None
    assert "text/html; charset=windows-1251" == done.content_type
    assert "мельница" in done.body.decode("cp1251")
    broken = PORTAL.encode() + b"\xff\xfe\xfd"
    left = show(broken, badge=BADGE)
    assert left.body is not None
    assert left.body.startswith(broken)
    assert left.content_type is None
    marked = b"\xef\xbb\xbf" + ARTICLE.encode()
    assert body_of(marked).startswith(b"\xef\xbb\xbf<!DOCTYPE")


def test_sponsored_links_are_in_no_generated_page() -> None:
    """The reader view and the text view drop the advertisements that go in place."""
    html = (CASES / "ads.html").read_text()
    for view in ("reader", "text"):
        done = show(html, view)
        assert view == done.outcome
        assert b"Harbour news of the week" in (done.body or b"")
        assert b"Buy rope" not in (done.body or b"")


def test_empty_elements_are_spelled_out() -> None:
    """Only elements that HTML reads as start tags change, not what looks like one elsewhere."""
    kept = "<br/><img src='a>b' /><!--<i/>--><script><![CDATA[<i/>]]></script><?x <i/>?><p>a/></p>"
    assert kept == spell_out_empty(kept)
    assert "<i></i><a b=\"/>\" c='d'></a>" == spell_out_empty("<i/><a b=\"/>\" c='d' />")
    assert is_xhtml("Application/XHTML+xml; charset=utf-8") and not is_xhtml("text/html")


def test_what_follows_is_moved_into_the_body() -> None:
    """The end of the page is its end again; a page that is not well-formed is an error."""
    expected = "<html><body>a<b>c</b></body></html>\n"
    assert expected == settle_xhtml("<html><body>a</body></html>\n<b>c</b>")
    for html in ("<html><body><p></body></html>", "<html>a</html>", "<body>&nbsp;</body>"):
        with pytest.raises(InputError):
            settle_xhtml(html)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("windows-1251", "Мельница у плотины"),
        ("windows-1252", "naïve – “café” €"),
        ("shift_jis", "水車小屋は堰の傍に"),
        ("euc-kr", "물레방아 똠"),
        ("gbk", "水磨坊在堰边"),
        ("big5", "水磨坊在堰邊"),
        ("koi8-r", "Мельница"),
        ("iso-8859-8-i", "טחנה"),
        ("macintosh", "naïve"),
    ],
)
def test_own_encoding(encoding: str, text: str) -> None:
    """Encoded pages decode to the same text; what an encoding lacks is a reference, or UTF-8."""
    encoded, name = encode_as(text, encoding)
    assert encoding == name
    assert text == decode(encoded, http_charset=encoding).text
    assert (b"caf\xe9 &#937;", "windows-1252") == encode_as("café Ω", "windows-1252")
    for other in ("utf-16le", "x-user-defined", "replacement", "utf-8"):
        assert ("é".encode(), "utf-8") == encode_as("é", other)


APP = (
    "<!DOCTYPE html><title>App</title><body><noscript>You need to enable JavaScript to run this"
    ' app.</noscript><div id="root"></div><script src="/static/js/main.js"></script></body>'
)


CONTACT = (
    f"<title>Contact</title><h1>Contact</h1><p>{'We answer letters within some days. ' * 9}</p>"
    f"<form>{'<label>Name<input></label>' * 4}<button>Send</button></form>"
)


@pytest.mark.parametrize("method", ["learned", "crunch", "keep_all"])
def test_portals_by_any_method(method: MethodName) -> None:
    """Portals are recognized with any method."""
    assert passthrough_reason(thresher.extract(PORTAL, method=method))
    assert passthrough_reason(thresher.extract(ARTICLE, method=method)) is None


@pytest.mark.parametrize(
    ("html", "reason"),
    [(APP, "application"), ("<html><body></body></html>", ""), (CONTACT, "a form")],
    ids=["application", "nothing", "form"],
)
def test_pages_without_an_article(html: str, reason: str) -> None:
    """Pages rendered by scripts, to be filled in, with any words beside it, or empty are seen."""
    assert reason in (passthrough_reason(thresher.extract(html, method="keep_all")) or "?")


FORUM = (CASES / "forum.html").read_text()


@pytest.mark.parametrize("method", ["learned", "prune_shake_purify", "keep_all"])
def test_an_index_of_a_forum_is_a_list(method: MethodName) -> None:
    """Rows of topics are recognized with any method, and so none is lost."""
    document = thresher.extract(FORUM, method=method)
    rows = find_rows(document)
    assert rows is not None
    assert 18 == int(rows.sum())
    assert "list" in (passthrough_reason(document) or "")


@pytest.mark.parametrize("name", ["forum-thread", "news-article", "documentation"])
def test_what_is_read_is_no_list(name: str) -> None:
    """Posts, paragraphs and sections are no rows."""
    assert find_rows(PAGES[name].document()) is None


def test_a_reader_of_an_index_has_all_topics() -> None:
    """Whoever asks for the reader view of a list gets every row."""
    body = body_of(FORUM, "reader", forced=True).decode()
    assert "<article>" in body
    assert set(re.findall(r'"/(t\d+)"', FORUM)) <= set(re.findall(r"/(t\d+)", body))


APPLICATIONS = sorted((CASES / "applications").glob("*.html"))


@pytest.mark.parametrize("path", APPLICATIONS, ids=lambda path: path.stem)
def test_an_application_is_left_alone(path: Path) -> None:
    """No field, button, price or menu of an application or a shop is lost."""
    done = show(path.read_bytes())
    assert done.is_application
    assert ("left alone", None) == (done.outcome, done.body)


@pytest.mark.parametrize("name", ["ads", "battery", "button", "svg"])
def test_an_article_with_controls_is_read(name: str) -> None:
    """An article is one, whatever it holds."""
    document = thresher.extract((CASES / f"{name}.html").read_bytes())
    assert not is_application(document)
    assert not passthrough_reason(document)


def test_advertisements_go_from_applications() -> None:
    """The first stage works on every page."""
    html = APPLICATIONS[0].read_text().replace("</main>", f"{AD}</main>")
    assert {"ads": 1} == show(html).removed


def test_pages_of_an_application_are_left_alone() -> None:
    """A text on the site of an application keeps its menu, but not if a view is asked for."""
    done = show(HARBOUR, of_application=True)
    assert ("left alone", "an application or a shop") == (done.outcome, done.reason)
    assert done.is_application is False
    assert "inplace" == show(HARBOUR, of_application=True, forced=True).outcome


TABLE = Path(__file__).with_name("paper_features.md")
TESTS = Path(__file__).parents[1]


def test_every_feature_has_its_test() -> None:
    """Each row of the table names a test that is in the file."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| §")]
    assert 15 < len(rows)
    for row in rows:
        named = re.search(r"`([\w/]+\.py)::(\w+)` \|$", row)
        assert named, row
        assert f"def {named[2]}(" in (TESTS / named[1]).read_text(encoding="utf-8"), row
