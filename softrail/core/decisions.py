"""The decision record: why a turn was answered the way it was.

It is put together as plain values, a few dozen of them for a turn, and checked where it is read again, not where it is made.
"""

import dataclasses
import time
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from operator import not_
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, TypeAdapter
from pydantic_core import to_json

from softrail.core.focus import Focus
from softrail.core.keys import Account
from softrail.core.questions import LEFT_OUT
from softrail.core.reading import Act, Bars, Command, Layer, Place, Reading, Wanted, surest_first

LONGEST = 200  #: characters of a value that is kept in a record
_FAINT = 0.05  #: what is less likely is not worth a line
_ACTS = 8  #: so many at most

T = TypeVar("T")
IfAny = Annotated[T, Field(exclude_if=not_)]  #: written only where there is any


@dataclass(slots=True)
class Gate:
    """One gate of the path of a turn: which one and what it found."""

    gate: str  #: accept, hold, clock, step_off, question, owner, classify, route, respond, commit
    outcome: str  #: one word, e.g. "passed", "claimed", "escape"
    why: str = ""  #: one sentence a support person understands
    ms: float | None = None  #: since the gate before it


@dataclass(slots=True)
class CandidateView:
    """A reading the classifier considered."""

    intent: str
    confidence: float
    example: str | None = None


@dataclass(slots=True)
class ModelCall:
    """One call of a language model."""

    purpose: str
    model: str
    ok: bool = True
    error: str = ""  #: why it gave nothing usable
    input_tokens: int = 0  #: all that went in, those of the cache too
    output_tokens: int = 0
    cached_tokens: int = 0  #: of the input, read from the provider's cache
    cache_write_tokens: int = 0  #: of the input, written to it
    cost_usd: Decimal | None = None  #: None: not known
    paid_by: Account = "system"
    milliseconds: float | None = None  #: how long it took


@dataclass(slots=True)
class TransitionView:
    """A move of an instance, in the record of the turn that made it."""

    process: str
    instance_id: str
    trigger: str
    source: str | None
    dest: str
    reason: str = ""


@dataclass(slots=True)
class ClaimView:
    """What was decided of a message, and what that rests on."""

    claim: str  #: the kind of claim, e.g. "AnswerHolder"
    act: str | None = None  #: the command it rests on
    layer: str | None = None  #: who read that: exact, learned, model
    confidence: float | None = None


@dataclass(slots=True)
class ReadAct:
    """One thing that a message may have done, and how likely that had to be."""

    act: Act
    layer: Layer
    likely: float
    needs: float


@dataclass(slots=True)
class Heard:
    """How a message was read as the answer to a question; nothing of what it said."""

    wanted: Wanted
    field: str | None = None  #: the answer that was asked for
    shown: bool = True  #: False: what was said is not to be seen
    read: list[ReadAct] = dataclasses.field(default_factory=list)  #: the likeliest first


@dataclass(slots=True)
class Captured:
    """An answer that a turn gave, changed, left out or took back."""

    process: str
    field: str
    how: Literal["given", "left out", "taken back"]
    old: str | None = None  #: None: there was none
    new: str | None = None
    text: str | None = None  #: the words it was read from
    span: tuple[int, int] | None = (
        None  #: where they stand in the message as it came; None: not in these words
    )
    by: Layer | Literal["code"] = (
        "code"  #: who read it; "code": a prefill, a step, or what follows from another answer
    )
    likely: float | None = None
    shown: bool = True  #: False: what it was and is, is not recorded


@dataclass(slots=True)
class Refused:
    """An answer that was read and could not be used."""

    process: str
    field: str
    why: str  #: the name of the sentence, or of the check
    told: str = ""  #: what the person was told
    text: str | None = None  #: the words that were tried
    shown: bool = True  #: False: words and reason are not recorded


@dataclass(slots=True)
class Changed:
    """What a turn changed in what a process keeps."""

    process: str
    instance_id: str
    patch: dict[str, Any]  #: a JSON merge patch of its answers and data; what is not shown is "…"


@dataclass(slots=True)
class Took:
    """How long code of a plugin ran."""

    what: str  #: "Step 'pay' of process 'transfer'"
    milliseconds: float
    services: list[str] = dataclasses.field(default_factory=list)  #: the types of those it was given
    failed: str = ""  #: "hung", "raised" or "not an outcome"


@dataclass(slots=True)
class Stall:
    """Code of a plugin that kept the event loop busy longer in one go than it may."""

    what: str  #: "The condition of 'amount' of process 'transfer'"
    milliseconds: float


@dataclass(slots=True, kw_only=True)
class SaidEarly:
    """A message that was said before the turn was over; the words are in the reply."""

    by: str = ""  #: "Step 'pay' of process 'transfer'"
    message: int  #: which of the reply's messages it is, counted from 0
    milliseconds: float | None = None  #: how long after the turn had begun to be computed


