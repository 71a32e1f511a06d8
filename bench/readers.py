"""What careful readers reach on the texts of corpora: the bound of any extractor.

    python -m bench.readers CORPUS…

On pages that have both a gold text and a label of roles, what the label calls content (body, tables
and code, on forums comments too) is scored against the text as if a method had kept it, by the
measures of `thresher eval --by-blocks`. Where readers and text disagree, no method can follow both.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from bench.harness import make_parser, named_corpora
from thresher.errors import ThresherError
from thresher.evaluation.block_losses import (
    BlockLosses,
    average_losses,
    count_losses,
    read_role_gold,
    read_text_gold,
)
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.role_labels.labels import RoleLabels, label_of, read_labels
from thresher.page.parse import parse


def score_readers(page: LabelledPage, labels: RoleLabels) -> BlockLosses | None:
    """Score a page's label of roles against its text; None unless it has both and they align."""
    try:
        table = parse(page.html, url=page.url)
    except ThresherError:
        return None
    label = label_of(labels, page, len(table.blocks))
    if label is None or not page.text:
        return None
    by_roles = read_role_gold(table, label)
    by_text = read_text_gold(table, page.text, by_roles.roles)
    if by_text is None:
        return None
    return count_losses(by_text, by_roles.is_gold, by_roles.text, page.text)


def main(argv: list[str] | None = None) -> int:
    """Print a row for each corpus, and for each page type of a mixed one."""
    args = make_parser(__doc__, corpora=True).parse_args(argv)
    labels = read_labels()
    print(f"{'corpus':32} pages  F1 %  holes %  foreign %  perfect %")
    for corpus in named_corpora(args.corpora):
        scored = [
            (page.page_type, losses)
            for page in corpus.pages()
            if (page.corpus, page.id) in labels and (losses := score_readers(page, labels))
        ]
        for row in _write_rows(corpus.name, scored):
            print(row, flush=True)
    return 0


def _write_rows(name: str, scored: list[tuple[str | None, BlockLosses]]) -> Iterator[str]:
    kinds = sorted({kind for kind, _ in scored if kind})
    for kind in (None, *(kinds if len(kinds) > 1 else ())):
        losses = [own for of_page, own in scored if kind in {None, of_page}]
        if losses:
            mean = average_losses("readers", losses)
            shares = mean.word_f1, mean.hole_pages, mean.foreign_words, mean.perfect_pages
            cells = "".join(f"{100 * share:10.1f}" for share in shares)
            yield f"{' '.join(filter(None, (name, kind))):32}{mean.n_page:6}{cells}"


if __name__ == "__main__":
    sys.exit(main())
