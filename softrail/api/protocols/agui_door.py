"""One run of an AG-UI client, from its input to its last frame."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any

from ag_ui.core import (
    AgentCapabilities,
    BaseEvent,
    HumanInTheLoopCapabilities,
    IdentityCapabilities,
    Message,
    MultimodalCapabilities,
    MultimodalInputCapabilities,
    StateCapabilities,
    ToolsCapabilities,
    TransportCapabilities,
)

from softrail.api.events import Event
from softrail.api.parts import Parts
from softrail.api.protocols.agui import Run, usage_of
from softrail.api.protocols.agui_input import (
    entries_of,
    extras_of,
    messages_of,
    run_input,
    to_say,
    unanswered,
)
from softrail.api.protocols.resuming import QuestionClosed, resumed
from softrail.api.protocols.telling import plain_id
from softrail.api.protocols.thread import Thread, lacking
from softrail.api.protocols.turns import Turns
from softrail.core.people import Person


class Door:
    """A run that is begun, and on its way."""

    def __init__(
        self,
        run: Run,
        turns: Turns,
        messages: Sequence[Message],
        *,
        lacking: bool,
        closed: QuestionClosed | None,
    ) -> None:
        self._run = run
        self._turns = turns
        self._messages = messages
        self._lacking = lacking
        self._closed = closed

    @classmethod
    async def begun(cls, parts: Parts, person: Person, raw: bytes) -> "Door":
        """The run, once its first turn is durable; errors before that are raised as for `POST /converse`."""
        given = run_input(raw)
        thread = await Thread.of(parts, person, given.thread_id)
        turns, sent, more = Turns(parts, person, thread), unanswered(given.messages), extras_of(given)
        said = sent
        closed = None
        try:
            leave = parts.dispatcher.parts.sentences.say("way_pause_said")
            new = await resumed(thread, entries_of(given), words=bool(said), leave=leave)
        except QuestionClosed as error:
            closed, new, said = error, [], []
        new += await thread.requests(said, more) if said else []
        reload = not new and closed is None
        if reload:
            turns.go_on()  # first: what is answered from now on is in the transcript, or told
        transcript = await thread.transcript(sent)
        await turns.begin(new)
        messages = messages_of(transcript, without=turns.ids)
        known = {plain_id(one.id) for one in given.messages}
        missed = lacking(transcript, known, running=set(turns.ids))
        run = Run(
            given.thread_id,
            given.run_id,
            declared=given.protocol_version is not None,
            interrupts=more.interrupts,
        )
        saying = turns.words() if reload else [(one.id, one.text) for one in said]
        shown = [*messages, *to_say(saying, messages)]
        return cls(run, turns, shown, lacking=bool(missed) or reload, closed=closed)

    async def events(self) -> AsyncGenerator[Event, None]:
        """The frames of the run."""
        run, turns = self._run, self._turns
        for frame in run.begin(self._messages, lacking=self._lacking):
            yield framed(frame)
        if self._closed is not None:
            for frame in run.refuse(self._closed.code, self._closed.message):
                yield framed(frame)
            return
        async for turn_id, told in turns.told():
            for frame in run.of(told, turn_id):
                yield framed(frame)
        if not run.failed:
            state, usage = await turns.state(), usage_of(turns.calls)
            for frame in run.finish(state, usage=usage, interrupted=turns.interrupted):
                yield framed(frame)


def framed(frame: BaseEvent) -> Event:
    """A frame as it goes over the wire."""
    return Event("", frame.model_dump_json(by_alias=True))


def capabilities() -> dict[str, Any]:
    """What a client may expect of this agent."""
    found = AgentCapabilities(
        identity=IdentityCapabilities(name="Softrail", type="softrail"),
        transport=TransportCapabilities(streaming=True, resumable=True),
        tools=ToolsCapabilities(supported=False),
        state=StateCapabilities(snapshots=True, deltas=False, memory=True, persistent_state=True),
        multimodal=MultimodalCapabilities(input=MultimodalInputCapabilities(file=True)),
        human_in_the_loop=HumanInTheLoopCapabilities(supported=True, approvals=True, interrupts=True),
    )
    return found.model_dump(mode="json", by_alias=True)
