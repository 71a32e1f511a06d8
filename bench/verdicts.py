"""Count the verdicts on the pages of corpora, and check that none of them is empty content.

    python -m bench.verdicts CORPUS…

Every page is extracted with the default method. Prints how many pages have each verdict, then each
page that is called blocked, an error or in need of a browser, with the words of its label: a page
whose label has words was misjudged, unless they are those of the obstacle itself. Exits 1 where
a result without words has the verdict of content or of a listing, or a confidence.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import thresher
from bench.harness import make_parser, named_corpora
from thresher import Verdict
from thresher.evaluation.tokens import split_words

_OBSTACLES: Final = (Verdict.BLOCKED, Verdict.NEEDS_BROWSER)
_CONTENT: Final = (Verdict.CONTENT, Verdict.LISTING)


def main() -> None:
    """Count and print."""
    parser = make_parser(__doc__, corpora=True)
    args = parser.parse_args()
    counts: Counter[Verdict] = Counter()
    obstacles: list[str] = []
    failures: list[str] = []
    for corpus in named_corpora(args.corpora):
        for page in corpus.pages():
            document = thresher.extract(page.html, url=page.url)
            verdict = document.verdict
            counts[verdict] += 1
            place = f"{corpus.name} {page.id}: {verdict.value}"
            if verdict in _OBSTACLES:
                obstacles.append(f"{place}, {_describe_label(page.text)}")
            says_content = verdict in _CONTENT or document.confidence
            if says_content and not split_words(document.text):
                failures.append(f"FAILED {place}, confidence {document.confidence}")
    for verdict, count in counts.most_common():
        print(f"{count:6}  {verdict.value}")
    print(*obstacles, *failures, sep="\n")
    raise SystemExit(1 if failures else 0)


def _describe_label(text: str | None) -> str:
    return "no label" if text is None else f"a label of {len(split_words(text))} words"


if __name__ == "__main__":
    main()
