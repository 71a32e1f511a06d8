"""Of what a page has twice, for narrow and for wide screens, one is text."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.analysis.narrow_copies import find_hidden_copies, find_narrow_copies
from thresher.page.parse import parse

PAIR = "<div class='{}'><p>Call us at 12.</p></div><div class='{}'><p>Call us at 12.</p></div>"


@pytest.mark.parametrize(
    ("narrow", "wide", "is_copy"),
    [
        ("d-block d-md-none", "d-none d-md-block", True),
        ("lg:hidden", "hidden lg:block", True),
        ("show-on-mobile hide-on-desktop", "show-on-desktop", True),
        ("visible-xs", "visible-md visible-lg", True),
        ("mobile-only", "hide-on-mobile", True),
        ("mobileOnly", "hidden-mobile", True),
        ("card hide-on-desktop", "card", True),
        ("elementor-hidden-desktop", "elementor-hidden-mobile", True),
        ("show-for-small-only", "hide-for-small-only", True),
        ("hide-for-small", "card", False),
        ("hide-on-mobile", "card", False),
        ("hidden-up-md", "hidden-down-md", True),
        ("hero__title--mobile", "hero__title", True),
        ("attorney--mobile-name", "attorney--name", True),
        ("d-none d-print-block", "tab", True),
        ("u-display-none u-display-in-print", "u-hide-in-print", True),
        ("hide-for-large-up", "show-for-large-up", True),
        ("text hidden mobile__block", "text mobile__hidden", True),
        ("text styles__onlyShowInPrint--86dbf251", "styles__hideInPrint--f7f0d439", True),
        ("blueprint", "card", False),
        ("t-mobiles", "card", False),
        ("card", "card", False),
        ("automobile", "card", False),
        ("lg:hidden", "md:hidden", False),
        ("ten-point-mobile", "card", False),
        ("is-size-7-mobile", "card", False),
        ("is-full-mobile", "card", False),
        ("text_mobile-width-320px", "card", False),
    ],
)
def test_the_copy_for_narrow_screens_is_left_out(narrow: str, wide: str, is_copy: bool) -> None:
    """By the classes of frameworks, in whole words; of two for narrow screens both stay."""
    page = parse(f"<p>The tide is low.</p>{PAIR.format(wide, narrow)}")
    keep = np.ones(page.leaves.size, np.bool_)
    assert [False, False, is_copy] == find_narrow_copies(page, keep).tolist()


@pytest.mark.parametrize(
    ("narrow", "wide", "is_form"),
    [
        ("show-mobile-only", "hide-on-mobile", True),
        ("d-md-none", "d-none d-md-block", True),
        ("lg:hidden", "hidden lg:flex", True),
        ("lg:hidden", "block lg:flex", False),
        ("hide-for-large-up", "show-for-large-up", True),
        ("mobile-only", "desktop-only", True),
        ("mobile-only", "mobile-only", False),
        ("card", "hide-on-mobile", False),
    ],
)
def test_the_form_for_narrow_screens_is_left_out(narrow: str, wide: str, is_form: bool) -> None:
    """Beside the one for wide screens, if it has most of the words and is kept."""
    long, short = "Boats at the quay at low tide", "Boats at the pier …"
    pair = f"<i class='{wide}'>{long}</i> <b class='{narrow}'>{short}</b>"
    page = parse(f"<p>The tide is low.</p><p>{pair}</p>")
    keep = np.ones(page.leaves.size, np.bool_)
    assert is_form == find_narrow_copies(page, keep)[-1]
    keep[page.leaf_texts(np.arange(page.leaves.size)).index(long)] = False
    assert not find_narrow_copies(page, keep).any()


@pytest.mark.parametrize(
    ("narrow", "is_copy"),
    [
        ("<img src=/a.jpg><svg></svg><img src=/b.jpg>", True),
        ("<img src=/a.jpg>", True),
        ("<img src=/a.jpg><img src=/c.jpg>", False),
        ("<img src=/a.jpg data-src=/c.jpg>", False),
        ("<img src=/a.jpg><video><source src=/d.mp4></video>", False),
        ("<hr>", False),
    ],
)
def test_pictures_for_narrow_screens_are_left_out(narrow: str, is_copy: bool) -> None:
    """Without words, if those for wide screens have the addresses of all and are kept."""
    wide = "<div class='hidden md:flex'><img src=/a.jpg><img src=/b.jpg></div>"
    page = parse(f"{wide}<p>The tide is low.</p><div class=md:hidden>{narrow}</div>")
    keep = np.ones(page.leaves.size, np.bool_)
    expected = [False] * 3 + [is_copy] * (keep.size - 3)
    assert expected == find_narrow_copies(page, keep).tolist()
    keep[0] = False
    assert not find_narrow_copies(page, keep).any()


def test_other_words_for_narrow_screens_stay() -> None:
    """What stands beside words for wide screens is often no form of them."""
    page = parse("<p class=hidden-xs>Share the page.</p><p class=visible-xs>Boats at the quay.</p>")
    assert not find_narrow_copies(page, np.ones(2, np.bool_)).any()


def test_a_copy_of_what_is_dropped_stays() -> None:
    """The only one that is kept is the text, as is one with words of its own."""
    page = parse(PAIR.format("d-none d-md-block", "d-md-none") + "<p class=d-md-none>Or write.")
    assert not find_narrow_copies(page, np.array([False, True, True])).any()
    assert [False, True, False] == find_narrow_copies(page, np.ones(3, np.bool_)).tolist()


@pytest.mark.parametrize(
    ("wide", "text", "is_copy"),
    [
        ("<p>Stir 2 cups of rye.</p>", "2 cups", False),
        ("<p>Stir 2 cups of rye with the water.</p>", "2 cups of rye with the water", True),
        ("<p>2 cups</p>", "2 cups", True),
        ("<p>2</p>", "2", False),
    ],
)
def test_short_words_are_a_copy_of_a_whole_line(wide: str, text: str, is_copy: bool) -> None:
    """Amounts are told in the steps of a recipe, too."""
    page = parse(f"{wide}<ul><li><i class=show-for-mobile>{text}</i> rye</ul>")
    keep = np.ones(page.leaves.size, np.bool_)
    assert [False, is_copy, False] == find_narrow_copies(page, keep).tolist()


def test_short_words_are_a_copy_of_those_beside_them() -> None:
    """In one item, or in the element around."""
    pair = "<b><i class=show-for-mobile>2 cups</i></b> <i>2 cups</i> of rye"
    for item in (
        f"<li>{pair}",
        "<div>{}</div>".format(pair.replace("<b>", "").replace("</b>", "")),
    ):
        page = parse(f"<p>Bake.</p>{item}")
        is_copy = find_narrow_copies(page, np.ones(page.leaves.size, np.bool_))
        assert ["2 cups"] == page.leaf_texts(is_copy.nonzero()[0].astype(np.int32))


def test_a_copy_with_the_title_is_left_out() -> None:
    """The heading that is written as the title counts as kept."""
    head = "<h1>Low tide</h1><p>Call us at 12 and at six.</p>"
    page = parse(f"<div>{head}</div><p>The pier.</p><div class='mobile-only'>{head}</div>")
    keep = np.array([False, True, True, True, True])
    assert [False, False, False, True, True] == find_narrow_copies(page, keep).tolist()


_SENTENCES = (
    "The boats lie at the quay at low tide, and the nets are mended.",
    "They leave the harbour when the water is back, long before dawn.",
)


@pytest.mark.parametrize(
    ("copy", "is_copy"),
    [
        ("<div hidden><p>{}</p><p>{}</p></div>", True),
        ("<div style='display: none'>&lt;p>{}&lt;/p>\n&lt;p>{}&lt;/p></div>", True),
        ("<textarea>{}\n\nSee page 2\n\n{}</textarea>", True),
        ("<textarea>{}\n\nThe pier is closed.\n\n{}</textarea>", False),
        ("<div hidden><p>{}</p><p>{}</p><p>See page 2</p></div>", False),
        ("<div hidden><p>{0}</p></div>", False),
        ("<div><p>{}</p><p>{}</p></div>", False),
    ],
)
def test_a_hidden_copy_is_left_out(copy: str, is_copy: bool) -> None:
    """What is hidden, with its tags or in a text field, if all of it is shown and it is long."""
    page = parse("<p>{}</p><p>{}</p>".format(*_SENTENCES) + copy.format(*_SENTENCES))
    keep = np.ones(page.leaves.size, np.bool_)
    assert [False, False, *[is_copy] * (keep.size - 2)] == find_hidden_copies(page, keep).tolist()
    keep[0] = False
    assert not find_hidden_copies(page, keep).any()
