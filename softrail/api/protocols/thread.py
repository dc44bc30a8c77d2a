"""From a client's thread to a session, and from its messages to turns: each is said once, however often it is sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final
from uuid import UUID, uuid5

from softrail.api.border import settled
from softrail.api.parts import Parts
from softrail.api.protocols.words import Extras, InlineFile, Said
from softrail.core.border import is_id, unusable
from softrail.core.clock import now
from softrail.core.commits import Item, TurnRow
from softrail.core.errors import BadRequest
from softrail.core.files import pieces_of
from softrail.core.people import Person
from softrail.core.sessions import Session
from softrail.core.turns import Request
from softrail.turns.requests import as_sent, stored_request

LONGEST_ID: Final = 128
MOST_SAID: Final = 50  #: messages that one request may say
TRANSCRIPT: Final = 200  #: items that a client is brought up to date with
_THREADS: Final = UUID("5b1c6f0e-6c1a-5d53-9a55-0d3f6a3b7a51")


def session_id_of(person_id: str, thread: str) -> str:
    """The id of the session behind a thread that a client named: nobody comes to another's by any name."""
    return str(uuid5(uuid5(_THREADS, person_id), thread))


def digest(thread: str, *more: str) -> str:
    """An id of a turn made from what it says: the same for the same."""
    return str(uuid5(_THREADS, "\0".join((thread, *more))))


@dataclass(frozen=True, slots=True)
class Transcript:
    """The newest items of a session, and what the client calls those that it knows under another id."""

    items: Sequence[Item]
    called: Mapping[str, str]

    def id_of(self, item: Item) -> str:
        """The item's id as the client has it, or is to have it."""
        turn = self.called.get(item.turn_id, item.turn_id)
        return turn if item.role == "operator" else f"{item.turn_id}/reply"


class Thread:
    """One thread of one person's, for one request."""

    def __init__(self, parts: Parts, person: Person, thread: str, session_id: str) -> None:
        self._parts = parts
        self._store = parts.store
        self._person = person
        self.id = thread
        self.session_id = session_id

    @classmethod
    async def of(cls, parts: Parts, person: Person, thread: str) -> "Thread":
        """The thread of that name: an own session, else one that only this person's thread leads to."""
        if not 0 < len(thread) <= LONGEST_ID or not thread.isprintable():
            raise unusable("threadId", f"it must have 1 to {LONGEST_ID} printable characters")
        own = await parts.store.session(person.id, thread) if is_id(thread) else None
        return cls(parts, person, thread, own.id if own is not None else session_id_of(person.id, thread))

    async def session(self) -> Session | None:
        """The session as it stands; None: nothing was said in the thread."""
        return await self._store.session(self._person.id, self.session_id)

    async def open(self) -> None:
        """Have the session there. One that is there already stays as it is."""
        await self._store.open_session(
            Session(id=self.session_id, person_id=self._person.id, created_at=now())
        )

    # -- turns

    async def requests(self, said: Sequence[Said], extras: Extras) -> list[Request]:
        """What is to be said now, in order; where all of it was said already, the last of it again."""
        if len(said) > MOST_SAID:
            said = said[-MOST_SAID:]  # a client that never keeps an answer sends all it ever said
        found = [await self._request(one, extras, last=one is said[-1]) for one in said]
        new = [request for request, answered in found if not answered]
        return new or [request for request, _ in found[-1:]]

    async def check(self, request: Request) -> None:
        """Raise BadRequest, with path and reason, for a value that is not of the form that its question wants."""
        await self._parts.dispatcher.check_value(request, self._person)

    async def _request(self, said: Said, extras: Extras, *, last: bool) -> tuple[Request, bool]:
        """The turn of a message, and whether it was answered already.

        Its id is the message's. Where that says other words already, or something in another thread, the id is a
        digest: an edited message is a new turn.
        """
        words = {"message": said.text} if said.text else {}
        answer = {"answers": extras.answers, "value": extras.value} if last else {}
        wanted = Request(
            **words,
            **answer,
            session_id=self.session_id,
            project_id=extras.project_id,
            intent_hint=extras.intent_hint,
        )
        ids = [said.id] if 0 < len(said.id) <= LONGEST_ID and said.id.isprintable() else []
        for turn_id in [*ids, digest(self.id, said.id, said.text)]:
            known, kept, answered = await self._known(turn_id)
            if known is None:
                await self.check(wanted)
                await self._parts.dispatcher.admit(wanted, self._person)  # before anything of it is kept
                files = await self._keep(turn_id, said.files)
                sent = wanted.model_copy(update={"turn_id": turn_id, "attachments": files})
                return settled(sent, None), False
            if known.session_id == self.session_id and _says(known, kept, said):
                return known, answered
        raise BadRequest("The id of that message stands for something else. Send it under another id.")

    async def _known(self, turn_id: str) -> tuple[Request | None, str, bool]:
        """The turn of that id as it was sent, if there is one, its words in a transcript, and whether it was answered."""
        run = self._parts.dispatcher.running(self._person.id, turn_id)
        if run is not None and isinstance(run.request, Request) and not run.finished:
            return run.request, run.request.message, False
        row = (await self._store.load(self._person, self.session_id, turn_id)).seen
        if row is None:
            return None, "", False
        kept = stored_request(row)
        return as_sent(row), kept.message if isinstance(kept, Request) else "", row.reply is not None

    async def _keep(self, turn_id: str, files: Sequence[InlineFile]) -> tuple[str, ...]:
        """Put files that came within a message among those of the session; their ids."""
        if not files:
            return ()
        kept, found = self._parts.dispatcher.parts.attachments, list[str]()
        if kept is None:
            raise BadRequest("This server keeps no files.")
        await self.open()
        for n, file in enumerate(files):
            if len(file.content) > self._parts.upload_limit:
                raise unusable("files", f"one is over the limit of {self._parts.upload_limit} bytes")
            file_id = digest(self.session_id, turn_id, str(n))
            there = await kept.find(self._person.id, self.session_id, [file_id])
            if not there:
                content = pieces_of(BytesIO(file.content))
                await kept.keep(self._person.id, self.session_id, file.name, content, id=file_id)
            found.append(file_id)
        return tuple(found)

    # -- what was said

    async def seen(self, turn_id: str) -> TurnRow | None:
        """A turn of the person's as it is stored."""
        return (await self._store.load(self._person, self.session_id, turn_id)).seen

    async def transcript(self, said: Sequence[Said]) -> Transcript:
        """The newest items, with the names that the client's messages of these ids have here."""
        items = await self._store.items(
            self._person.id, session_id=self.session_id, before=2**62, limit=TRANSCRIPT
        )
        return Transcript(items, {digest(self.id, one.id, one.text): one.id for one in said})


def _says(request: Request, kept: str, said: Said) -> bool:
    """Whether it is that turn: what a client has of a transcript are the words, also of a value, and no file."""
    return said.text in (request.message, kept) and (bool(request.attachments) or not said.files)


def lacking(transcript: Transcript, known: set[str], *, running: set[str]) -> list[Item]:
    """The items that a client with those ids does not have; those of turns that are told now come by themselves."""
    return [
        item
        for item in transcript.items
        if item.turn_id not in running and transcript.id_of(item) not in known
    ]
