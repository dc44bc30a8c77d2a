"""`softrail plan FILE`: a plan that a person wrote, given as a turn of theirs; `/plan FILE` in the terminal is the same."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from softrail.cli.attaching import attach
from softrail.cli.files import PLAN
from softrail.cli.ground import AsJson, command, dispatcher, own_settings, print_json, run
from softrail.cli.terminal import tell
from softrail.core.border import checked
from softrail.core.clock import now
from softrail.core.errors import BadRequest, NotFound
from softrail.core.ids import TimeOrderedIds
from softrail.core.people import clean_email
from softrail.core.turns import Reply, Request

if TYPE_CHECKING:
    from softrail.turns.dispatcher import Dispatcher


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
    reply, mended = run(_given(application, email, with_file(f"{PLAN} {file}"), session, data or []))
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
            for path in data:
                session, told = await attach(application, who, session, path)
                mended += told
            mended.append("")
        request = checked(Request(message=message, session_id=session))
        return Reply.model_validate_json(await application.converse(request, who)), mended


def with_file(message: str) -> str:
    """A message `/plan FILE` with the text of the file in its place; any other as it is. Raises BadRequest."""
    word, _, rest = message.strip().partition(" ")
    if word.lower() != PLAN or not rest.strip() or "\n" in rest or len(rest) > 500:
        return message
    path = Path(rest.strip()).expanduser()
    try:
        if not path.is_file():
            return message
        return f"{PLAN}\n{path.read_text(encoding='utf-8')}"
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise BadRequest(f"The file {path} cannot be read as text: {error}") from error
