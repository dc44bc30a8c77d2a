"""`/attach FILE` and `--data FILE`: a file of this machine as data for plans, and what was read and mended in it."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from softrail.cli.sending import Sending
from softrail.core.errors import BadRequest
from softrail.core.people import Person

if TYPE_CHECKING:
    from softrail.turns.dispatcher import Dispatcher


async def attach(
    application: "Dispatcher", who: Person, session_id: str | None, path: Path
) -> tuple[str, list[str]]:
    """The session, opened where there is none, and what is to be said of the file. Raises what is wrong with it."""
    from softrail.plans.data.sources import Sources

    sources, told = application.registry.find_service(Sources), list[str]()
    if sources is None:
        raise BadRequest("This application makes no plans, so it takes no data.")
    try:
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
