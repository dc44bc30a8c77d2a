"""AG-UI: the events of a turn as the frames of a run, with the protocol's own models."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ag_ui.core import (
    PROTOCOL_VERSION,
    ActivityDeltaEvent,
    ActivitySnapshotEvent,
    AssistantMessage,
    BaseEvent,
    CustomEvent,
    Interrupt,
    Message,
    MessagesSnapshotEvent,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    StateSnapshotEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    TokenUsage,
)

from softrail.api.protocols.telling import COMMITTED, FAILED, PROGRESS, Told, effect_id, is_same, reply_id

EFFECT: Final = "softrail.effect"
PLAN: Final = "softrail.plan"
_REASONS: Final = {
    "ask": "input_required",
    "clarify": "softrail:clarify",
}  #: of an interrupt; any other confirms


class Run:
    """One run: what was told of it so far, and what each further event adds. It reads nothing and waits for nothing."""

    def __init__(self, thread_id: str, run_id: str, *, declared: bool, interrupts: bool) -> None:
        self._thread_id = thread_id
        self._run_id = run_id
        self._declared = declared  #: the client said which version it speaks: 1.0 or later
        self._interrupts = interrupts
        self._messages: list[Message] = []  #: as the client has them
        self._turn = ""
        self._attempt = 1
        self._open = ""  #: the id of the words that are being told
        self._shown = ""
        self._effects = 0
        self._plans: dict[str, Mapping[str, Any]] = {}
        self.failed = False

    def begin(self, messages: Sequence[Message], *, lacking: bool) -> list[BaseEvent]:
        """The beginning; with all `messages` where the client lacks one of them."""
        self._messages = list(messages)
        started = RunStartedEvent(
            thread_id=self._thread_id,
            run_id=self._run_id,
            protocol_version=PROTOCOL_VERSION if self._declared else None,
        )
        return [started, *([self._snapshot()] if lacking else [])]

    def of(self, told: Told, turn_id: str) -> list[BaseEvent]:
        """The frames of one event of a turn."""
        if turn_id != self._turn:
            self._turn, self._attempt, self._shown, self._effects = turn_id, 1, "", 0
        data = told.data
        match told.name:
            case "text.delta":
                return self._text(data["text"])
            case "turn.superseded":
                return self._superseded()
            case "side_effect":
                return [*self._end(), self._effect(data)]
            case name if name == PROGRESS:
                return [self._plan(data)]
            case name if name == COMMITTED:
                return self._committed(data)
            case name if name == FAILED:
                self.failed = True
                return [*self._end(), RunErrorEvent(message=data["message"], code=data["code"])]
            case name:
                return [CustomEvent(name=name, value=data)]

    def finish(
        self,
        state: Mapping[str, Any],
        *,
        usage: Sequence[Mapping[str, Any]] = (),
        interrupted: bool = False,
    ) -> list[BaseEvent]:
        """The end: the state, and what came of the run. After an error there is none."""
        if self.failed:
            return []
        finished = RunFinishedEvent(
            thread_id=self._thread_id,
            run_id=self._run_id,
            outcome=self._outcome(state.get("pending"), interrupted),
            usage=[TokenUsage(**one) for one in usage] or None,
        )
        return [StateSnapshotEvent(snapshot=dict(state)), finished]

    def refuse(self, code: str, message: str) -> list[BaseEvent]:
        """The end of a run that could not be done."""
        self.failed = True
        return [*self._end(), RunErrorEvent(message=message, code=code)]

    # -- words

    def _text(self, piece: str) -> list[BaseEvent]:
        self._shown += piece
        began: list[BaseEvent] = []
        if not self._open:
            self._open = reply_id(self._turn, self._attempt)
            began = [TextMessageStartEvent(message_id=self._open, role="assistant")]
        return [*began, TextMessageContentEvent(message_id=self._open, delta=piece)]

    def _end(self) -> list[BaseEvent]:
        if not self._open:
            return []
        ended, self._open = TextMessageEndEvent(message_id=self._open), ""
        return [ended]

    def _superseded(self) -> list[BaseEvent]:
        """What was told is void: the client forgets it, and what comes is told under another id."""
        shown, self._shown = self._shown, ""
        if not shown:
            return []
        frames = [*self._end(), self._snapshot()]
        self._plans = {}  # the client has only the messages of the snapshot now
        self._attempt += 1
        return frames

    def _committed(self, reply: Mapping[str, Any]) -> list[BaseEvent]:
        words, frames = reply["companion_message"], list[BaseEvent]()
        if self._shown and not is_same(self._shown, words):
            frames = self._superseded()
        if words and not self._shown:
            frames = [*frames, *self._text(words)]
        if words:
            said = AssistantMessage(id=reply_id(self._turn, self._attempt), content=words)
            self._messages.append(said)
        return [*frames, *self._end()]

    def _snapshot(self) -> BaseEvent:
        return MessagesSnapshotEvent(messages=list(self._messages))

    # -- what is no words

    def _effect(self, data: Mapping[str, Any]) -> BaseEvent:
        self._effects += 1
        own = effect_id(self._turn, self._effects)
        return ActivitySnapshotEvent(message_id=own, activity_type=EFFECT, content=dict(data))

    def _plan(self, data: Mapping[str, Any]) -> BaseEvent:
        """How far long work is: the whole first, then what has changed."""
        own, before = f"{data['run_id']}/plan", self._plans.get(data["run_id"])
        self._plans[data["run_id"]] = data
        if before is None:
            return ActivitySnapshotEvent(message_id=own, activity_type=PLAN, content=dict(data))
        patch = [
            {"op": "replace", "path": f"/{name}", "value": value}
            for name, value in data.items()
            if before.get(name) != value
        ]
        return ActivityDeltaEvent(message_id=own, activity_type=PLAN, patch=patch)

    def _outcome(self, pending: Mapping[str, Any] | None, interrupted: bool) -> RunFinishedOutcome:
        if interrupted and self._declared:
            return RunFinishedCancelledOutcome()  # an older client breaks on it
        if self._interrupts and pending is not None:
            return RunFinishedInterruptOutcome(interrupts=[interrupt(pending)])
        return RunFinishedSuccessOutcome()


def interrupt(pending: Mapping[str, Any]) -> Interrupt:
    """The open question for clients that ask for interrupts."""
    choices = pending["choices"]
    schema = pending["schema"]
    if schema is None and choices:
        schema = {"type": "string", "enum": [choice["label"] for choice in choices]}
    return Interrupt(
        id=pending["id"],
        reason=_REASONS.get(pending["kind"], "confirmation"),
        message=pending["prompt"],
        response_schema=schema,
        expires_at=pending["expires_at"],
        metadata={"softrail": {"kind": pending["kind"], "choices": choices}},
    )


def usage_of(calls: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The tokens of a turn's model calls by model, as the protocol counts them."""
    sums: dict[str, dict[str, Any]] = {}
    for call in calls:
        one = sums.setdefault(
            call["model"],
            {
                "model": call["model"],
                "input_tokens": 0,
                "output_tokens": 0,
                "cached_input_tokens": 0,
                "cache_write_input_tokens": 0,
            },
        )
        one["input_tokens"] += call["input_tokens"]
        one["output_tokens"] += call["output_tokens"]
        one["cached_input_tokens"] += call["cached_tokens"]
        one["cache_write_input_tokens"] += call["cache_write_tokens"]
    return list(sums.values())
