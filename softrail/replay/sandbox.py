"""Sandboxes: a recorded conversation played again beside the server, to try from there what would happen."""

import asyncio
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from softrail.core.decisions import Decision
from softrail.core.errors import SoftrailError, TooManySandboxes
from softrail.core.ids import TimeOrderedIds
from softrail.core.signals import SignalRequest
from softrail.core.turns import Reply, Request
from softrail.models.plain import is_plain
from softrail.replay.clock import FrozenClock
from softrail.replay.conversation import Conversation, Said, in_memory
from softrail.replay.recalled import Recalled
from softrail.replay.recorded import Answered, Event, Recorded
from softrail.turns.dispatcher import Dispatcher
from softrail.turns.sweeper import SweepReport

MOST: Final = 8  #: at once, on one worker
IDLE: Final = 30 * 60.0  #: seconds after which one that nobody uses is ended
LOOK_EVERY: Final = 60.0  #: seconds, for those that nobody uses
MOST_EVENTS: Final = 500  #: that are played for one


_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")  # every run has its own


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """What went another way when it was played again."""

    turn_id: str
    seq: int
    what: str  #: words, process, pending, effects, intent
    recorded: str
    replayed: str


class Sandbox:
    """One conversation in an application of its own, with a store in memory and a clock that only it sees.

    Nothing that changes anything outside is delivered, no long work is driven, no language model is asked unless somebody
    wants it (what one said in a free turn is said again), and no observer hears of it.
    """

    def __init__(self, server: Dispatcher, recorded: Recorded) -> None:
        self.id = TimeOrderedIds().new()
        self.recorded = recorded
        self.differences: list[Difference] = []
        self.clock = FrozenClock(recorded.events[0].at if recorded.events else recorded.session.created_at)
        self._model = Recalled(server.parts.model.behind)
        self._dispatcher = in_memory(
            server,
            model=self._model,
            classifier=server.parts.classifier,
            on_turn=(),
            on_delivery=(),
            engine=None,
        )
        self._sessions: dict[str, str] = {}  # by the recorded one
        self._questions: dict[str, str | None] = {}  # by the id of the recorded one
        self._lock = asyncio.Lock()

    @property
    def now(self) -> datetime:
        """The time in it."""
        return self.clock()

    async def begin(self) -> None:
        """Play what was recorded, each at its time, and note what goes another way."""
        async with self._lock:
            with self.clock.here():
                await self._dispatcher.start(background=False, services=False)
                whose = self.recorded.person
                made = await self._dispatcher.store.ensure_person(whose.email, id=whose.id, at=self.now)
                await self._dispatcher.store.update_person(whose)
                self._talk = Conversation(self._dispatcher, made, self.clock)
                self._talk.person = whose
                for event in self.recorded.events:
                    self.clock.set(max(event.at, self.now))
                    await self._play(event)
                self._talk.session_id = self._sessions.get(self.recorded.session.id)

    @property
    def model(self) -> str | None:
        """The language model that may be asked in it; None: the server has none."""
        return None if is_plain(self._model.real) else self._model.real.name

    async def say(
        self, message: str, *, answers: str | None = None, value: Any = None, by_model: bool = False
    ) -> Said:
        """What would be answered now; `by_model` asks the server's language model, which costs what it costs."""
        async with self._lock:
            with self.clock.here(), self._model.asking(by_model):
                return await self._talk.say(message, answers=answers, value=value)

    async def advance(self, seconds: float) -> SweepReport:
        """Let time pass, and do what the server does by itself."""
        async with self._lock:
            with self.clock.here():
                self.clock.advance(seconds=seconds)
                return await self._dispatcher.sweep(deliver="inside")

    async def end(self) -> None:
        """Give everything back."""
        async with self._lock:
            with self.clock.here():
                await self._dispatcher.stop(grace=0.0)

    async def _play(self, event: Event) -> None:
        if event.worked:
            await self._dispatcher.work_inside()
        elif event.request is None:
            await self._dispatcher.sweep(deliver=False)
        if event.answered is None:
            return
        try:
            said = await self._answer(event, event.answered)
        except SoftrailError as error:
            if event.session_id == self.recorded.session.id:
                self._note(event.answered, "words", event.answered.reply.companion_message, error.message)
            return
        if said is not None:
            self._remember(event.answered.reply, said)
            if event.session_id == self.recorded.session.id:
                self._compare(event.answered, said)

    async def _answer(self, event: Event, answered: Answered) -> Said | None:
        talk, request = self._talk, event.request
        talk.session_id = self._sessions.get(event.session_id)
        if isinstance(request, SignalRequest):
            return await talk.signal(event.process, request.signal.name, request.signal.data)
        if isinstance(request, Request):
            sent = [await talk.upload(file.name, bytes(file.size)) for file in event.files]
            with self._model.saying(answered.free_words):
                said = await talk.say(
                    request.message,
                    answers=request.answers and (self._questions.get(request.answers) or request.answers),
                    value=request.value,
                    attachments=sent,
                    intent_hint=_hint(request, answered.decision),
                )
            self._sessions[event.session_id] = said.reply.session_id
            return said
        return await talk.newest_session() if answered.row.status == "committed" else None

    def _remember(self, reply: Reply, said: Said) -> None:
        if reply.pending is not None and reply.pending.id is not None:
            self._questions[reply.pending.id] = said.question_id

    def _compare(self, answered: Answered, said: Said) -> None:
        before, after = told(answered.reply), told(said.reply)
        for what, recorded in before.items():
            if after[what] != recorded and not (answered.by_model and what == "words"):
                self._note(answered, what, recorded, after[what])

    def _note(self, answered: Answered, what: str, recorded: str, replayed: str) -> None:
        row = answered.row
        self.differences.append(
            Difference(turn_id=row.turn_id, seq=row.seq, what=what, recorded=recorded, replayed=replayed)
        )


