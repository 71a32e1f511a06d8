"""Jupyter shows a page as the table of its blocks."""

from __future__ import annotations

import thresher


def test_page_is_shown_as_table_of_blocks() -> None:
    """Each block has its element, path and text, escaped; of very many the first are shown."""
    shown = thresher.read_page("<nav>Home</nav><p>1 &lt; 2")._repr_html_()
    assert "2 blocks</caption>" in shown
    assert "<td>1</td><td>p</td><td>html &gt; body &gt; p" in shown
    assert "1 &lt; 2</td></tr>" in shown
    many = thresher.read_page("<p>x" * 300)._repr_html_()
    assert "300 blocks, the first 200 of them" in many
    assert 201 == many.count("<tr>")
