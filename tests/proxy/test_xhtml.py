"""Pages sent as XML."""

from __future__ import annotations

import pytest

from thresher.errors import InputError
from thresher.proxy.rewrite import is_xhtml, settle_xhtml, spell_out_empty


def test_empty_elements_are_spelled_out() -> None:
    """Only elements that HTML reads as start tags change, not what looks like one elsewhere."""
    kept = "<br/><img src='a>b' /><!--<i/>--><script><![CDATA[<i/>]]></script><?x <i/>?><p>a/></p>"
    assert kept == spell_out_empty(kept)
    assert "<i></i><a b=\"/>\" c='d'></a>" == spell_out_empty("<i/><a b=\"/>\" c='d' />")


def test_what_follows_is_moved_into_the_body() -> None:
    """The end of the page is its end again; a page that is not well-formed is an error."""
    assert "<html><body>a<b>c</b></body></html>\n" == settle_xhtml(
        "<html><body>a</body></html>\n<b>c</b>"
    )
    for html in ("<html><body><p></body></html>", "<html>a</html>", "<body>&nbsp;</body>"):
        with pytest.raises(InputError):
            settle_xhtml(html)


def test_types() -> None:
    """The type is read without its parameters and case."""
    assert is_xhtml("Application/XHTML+xml; charset=utf-8")
    assert not is_xhtml("text/html")
