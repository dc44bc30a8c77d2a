"""`softrail chat`: the same conversation in the terminal."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from softrail.cli.console import Console, Leave, console_for
from softrail.cli.ground import AsJson, command, dispatcher, run, settings
from softrail.core.border import checked
from softrail.core.clock import now
from softrail.core.errors import BadRequest, NotFound, ServiceError, SoftrailError
from softrail.core.ids import TimeOrderedIds
from softrail.core.people import Person, clean_email
from softrail.core.turns import Reply, Request
from softrail.settings import Settings

if TYPE_CHECKING:
    from softrail.registry.dispatcher import Dispatcher

LEAVING = frozenset({"/exit", "/quit"})


@command
def chat(
    session: Annotated[str | None, typer.Option(help="Go on with this session.")] = None,
    project: Annotated[str | None, typer.Option(help="The project it is about.")] = None,
    person: Annotated[
        str | None, typer.Option(help="E-mail of who talks; omitted: the local person.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Talk in the terminal: same processes, same database as the server. /exit leaves."""
    chosen = settings()
    email = clean_email(person or chosen.local_person)
    run(_chat(chosen, email, Request(message="-", session_id=session, project_id=project), as_json))


async def _chat(chosen: Settings, email: str, opening: Request, as_json: bool) -> None:
    checked(opening)
    async with dispatcher(chosen) as application:
        who = await application.store.ensure_person(email, id=TimeOrderedIds().new(), at=now())
        known = opening.session_id
        if known is not None and await application.store.session(who.id, known) is None:
            raise NotFound(f"There is no session {known} of {email}.")
        talk = Talk(application, who, opening, console_for(sys.stdin, sys.stdout, as_json=as_json))
        await talk.run()


class Talk:
    """One person at one terminal."""

    def __init__(self, application: "Dispatcher", person: Person, opening: Request, console: Console) -> None:
        self._application = application
        self._person = person
        self._request = opening
        self._console = console
        self._ids = TimeOrderedIds()

    async def run(self) -> None:
        """Read, send, show, until the person leaves."""
        self._console.welcome()
        while True:
            try:
                message = await self._console.read()
            except Leave:
                return
            if not message.strip():
                continue
            await self._say(message)
            if message.strip().lower() in LEAVING:
                return

    async def _say(self, message: str) -> None:
        request = self._request.model_copy(update={"message": message, "turn_id": self._ids.new()})
        try:
            reply = await self._console.working(
                self._application.converse(checked(request), self._person), self._stop
            )
        except (BadRequest, ServiceError) as error:
            self._console.trouble(error.message)
            return
        shown = Reply.model_validate_json(reply)
        # The talk stays with the project it came to, be it created or chosen just now.
        kept = {"session_id": shown.session_id, "project_id": shown.project_id}
        self._request = self._request.model_copy(update=kept)
        self._console.show(shown, reply)

    async def _stop(self) -> None:
        """Ctrl+C while a turn runs: interrupt it, keep the conversation."""
        if self._request.session_id is not None:
            try:
                await self._application.cancel(self._person, self._request.session_id)
            except SoftrailError as error:
                self._console.trouble(error.message)
