"""Progress of a run, as server-sent events."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import anyio
import anyio.to_thread
from starlette.responses import StreamingResponse

from thresher.app.runs import RunFolder, State

__all__ = ["follow"]

_LOOK_S: Final = 0.4
"""Seconds between checks of the run's files."""
_MAX_S: Final = 3600.0
"""Seconds after which the stream ends, and the browser reconnects."""


def follow(
    runs: RunFolder, name: str, describe: Callable[[State], dict[str, Any]]
) -> StreamingResponse:
    """Send the description of a run whenever it changes, and ``ended`` at the end."""

    async def send() -> AsyncIterator[bytes]:
        last = ""
        with anyio.move_on_after(_MAX_S):
            while True:
                state = await anyio.to_thread.run_sync(runs.state, name)
                sent = json.dumps(describe(state))
                if sent != last:
                    last = sent
                    yield f"data: {sent}\n\n".encode()
                if not state.is_running:
                    yield b"event: ended\ndata: {}\n\n"
                    return
                await anyio.sleep(_LOOK_S)

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(send(), media_type="text/event-stream", headers=headers)
