"""Talk to an assistant as a person would, and look at what it did."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from softrail.bootstrap import build, plugin_tables
from softrail.classifier import PlainClassifier
from softrail.core.attachments import Attachment
from softrail.core.clock import now
from softrail.core.decisions import Decision
from softrail.core.errors import NotFound
from softrail.core.intents import IntentDefinition
from softrail.core.people import Person, clean_email
from softrail.core.sessions import Session
from softrail.core.signals import Signal
from softrail.core.turns import Reply, Request
from softrail.models import PlainModel
from softrail.processes import Process
from softrail.replay.clock import FrozenClock
from softrail.replay.script import Script
from softrail.settings import Settings
from softrail.store import MemoryStore, SqlStore
from softrail.turns.dispatcher import Dispatcher
from softrail.turns.sweeper import SweepReport


class Said:
    """One answer, with what a test wants to know about it."""

    def __init__(self, reply: Reply, decision: Decision, raw: str) -> None:
        self.reply = reply
        self.decision = decision
        self.raw = raw  #: the reply as the client gets it

    @property
    def text(self) -> str:
        """The words."""
        return self.reply.companion_message

    @property
    def at_once(self) -> list[str]:
        """What was said before the turn was over, with `turn.say(…)`."""
        messages = self.reply.messages or []
        return [messages[one.message] for one in self.decision.said]

    @property
    def process(self) -> str | None:
        """The process of the reply: the holder, else the one this turn moved last."""
        return self.reply.process.name if self.reply.process else None

    @property
    def state(self) -> str | None:
        """That process's lifecycle word."""
        return self.reply.process.state if self.reply.process else None

    @property
    def step(self) -> str | None:
        """That process's step."""
        return self.reply.process.step if self.reply.process else None

    @property
    def pending(self) -> str | None:
        """The kind of the open question."""
        return self.reply.pending.kind if self.reply.pending else None

    @property
    def question_id(self) -> str | None:
        """The id of the open question."""
        return self.reply.pending.id if self.reply.pending else None

    @property
    def effects(self) -> list[str]:
        """The kinds of what was done."""
        return [side.kind for side in self.reply.side_effects]

    @property
    def intent(self) -> str | None:
        """The intent; None where a process owned the turn."""
        return self.reply.classified_intent

    @property
    def model_calls(self) -> int:
        """How often a language model was asked."""
        return len(self.decision.model_calls)

    def __repr__(self) -> str:
        return f"<Said {self.text!r} process={self.process} {self.state} {self.step} effects={self.effects}>"


