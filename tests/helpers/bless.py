"""Make what the writers write now the expectation of every fixture page.

Run as ``python -m tests.helpers.bless`` and read the difference before committing it.
"""

from __future__ import annotations

from tests.helpers.fixture_pages import EXPECTED_FILES, PAGES


def bless_pages() -> None:
    """Rewrite the expected files of all pages in tests/pages."""
    for page in PAGES.values():
        document = page.document()
        for format in EXPECTED_FILES:
            page.bless(format, document.write(format))


if __name__ == "__main__":
    bless_pages()
