"""Files as they come in: one, of a bounded size, with the fields that describe it."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import BinaryIO, Final

from fastapi import Request
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from softrail.api.border import too_large
from softrail.core.border import unusable
from softrail.core.errors import BadRequest

#: A browser saves what it gets and runs nothing of it, whatever it holds.
INERT: Final = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "Cache-Control": "private, no-store",
}
_FIELDS = 8
_OVERHEAD = 65_536  #: what boundaries and fields may add to a file of the largest size


@dataclass(frozen=True, kw_only=True, slots=True)
class Upload:
    """A file with its fields."""

    file_name: str
    content: BinaryIO  #: beyond a megabyte it lies in a file of the system's, which goes with the block
    fields: dict[str, str]


@asynccontextmanager
async def uploaded(request: Request, limit: int, fields: tuple[str, ...] = ()) -> AsyncIterator[Upload]:
    """Within the block, the file and exactly these fields of a multipart body.

    Raises:
        TooLarge: More has come than a file may have; the rest is not read.
        BadRequest: It is no such body; the message names the field, never what was sent.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "multipart/form-data":
        raise BadRequest(
            "Send a form, with the header Content-Type: multipart/form-data.", field="Content-Type"
        )
    parser = MultiPartParser(
        request.headers, _bounded(request, limit + _OVERHEAD), max_files=1, max_fields=_FIELDS
    )
    try:
        form = await parser.parse()
    except (MultiPartException, KeyError, ValueError) as error:
        raise BadRequest("The form cannot be read; send one file, and each field once.") from error
    try:
        yield _checked(form.multi_items(), limit, fields)
    finally:
        await form.close()


def _checked(items: list[tuple[str, UploadFile | str]], limit: int, fields: tuple[str, ...]) -> Upload:
    found = dict(items)
    wanted = {"file", *fields}
    for name in sorted(set(found) - wanted):
        raise BadRequest(f"There is no field {name[:100]!r} here.", field=name[:100])
    for name in ("file", *fields):
        if sum(key == name for key, _ in items) != 1:
            raise unusable(name, "it has to be there once")
    file = found["file"]
    if not isinstance(file, UploadFile):
        raise unusable("file", "it is no file")
    texts: dict[str, str] = {}
    for name in fields:
        text = found[name]
        if not isinstance(text, str):
            raise unusable(name, "it is no text")
        texts[name] = text
    if (file.size or 0) > limit:
        raise too_large(limit)
    return Upload(file_name=file.filename or "", content=file.file, fields=texts)


async def _bounded(request: Request, limit: int) -> AsyncGenerator[bytes, None]:
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > limit:
            raise too_large(limit - _OVERHEAD)
        yield piece
