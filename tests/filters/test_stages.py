"""The stages of filtering."""

from __future__ import annotations

import numpy as np

from tests.filters.filtering import ADS, URL
from thresher.filters import Filters, filter_page, first_stage
from thresher.page.parse import parse

MENU = "<nav><ul>" + "<li><a href=/a>Some section</a></li>" * 20 + "</ul></nav>"
AD = "<img src=https://ads.example/i.png>"


def test_first_stage_takes_advertisements_only() -> None:
    """Advertisements, pixels and click tracking go from a portal; its links stay."""
    pixel = "<img src=https://t.example/p?id=1 width=1 height=1>"
    link = "<a href='/story?utm_source=x'>Story</a>"
    page = parse(f"<body>{MENU}<p>A table</p>{AD}{pixel}{link}", url=URL)
    done = filter_page(page, first_stage(Filters()), ADS)
    assert 20 == done.html.count("Some section")
    assert "ads.example" not in done.html
    assert "t.example" not in done.html
    assert "utm_source" not in done.html


def test_a_page_with_a_form_as_purpose_is_left_whole() -> None:
    """On a page whose purpose is a form, only the advertisement may go, whatever was selected."""
    form = "<form><label>Name<input></label><input type=password><button>Go</button></form>"
    page = parse(f"<body>{MENU}{AD}<p>Text</p>{form}", url=URL)
    whole = filter_page(page, first_stage(Filters()), ADS).html
    assert form.count("<input") == whole.count("<input")
    none = np.zeros(page.leaves.size, np.bool_)
    assert whole == filter_page(page, Filters(), ADS, keep=none).html


def test_no_filter_cuts_a_form() -> None:
    """A box for consent in a form stays, and so does a form in a list of links."""
    story = "<p>" + "The mill stood by the weir. " * 100 + "</p>"
    box = '<div class="gdpr-consent cookie-consent"><input type=checkbox>I agree to cookies</div>'
    form = f"<form><input name=q>{box}<a href=/help>Help</a><button>Go</button></form>"
    page = parse(f"<body><div>{MENU}{form}</div>{story}", url=URL)
    done = filter_page(page, Filters(), ADS, keep=page.leaf_words > 50)
    after = parse(done.html)
    assert "I agree to cookies" in after.text
    assert "Help" in after.text
    assert "Some section" not in done.html.partition("<details")[0]


def test_link_lists_that_always_go_do_so_from_a_page_with_a_form() -> None:
    """Whoever wants them removed always gets that on a short page with a form too."""
    form = "<form><label>Name<input></label><input type=password><button>Go</button></form>"
    page = parse(f"<body>{MENU}<p>{'The mill stood by the weir. ' * 20}</p>{form}", url=URL)
    none = np.zeros(page.leaves.size, np.bool_)
    done = filter_page(page, Filters(link_lists="always"), keep=none)
    assert "Some section" not in done.html.partition("<details")[0]
    assert form.count("<input") == done.html.count("<input")
