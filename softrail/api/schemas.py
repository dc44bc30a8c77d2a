"""What goes in and out over HTTP, besides the turn itself; the OpenAPI document is made from these."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Generic, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr
from pydantic.json_schema import SkipJsonSchema

from softrail.core.attachments import MOST, StoredAttachment
from softrail.core.keys import KeyStanding
from softrail.core.turns import PendingView, ProcessView, SideEffect, WayView

Entry = TypeVar("Entry")


def _given(value: Any) -> Any:
    if value is None:
        raise ValueError("null is no value for it; leave it out to keep what is there")
    return value


NOT_NULL = BeforeValidator(_given)  #: of a field that may be left out, and is None then

EXAMPLE_TURN: dict[str, Any] = {
    "message": "let's do my standup",
    "turn_id": "5f0c2c1e-9d1b-4b0e-8f43-7f2f0f1f6a10",
}


class Described(BaseModel):
    """A model of the document, built when it is first used: most are not before somebody asks for it."""

    model_config = ConfigDict(defer_build=True)


class TurnBody(Described):
    """One turn as a client sends it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE_TURN]})

    message: str = Field(
        default="",
        min_length=1,
        max_length=16_000,
        pattern=r"\S",
        description="What the person said; never blank. It may be left out where `value` or `attachments` are there: the "
        "history then shows words made from those.",
        json_schema_extra={"default": None},
    )
    session_id: str | None = Field(
        default=None, description="The thread. Omitted: one is opened, and its id is in the reply."
    )
    project_id: str | None = Field(
        default=None, json_schema_extra={"format": "uuid"}, description="The project this is about."
    )
    intent_hint: str | None = Field(
        default=None, max_length=128, description="A known intent: nothing is classified."
    )
    turn_id: str | None = Field(
        default=None,
        min_length=1,
        max_length=128,
        description="Your id of this turn, unique per person. The same id and body again gets the same reply. "
        "Without it there is no protection from double sends.",
    )
    answers: str | None = Field(
        default=None,
        min_length=1,
        max_length=128,
        description="The `pending.id` of the question that this answers. Where that is not open any more, nothing "
        "is changed or consented to, and the open question is said again.",
    )
    value: Any = Field(
        default=None,
        description="Only with `answers`: the answer as JSON, of the form that `pending.schema` says. It counts in "
        "place of the message, which is what the history shows. One that is not of that form is 422 while that question is "
        "open, and nothing is said: `details.fields` has the path (`value.1`) and the reason. One that fits and cannot be "
        "used all the same is asked for again, with the reason.",
    )
    attachments: list[str] = Field(
        default_factory=list,
        max_length=MOST,
        description="Only with `session_id`: the ids of files uploaded to it that come with the message, or in its place.",
    )


class SentFile(Described):
    """A file that came with a turn."""

    id: str = Field(description="For `attachments` of a turn.")
    name: str
    media_type: str = Field(description="What its name announces; nobody has looked inside.")
    size: int


class AttachmentView(SentFile):
    """A file of a session."""

    created_at: datetime

    @classmethod
    def of(cls, stored: StoredAttachment) -> Self:
        """As it is kept."""
        return cls(**stored.attachment.model_dump(), created_at=stored.created_at)


