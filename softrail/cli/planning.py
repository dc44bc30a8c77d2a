"""`softrail plan FILE`: a plan that a person wrote, given as a turn of theirs; `/plan FILE` in the terminal is the same."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from softrail.cli.ground import AsJson, command, dispatcher, own_settings, print_json, run
from softrail.cli.terminal import tell
from softrail.core.border import checked
from softrail.core.clock import now
from softrail.core.errors import BadRequest, NotFound
from softrail.core.ids import TimeOrderedIds
from softrail.core.people import Person, clean_email
from softrail.core.sessions import Session
from softrail.core.turns import Reply, Request

if TYPE_CHECKING:
    from softrail.turns.dispatcher import Dispatcher

WORD = "/plan"


@command
def plan(
    file: Annotated[Path, typer.Argument(help="The plan, as YAML or JSON.", exists=True, dir_okay=False)],
    session: Annotated[
        str | None, typer.Option(help="The session it is for; omitted: one is opened.")
    ] = None,
    person: Annotated[
        str | None, typer.Option(help="E-mail of whose plan it is; omitted: the local person.")
    ] = None,
    data: Annotated[
        list[Path] | None,
        typer.Option(help="A file of data for it; may be given several times.", exists=True, dir_okay=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Give a plan. It is shown and waits for a yes: go on with `softrail chat --session ID`."""
    application = dispatcher()
    email = clean_email(person or own_settings(application).local_person)
    reply, mended = run(_given(application, email, with_file(f"{WORD} {file}"), session, data or []))
    if as_json:
        print_json(reply.model_dump(mode="json"))
        return
    for line in [*mended, *reply.companion_message.splitlines(), "", f"Session: {reply.session_id}"]:
        tell(line)


async def _given(
    application: "Dispatcher", email: str, message: str, session: str | None, data: Sequence[Path]
) -> tuple[Reply, list[str]]:
    """The reply, and what was mended in the data that was attached first."""
    async with application:
        who = await application.store.ensure_person(email, id=TimeOrderedIds().new(), at=now())
        if session is not None and await application.store.session(who.id, session) is None:
            raise NotFound(f"There is no session {session} of {email}.")
        mended = list[str]()
        if data:
            session = session or await _opened(application, who)
            mended = await _attached(application, who, session, data)
        request = checked(Request(message=message, session_id=session))
        return Reply.model_validate_json(await application.converse(request, who)), mended


async def _opened(application: "Dispatcher", who: Person) -> str:
    session = Session(id=TimeOrderedIds().new(), person_id=who.id, created_at=now())
    await application.store.open_session(session)
    return session.id


async def _attached(application: "Dispatcher", who: Person, session: str, data: Sequence[Path]) -> list[str]:
    """Attach files; what is said of each. Raises what is wrong with one of them."""
    from softrail.plans.data.sources import Sources

    sources, told = application.registry.service(Sources), list[str]()
    for path in data:
        with await asyncio.to_thread(path.open, "rb") as file:
            source = await sources.attach(session, who.id, path.name, file)
        for table in source.tables:
            columns = ", ".join(f"{one.name} ({one.kind})" for one in table.columns)
            told.append(f"{source.name}: {table.rows} rows in {table.name}: {columns}")
            told += [f"  {repair}" for repair in table.repairs]
    return [*told, ""]


def with_file(message: str) -> str:
    """A message `/plan FILE` with the text of the file in its place; any other as it is. Raises BadRequest."""
    word, _, rest = message.strip().partition(" ")
    if word.lower() != WORD or not rest.strip() or "\n" in rest or len(rest) > 500:
        return message
    path = Path(rest.strip()).expanduser()
    try:
        if not path.is_file():
            return message
        return f"{WORD}\n{path.read_text(encoding='utf-8')}"
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise BadRequest(f"The file {path} cannot be read as text: {error}") from error