class Conversation:
    """One person's talk with a real dispatcher."""

    def __init__(self, dispatcher: Dispatcher, person: Person, clock: FrozenClock) -> None:
        self.dispatcher = dispatcher
        self.person = person
        self.clock = clock
        self.session_id: str | None = None

    async def upload(self, name: str, content: bytes = b"A file.\n") -> Attachment:
        """Upload a file to the session, which is opened for it where there is none."""
        files, ids = self.dispatcher.parts.attachments, self.dispatcher.parts.ids
        assert files is not None, "the store of this conversation keeps no files"  # noqa: S101
        if self.session_id is None:
            self.session_id = ids.new()
            opened = Session(id=self.session_id, person_id=self.person.id, created_at=now())
            await self.dispatcher.store.open_session(opened)

        async def whole() -> AsyncIterator[bytes]:
            yield content

        kept = await files.keep(self.person.id, self.session_id, name, whole(), id=ids.new())
        return kept.attachment

    async def say(
        self,
        message: str = "",
        *,
        turn_id: str | None = None,
        intent_hint: str | None = None,
        project_id: str | None = None,
        answers: str | None = None,
        value: Any = None,
        attachments: Sequence[Attachment | str] = (),
    ) -> Said:
        """Say something and get the answer; `answers` is the `question_id` of what was said before.

        `attachments` come with it: what `upload` gave, or ids.
        """
        words = {"message": message} if message or not (attachments or value is not None) else {}
        request = Request(
            **words,
            session_id=self.session_id,
            project_id=project_id,
            intent_hint=intent_hint,
            turn_id=turn_id,
            answers=answers,
            value=value,
            attachments=tuple(one if isinstance(one, str) else one.id for one in attachments),
        )
        said = await self._said(await self.dispatcher.converse(request, self.person))
        self.session_id = said.reply.session_id
        return said

    async def signal(
        self, process: str, name: str, data: dict[str, Any] | None = None, *, key: str | None = None
    ) -> Said:
        """Tell the person's last run of a process what happened outside; `key` omitted: it is a new signal.

        Raises NotFound where there is no run of it.
        """
        runs = await self.dispatcher.store.past(self.person.id, process)
        if not runs:
            raise NotFound(f"{self.person.email} has no run of process {process!r}.")
        signal = Signal(name, key or self.dispatcher.parts.ids.new(), data)
        return await self._said(await self.dispatcher.signal(runs[0].id, signal, person=self.person))

    async def _said(self, raw: str) -> Said:
        reply = Reply.model_validate_json(raw)
        body = await self.dispatcher.store.decision(self.person.id, reply.session_id, reply.turn_id)
        assert body is not None, "a committed turn has no decision record"  # noqa: S101
        return Said(reply, Decision.from_json(body), raw)

    def advance(self, **parts: float) -> None:
        """Let time pass: `advance(minutes=31)`."""
        self.clock.advance(**parts)

    async def sweep(self) -> SweepReport:
        """Do what the server does by itself every minute."""
        return await self.dispatcher.sweep()

    def new_session(self) -> None:
        """Go on in a session of its own."""
        self.session_id = None

    async def newest_session(self) -> Said:
        """Go on in the person's newest session; what was said there last, by them or by itself.

        Raises NotFound where they have no session, or nothing was said in it.
        """
        store = self.dispatcher.store
        sessions = await store.sessions(self.person.id, before=None, limit=1)
        items = [
            item
            for session in sessions
            for item in await store.items(
                self.person.id, session_id=session.id, after=max(0, session.next_seq - 50), limit=50
            )
        ]
        turn = await store.turn(self.person.id, items[-1].turn_id) if items else None
        if turn is None or turn.reply is None:
            raise NotFound(f"{self.person.email} has no session in which something was said.")
        self.session_id = turn.session_id
        return await self._said(turn.reply)

    async def become(self, email: str) -> None:
        """Go on as another person, in a session of their own."""
        self.person = await _person(self.dispatcher, email)
        self.session_id = None

    async def play(self, script: str) -> list[Said]:
        """Play a script; raises Mismatch at the first line that is not as written."""
        return await Script.parse(script).play(self)

    async def records(self, kind: str) -> list[dict[str, Any]]:
        """The data of every record of that kind kept for the person, oldest first."""
        return [r.data for r in await self.dispatcher.store.list(self.person.id, kind)]


def in_memory(dispatcher: Dispatcher, **parts: Any) -> Dispatcher:
    """The same application on a store in memory and without a language model; the given one is not touched.

    `parts` go to `build` in place of what it was made with.

    Raises:
        TypeError: It was not made by `softrail.build`, so nothing is known of how to make it again.
    """
    if dispatcher.again is None:
        raise TypeError("This dispatcher was not made by softrail.build: it cannot be made again in memory.")
    kept = dispatcher.store
    store = (
        MemoryStore(plugins=kept.plugins, effect_handlers=kept.effect_handlers)
        if isinstance(kept, SqlStore)
        else MemoryStore()
    )
    return dispatcher.again(**{"store": store, "model": PlainModel(), **parts})


@asynccontextmanager
async def conversation(
    *used: type[Process] | IntentDefinition,
    clock: FrozenClock,
    email: str = "sam@example.org",
    discover: bool = False,
    dispatcher: Dispatcher | None = None,
    **parts: Any,
) -> AsyncIterator[Conversation]:
    """A conversation with these processes and intents, on a memory store, with nothing running in the background.

    `parts` go to `build`; `discover` adds the processes that are installed.
    """
    if dispatcher is None:
        if "settings" not in parts:
            parts["settings"] = Settings(reading_limit=60.0)  # what is said, not how busy the machine is
        if "store" not in parts:
            brought = plugin_tables(bundled=parts["settings"].bundled) if discover else ()
            parts["store"] = MemoryStore(plugins=brought)
        parts.setdefault("model", PlainModel())  # a key in the environment makes no test ask a real one
        if not discover:  # exact words are enough for one's own processes, and nothing has to be fitted
            parts.setdefault("classifier", PlainClassifier())
        intents = [one for one in used if isinstance(one, IntentDefinition)]
        parts["intents"] = [*intents, *parts.get("intents", ())]
        processes = [one for one in used if not isinstance(one, IntentDefinition)]
        dispatcher = build(processes=processes, discover=discover, **parts)
    with clock.installed():
        await dispatcher.start(background=False)
        try:
            yield Conversation(dispatcher, await _person(dispatcher, email), clock)
        finally:
            await dispatcher.stop(grace=1.0)


async def _person(dispatcher: Dispatcher, email: str) -> Person:
    return await dispatcher.store.ensure_person(clean_email(email), id=dispatcher.parts.ids.new(), at=now())
