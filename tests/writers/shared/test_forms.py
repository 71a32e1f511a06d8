"""Forms of a page that is written in place."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.writers.shared.forms import Forms, find_forms, find_reached

STORY = "<p class=story>" + "The mill stood by the weir for two hundred years. " * 40 + "</p>"
SEARCH = "<form role=search><input name=q><button>Search</button></form>"
LETTER = "<form class=newsletter>Our newsletter<input type=email><button>Subscribe</button></form>"
COMMENT = (
    "<form id=commentform><label>Name<input name=author></label><label>Mail<input type=email>"
    "</label><label>Site<input type=url></label><textarea></textarea><button>Send</button></form>"
)


def forms_of(html: str, url: str = "https://site.example/page") -> tuple[Forms, set[str]]:
    """Return the forms of a page whose story is selected, and the ids of all that is kept."""
    page = parse(f"<body>{html}", url=url)
    classes = page.attributes.values("class")
    story = np.zeros(len(page), np.bool_)
    story[[row for row, name in classes.items() if name == "story"]] = True
    forms = find_forms(page, page.within(story)[page.leaves])
    return forms, {name for row, name in page.attributes.values("id").items() if forms.kept[row]}


@pytest.mark.parametrize(
    "form",
    [
        SEARCH,
        COMMENT,
        "<form><label>Name<input></label><input type=password><button>Log in</button></form>",
        "<form action=/logout><button>Log out</button></form>",
        "<form><select><option>English</select></form>",
    ],
)
@pytest.mark.parametrize("place", ["<header>{}</header>{}", "{1}<div>{0}</div>"])
def test_a_form_is_kept_whole(form: str, place: str) -> None:
    """A form that a person may need stays with all its labels, fields and buttons."""
    page = parse(place.format(form, STORY))
    story = page.leaf_words > 100
    forms = find_forms(page, story)
    assert not forms.is_purpose
    assert np.array_equal(page.within(page.tag == CODE_OF["form"]), forms.kept)


def test_a_subscription_goes_whole() -> None:
    """A request to subscribe beside the content is removed with everything in it."""
    page = parse(STORY + LETTER)
    forms = find_forms(page, page.leaf_words > 100)
    assert not forms.kept.any()
    assert np.array_equal(page.within(page.tag == CODE_OF["form"]), forms.dropped)


def test_a_form_of_the_content_stays_whole() -> None:
    """A form with selected text stays with what was not selected, whatever it asks for."""
    html = LETTER.replace("Our newsletter", "<b class=story>Our newsletter</b>")
    forms, _ = forms_of(STORY + html)
    assert not forms.dropped.any()
    assert forms.kept.any()


def test_what_must_go_takes_its_form_along() -> None:
    """A form of which the user's rules exclude a part is removed whole."""
    page = parse(STORY + SEARCH)
    story = page.leaf_words > 100
    forms = find_forms(page, story, ~story)
    assert not forms.kept.any()
    assert forms.dropped.any()


def test_a_field_without_a_form_keeps_its_text_and_button() -> None:
    """The nearest box with a button around a field is treated as a form."""
    box = "<div id=box><div><input id=field></div><button id=go>Go</button></div>"
    html = f"<div id=menu>Menu</div>{box}"
    _, kept = forms_of(f"<div>{html}</div>{STORY}")
    assert {"box", "field", "go"} <= kept
    assert "menu" not in forms_of(f"<nav>{html}</nav>{STORY}")[1]


def test_labels_elsewhere_stay_with_their_field() -> None:
    """A label and a button outside the form that name it are kept with it."""
    html = "<label id=label for=q>Find</label><p><button id=go form=f>Go</button></p>"
    _, kept = forms_of(f"{html}<form id=f><input id=q></form>{STORY}")
    assert {"label", "go", "f", "q"} == kept


def test_a_form_around_the_page_is_not_kept_whole() -> None:
    """In a form wrapped around the page, only the field groups are kept."""
    html = f"<form id=page><nav id=menu>Menu</nav><div id=s><input><button>Go</button></div>{STORY}"
    _, kept = forms_of(html)
    assert {"s"} == kept