def without_ids(words: str) -> str:
    """The words with any words in place of an id."""
    return _ID.sub("…", words)


def told(reply: Reply) -> Mapping[str, str]:
    """What of a reply has to be the same when it is played again, in words."""
    process = reply.process
    return {
        "words": without_ids(reply.companion_message),
        "process": f"{process.name} {process.state} {process.step}".strip() if process else "none",
        "pending": reply.pending.kind if reply.pending else "none",
        "effects": ", ".join(side.kind for side in reply.side_effects) or "none",
        "intent": reply.classified_intent or "none",
    }


def _hint(request: Request, decision: Decision) -> str | None:
    """What a language model read is taken from the record: nobody asks one again."""
    return decision.intent if decision.tier == "model" else request.intent_hint


class Sandboxes:
    """Those there are on this worker: at most eight, each ended when nobody has used it for half an hour."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: dict[str, tuple[float, Sandbox]] = {}
        self._looking: asyncio.Task[None] | None = None

    async def open(self, server: Dispatcher, recorded: Recorded) -> Sandbox:
        """A new one, played up to the end of what was recorded. Raises TooManySandboxes."""
        await self._end_idle()
        if len(self._open) >= MOST:
            raise TooManySandboxes(
                f"There are {MOST} sandboxes already, which is as many as there may be. End one of them first.",
                most=MOST,
            )
        sandbox = Sandbox(server, recorded)
        self._open[sandbox.id] = (self._clock() + IDLE, sandbox)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._keep_looking(), name="softrail-sandboxes")
        try:
            await sandbox.begin()
        except BaseException:
            await self.end(sandbox.id)
            raise
        return sandbox

    async def get(self, sandbox_id: str) -> Sandbox | None:
        """That one, which is in use again; None: there is none, or not any more."""
        await self._end_idle()
        found = self._open.get(sandbox_id)
        if found is None:
            return None
        self._open[sandbox_id] = (self._clock() + IDLE, found[1])
        return found[1]

    async def end(self, sandbox_id: str) -> bool:
        """End it; whether it was there."""
        found = self._open.pop(sandbox_id, None)
        if found is not None:
            await found[1].end()
        return found is not None

    async def close(self) -> None:
        """End all."""
        if self._looking is not None:
            self._looking.cancel()
        for sandbox_id in list(self._open):
            await self.end(sandbox_id)

    async def _keep_looking(self) -> None:
        while self._open:
            await asyncio.sleep(LOOK_EVERY)
            await self._end_idle()

    async def _end_idle(self) -> None:
        for sandbox_id in [one for one, (until, _) in self._open.items() if until <= self._clock()]:
            await self.end(sandbox_id)
