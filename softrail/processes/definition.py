"""A process as the registry knows it: checked once, read on every turn."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter

from softrail.core.attachments import Wish
from softrail.core.intents import IntentDefinition
from softrail.core.questions import Option
from softrail.core.reading import Layer
from softrail.processes import graph
from softrail.processes.asking import Contract, When
from softrail.processes.process import OfferPolicy, OnNewVersion, Process
from softrail.processes.readers import Reader

GATHERING = graph.GATHERING  #: as a destination: the next missing answer, or the summary


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
    file: Wish | None = None  #: which files it takes, where it is one
    of: str = ""  #: the step that extracts it; "" for an answer of the process
    asked: bool = True  #: it is asked for when it is missing, not only looked for
    empty: Any = None  #: an empty list or 0, where its type takes that: what "none" may stand for

    @property
    def step(self) -> str:
        """The step that asks for it."""
        return f"{self.of or GATHERING}_{self.name}"

    @property
    def asset(self) -> str:
        """What its question is called among the texts of the process."""
        return self.step if self.of else self.name


@dataclass(frozen=True, kw_only=True)
class Extracted:
    """What a step extracts from what is said: a model and its fields."""

    model: type[BaseModel]
    fields: Mapping[str, FieldDefinition]


@dataclass(frozen=True, kw_only=True)
class StepDefinition:
    """One stop inside a process."""

    name: str
    kind: Literal["gathering", "confirming", "own", "completing"]
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
    on: tuple[str, ...] = ()  #: the signals that run it
    extracts: Extracted | None = None
    completes: tuple[str, str] | None = (
        None  #: it asks for what is missing of what that step extracts: that field
    )
    intent: tuple[str, ...] = ()  #: the intents of the process's own that run it


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
    becomes: str = ""  #: what is done with what is told, and who sees it
    answers: type[BaseModel] | None = None
    fields: Mapping[str, FieldDefinition] = dataclasses.field(default_factory=dict)
    checks: tuple[CheckDefinition, ...] = ()
    confirm_step: str | None = None  #: None: `complete` follows the last answer
    data: type[BaseModel] | None = None
    completes: Mapping[str, type] = dataclasses.field(default_factory=dict)  #: what `complete` wants besides
    reads: Layer = "model"
    signals: Mapping[str, str] = dataclasses.field(default_factory=dict)  #: by signal: the step that takes it
    intents: tuple[IntentDefinition, ...] = ()  #: of its own
    takes: Mapping[str, str] = dataclasses.field(default_factory=dict)  #: by such an intent: the step
    slashes: Mapping[str, str] = dataclasses.field(default_factory=dict)  #: by slash word: the intent
    leaves_by: str | None = None  #: the step that is told when the person leaves
    ends_on: tuple[str, ...] = ()  #: in normal form

    @property
    def where(self) -> str:
        """The class, as its module is imported."""
        cls = type(self.process)
        return f"{cls.__module__}.{cls.__qualname__}"

    @property
    def begins_with(self) -> Sequence[str]:
        """Its own intents that it begins with: a slash word, or words it knows, start it where no run is active."""
        return [name for name, step in self.takes.items() if step == self.first]

    @property
    def lives_on(self) -> Sequence[str]:
        """The steps in the background at which it goes on when it is left; none: it is paused or closed then."""
        return self.steps[self.leaves_by].goes_to if self.leaves_by is not None else ()

    @cached_property
    def asked(self) -> tuple[FieldDefinition, ...]:
        """The answers that it asks for."""
        return tuple(field for field in self.fields.values() if field.asked)

    @cached_property
    def has_own_steps(self) -> bool:
        """There are steps of an author's own to come back to."""
        return any(step.kind == "own" for step in self.steps.values())

    @cached_property
    def tells_all(self) -> bool:
        """All that it keeps may be seen: no answer is hidden, and nothing is extracted that might be."""
        hides = any(not field.shown for field in self.fields.values())
        return not hides and not any(step.extracts for step in self.steps.values())

    def contract_of(self, step: str) -> Contract:
        """Who gets the turns while that step waits; the process's own word for a step it does not have."""
        found = self.steps.get(step)
        return found.contract if found else self.contract

    def takes_anything(self, step: str) -> bool:
        """That step takes free text of any kind."""
        found = self.steps.get(step)
        return found.takes_anything if found else False

    def asked_at(self, step: str) -> FieldDefinition | None:
        """What a step asks for; None for a step of an author's own."""
        found = self.steps.get(step)
        if found is not None and found.completes is not None:
            own, name = found.completes
            extracts = self.steps[own].extracts
            return extracts.fields[name] if extracts is not None else None
        return self.fields.get(found.field or "") if found is not None and found.kind == "gathering" else None

    def extracting(self, step: str) -> "Definition":
        """What a step extracts, as if it were all that this process asks for."""
        found = self.steps[step].extracts
        assert found is not None  # noqa: S101 - asked only of steps that extract
        steps = {
            field.step: dataclasses.replace(self.steps[field.step], kind="gathering", field=field.name)
            for field in found.fields.values()
        }
        return dataclasses.replace(
            self,
            answers=found.model,
            fields=found.fields,
            steps=steps,
            first=step,
            checks=(),
            confirm_step=None,
            data=None,
            ends_on=(),
        )

    def texts(self) -> dict[str, str]:
        """The assets it looks for, each with its default text."""
        found = {f"{self.name}/{f.name}": f.question for f in self.fields.values()}
        for step in self.steps.values():
            fields = step.extracts.fields.values() if step.extracts is not None else ()
            found |= {f"{self.name}/{f.asset}": f.question for f in fields}
        found |= {f"{self.name}/{s.name}": s.asks for s in self.steps.values() if s.asks is not None}
        if self.offer_text:
            found[f"{self.name}/offer"] = self.offer_text
        return found

    def mermaid(self) -> str:
        """Its steps as a mermaid diagram."""
        return graph.mermaid(self)

    def svg(self, step: str | None = None) -> str:
        """Its steps as a picture; `step` is marked."""
        from softrail.processes.drawing import svg  # of no use to anybody who only talks

        return svg(self, step)

    def text(self) -> str:
        """Its steps as lines of text."""
        return graph.text(self)

    def edges(self) -> list[tuple[str, str, str]]:
        """The ways from step to step, each with what leads there; `END` is the beginning and the end."""
        return graph.edges(self)
