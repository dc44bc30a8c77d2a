"""One thing a person said, and what we said back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json

from softrail.core.assignments import PartRequest
from softrail.core.people import Person
from softrail.core.questions import Kind
from softrail.core.reading import Act, Reading
from softrail.core.signals import Result, Signal


class Request(BaseModel):
    """A turn as it was sent: the body of `POST /converse`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    message: str
    session_id: str | None = None
    project_id: str | None = None
    intent_hint: str | None = None
    turn_id: str | None = None

    @property
    def hash(self) -> str:
        """Covers message, session_id, project_id and intent_hint as sent, not the turn id."""
        sent = [self.message, self.session_id, self.project_id, self.intent_hint]
        return sha256(to_json(sent)).hexdigest()

    @property
    def origin(self) -> "Origin":
        """A person said it."""
        return "person"


#: Who made a turn: somebody said it, a clock struck, or something happened outside.
Origin = Literal["person", "timer", "signal"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Holder:
    """The process that holds the session while something else is answered; its question comes back after that."""

    process: str
    kept: str = ""  #: what it was told so far, as a sentence
    draft: str = ""  #: the text it is working on


@dataclass(frozen=True, kw_only=True, slots=True)
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
    origin: Origin = "person"
    holder: Holder | None = None  #: for the handler of an intent: in the middle of what this was said
    reading: Reading | None = None  #: what the message does as an answer, where it was read as one
    choice: str | None = None  #: the value of the option it chose, when it answers a question with options
    signal: Signal | None = None  #: what happened outside, on a turn of origin "signal"
    signals_to: str | None = None  #: the instance it is for
    part: PartRequest | None = None  #: news of a part that one person does for another, likewise
    leaves: str | None = (
        None  #: "escape", "exit" or "refusal": how the person leaves, for a step named by `leaves_by`
    )
    result: Result | None = None  #: what came of the process that was called, for the step it returns to

    def does(self, *acts: Act) -> bool:
        """The message was read, and one of those acts is more likely in it than not."""
        return self.reading is not None and self.reading.does(*acts)

    @property
    def values(self) -> Mapping[str, str]:
        """What was found of what its step `reads`, by name, in the person's words."""
        return {name: value.text for name, value in self.reading.values.items()} if self.reading else {}


class SideEffect(BaseModel):
    """One durable change, in operator words."""

    model_config = ConfigDict(frozen=True)

    kind: str
    summary: str
    ref: str | None = None


class ProcessView(BaseModel):
    """The process of a reply, as a frontend sees it."""

    model_config = ConfigDict(frozen=True)

    name: str
    version: int
    instance_id: str
    state: str
    step: str
    description: str


class PendingView(BaseModel):
    """The open question of a reply, as a frontend sees it."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    kind: Kind
    prompt: str
    options: list[str] = Field(default_factory=list)
    schema_: dict[str, Any] | None = Field(default=None, alias="schema")
    expires_at: datetime | None = None


class Reply(BaseModel):
    """What we say back for one turn: the response body of `POST /converse`, stored as sent."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    companion_message: str
    side_effects: list[SideEffect] = Field(default_factory=list)
    suggested_actions: list[str] = Field(default_factory=list)
    project_id: str | None = None
    draft_specification: str | None = None
    readiness: Literal["drafting", "ready_for_review"] | None = None
    classified_intent: str | None = None
    session_id: str
    turn_id: str
    seq: int
    process: ProcessView | None = None
    pending: PendingView | None = None
    decision_id: str

    def to_json(self) -> str:
        """The bytes a client gets, now and at every retry."""
        return self.model_dump_json(by_alias=True)
