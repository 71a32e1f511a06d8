"""Health check and metrics."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from thresher import __version__
from thresher.app.context import context_of
from thresher.app.metrics import CONTENT_TYPE

__all__ = ["show_health", "show_metrics"]


async def show_health(request: Request) -> Response:
    """Report that the server is running."""
    return JSONResponse({"status": "ok", "version": __version__})


async def show_metrics(request: Request) -> Response:
    """Return the metrics for Prometheus."""
    context = context_of(request)
    gauges = {
        "thresher_calls_waiting": context.pool.n_waiting,
        "thresher_kept_bytes": context.page_cache.n_bytes,
        "thresher_kept_pages": len(context.page_cache),
        "thresher_workers": context.pool.n_worker,
    }
    return Response(context.metrics.write(gauges), headers={"Content-Type": CONTENT_TYPE})