def test_links_and_buttons_to_log_out_stay() -> None:
    """Ways to log out and to search are reachable, in a form around the page, too."""
    html = "<a id=out href=/logout>Bye</a><button id=s>Search</button><a id=x href=/x>x</a>"
    assert {"out", "s"} == forms_of(f"<header>{html}</header>{STORY}")[1]
    assert {"out", "s"} == forms_of(f"<form><header>{html}</header>{STORY}</form>")[1]


def test_what_must_go_cannot_be_reached() -> None:
    """A button that the user's rules exclude is not kept."""
    page = parse(f"<button>Log out</button>{STORY}")
    story = page.leaf_words > 100
    assert not find_forms(page, story, ~story).kept.any()


@pytest.mark.parametrize(
    ("html", "url", "is_purpose"),
    [
        ("<form><input><input><textarea></textarea></form>", "/contact", True),
        ("<p>Log in<form><input type=password></form>", "/", True),
        ("<div contenteditable=true>draft</div>", "/edit", True),
        ("<form><input name=card><button>Pay</button></form>", "/checkout/pay", True),
        ("<form><input name=title><button>Save</button></form>", "/wp-admin/post.php", True),
        ("<form>" + "<input>" * 8 + f"</form>{STORY[:1200]}", "/apply", True),
        (STORY + COMMENT, "/", False),
        (STORY + SEARCH, "/", False),
        (SEARCH + "<p class=story>Few words.", "/", False),
        (LETTER + "<p class=story>Few words.", "/", False),
        ("<form hidden><input type=password></form><p class=story>Few words.", "/", False),
        (STORY + "<form><input type=password></form>", "/", False),
        ("<p>Nothing", "/checkout", False),
    ],
)
def test_the_purpose_of_a_page_is_a_form(html: str, url: str, is_purpose: bool) -> None:
    """Pages to be filled in are recognised; articles with a search, login or comment are not."""
    assert is_purpose == forms_of(html, f"https://site.example{url}")[0].is_purpose


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<a id=x href=/logout>Bye</a>", True),
        ("<a id=x href='https://a.example/auth/sign_out?token=1&amp;next=/b'>Bye</a>", True),
        ("<a id=x href='/wp-login.php?action=logout&amp;_wpnonce=1'>Bye</a>", True),
        ("<a id=x href='/w/index.php?title=Special:UserLogout&amp;returnto=Rye'>Bye</a>", True),
        ("<a id=x href='./ucp.php?mode=logout&amp;sid=1'>Bye</a>", True),
        ("<a id=x href=/wiki/Special:Search>Find</a>", True),
        ("<a id=x href='/login?next=/rye'>Log in</a>", True),
        ("<a id=x href='/login?next=/rye'>Log in / Register</a>", True),
        ("<a id=x href='/login?next=/rye'>Report</a>", False),
        ("<a id=x href='/search?q=rye'>Rye</a>", False),
        ("<a id=x href=/tag/search>Searches</a>", False),
        ("<a id=x href=/blog/login-pages>Pages to log in</a>", False),
        ("<a id=x href=/logistics>Rye by ship</a>", False),
        ("<a id=x href=\"javascript:__doPostBack('a','')\">Log out</a>", True),
        ("<a id=x href=#> Sign in » </a>", True),
        ("<a id=x href=/about>Sign in</a>", False),
        ("<a id=x href=#top>Top</a>", False),
        ("<button id=x>Search</button>", True),
        ("<button id=x aria-label=Suche><svg></svg></button>", True),
        ("<button id=x class=btn-logout>Auf Wiedersehen</button>", True),
        ("<input id=x type=submit value='تسجيل الخروج'>", True),
        ("<span id=x role=button>Log in</span>", True),
        ("<button id=x>Share</button>", False),
        ("<span id=x>Log in</span>", False),
    ],
)
def test_what_is_reached(markup: str, expected: bool) -> None:
    """Links by their address, buttons and links of scripts by what they say or are called."""
    page = parse(f"<body><header>{markup}</header><p>Rye is sown in autumn.</p>")
    named = {name: row for row, name in page.attributes.values("id").items()}
    assert expected == (named["x"] in find_reached(page))
