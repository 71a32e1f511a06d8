"""The benchmark of the filters measures every setting, and counts what a page keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.filters import FILTERS, count_kept, measure_list, measure_page, print_list

PAGE = "<title>Rye</title><table><tr><td><a href=/a>Home</a><td>Rye is sown in autumn.</table>" * 20
STORY = "".join(f"<p>Paragraph {n}: the mill stood by the weir for ages, " * 8 for n in range(8))
SEARCH = "<form role=search><input name=q><button>Search</button></form>"
LETTER = "<form class=newsletter>Newsletter<input type=email><button>Subscribe</button></form>"
PICTURE = "https://site.example/mill.jpg"


def test_every_setting_is_measured() -> None:
    """Parsing is measured, and the filters switched off, with their defaults, and switched on."""
    seconds = measure_page(PAGE, 2)
    assert ["parse", *FILTERS] == list(seconds)
    assert all(each > 0 for each in seconds.values())


def test_a_list_is_parsed_and_looked_up() -> None:
    """Parsing a list and looking up in it both take time."""
    assert all(seconds > 0 for seconds in measure_list(2, 1000))


def test_a_list_is_described(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rules are counted by kind, and unsupported rules by the feature that they need."""
    path = tmp_path / "list.txt"
    path.write_text("||ads.example^\n/banner/*\n##.ad\n@@||a.example^\n/x[0-9]/\n")
    print_list(path, 1)
    printed = capsys.readouterr().out
    assert "addresses 1, elements 1, exceptions 1, hosts 1" in printed
    assert "1 not supported: regular expression 1" in printed


def test_kept_things_are_counted() -> None:
    """Forms, the only h1 and the named picture are counted as far as they are left and seen."""
    head = f"<title>Mill</title><meta property=og:image content={PICTURE}>"
    html = f"{head}<header>{SEARCH}</header><h1>Mill</h1><img src={PICTURE}>{STORY}{LETTER}"
    counts = count_kept(html, "https://site.example/a")
    assert {"forms whole": 1, "forms gone": 1, "h1 kept": 1, "picture kept": 1} == counts
    # What a page's scripts may look for stays in its source, but nobody sees it.
    html = f"<title>Mill</title><script src=/a.js></script><h1>Mill</h1>{STORY}{LETTER}"
    counts = count_kept(html, "https://site.example/a")
    assert {"forms gone": 1, "h1 kept": 1} == counts
