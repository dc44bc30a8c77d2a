"""One thing a person said, and what we said back."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from operator import not_
from typing import Any, Literal, Protocol, TypeVar, overload

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json

from softrail.core.assignments import PartRequest
from softrail.core.attachments import Attachment
from softrail.core.errors import StepFailed
from softrail.core.focus import Focus
from softrail.core.intents import Intent
from softrail.core.outcomes import Ask
from softrail.core.people import Person
from softrail.core.questions import LEFT_OUT, Kind, Pending
from softrail.core.reading import Act, Reading
from softrail.core.signals import Result, Signal

_LATER = ("answers", "value", "attachments")  #: fields of a request that older stored hashes know nothing of


class Request(BaseModel):
    """A turn as it was sent: the body of `POST /converse`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    message: str = ""  #: "" only where a value or files say it all
    session_id: str | None = None
    project_id: str | None = None
    intent_hint: str | None = None
    turn_id: str | None = None
    #: The `pending.id` that this answers; where that question is not open, the turn changes nothing.
    answers: str | None = Field(default=None, exclude_if=LEFT_OUT)
    #: The answer itself as JSON, of the form that `pending.schema` says; null: the message is the answer.
    value: Any = Field(default=None, exclude_if=LEFT_OUT)
    #: Files of the session, by their ids, that come with the message.
    attachments: tuple[str, ...] = Field(default=(), exclude_if=not_)

    @property
    def hash(self) -> str:
        """Covers what was sent but the turn id; fields that came later count only where they are given."""
        sent: list[Any] = [self.message, self.session_id, self.project_id, self.intent_hint]
        later = {name: value for name in _LATER if (value := getattr(self, name)) not in (None, ())}
        return sha256(to_json([*sent, later] if later else sent)).hexdigest()

    @property
    def origin(self) -> "Origin":
        """A person said it."""
        return "person"


#: Who made a turn: somebody said it, a clock struck, or something happened outside.
Origin = Literal["person", "timer", "signal"]
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, kw_only=True, slots=True)
class Holder:
    """The process that holds the session while something else is answered; its question comes back after that."""

    process: str
    title: str = ""  #: in a sentence: "the standup"
    kept: str = ""  #: what it was told so far, as a sentence
    draft: str = ""  #: the text it is working on
    becomes: str = ""  #: what is done with what it is told, and who sees it; "" where it does not say
    progress: "Progress | None" = None  #: None where it asks in its own way


