"""`/attach FILE` and `--data FILE`: a file of this machine as data for plans, or as a document that answers questions."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

from softrail.cli.sending import Sending
from softrail.core.errors import BadRequest
from softrail.core.people import Person

if TYPE_CHECKING:
    from softrail.turns.dispatcher import Dispatcher

_LOOKED_AT: Final = 65_536  #: bytes of a text, for whether it is a table
_ROWS: Final = 5
_ANSWERS: Final = "Beside a plan, questions are answered from it."


async def attach(
    application: "Dispatcher", who: Person, session_id: str | None, path: Path
) -> tuple[str, list[str]]:
    """The session, opened where there is none, and what is to be said of the file. Raises what is wrong with it."""
    from softrail.plans.data.sources import Sources

    sources, told = application.registry.find_service(Sources), list[str]()
    if sources is None:
        raise BadRequest("This application makes no plans, so it takes no data.")
    try:
        if await asyncio.to_thread(_is_prose, path):
            return await _as_document(application, who, session_id, path)
        with await asyncio.to_thread(path.open, "rb") as file:
            here = session_id or await Sending(application, who).session()
            source = await sources.attach(here, who.id, path.name, file)
    except OSError as error:
        raise BadRequest(f"{path} cannot be read: {error.strerror or error}.") from error
    for table in source.tables:
        columns = ", ".join(f"{one.name} ({one.kind})" for one in table.columns)
        rows = f"{table.rows} row{'s' if table.rows != 1 else ''}"
        told.append(f"{source.name}: {rows} in {table.name}: {columns}")
        told += [f"  {repair}" for repair in table.repairs]
    return here, told


async def _as_document(
    application: "Dispatcher", who: Person, session_id: str | None, path: Path
) -> tuple[str, list[str]]:
    from softrail.plans.documents import portable
    from softrail.plans.documents.asking import LARGEST, Documents, is_portable

    documents = application.registry.find_service(Documents)
    if documents is None or not is_portable(path.name):
        here, file = await Sending(application, who, limit=LARGEST).upload(path, session_id)
        return here, [f"{file.name}: a document. {_ANSWERS}"]
    here, file = await Sending(application, who, limit=portable.LARGEST).upload(path, session_id)
    read = await documents.read(here, file)
    pages = f" with {read.pages} page{'s' if read.pages != 1 else ''}" if read.pages else ""
    told = [f"{file.name}: a document{pages}. {_ANSWERS}"] if read.text else []
    return here, [*told, *([read.note] if read.note else [])]


def _is_prose(path: Path) -> bool:
    """It is Markdown or a PDF, or a text whose first lines are not all separated into as many cells."""
    from softrail.plans.documents.asking import is_document, is_markdown, is_portable

    if is_markdown(path.name) or is_portable(path.name) or not is_document(path.name):
        return is_document(path.name)
    with path.open("rb") as file:
        text = file.read(_LOOKED_AT).replace(b"\0", b"")  # those of UTF-16 stand beside the separators
    rows = [line for line in text.splitlines() if line.strip()][:_ROWS]
    counts = [{row.count(separator) for row in rows} for separator in (b"\t", b";", b"|", b",")]
    return len(rows) < 2 or not any(len(one) == 1 and one != {0} for one in counts)
