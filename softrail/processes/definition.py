"""A process as the registry knows it: checked once, read on every turn."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter

from softrail.core.questions import Option
from softrail.core.reading import Layer
from softrail.processes import graph
from softrail.processes.asking import Contract, When
from softrail.processes.graph import END
from softrail.processes.process import OfferPolicy, OnNewVersion, Process
from softrail.processes.readers import Reader

GATHERING = "gathering"  #: as a destination: the next missing answer, or the summary


@dataclass(frozen=True, kw_only=True)
class FieldDefinition:
    """One answer: how it is asked for, read and kept."""

    name: str
    question: str
    label: str
    names: tuple[str, ...]  #: what people call it, the label first
    reader: Reader
    adapter: TypeAdapter[Any]
    skippable: bool
    skip_words: tuple[str, ...] = ()  #: in normal form
    when: When | None = None  #: whether it is asked at all
    polish: bool = False
    shown: bool = True  #: read back, and told in summaries
    about: str = ""  #: what it is, in a few words, for whoever reads messages and for the person who asks
    schema: dict[str, Any] | None = None  #: JSON schema of the value

    @property
    def step(self) -> str:
        """The step that asks for it."""
        return f"{GATHERING}_{self.name}"


@dataclass(frozen=True, kw_only=True)
class StepDefinition:
    """One stop inside a process."""

    name: str
    kind: Literal["gathering", "confirming", "own"]
    contract: Contract
    takes_anything: bool = False
    goes_to: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    skippable: bool = False
    field: str | None = None  #: the answer it gathers
    asks: str | None = None
    function: Callable[..., Any] | None = None
    gives_answers: bool = False  #: its `data` are the answers so far
    injected: Mapping[str, type] = dataclasses.field(default_factory=dict)
    limit: timedelta | None = None
    reads: Mapping[str, str] = dataclasses.field(default_factory=dict)  #: what is looked for in its answer


@dataclass(frozen=True, kw_only=True)
class CheckDefinition:
    """A guard: a method that judges answers before they are used."""

    name: str
    fields: tuple[str, ...]
    goes_to: tuple[str, ...] = ()
    injected: Mapping[str, type] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Definition:
    """A process class, compiled and checked."""

    name: str
    version: int
    title: str  #: in a sentence: "the standup"
    doing: str  #: after "you were": "setting up your projects"; "" when the title says enough
    description: str
    process: Process
    steps: Mapping[str, StepDefinition]
    first: str
    names: tuple[str, ...]  #: what people call it, its own name first
    subject: tuple[str, ...]
    starts_on: tuple[str, ...]
    contract: Contract
    priority: int
    idle_timeout: timedelta | None
    freshness: timedelta | None
    retention: timedelta | None
    on_new_version: OnNewVersion
    offers: OfferPolicy
    offer_text: str
    answers: type[BaseModel] | None = None
    fields: Mapping[str, FieldDefinition] = dataclasses.field(default_factory=dict)
    checks: tuple[CheckDefinition, ...] = ()
    confirm_step: str | None = None  #: None: `complete` follows the last answer
    data: type[BaseModel] | None = None
    completes: Mapping[str, type] = dataclasses.field(default_factory=dict)  #: what `complete` wants besides
    reads: Layer = "model"
    ends_on: tuple[str, ...] = ()  #: in normal form

    def contract_of(self, step: str) -> Contract:
        """Who gets the turns while that step waits; the process's own word for a step it does not have."""
        found = self.steps.get(step)
        return found.contract if found else self.contract

    def takes_anything(self, step: str) -> bool:
        """That step takes free text of any kind."""
        found = self.steps.get(step)
        return found.takes_anything if found else False

    def texts(self) -> dict[str, str]:
        """The assets it looks for, each with its default text."""
        found = {f"{self.name}/{f.name}": f.question for f in self.fields.values()}
        found |= {f"{self.name}/{s.name}": s.asks for s in self.steps.values() if s.asks is not None}
        if self.offer_text:
            found[f"{self.name}/offer"] = self.offer_text
        return found

    def mermaid(self) -> str:
        """Its steps as a mermaid diagram."""
        return graph.mermaid(self)

    def text(self) -> str:
        """Its steps as lines of text."""
        return graph.text(self)

    def edges(self) -> list[tuple[str, str, str]]:
        """The ways from step to step, each with what leads there; `END` is the beginning and the end."""
        found = [(END, "start", self.first)]
        order = [f.step for f in self.fields.values()]
        last = self.confirm_step or END
        for name, step in self.steps.items():
            if step.kind == "confirming":
                found.append((name, "yes", END))
                found += [(name, f"change {f.label}", f.step) for f in self.fields.values()]
            elif step.kind == "gathering" and step.field is not None:
                found.append((name, "answer", [*order, last][order.index(name) + 1]))
                found += [
                    (name, check.name, way)
                    for check in self.checks
                    for way in check.goes_to
                    if check.fields[-1] == step.field
                ]
            else:
                first_missing = order[0] if order else END
                found += [(name, "", first_missing if d == GATHERING else d) for d in step.goes_to]
                if not step.goes_to:
                    found.append((name, "done", END))
        return found