class Doors(Protocol):
    """What a step reaches through its turn; whoever plays the step opens them."""

    @property
    def has_model(self) -> bool:
        """As `Turn.has_model` says."""
        ...

    async def extract(self, found: type[M]) -> M | Ask:
        """As `Turn.extract` says."""
        ...

    async def ask_model(
        self,
        instruction: str,
        *,
        data: Mapping[str, Any] | None,
        answer: type[BaseModel] | None,
        name: str,
        most_tokens: int,
        seconds: float,
    ) -> Any:
        """As `Turn.ask_model` says."""
        ...

    def pieces(self, attachment: Attachment) -> AsyncIterator[bytes]:
        """As `Turn.pieces` says."""
        ...

    async def say(self, text: str) -> None:
        """As `Turn.say` says."""
        ...


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One thing the person said, with its id, session and sequence number; immutable."""

    id: str
    session_id: str
    seq: int  #: the person's item; the answer's is one more
    person: Person
    message: str
    at: datetime  #: when it was accepted; every gate uses this time
    project_id: str | None = None
    intent_hint: str | None = None
    answers: str | None = None  #: the `pending.id` that the client says this answers
    value: Any = None  #: the answer as JSON, where the client sends one beside the words
    brought: tuple[str, ...] = ()  #: ids of the files that were sent with it
    attachments: tuple[Attachment, ...] = ()  #: those files, as far as they are there
    silent: bool = False  #: it came without words: `message` was made from what came instead
    origin: Origin = "person"
    holder: Holder | None = None  #: for the handler of an intent: in the middle of what this was said
    paused: Holder | None = None  #: for such a handler: what was put aside last, and can be come back to
    reading: Reading | None = None  #: what the message does as an answer, where it was read as one
    choice: str | None = None  #: the value of the option it chose, when it answers a question with options
    signal: Signal | None = None  #: what happened outside, on a turn of origin "signal"
    signals_to: str | None = None  #: the instance it is for
    part: PartRequest | None = None  #: news of a part that one person does for another, likewise
    leaves: str | None = (
        None  #: "escape", "exit" or "refusal": how the person leaves, for a step named by `leaves_by`
    )
    result: Result | None = None  #: what came of the process that was called, for the step it returns to
    doors: Doors | None = field(default=None, repr=False, compare=False)  #: open while a process plays
    intent: Intent | None = None  #: which intent of the process's own it is, for the step that takes it
    focus: Focus = field(
        default_factory=Focus
    )  #: what the session spoke of last, for the handler of an intent

    def does(self, *acts: Act) -> bool:
        """The message was read, and one of those acts is more likely in it than not."""
        return self.reading is not None and self.reading.does(*acts)

    @property
    def skipped(self) -> bool:
        """The person leaves the question out; only a step that says it is `skippable` sees that."""
        return self.does("open")

    @property
    def values(self) -> Mapping[str, str]:
        """What was found of what its step `reads`, by name, in the person's words."""
        return {name: value.text for name, value in self.reading.values.items()} if self.reading else {}

    def all_of(self, name: str) -> list[str]:
        """What was found of one of the things that its step `reads`, each more likely than not, in the order said."""
        commands = self.reading.commands if self.reading is not None else ()
        found = {v.text for c in commands for v in c.values if v.field == name and v.confidence >= 0.5}
        return sorted(found, key=self.message.find)

    def became(self, name: str, items: Sequence[str]) -> list[str] | None:
        """What the message makes of a list that its step `reads` and its data has; None: nothing, or it is only called wrong."""
        commands = self.reading.commands if self.reading is not None else ()
        told = [
            (c.act, v)
            for c in commands
            for v in c.values
            if v.field == name and v.text and v.confidence >= 0.5
        ]
        if not told:
            return None
        act, value = max(told, key=lambda one: one[1].confidence)
        lines = [line.strip() for line in value.text.splitlines() if line.strip()]
        adds = value.adds or act == "inform"
        return [*items, *(line for line in lines if line not in items)] if adds else lines

    @property
    def has_model(self) -> bool:
        """There is a language model that `ask_model` may ask."""
        return self.doors is not None and self.doors.has_model

    async def extract(self, found: type[M]) -> M | Ask:
        """A `found` filled from the message, or the question for what is missing, which the step returns.

        Only in a step that declares it: `@step(extracts=Found)`. The answer to that question is read as any other; when
        all is there, the step runs again and gets it. Nothing is in it that the person has not said.
        """
        return await self._open("extract").extract(found)

    @overload
    async def ask_model(
        self,
        instruction: str,
        *,
        data: Mapping[str, Any] | None = None,
        answer: None = None,
        name: str = "",
        most_tokens: int = 400,
        seconds: float = 5.0,
    ) -> str | None: ...

    @overload
    async def ask_model(
        self,
        instruction: str,
        *,
        answer: type[M],
        data: Mapping[str, Any] | None = None,
        name: str = "",
        most_tokens: int = 400,
        seconds: float = 5.0,
    ) -> M | None: ...

    async def ask_model(
        self,
        instruction: str,
        *,
        data: Mapping[str, Any] | None = None,
        answer: type[BaseModel] | None = None,
        name: str = "",
        most_tokens: int = 400,
        seconds: float = 5.0,
    ) -> Any:
        """What a language model makes of `data`; None when there is none, or it gave nothing that can be used.

        Args:
            instruction: What it is to do, in the author's words alone: the default text of the asset `PROCESS/NAME`.
            data: What people wrote, which is never an instruction; omitted: the message.
            answer: The form of the answer; omitted: text.
            name: What the call is called in the decision record; omitted: made from the step's.
            most_tokens: How long the answer may be.
            seconds: How long it may take, within what the step and the turn have left.
        """
        return await self._open("ask_model").ask_model(
            instruction, data=data, answer=answer, name=name, most_tokens=most_tokens, seconds=seconds
        )

    async def pieces(self, attachment: Attachment) -> AsyncIterator[bytes]:
        """The bytes of a file, piece by piece: `async for piece in turn.pieces(answers.contract)`.

        Raises NotFound when it was erased.
        """
        async for piece in self._open("pieces").pieces(attachment):
            yield piece

    async def read(self, attachment: Attachment) -> bytes:
        """All the bytes of a file at once, in memory. Raises NotFound when it was erased."""
        return b"".join([piece async for piece in self._open("read").pieces(attachment)])

    async def say(self, text: str) -> None:
        """Say something now, before the function returns: whoever listens reads it at once.

        It is a message of its own in the reply, before those of the outcome, and stays there if the function fails
        afterwards. The same words are said once in a turn, however often the function runs. Its limit goes on.
        """
        await self._open("say").say(text)

    def _open(self, what: str) -> Doors:
        if self.doors is None:
            raise StepFailed(
                f"turn.{what}(…) was called where no process plays. It is there in steps, checks, summary() and "
                "complete(); the handler of an intent asks for a Model as a service."
            )
        return self.doors


