"""A store of objects on this machine (S3, by moto) that fails now and then."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

_DENIED = b"<Error><Code>AccessDenied</Code><Message>no</Message></Error>"


class FailingStore:
    """Answers with 403, which no client repeats, where it is told to; otherwise as moto does."""

    def __init__(self, app: Callable[..., Iterable[bytes]]) -> None:
        self._app = app
        self.host = ""
        self.refuses: Callable[[str, str], bool] = lambda method, path: False
        """Method and path → whether the request is refused."""
        self.n_refused = 0

    @property
    def system(self) -> Any:
        """Return its file system in Arrow."""
        from pyarrow import fs

        return fs.S3FileSystem(
            access_key="barn",
            secret_key="barn",
            endpoint_override=self.host,
            scheme="http",
            region="us-east-1",
            allow_bucket_creation=True,
        )

    def uri(self, path: str) -> str:
        """Return the address of an object, from which any process finds the store."""
        return f"s3a://barn:barn@{path}?endpoint_override={self.host}&scheme=http&region=us-east-1"

    def put(self, path: str, content: bytes) -> str:
        """Write an object; return its address."""
        with self.system.open_output_stream(path, compression=None) as stream:
            stream.write(content)
        return self.uri(path)

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        if self.refuses(environ["REQUEST_METHOD"], environ["PATH_INFO"]):
            self.n_refused += 1
            start("403 Forbidden", [("Content-Type", "application/xml")])
            return [_DENIED]
        return self._app(environ, start)


@contextmanager
def open_store(bucket: str) -> Iterator[FailingStore]:
    """Serve a store with an empty bucket."""
    server = pytest.importorskip("moto.server", reason="moto is not installed")
    serving = pytest.importorskip("werkzeug.serving")
    store = FailingStore(server.DomainDispatcherApplication(server.create_backend_app))
    http = serving.make_server("127.0.0.1", 0, store, threaded=True)
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    store.host = f"127.0.0.1:{http.server_port}"
    try:
        store.system.create_dir(bucket)
        yield store
    finally:
        http.shutdown()
        thread.join()
