"""Text of an imported file, sent as a file or pasted into a field."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import UploadFile
from starlette.requests import Request

from thresher.errors import UsageError
from thresher.proxy.pages.context import form_of

__all__ = ["read_upload"]

_MAX_BYTES: Final = 4 * 2**20


async def read_upload(request: Request) -> str:
    """Return the text of the form's ``file`` or else ``text``; UsageError without any."""
    file = request.state.form.get("file")
    if isinstance(file, UploadFile) and file.size:
        body = await file.read(_MAX_BYTES)
        try:
            return body.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UsageError("the file is not UTF-8") from error
    text = form_of(request).get("text", "")
    if not text.strip():
        raise UsageError("choose a file or paste its text")
    return text
