"""Contents of scripts."""

from __future__ import annotations

import json

import pytest

from tests.analysis.obstacles.pages import SENTENCE
from thresher.analysis.obstacles.absence import count_script_words, inline_scripts


@pytest.mark.parametrize(
    ("html", "scripts"),
    [
        ("<script>a<b</script>x<SCRIPT type=m>c</Script >", ["a<b", "c"]),
        ("<script src=a></script><scripted>b</scripted>", []),
        ("<script>a</script><script>never closed", ["a"]),
        ("<script", []),
        ("", []),
    ],
)
def test_scripts_found_as_far_as_they_are_closed(html: str, scripts: list[str]) -> None:
    """Every script with content is given, in order."""
    assert scripts == list(inline_scripts(html))


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (json.dumps({"text": SENTENCE}), 15),
        (json.dumps(json.dumps({"text": f"<p>{SENTENCE}</p>"})), 15),
        (
            json.dumps(
                {"text": "Zwölf Mühlen mahlen am Fluß für neun Dörfer Roggen, Hafer und Gerste."}
            ),
            12,
        ),
        (json.dumps({"text": "河边的磨坊为周围的九个村庄磨黑麦、燕麦和大麦。" * 3}), 63),
        (json.dumps([SENTENCE] * 9), 15),
        (json.dumps({"a": "rye and oats"} | {str(i): i for i in range(99)}), 0),
        ("function grind(rye) { return rye.map((grain) => grain.split(' ')); }" * 9, 0),
        (f"var data = '{'a1b2c3d4e5f6' * 99}';", 0),
    ],
    ids=["JSON", "JSON in JSON", "escapes", "Chinese", "repeated", "short", "code", "encoded"],
)
def test_words_counted_when_they_are_prose(script: str, words: int) -> None:
    """Sentences count however they are escaped, each once; code and encoded data do not."""
    assert words == count_script_words(f"<script>{script}</script>")