@dataclass(kw_only=True)
class Decision:
    """Kept for every turn: gates passed, who claimed it and why, candidates, prompts, calls, moves."""

    id: str
    turn_id: str
    session_id: str
    seq: int
    at: datetime
    owner: str = "free talk"  #: the process that got the turn, "registry", or "free talk"
    why: str = ""
    gates: list[Gate] = dataclasses.field(default_factory=list)
    claims: list[ClaimView] = dataclasses.field(
        default_factory=list
    )  #: one; more where a part of the message was left
    heard: list[Heard] = dataclasses.field(
        default_factory=list
    )  #: for each question that the message may have answered
    captured: list[Captured] = dataclasses.field(default_factory=list)
    refused: list[Refused] = dataclasses.field(default_factory=list)
    took: list[Took] = dataclasses.field(default_factory=list)
    #: These three are there only where there is any.
    changed: IfAny[list[Changed]] = dataclasses.field(default_factory=list)
    stalls: IfAny[list[Stall]] = dataclasses.field(default_factory=list)
    said: IfAny[list[SaidEarly]] = dataclasses.field(default_factory=list)
    intent: str | None = None
    tier: str | None = None
    confidence: float | None = None
    candidates: list[CandidateView] = dataclasses.field(default_factory=list)
    prompts: list[str] = dataclasses.field(default_factory=list)  #: "asset@version sha256:abcd1234"
    model_calls: list[ModelCall] = dataclasses.field(default_factory=list)
    cost_usd: Decimal | None = dataclasses.field(
        default_factory=Decimal
    )  #: of all calls; None: of one it is not known
    caught: list[str] = dataclasses.field(
        default_factory=list
    )  #: words kept from the person by the vocabulary wall
    transitions: list[TransitionView] = dataclasses.field(default_factory=list)
    effects: list[str] = dataclasses.field(default_factory=list)
    process: str | None = None  #: "standup v1 at gathering_today" after the turn
    focus: Annotated[Focus | None, Field(exclude_if=LEFT_OUT)] = (
        None  #: what was spoken of, where that changed
    )
    status: str = "committed"
    runs: int = 1  #: how often the step ran before it was committed
    trouble: str | None = None

    def __post_init__(self) -> None:
        """A record begins with its turn."""
        self._passed = time.perf_counter()  # the last gate

    @classmethod
    def from_json(cls, text: str) -> "Decision":
        """The record that is stored as `text`; raises ValueError where it is none."""
        return _form().validate_json(text)

    def passed(self, gate: str, outcome: str, why: str = "") -> None:
        """Note what a gate found, and how long that took."""
        now = time.perf_counter()
        self.gates.append(Gate(gate, outcome, why, round((now - self._passed) * 1000, 2)))
        self._passed = now

    def claimed(self, claim: str, on: Command | None) -> None:
        """Note what was decided."""
        self.claims.append(
            ClaimView(claim, on.act, on.layer, round(on.confidence, 3)) if on else ClaimView(claim)
        )

    def read(self, reading: Reading, place: Place, bars: Bars) -> None:
        """Note how the message was read in its place: what it may do, and how likely that had to be."""
        surest: dict[tuple[Act, Layer], Command] = {}
        for command in surest_first([c for c in reading.commands if c.confidence >= _FAINT]):
            surest.setdefault((command.act, command.layer), command)
        acts = [
            ReadAct(
                act=c.act,
                layer=c.layer,
                likely=round(c.confidence, 3),
                needs=0.0 if c.layer == "exact" else bars.needed(c.act, place),
            )
            for c in list(surest.values())[:_ACTS]
        ]
        self.heard.append(Heard(wanted=place.wanted, field=place.field, shown=place.shown, read=acts))

    def called(self, call: ModelCall) -> None:
        """Note a call of a language model."""
        self.model_calls.append(call)
        if self.cost_usd is None or call.cost_usd is None:
            self.cost_usd = None
        else:
            self.cost_usd += call.cost_usd

    @property
    def hides(self) -> bool:
        """The message answers, or may answer, what nobody is to see."""
        told: list[Heard | Captured | Refused] = [*self.heard, *self.captured, *self.refused]
        return not all(one.shown for one in told)

    def to_json(self) -> str:
        """The record as stored and sent."""
        return _form().dump_json(self).decode()

    def as_values(self) -> dict[str, Any]:
        """The record as JSON values."""
        values: dict[str, Any] = _form().dump_python(self, mode="json")
        return values

    def gate(self, name: str) -> Gate | None:
        """The last note of that gate."""
        found: list[Any] = [g for g in self.gates if g.gate == name]
        return found[-1] if found else None


@cache
def _form() -> TypeAdapter[Decision]:
    """How a record is written and read: worked out when the first one is."""
    return TypeAdapter(Decision)


def brief(value: Any) -> str | None:
    """A value as a record keeps it: text as it is, texts one after the other, anything else as JSON; not too long."""
    if value is None:
        return None
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        value = "; ".join(value)
    text = value if isinstance(value, str) else to_json(value, fallback=str).decode()
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
