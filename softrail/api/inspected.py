"""What the inspector is told: the forms of its answers, and how they are made of what is stored."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Self

from pydantic import ConfigDict, Field
from pydantic_core import from_json

from softrail.api.schemas import Described, InstanceHistory, SessionView
from softrail.core.decisions import Decision
from softrail.core.instances import State
from softrail.core.people import Person
from softrail.core.ports import Prompts
from softrail.core.turns import PendingView
from softrail.dialogue.changes import patched
from softrail.replay.recorded import Answered
from softrail.replay.sandbox import Sandbox
from softrail.store.inspecting import Wanted


class PersonView(Described):
    """Whose it is."""

    id: str
    email: str
    timezone: str
    locale: str

    @classmethod
    def of(cls, person: Person) -> Self:
        """As far as it is told."""
        return cls.model_validate(person, from_attributes=True)


class InspectedLine(SessionView):
    """A session in the list of all."""

    person: PersonView
    trouble: bool = Field(description="Whether something went wrong in one of its turns.")


class DataView(Described):
    """What a run of a process kept, before a turn and after it; what nobody is to see is “…”."""

    process: str
    instance_id: str
    before: dict[str, Any]
    after: dict[str, Any]


class InspectedTurn(Described):
    """One turn, with all that is known of it."""

    seq: int
    turn_id: str
    at: datetime
    origin: str = Field(description="`person`, `signal`, `timer` or `companion`.")
    status: str
    request: dict[str, Any] | None = Field(description="As it was sent; null where a clock struck.")
    hidden: bool = Field(description="What was said is not to be seen, and is not in `request`.")
    reply: dict[str, Any]
    decision: dict[str, Any]
    data: list[DataView]


class InspectedSession(InspectedLine):
    """A session with its turns, and with every run of a process in it."""

    pending: PendingView | None = None
    turns: list[InspectedTurn] = Field(description="In order; the last ones before `before`.")
    next: str | None = Field(default=None, description="What to send as `before` for the turns before these.")
    processes: list[InstanceHistory]
    texts: dict[str, str] = Field(
        description="The prompts that `decision.prompts` names, where they are still those."
    )
    sandboxes: bool = Field(description="Whether sandboxes may be opened here.")


class SandboxBody(Described):
    """Which conversation is to be tried, and from where on."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"session_id": "0198f0c2-5b7e-7c3a-9d5e-2f6a1b3c4d5e", "until": "turn-1"}]
        },
    )

    session_id: str = Field(max_length=128)
    until: str | None = Field(
        default=None, max_length=128, description="The id of the last turn that is played; null: all."
    )


class SayBody(Described):
    """What is said in a sandbox."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"message": "stop"}]})

    message: str = Field(min_length=1, max_length=16_000, pattern=r"\S")
    model: bool = Field(
        default=False, description="Ask the server's language model, on the system's account."
    )


class AdvanceBody(Described):
    """How much time passes in a sandbox; 0: only what is due now is done."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"seconds": 1860}]})

    seconds: float = Field(ge=0, le=315_360_000)


class DifferenceView(Described):
    """What went another way than it was recorded."""

    turn_id: str
    seq: int
    what: str = Field(description="`words`, `process`, `pending`, `effects` or `intent`.")
    recorded: str
    replayed: str


class SandboxView(Described):
    """A conversation, played again up to now."""

    id: str
    session_id: str
    now: datetime
    differences: list[DifferenceView]
    model: str | None = Field(
        default=None, description="The language model that may be asked there; null: there is none."
    )
    lacks: list[str] = Field(
        description="What it needed that is not there: `records`, `projects`, `files`, `people`, `deliveries`, `model`, "
        "`interrupted`."
    )

    @classmethod
    def of(cls, sandbox: Sandbox) -> Self:
        """As it stands."""
        return cls(
            id=sandbox.id,
            session_id=sandbox.recorded.session.id,
            now=sandbox.now,
            differences=[DifferenceView(**asdict(one)) for one in sandbox.differences],
            lacks=list(sandbox.recorded.lacks),
            model=sandbox.model,
        )


class TriedView(Described):
    """What was answered in a sandbox, and why."""

    now: datetime
    reply: dict[str, Any]
    decision: Decision


class AdvancedView(Described):
    """What time did in a sandbox, in counts."""

    now: datetime
    suspended: int
    expired: int
    defaulted: int


def wanted_of(person: str, process: str, state: State | None, trouble: bool, text: str) -> Wanted:
    """What is looked for."""
    return Wanted(
        person=person.strip().lower(),
        process=process,
        state=state.value if state else "",
        trouble=trouble,
        text=text.strip(),
    )


def turn_views(answered: Sequence[Answered]) -> list[InspectedTurn]:
    """All turns of a session; what each run kept at a turn follows from the turns before."""
    kept: dict[str, dict[str, Any]] = {}
    return [_turn_view(one, kept) for one in answered]


def _turn_view(one: Answered, kept: dict[str, dict[str, Any]]) -> InspectedTurn:
    row, data = one.row, []
    for change in one.decision.changed:
        before = kept.get(change.instance_id, {})
        after = kept[change.instance_id] = patched(before, change.patch)
        data.append(
            DataView(process=change.process, instance_id=change.instance_id, before=before, after=after)
        )
    hidden = one.decision.hides
    request = None if row.request is None else from_json(row.request)
    if hidden and request is not None:
        request = {**request, "message": "", "value": None}
    return InspectedTurn(
        seq=row.seq,
        turn_id=row.turn_id,
        at=row.accepted_at,
        origin=row.origin,
        status=row.status,
        request=request,
        hidden=hidden,
        reply=from_json(row.reply or "{}"),
        decision=one.decision.as_values(),
        data=data,
    )


def texts_of(turns: Iterable[InspectedTurn], prompts: Prompts) -> dict[str, str]:
    """The texts of the prompts that were used, as far as the live version is the one that was."""
    found = {}
    for ref in {ref for turn in turns for ref in turn.decision["prompts"]}:
        text = prompts.get(ref.partition("@")[0])
        if text is not None and text.ref == ref:
            found[ref] = text.text
    return found
