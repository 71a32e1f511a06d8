"""Make what the writers write now the expectation of every fixture page.

Run as ``python -m tests.helpers.bless`` and read the difference before committing it.
"""

from __future__ import annotations

from tests.helpers.fixture_pages import EXPECTED_FILES, PAGES

if __name__ == "__main__":
    for page in PAGES.values():
        document = page.document()
        for format, name in EXPECTED_FILES.items():
            written = document.write(format)
            (page.folder / name).write_text(f"{written}\n", encoding="utf-8")
