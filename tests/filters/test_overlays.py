"""Removal of overlays that cover a page."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.filters.filtering import body_of, run

TEXT: Final = f"<p>{'word ' * 30}</p>"

CASES: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "a banner by its name": (
        {"consent": True},
        "<div id=my-cookie-banner>Fine?<button>Yes</button>",
    ),
    "a box of a service": ({"consent": True}, "<div id=onetrust-consent-sdk><div>We use</div>"),
    "a dialog by its words": ({"consent": True}, "<div role=dialog><p>Cookies, please.</p></div>"),
    "a dialog that is open": ({"consent": True}, "<dialog open>Ihre Einwilligung</dialog>"),
    "a fixed box": (
        {"consent": True},
        "<div style='position : fixed'>This site uses cookies.</div>",
    ),
    "its backdrop": (
        {"consent": True},
        "<div class=modal-backdrop></div><div aria-modal=true>Cookies?</div>",
    ),
    "a letter by its name": (
        {"newsletters": True},
        "<div class='x newsletter-popup y'>Join!</div>",
    ),
    "a letter the other way": ({"newsletters": True}, "<div class=modal-newsletter>Join!</div>"),
    "a letter by its words": ({"newsletters": True}, "<div role=dialog>Our newsletter</div>"),
    "scripts of services": (
        {"consent_scripts": True},
        "<script src=https://consent.cookiebot.com/uc.js></script>",
    ),
}


@pytest.mark.parametrize(("values", "html"), CASES.values(), ids=list(CASES))
def test_overlay_is_removed(values: dict[str, Any], html: str) -> None:
    """Each of these lies in front of a page, and goes whole."""
    assert TEXT == body_of(TEXT + html, **values)


STAYS: Final[dict[str, str]] = {
    "a text on cookies": "<div class=cookies><h2>Cookies</h2><p>Take butter.</p></div>",
    "a sign-up in the text": "<section class=newsletter-signup>Our newsletter</section>",
    "a dialog on something else": "<div role=dialog>Choose a size</div>",
    "a login": "<div role=dialog>Sign up for cookies<input type=password></div>",
    "a dialog that a click opens": "<div role=dialog hidden>Our newsletter</div>",
    "a wrapper of the page": "<div class=has-cookie-banner><main>a</main></div>",
    "a backdrop of nothing": "<div class=modal-backdrop></div>",
    "a script of another site": "<script src=https://cookiebot.example/uc.js></script>",
}


@pytest.mark.parametrize("html", STAYS.values(), ids=list(STAYS))
def test_no_overlay_is_removed(html: str) -> None:
    """Elements that only resemble an overlay must stay."""
    switches: dict[str, Any] = {"consent": True, "consent_scripts": True, "newsletters": True}
    assert body_of(TEXT + html) == body_of(TEXT + html, **switches)


@pytest.mark.parametrize(
    "html",
    [
        "<div id=cookie-wall>We use cookies.<button>Yes</button></div>",
        f"<div class=cookie-box>{TEXT}{TEXT}{TEXT}</div>{TEXT}",
    ],
)
def test_box_of_the_whole_page_stays(html: str) -> None:
    """A page that is nothing but its question, or a box of most of it, is left as it is."""
    assert {} == dict(run(html, consent=True).removed)
