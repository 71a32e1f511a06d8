"""The app on a full disk: a small file system in memory, of a namespace of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from tests.app.conftest import open_client
from thresher.labelling.model import Label, NewPage

PAGE: Final = "<title>Oats</title><p>" + "Oats and barley were sown by hand in April. " * 9
READS: Final = (
    *("/saved", "/saved?q=barley", "/saved?q=arle", "/saved/1", "/saved/feed.xml"),
    *("/saved/opds.xml", "/saved/book.epub", "/saved/highlights.md", "/"),
    *("/label", "/label?page=2", "/label/2/sheet", "/label/pages", "/train", "/leaderboard"),
)


def test_only_saving_needs_room(tmp_path: Path) -> None:
    """On a full disk all is shown, to many at once too; only saving is answered that it is full."""
    mount = f"mount -t tmpfs -o size=2m thresher {tmp_path}"
    command = f'{mount} && exec "$@"'
    run = ["unshare", "-rm", "sh", "-c", command, "sh", sys.executable, "-m", __name__]
    try:
        subprocess.run(["unshare", "-rm", "sh", "-c", mount], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no file system can be mounted")
    done = subprocess.run([*run, str(tmp_path)], capture_output=True, text=True, check=False)
    assert 0 == done.returncode and "Traceback" not in done.stderr, done.stderr
    answers = json.loads(done.stdout)
    assert {path: 303 if path == "/saved/1" else 200 for path in READS} == answers["reads"]
    said = [(error["status"], error["message"]) for error in answers["errors"]]
    assert 40 * [[1, 2, 3]] == answers["at_once"]
    assert [(507, f"{name}.sqlite: the disk is full") for name in ("saved", "labels")] == said


def main(folder: Path) -> None:
    """Fill the disk that a folder is on, and print the app's answers."""
    from thresher.app.engine import PageSource
    from thresher.app.saved import SAVED_FILE, SavedList
    from thresher.labelling.store import LABELS_FILE, LabelStore

    SavedList(folder / SAVED_FILE).save(PageSource(PAGE), "Oats", "Oats and barley")
    store = LabelStore(folder / LABELS_FILE)
    store.add(NewPage(f"{n}.html", f"{PAGE}{n}", None) for n in range(3))
    store.save(Label(1, "anna", np.array([True]), "Oats"))
    with suppress(OSError), (folder / "filler").open("wb", buffering=0) as filler:
        while True:
            filler.write(bytes(512))
    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(store.unread, 40 * [""]))
    with open_client(folder) as app:
        reads = {path: app.get(path).status_code for path in READS}
        token = re.search(r'name="csrf" content="([^"]+)"', app.get("/").text)
        form = {"csrf": token[1] if token else ""}
        opened = app.post("/read", data={"html": f"{PAGE}rye", **form}).headers["location"]
        for_programs = {"Accept": "application/json"}
        saves = (f"{opened}/save", "/label/2")
        errors = [app.post(path, data=form, headers=for_programs).json() for path in saves]
    said = [error["error"] for error in errors]
    print(json.dumps({"at_once": at_once, "reads": reads, "errors": said}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
