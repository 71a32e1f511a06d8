"""Pages whose text is in their scripts, for tests of completing them."""

from __future__ import annotations

import json
from typing import Final

TITLE: Final = "The lamplighters of Harrow Quay"
PARAGRAPHS: Final = (
    "Every evening at dusk the lamplighters of Harrow Quay set out with their ladders, as their"
    " grandparents did before the town had wires, and walk the same eleven streets to the water.",
    "The council kept them when the cables came, at first because nobody remembered to dismiss"
    " them, and later because visitors began to follow the ladders with cameras and small coins.",
    "Last winter the gas ran low for nine nights. The lamplighters carried candles instead, and the"
    " bakers along the harbour left their ovens open so that the corners would not be dark.",
    "This spring two apprentices joined, the first in thirty years. They are paid by the lamp, and"
    " on windy evenings, when flames go out behind them, they earn nearly twice as much.",
    "Asked whether she would ever leave the trade, the older of the two laughed and pointed at the"
    " bay, where the lighthouse has run without a keeper since before either of them was born.",
)
"""An article of some 150 words."""
TEASER: Final = PARAGRAPHS[0]
OTHER: Final = (
    "Ferries to the islands leave from the north pier on weekdays only until the painters finish",
    "the new terminal. Tickets are sold on board, bicycles travel free, and dogs need a muzzle.",
) * 4
"""Some 120 words on something else."""


def page(*scripts: str, body: str = "", title: str = TITLE) -> str:
    """Return a page with scripts and a body."""
    head = f"<!DOCTYPE html><html lang=en><head><title>{title}</title></head>"
    return f"{head}<body>{body}{''.join(scripts)}</body></html>"


def article_json_ld(body: str = "\n\n".join(PARAGRAPHS), **more: object) -> str:
    """Return a JSON-LD script of an article."""
    return json_script({"@type": "NewsArticle", "headline": TITLE, "articleBody": body, **more})


def json_script(value: object, kind: str = "application/ld+json", more: str = "") -> str:
    """Return a script element that holds a value as JSON."""
    return f'<script type="{kind}"{more}>{dumps(value)}</script>'


def dumps(value: object) -> str:
    """Write JSON as servers put it into scripts."""
    return json.dumps(value).replace("<", "\\u003c")


def next_data(story: object) -> str:
    """Return what Next.js puts into a page."""
    value = {"props": {"pageProps": {"locale": "en", "story": story}}, "page": "/story"}
    return json_script(value, "application/json", ' id="__NEXT_DATA__"')


HTML_BODY: Final = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
STORY: Final = {"headline": TITLE, "id": "f3a9", "body": HTML_BODY}
NODES: Final = [
    {"type": "paragraph", "content": [{"type": "text", "value": text}]} for text in PARAGRAPHS
]
"""The article as an editor saves it."""