class SignalBody(Described):
    """Something that happened outside, for one run of a process."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"name": "payment", "key": "pay_7", "data": {"amount": 20}}]},
    )

    name: str = Field(min_length=1, max_length=64, description="One of the signals that the process takes.")
    key: str = Field(
        min_length=1,
        max_length=200,
        description="Your id of what happened. The same key and data again is the same signal; it happens once.",
    )
    data: dict[str, Any] = Field(default_factory=dict, description="At most 64 KB of JSON.")


class Page(Described, Generic[Entry]):
    """A part of a list; `next` is what to send to get the rest, null at the end."""

    items: list[Entry]
    next: str | None = None


class InstanceView(ProcessView):
    """One run of a process, as it stands."""

    moved_at: datetime | None = None
    due_at: datetime | None = Field(
        default=None, description="When its time is over, unless something is said."
    )


class SessionView(Described):
    """A session in a list."""

    id: str
    created_at: datetime
    last_turn_at: datetime | None = None
    title: str | None = Field(
        default=None, description="What you call it, else its first words; null: nothing was said yet."
    )
    last_message: str | None = Field(default=None, description="The beginning of what was answered last.")
    process: InstanceView | None = Field(default=None, description="Who holds it.")
    waits: bool = Field(default=False, description="Whether a question is open in it.")


class ProgressView(Described):
    """How far a run was when something was told of it last."""

    done: float
    total: float | None = Field(description="What `done` goes up to; null: nobody knows.")
    text: str
    at: datetime


class BackgroundView(Described):
    """Something that goes on while the conversation does."""

    process: str = Field(description="The process, or the kind of work.")
    run_id: str = Field(description="The instance of the process, or the run of the work.")
    step: str | None = Field(default=None, description="Where the process stands; null for other work.")
    progress: ProgressView | None = Field(
        default=None, description="The last word on it that this worker knows; null: none."
    )


class RunningView(Described):
    """A turn of the person's that is not answered yet."""

    turn_id: str
    message: str = Field(description="Their words; empty where a value or files say it all.")
    created_at: datetime


class SessionDetail(SessionView):
    """A session with who holds it, what is pending, what is suspended, what goes on in the background."""

    pending: PendingView | None = None
    suspended: list[InstanceView] = Field(default_factory=list)
    ways: list[WayView] = Field(
        default_factory=list, description="What can be said now to move on, back or out, for buttons."
    )
    background: list[BackgroundView] = Field(default_factory=list)
    running: list[RunningView] = Field(
        default_factory=list,
        description="What was said and is not answered yet, on this worker: the history has it with its answer.",
    )


class SessionChange(Described):
    """What of a session may be changed."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"title": "The move to Rome"}]})

    title: str | None = Field(max_length=100, description="What you call it; null: its first words again.")


class OpenSession(Described):
    """Nothing has to be said to open a session."""

    model_config = ConfigDict(extra="forbid")


class TurnItem(Described):
    """One item of a session's history."""

    seq: int
    role: str = Field(description="`operator` for the person, `companion` for the answer.")
    content: str
    classified_intent: str | None = None
    turn_id: str
    created_at: datetime
    process: str | None = None
    project_id: str | None = None
    side_effects: list[SideEffect] = Field(
        default_factory=list, description="Of the companion's items: what was done."
    )
    decision_id: str | None = Field(default=None, description="Of the companion's items: why it was said.")
    attachments: list[SentFile] = Field(
        default_factory=list,
        description="Of the person's items: the files that came with it, but for those that were erased since.",
    )


class Move(Described):
    """A recorded move of a process."""

    n: int
    trigger: str
    source: str | None
    dest: str
    reason: str
    step: str
    seq: int | None = Field(description="The turn it happened in; null for a timer.")
    at: datetime


class InstanceHistory(InstanceView):
    """One run of a process with every move it made."""

    transitions: list[Move]


class Cancelled(Described):
    """What a cancel found."""

    cancelled: bool = Field(description="Whether something was running or waiting.")


class StepView(Described):
    """One stop inside a process."""

    name: str
    contract: str
    goes_to: list[str]
    skippable: bool


class KindView(Described):
    """A registered kind of process."""

    name: str
    version: int
    title: str
    description: str
    contract: str
    idle_timeout: float | None = Field(description="Seconds of silence after which it pauses; null: never.")
    priority: int
    starts_on: list[str]


class EdgeView(Described):
    """A way between two steps; null stands for the beginning or the end."""

    source: str | None
    label: str = Field(description="What leads there; empty where nothing has to be said about it.")
    dest: str | None


