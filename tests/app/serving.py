"""App on a port, for browser tests."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from thresher.app.context import AppContext

__all__ = ["serving"]


@contextmanager
def serving(folder: Path, *, port: int = 0, **settings: Any) -> Iterator[tuple[str, AppContext]]:
    """Serve the app on a free port in a thread; yield its address and context."""
    pytest.importorskip("starlette", reason="the extra app is not installed")
    pytest.importorskip("uvicorn", reason="the extra app is not installed")
    from thresher.app.server import build_app
    from thresher.app.settings import AppSettings
    from thresher.serving.connections import open_socket
    from thresher.serving.http_server import HttpServer

    known = {
        **{"n_worker": 1, "data_dir": folder, "rules_path": folder / "rules.toml"},
        "deadline_s": 100.0,  # which no page exceeds, however busy the machine is
        **settings,
    }
    chosen = AppSettings(**known)
    app = build_app(chosen)
    server = HttpServer(app, chosen.connections, lifespan="on", timeout_graceful_shutdown=1)
    listening = open_socket("127.0.0.1", port)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        until_s = time.monotonic() + 100
        while not server.started:
            assert thread.is_alive() and time.monotonic() < until_s, "the app does not start"
            time.sleep(0.05)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", app.state.context
    finally:
        server.should_exit = True
        thread.join(timeout=60)
