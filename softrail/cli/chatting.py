"""`softrail chat`: the same conversation in the terminal."""

import asyncio
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from softrail.cli.attaching import attach
from softrail.cli.console import Agreed, Console, Interrupted, Leave, console_for
from softrail.cli.files import ABOUT_DATA, ABOUT_FILES, ABOUT_SENDING, ATTACH, HELP, UPLOAD, Files, named
from softrail.cli.ground import AsJson, command, dispatcher, own_settings, run
from softrail.cli.hearing import APPROVE, Hearing
from softrail.cli.planning import with_file
from softrail.cli.sending import Sending
from softrail.cli.watching import PlanWatch
from softrail.core.border import checked
from softrail.core.clock import now
from softrail.core.errors import BadRequest, NotFound, ServiceError, SoftrailError
from softrail.core.ids import TimeOrderedIds
from softrail.core.people import Person, clean_email
from softrail.core.sessions import Session
from softrail.core.turns import Reply, Request
from softrail.settings import Settings

if TYPE_CHECKING:
    from softrail.companion.plugin import Companion
    from softrail.turns.dispatcher import Dispatcher
    from softrail.turns.running import RunningTurn

LEAVING = frozenset({"/exit", "/quit"})
STOP_PLAN = "cancel the plan"  #: by its name, so that nothing else is left that may be in front of it
LAST_STEP = "The step that runs may end first, for half a minute at most; Ctrl+C does not wait for it."
REMEMBERED = 100  #: messages of a session that one can come back to


@command
def chat(
    session: Annotated[str | None, typer.Option(help="Go on with this session.")] = None,
    project: Annotated[str | None, typer.Option(help="The project it is about.")] = None,
    person: Annotated[
        str | None, typer.Option(help="E-mail of who talks; omitted: the local person.")
    ] = None,
    downloads: Annotated[
        Path, typer.Option(help="Folder for files you ask for.", file_okay=False, exists=True)
    ] = Path(),
    as_json: AsJson = False,
) -> None:
    """Talk in the terminal: same processes, same database as the server. /exit leaves."""
    application = dispatcher()
    chosen = own_settings(application)
    email = clean_email(person or chosen.local_person)
    opening = Request(message="-", session_id=session, project_id=project)
    run(_chat(application, chosen, email, opening, downloads, as_json))


async def _chat(
    application: "Dispatcher",
    chosen: Settings,
    email: str,
    opening: Request,
    downloads: Path,
    as_json: bool,
) -> None:
    from softrail.companion.plugin import Companion
    from softrail.language import language

    checked(opening)
    async with application:
        who = await application.store.ensure_person(email, id=TimeOrderedIds().new(), at=now())
        known = opening.session_id
        here = await application.store.session(who.id, known) if known is not None else None
        if known is not None and here is None:
            raise NotFound(f"There is no session {known} of {email}.")
        companion = application.registry.find_service(Companion)
        if companion is not None and opening.project_id is None:
            opening = opening.model_copy(update={"project_id": await _only_project(companion, who)})
        files = (
            Files(companion, who, downloads, limit=chosen.upload_limit) if companion and not as_json else None
        )
        console = console_for(
            sys.stdin,
            sys.stdout,
            as_json=as_json,
            escapes=language(who.locale).is_escape,
            words=_words(application),
            said=await _said(application, who, here) if here is not None else [],
        )
        sending = Sending(application, who, limit=chosen.upload_limit)
        about = ABOUT_FILES if files is not None else ABOUT_SENDING
        if _plans(application):
            about = f"{about} {ABOUT_DATA}"
        about = "" if as_json else about
        await Talk(application, who, opening, console, sending, files, about).run()
        with suppress(ServiceError):
            await application.sweep()  # work that was asked for just now is not left to whoever comes next


async def _only_project(companion: "Companion", person: Person) -> str | None:
    """The project of a person who has just one: nobody needs to ask which is meant."""
    known = await companion.projects.list(person.id)
    return known[0].id if len(known) == 1 else None


def _words(application: "Dispatcher") -> list[str]:
    """The slash words of the application, its processes' and the terminal's too."""
    own = [word for definition in application.registry.definitions() for word in definition.slashes]
    here = [UPLOAD, ATTACH] if _plans(application) else [UPLOAD]
    return [*here, *(f"/{word}" for word in (*application.commands.names, *own))]


def _plans(application: "Dispatcher") -> bool:
    """The application makes plans."""
    from softrail.plans.work import Plans

    return application.registry.find_service(Plans) is not None


async def _said(application: "Dispatcher", who: Person, here: Session) -> list[str]:
    """What the person said last in a session."""
    items = await application.store.items(
        who.id, session_id=here.id, before=here.next_seq, limit=2 * REMEMBERED
    )
    return [item.content for item in items if item.role == "operator"]