class KindDetail(KindView):
    """A registered kind of process with its steps."""

    first_step: str
    steps: list[StepView]
    edges: list[EdgeView]
    diagram: str = Field(description="Mermaid.")


class Me(Described):
    """The person who asks."""

    id: str
    email: str
    display_name: str | None
    companion_name: str | None
    timezone: str
    locale: str


class AskedOfMe(Described):
    """A part of another person's process that you are asked for."""

    instance_id: str
    process: str
    title: str = Field(description="The process as it is called in a sentence.")
    description: str
    prompt: str = Field(description="The question that is open in it, or the one by which it is offered.")
    message: str = Field(description="Said in any session of yours, it begins the part or goes on with it.")
    session_id: str = Field(description="Where it is offered, or stands.")
    asked_by: str = Field(description="Who asks, as they are called.")
    asked_at: datetime
    until: datetime | None = Field(description="When it is withdrawn; null: never.")
    state: str = Field(description="`offered`, `active` or `suspended`.")


class AskedOfMePage(Described):
    """What you are asked for, the first asked first."""

    items: list[AskedOfMe]


class ModelUse(Described):
    """What your turns have used of the language model today, in UTC."""

    tokens: int = Field(description="On the server's account, with what is set aside for calls under way.")
    limit: int | None = Field(description="What `tokens` may come to in a day; null: as much as you like.")
    own_tokens: int = Field(description="On your own account.")
    cost_usd: Decimal | None = Field(
        description="Of all calls, in US dollars; null: of one of them the price is not known."
    )


class MyPage(Me):
    """The person who asks, with their key and what they have used."""

    model_key: KeyStanding = Field(
        description="`none`: you have set no key of your own. `used`: your turns are paid with it. `unreadable`: it is "
        "kept, but was sealed with another secret of this server; set it again. `unused`: this server uses no model "
        "that takes keys."
    )
    model_use: ModelUse
    upload_limit: int = Field(description="How many bytes a file may have that you upload.")


class ModelKeyBody(Described):
    """A key of your own to the language model."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"key": "YOUR-KEY-HERE"}]})

    key: SecretStr = Field(
        min_length=8,
        max_length=512,
        json_schema_extra={"writeOnly": True},
        description="As its provider gave it to you. It is kept sealed and never shown again.",
    )


class MeChange(Described):
    """What a person may change; what is left out stays."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"timezone": "Europe/Berlin"}]})

    display_name: str | None = Field(
        default=None, max_length=100, description="What you are called; null: nothing in particular."
    )
    companion_name: str | None = Field(
        default=None, max_length=100, description="What you call the companion; null: its usual name."
    )
    timezone: Annotated[str | SkipJsonSchema[None], NOT_NULL] = Field(
        default=None, max_length=64, description="An IANA name; an unknown one is UTC."
    )
    locale: Annotated[str | SkipJsonSchema[None], NOT_NULL] = Field(
        default=None, max_length=35, description="For example `en-GB`; one we cannot read is English."
    )


class Health(Described):
    """Liveness: the process answers."""

    status: str = "ok"


class Ready(Described):
    """Readiness: what a turn needs is there."""

    status: str
    store: str
    migrations: str
    model: str
    model_standing: str | None = None


def requests(model: type[BaseModel], *parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The OpenAPI words for a body, and for headers, that the endpoint reads by itself."""
    return _Requests(model, parameters)


class _Requests(dict[str, Any]):
    """Put together when the document is, which looks at its items; it is one from the start, as FastAPI wants it."""

    def __init__(self, model: type[BaseModel], parameters: Sequence[Mapping[str, Any]]) -> None:
        super().__init__({"requestBody": {}, **({"parameters": []} if parameters else {})})
        self._model = model
        self._parameters = parameters

    def items(self) -> Any:  # of a dict, whose type has no public name
        """New for every document, which is worked on in place."""
        schema = deepcopy(_schema(self._model))
        self["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
        if self._parameters:
            self["parameters"] = deepcopy(list(self._parameters))
        return super().items()


@cache
def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()
