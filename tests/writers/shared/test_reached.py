"""Ways to search, log in and log out."""

from __future__ import annotations

import pytest

from thresher.page.parse import parse
from thresher.writers.shared.forms import find_reached


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
