"""App on a port, for browser tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from tests.helpers.slow_clients import serving_http

if TYPE_CHECKING:
    from thresher.app.context import AppContext
    from thresher.app.settings import AppSettings

__all__ = ["serving", "settings_of"]


def settings_of(folder: Path, **settings: Any) -> AppSettings:
    """Return settings of an app with one worker and with user data in a folder."""
    from thresher.app.settings import AppSettings

    known: dict[str, Any] = {
        **{"n_worker": 1, "data_dir": folder, "rules_path": folder / "rules.toml"},
        "deadline_s": 100.0,  # which no page exceeds, however busy the machine is
    }
    return AppSettings(**known | settings)


@contextmanager
def serving(
    folder: Path, *, address: str = "", **settings: Any
) -> Iterator[tuple[str, AppContext]]:
    """Serve the app at an address, by default a free one, in a thread; yield it and the context."""
    pytest.importorskip("starlette", reason="the extra app is not installed")
    pytest.importorskip("uvicorn", reason="the extra app is not installed")
    from thresher.app.server import build_app

    chosen = settings_of(folder, **settings)
    app = build_app(chosen)
    port = urlsplit(address).port or 0
    with serving_http(app, chosen.connections, port=port, lifespan="on") as (_, port):
        yield f"http://127.0.0.1:{port}", app.state.context
