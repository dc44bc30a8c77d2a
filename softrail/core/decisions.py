"""The decision record: why a turn was answered the way it was."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field


class Gate(BaseModel):
    """One gate of the path of a turn: which one and what it found."""

    gate: str  #: accept, hold, clock, step_off, question, owner, classify, route, respond, commit
    outcome: str  #: one word, e.g. "passed", "claimed", "escape"
    why: str = ""  #: one sentence a support person understands


class CandidateView(BaseModel):
    """A reading the classifier considered."""

    intent: str
    confidence: float
    example: str | None = None


class ModelCall(BaseModel):
    """One call of a language model."""

    purpose: str
    model: str
    ok: bool = True
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


class TransitionView(BaseModel):
    """A move of an instance, in the record of the turn that made it."""

    process: str
    instance_id: str
    trigger: str
    source: str | None
    dest: str
    reason: str = ""


class Decision(BaseModel):
    """Kept for every turn: gates passed, who claimed it and why, candidates, prompts, calls, moves."""

    id: str
    turn_id: str
    session_id: str
    seq: int
    at: datetime
    owner: str = "free talk"  #: the process that got the turn, "registry", or "free talk"
    why: str = ""
    gates: list[Gate] = Field(default_factory=list)
    intent: str | None = None
    tier: str | None = None
    confidence: float | None = None
    candidates: list[CandidateView] = Field(default_factory=list)
    prompts: list[str] = Field(default_factory=list)  #: "asset@version sha256:abcd1234"
    model_calls: list[ModelCall] = Field(default_factory=list)
    caught: list[str] = Field(default_factory=list)  #: words kept from the person by the vocabulary wall
    transitions: list[TransitionView] = Field(default_factory=list)
    effects: list[str] = Field(default_factory=list)
    process: str | None = None  #: "standup v1 at gathering_today" after the turn
    status: str = "committed"
    runs: int = 1  #: how often the step ran before it was committed
    trouble: str | None = None

    def passed(self, gate: str, outcome: str, why: str = "") -> None:
        """Note what a gate found."""
        self.gates.append(Gate(gate=gate, outcome=outcome, why=why))

    def to_json(self) -> str:
        """The record as stored and sent."""
        return self.model_dump_json()

    def gate(self, name: str) -> Gate | None:
        """The last note of that gate."""
        found: list[Any] = [g for g in self.gates if g.gate == name]
        return found[-1] if found else None
