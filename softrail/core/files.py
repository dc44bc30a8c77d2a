"""Files: names that are safe to save under on every system and to send in a header, and bytes piece by piece."""

import asyncio
import mimetypes
import unicodedata
from collections.abc import AsyncIterator
from typing import BinaryIO, Final
from urllib.parse import quote

UPLOAD_LIMIT: Final = 20_971_520  #: bytes of a file, where nothing else is said
LONGEST: Final = 150
_PIECE: Final = 262_144  #: bytes that are read at once
_FORBIDDEN: Final = frozenset('<>:"|?*%')
_RESERVED: Final = frozenset(
    ["con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(10))]
)
_TYPES: Final = mimetypes.MimeTypes()  #: Python's own table: no file of the machine changes an answer
_PLAIN: Final = {".md": "text/markdown", ".txt": "text/plain"}
ANY_TYPE: Final = "application/octet-stream"


def safe_name(text: str) -> str:
    """The last part of a path as a file name: no folder, no control, no name that a system keeps for itself."""
    # Compatibility forms first: full-width dots and slashes would become real ones somewhere later.
    folded = unicodedata.normalize("NFKC", text).replace("\\", "/").rpartition("/")[2]
    kept = "".join("_" if c in _FORBIDDEN else c for c in folded if c == " " or c.isprintable())
    kept = kept.encode("utf-8", "ignore").decode().strip(" .")
    stem, dot, extension = kept.rpartition(".")
    if not dot or len(extension) > 20:
        stem, extension = kept, ""
    stem = stem[: LONGEST - len(extension) - 1].rstrip(" .")
    if stem.partition(".")[0].strip().casefold() in _RESERVED:
        stem = f"_{stem}"
    if not stem:
        stem = "file"
    return f"{stem}.{extension}" if extension else stem


async def pieces_of(file: BinaryIO) -> AsyncIterator[bytes]:
    """The bytes of an open file, each piece read beside the event loop."""
    while piece := await asyncio.to_thread(file.read, _PIECE):
        yield piece


def media_type(file_name: str) -> str:
    """What kind of content a name announces; what nobody knows is bytes."""
    extension = "." + file_name.rpartition(".")[2].casefold()
    return _PLAIN.get(extension) or _TYPES.guess_type(file_name, strict=True)[0] or ANY_TYPE


def extension_of(media_type: str) -> str:
    """The usual end of names of such files, without its dot; "" when there is none."""
    return (_TYPES.guess_extension(media_type, strict=True) or "").removeprefix(".")


def disposition(file_name: str) -> str:
    """The header Content-Disposition of a download (RFC 6266): plain letters for old clients, all of it for others."""
    plain = "".join(c if c.isascii() and c.isprintable() and c not in '"\\%;' else "_" for c in file_name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(file_name, safe='')}"