class SideEffect(BaseModel):
    """One durable change, in operator words."""

    model_config = ConfigDict(frozen=True)

    kind: str
    summary: str
    ref: str | None = None


class Progress(BaseModel):
    """How many of its answers a process has."""

    model_config = ConfigDict(frozen=True)

    done: int
    of: int = Field(description="How many it asks for, as its answers stand now.")


class ProcessView(BaseModel):
    """The process of a reply, as a frontend sees it."""

    model_config = ConfigDict(frozen=True)

    name: str
    version: int
    instance_id: str
    state: str
    step: str
    description: str
    title: str | None = Field(default=None, description="As it is called in a sentence: “the standup”.")
    progress: Progress | None = Field(default=None, description="Null where it asks in its own way.")


class WayView(BaseModel):
    """Something that can be said now to move on, back or out: `message` does it."""

    model_config = ConfigDict(frozen=True)

    label: str
    message: str


class ChoiceView(BaseModel):
    """One way to answer the open question: its label, sent back as the message, chooses it."""

    model_config = ConfigDict(frozen=True)

    label: str
    hint: str | None = Field(default=None, description="What choosing it would do, where that is known.")


class PendingView(BaseModel):
    """The open question of a reply, as a frontend sees it."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    id: str | None = Field(
        default=None, description="Of this question as it was asked now: send it back as `answers`."
    )
    kind: Kind
    prompt: str
    options: list[str] = Field(default_factory=list)
    choices: list[ChoiceView] = Field(
        default_factory=list,
        description="What a frontend may show as buttons: the options, each with a hint where there is one; of a "
        "summary Yes and what else it names.",
    )
    schema_: dict[str, Any] | None = Field(default=None, alias="schema")
    expires_at: datetime | None = None


def pending_view(pending: Pending | None) -> PendingView | None:
    """The open question as a frontend sees it."""
    if pending is None:
        return None
    question = pending.question
    choices = [ChoiceView(label=option.label, hint=option.hint) for option in question.options]
    if question.kind == "confirm" and not choices:
        choices = [ChoiceView(label=label) for label in question.suggestions]
    return PendingView(
        id=pending.id,
        kind=question.kind,
        prompt=question.prompt,
        options=[option.label for option in question.options],
        choices=choices,
        schema_=question.answer_schema,
        expires_at=question.expires_at,
    )


class Reply(BaseModel):
    """What we say back for one turn: the response body of `POST /converse`, stored as sent."""

    #: Read from JSON, it keeps the fields of plugins, for `brought`.
    model_config = ConfigDict(frozen=True, populate_by_name=True, extra="allow")

    companion_message: str
    side_effects: list[SideEffect] = Field(default_factory=list)
    suggested_actions: list[str] = Field(default_factory=list)
    project_id: str | None = None
    classified_intent: str | None = None
    session_id: str
    turn_id: str
    seq: int
    process: ProcessView | None = None
    pending: PendingView | None = None
    ways: list[WayView] = Field(
        default_factory=list,
        description="What works now besides an answer, for buttons: skip, go back, pause, leave, start over, resume, undo.",
    )
    decision_id: str
    payload: Any = Field(
        default=None,
        exclude_if=LEFT_OUT,
        description="What a process gives its client besides words: of what is done, else of the open question. "
        "It is there only where there is one.",
    )
    messages: list[str] | None = Field(
        default=None,
        exclude_if=LEFT_OUT,
        description="`companion_message` in parts, where a process says several messages. It is there only then.",
    )

    def brought(self, fields: type[M]) -> M:
        """The fields that a plugin adds to replies, as the model it announces under `softrail.reply`."""
        told = self.model_extra or {}
        return fields.model_validate({name: told[name] for name in fields.model_fields if name in told})

    def to_json(self) -> str:
        """The bytes a client gets, now and at every retry."""
        return self.model_dump_json(by_alias=True)