class Talk:
    """One person at one terminal."""

    def __init__(
        self,
        application: "Dispatcher",
        person: Person,
        opening: Request,
        console: Console,
        sending: Sending | None = None,
        files: Files | None = None,
        about: str = "",
    ) -> None:
        self._application = application
        self._person = person
        self._request = opening
        self._console = console
        self._sending = sending or Sending(application, person)
        self._files = files
        self._about = about  #: what /help says besides
        self._watch = PlanWatch(application, console.standing, console.tell) if console.status_shown else None
        self._hearing = Hearing(application, person, console, self._watch)
        self._ids = TimeOrderedIds()
        #: The session of the last turn; known before its reply is there.
        self._here: str | None = opening.session_id

    async def run(self) -> None:
        """Read, send, show, until the person leaves."""
        async with self._console.open():
            self._console.welcome()
            if self._watch is not None and self._request.session_id is not None:
                await self._hearing.resumed(self._request.session_id)
            try:
                await self._talk()
            finally:
                if self._watch is not None:
                    await self._watch.end()
        with suppress(ServiceError):
            if self._watch is not None and await self._hearing.runs(self._request.session_id):
                self._console.tell(LAST_STEP)

    async def _talk(self) -> None:
        asked = False  # whether to leave though a plan runs
        while True:
            if self._watch is not None:
                self._watch.begin(self._request.session_id)
            try:
                message = await self._read()
            except Leave:
                return
            if isinstance(message, Agreed):
                await self._send({"message": "yes", "answers": message.question})
                continue
            if isinstance(message, Interrupted):
                await self._stop_plan()
                continue
            if not message.strip():
                continue
            word = message.split(maxsplit=1)[0].lower()
            if word in (UPLOAD, ATTACH):
                rest = message.strip()[len(word) :]
                await (self._upload(rest) if word == UPLOAD else self._attach(rest))
                continue
            await self._say(message)
            if message.strip().lower() in LEAVING:
                if asked or not await self._hearing.runs(self._request.session_id):
                    return
                asked = True
                self._console.tell(
                    "/exit once more leaves; the plan goes on the next time the server or a chat runs."
                )

    async def _read(self) -> str | Agreed | Interrupted:
        """The next message; what is said of its own accord meanwhile is shown when it is said."""
        hearing = asyncio.create_task(self._hearing.tell(self._request.session_id))
        try:
            return await self._console.read()
        finally:
            hearing.cancel()
            await asyncio.wait({hearing})

    async def _say(self, message: str) -> None:
        try:
            await self._send({"message": with_file(message)})
        except BadRequest as error:
            self._console.trouble(error.message)
        if self._about and message.strip().lower() == HELP:
            self._console.tell(self._about)

    async def _send(self, said: Mapping[str, Any]) -> None:
        sent = {**self._request.model_dump(exclude={"message"}), **said, "turn_id": self._ids.new()}
        request = Request(**sent)
        heard: list[str] = []
        try:
            run = self._application.submit(checked(request), self._person)
            self._here = run.session_id
            reply = await self._console.working(self._listened(run, heard), self._stop)
        except (BadRequest, ServiceError) as error:
            self._console.trouble(error.message)
            return
        shown = Reply.model_validate_json(reply)
        # The talk stays with the project it came to, be it created or chosen just now.
        kept = {"session_id": shown.session_id, "project_id": shown.project_id}
        self._request = self._request.model_copy(update=kept)
        await self._hearing.answered(shown.session_id, shown.seq)
        self._console.show(shown, reply, heard=heard)
        pending = shown.pending
        self._console.asked(pending.id if pending is not None and pending.kind == APPROVE else None)
        if self._files is not None:
            await self._save(self._files, shown)

    async def _listened(self, run: "RunningTurn", heard: list[str]) -> str:
        """The reply; what is said before it is there is shown at once, and noted."""
        reply = asyncio.ensure_future(run.result())
        with self._application.aloud.follow(run.session_id) as listening:
            try:
                while True:
                    more = asyncio.ensure_future(listening.news.wait())
                    await asyncio.wait({reply, more}, return_when=asyncio.FIRST_COMPLETED)
                    more.cancel()
                    for said in listening.take():
                        if said.turn_id == run.turn_id:
                            self._console.said(said.text)
                            heard.append(said.text)
                    if reply.done():
                        return reply.result()
            finally:
                reply.cancel()

    async def _upload(self, argument: str) -> None:
        """A file of this machine: the answer where one is asked for, else for the project.

        Given to the project it is no turn, so nothing else is said about it.
        """
        try:
            asked = await self._sending.wanted(self._request.session_id)
            if self._files is not None and not asked:
                self._console.tell(await self._files.give(self._request.project_id, argument))
                return
            path, _ = named(argument)
            here, file = await self._sending.upload(path, self._request.session_id)
        except SoftrailError as error:
            self._console.trouble(error.message)
            return
        self._request = self._request.model_copy(update={"session_id": here})
        await self._send({"attachments": (file.id,)})

    async def _attach(self, argument: str) -> None:
        """A file of this machine as data for plans; what was read and mended in it is said, and that is no turn."""
        try:
            path, _ = named(argument, f"{ATTACH} FILE")
            here, told = await attach(self._application, self._person, self._request.session_id, path)
        except SoftrailError as error:
            self._console.trouble(error.message)
            return
        self._request = self._request.model_copy(update={"session_id": here})
        self._console.tell("\n".join(told))

    async def _save(self, files: Files, reply: Reply) -> None:
        try:
            for path in await files.take(reply):
                self._console.tell(f"Saved as {path}")
        except SoftrailError as error:
            self._console.trouble(error.message)

    async def _stop(self) -> None:
        """Ctrl+C while a turn runs: interrupt it, keep the conversation."""
        if self._here is not None:
            with suppress(NotFound):  # it has not been written down yet
                try:
                    await self._application.cancel(self._person, self._here)
                except ServiceError as error:
                    self._console.trouble(error.message)

    async def _stop_plan(self) -> None:
        """Ctrl+C: the plan is cancelled by a turn, as if the person had said so."""
        here = self._request.session_id
        if self._watch is not None and here is not None and (await self._watch.look(here)).phase != "idle":
            await self._send({"message": STOP_PLAN})
