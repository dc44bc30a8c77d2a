"""A plan as a person writes it: what is to be found out, and the steps to it."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, field_validator

from softrail.plans.forms.form import Form

MOST_STEPS: Final = 20
LONGEST: Final = 12_000  #: characters of a plan as text
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")

Words = Annotated[str, Field(min_length=1, max_length=200)]


def _one_line(words: str) -> str:
    return " ".join(words.split())


class PlanStep(BaseModel):
    """One step: an action, what it is given, and the name of the fact that it makes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    title: Annotated[str, Field(max_length=200)] = ""
    action: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    needs: tuple[str, ...] = ()
    fact: str = ""

    @field_validator("id", "fact")
    @classmethod
    def _named(cls, value: str) -> str:
        if value and not _NAME.fullmatch(value):
            raise ValueError("use small letters, digits and _, beginning with a letter, at most 40")
        return value

    @field_validator("title")
    @classmethod
    def _lined(cls, value: str) -> str:
        return _one_line(value)

    @property
    def makes(self) -> str:
        """The name of its fact."""
        return self.fact or self.id

    @property
    def called(self) -> str:
        """What it is called where it is shown."""
        return self.title or self.id.replace("_", " ")

    def source(self, inputs: Mapping[str, str], versions: Mapping[str, str]) -> str:
        """What its fact rests on, as one short text.

        Args:
            inputs: The same of the facts it needs, by name.
            versions: What the attached data is now, by the names of sources and of their tables.
        """
        told = [self.action, self.arguments, dict(inputs)]
        if reads := self._reads(versions):
            told.append(reads)
        return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()

    def _reads(self, versions: Mapping[str, str]) -> Mapping[str, str]:
        """The data that it reads: what it names as a source, and each table whose name is a word of its query."""
        source, sql = (str(self.arguments.get(name, "")).casefold() for name in ("source", "sql"))
        words = {source, *re.findall(r"\w+", sql)}
        return {name: version for name, version in versions.items() if name.casefold() in words}


class Plan(BaseModel):
    """At most twenty steps; which comes before which is what they need of each other."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    problem: Words
    steps: tuple[PlanStep, ...] = Field(min_length=1, max_length=MOST_STEPS)
    form: Form | None = None  #: what it was made from, where that were words about attached data

    @field_validator("problem")
    @classmethod
    def _lined(cls, value: str) -> str:
        return _one_line(value)

    def step(self, step_id: str) -> PlanStep | None:
        """The step of that id."""
        return self._by_id.get(step_id)

    @cached_property
    def _by_id(self) -> Mapping[str, PlanStep]:
        return {step.id: step for step in reversed(self.steps)}

    def in_order(self) -> Sequence[PlanStep]:
        """The steps, each after those it needs; those that go round in a circle are left out."""
        return self._ordered

    @cached_property
    def _ordered(self) -> Sequence[PlanStep]:
        found, left = dict[str, PlanStep](), self.steps
        while ready := [step for step in left if found.keys() >= set(step.needs)]:
            found |= {step.id: step for step in ready}
            left = tuple(step for step in left if step.id not in found)
        return tuple(found.values())


def referred(arguments: Mapping[str, Any]) -> Mapping[str, str]:
    """The arguments that are `{fact: NAME}`, with that name."""
    return {
        name: value["fact"]
        for name, value in arguments.items()
        if isinstance(value, dict) and value.keys() == {"fact"} and isinstance(value["fact"], str)
    }
