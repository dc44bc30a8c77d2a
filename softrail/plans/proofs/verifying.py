"""Does everything in a proof again over its files, and says in sentences what does not come out the same."""

import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from softrail import Actions, Attempt
from softrail.plans import actions as plain
from softrail.plans import words
from softrail.plans.advancing import given_to
from softrail.plans.data import actions as asking
from softrail.plans.data import presenting
from softrail.plans.data.asking import Data
from softrail.plans.data.children import Children
from softrail.plans.plan import PlanStep
from softrail.plans.proofs.laid import Again, Laid
from softrail.plans.proofs.proof import Proof, ProofFact, ProofSource
from softrail.plans.reading import FACTS
from softrail.plans.showing import shown
from softrail.plans.values import Fact, Made, Standing, made_of
from softrail.plugin import ConversationError

log = logging.getLogger(__name__)

#: What gives the same each time from the same; everything else may reach outside, and is not done again.
DONE_AGAIN: Final = (
    plain.compute,
    asking.read,
    asking.query,
    asking.check,
    presenting.chart,
    presenting.table,
    presenting.forecast,
)
_PICTURES: Final = ("svg", "png")  #: where a chart is kept: no part of what it shows
_LONGEST: Final = 200  #: characters of a value that is told


@dataclass(slots=True)
class Verified:
    """What came of it."""

    wrong: list[str] = field(default_factory=list)  #: each thing that does not agree, in a sentence
    taken: list[str] = field(default_factory=list)  #: what was taken as it stands
    again: int = 0  #: steps that were done again
    sources: int = 0  #: files that are, byte for byte, those of the proof


async def verify(proof: Proof, files: Mapping[str, Path | str], children: Children) -> Verified:
    """Do a proof again.

    Args:
        proof: As it was read from its file.
        files: For each of its sources the file with that sha256, or a sentence that says why there is none.
        children: What reads and asks data.
    """
    async with AsyncExitStack() as folders:
        return await _Verifying(proof, Laid(children, folders), children).verified(files)


class _Verifying:
    def __init__(self, proof: Proof, laid: Laid, children: Children) -> None:
        self._proof = proof
        self._facts = proof.named()
        self._told = {one.name: one for one in proof.facts}
        self._laid = laid
        self._found = Verified()
        self._missing: set[str] = set()
        self._actions = Actions(DONE_AGAIN, services={Data: Again(laid, children)})

    async def verified(self, files: Mapping[str, Path | str]) -> Verified:
        """File by file, then step by step, then what was concluded."""
        if wrong := self._misshapen():
            return Verified(wrong=wrong)
        for source in self._proof.sources:
            await self._source(source, files.get(source.name, ""))
        for step in self._proof.plan.in_order():
            try:
                await self._step(step)
            except Exception:  # what no plan that ran can have written
                log.debug("A step of a proof could not be compared.", exc_info=True)
                self._found.wrong.append(f"Step “{step.called}” is told in a form that no plan writes.")
        for name in self._told.keys() - {step.makes for step in self._proof.plan.steps}:
            self._found.wrong.append(f"“{name}” is a fact that no step of the plan makes.")
        if self._concluded() != self._proof.conclusions:
            self._found.wrong.append("What the proof concludes is not what its facts say.")
        return self._found

    def _misshapen(self) -> list[str]:
        """Steps that would never be looked at, and facts of which one hides another."""
        plan = self._proof.plan
        reached = {step.id for step in plan.in_order()}
        wrong = [
            f"Step “{step.called}” needs steps that are not there, or that need it."
            for step in plan.steps
            if step.id not in reached
        ]
        names = [one.name for one in self._proof.facts]
        wrong += [f"There are two facts “{name}”." for name in sorted(set(names)) if names.count(name) > 1]
        made = [step.makes for step in plan.steps]
        return wrong + [f"Two steps make “{name}”." for name in sorted(set(made)) if made.count(name) > 1]

    def _concluded(self) -> tuple[str, ...] | None:
        standing = Standing(plan=self._proof.plan, facts=self._facts)
        try:
            return tuple(words.findings(self._proof.plan, standing).splitlines())
        except Exception:  # as above: values of a form that no action gives
            log.debug("The facts of a proof could not be put in words.", exc_info=True)
            return None

    async def _source(self, source: ProofSource, file: Path | str) -> None:
        if isinstance(file, str):
            self._missing.add(source.name)
            self._found.wrong.append(
                file or f"{source.name} is not there, so nothing of it could be checked."
            )
            return
        try:
            read = await self._laid.read(source, file)
        except ConversationError as error:
            self._missing.add(source.name)
            self._found.wrong.append(f"{source.name} cannot be read any more: {error.message}")
            return
        self._found.sources += 1
        told = [(one.title, one.name, one.rows) for one in source.tables]
        if [(one.title, one.name, one.rows) for one in read.tables] != told:
            self._found.wrong.append(f"{source.name} is read as other tables than when the proof was made.")

    async def _step(self, step: PlanStep) -> None:
        told = self._told.get(step.makes)
        if told is None:
            self._found.wrong.append(f"Step “{step.called}” has no fact “{step.makes}” in the proof.")
            return
        if told.shown != shown(told.value, told.type, told.unit):
            self._found.wrong.append(f"“{told.name}” is shown as {_cut(told.shown)}, which is not its value.")
        if told.turn_id is not None:
            self._found.taken.append(f"“{told.name}” is {told.shown} because the person said so.")
            return
        inputs = {one.makes: self._facts[one.makes] for one in self._needed(step)}
        if set(told.inputs) != set(inputs):
            self._found.wrong.append(f"“{told.name}” does not rest on the facts that its step needs.")
            return
        if step.action not in {one.name for one in self._actions.all()}:
            self._found.taken.append(
                f"“{told.name}” was not found again: its action, {step.action}, may reach outside."
            )
            return
        if gone := [name for name in self._sources(told) if name in self._missing]:
            self._found.wrong.append(f"“{told.name}” could not be found again: {gone[0]} is missing.")
            return
        await self._compared(step, inputs, told)

    async def _compared(self, step: PlanStep, inputs: Mapping[str, Fact], told: ProofFact) -> None:
        try:
            made = await self._done(step, inputs)
        except ConversationError as error:
            cause = error.__cause__ if isinstance(error.__cause__, ConversationError | ValueError) else error
            self._found.wrong.append(
                f"Step “{step.called}” cannot be done again: {getattr(cause, 'message', cause)}"
            )
            return
        self._found.again += 1
        now = _comparable(made.value, made.unit, made.type)
        if now != _comparable(told.value, told.unit, told.type):
            again = _cut(shown(made.value, made.type, made.unit))
            self._found.wrong.append(
                f"“{told.name}” is {_cut(told.shown)} in the proof; done again, it is {again}."
            )
        elif _rests_on(made.evidence) != _rests_on(told.evidence):
            self._found.wrong.append(
                f"“{told.name}” rests on another query, or on other files, than the proof says."
            )

    async def _done(self, step: PlanStep, inputs: Mapping[str, Fact]) -> Made:
        action = self._actions.get(step.action)
        given = given_to(step, inputs, takes_facts=FACTS in action.arguments.model_fields)
        found = await action.run(given, Attempt(key=f"proof:{step.id}"))
        return made_of(found, action.result)

    def _needed(self, step: PlanStep) -> Sequence[PlanStep]:
        needed = [one for need in step.needs if (one := self._proof.plan.step(need)) is not None]
        return [one for one in needed if one.makes in self._facts]

    def _sources(self, told: ProofFact) -> Sequence[str]:
        return [str(one.get("name", "")) for one in (told.evidence or {}).get("sources", ())]


def _comparable(value: Any, unit: str, type: str) -> str:
    """A value as the same text, wherever it was found: of a chart, without the places of its pictures."""
    if isinstance(value, dict) and value.keys() >= {"chart", *_PICTURES}:
        value = {name: one for name, one in value.items() if name not in _PICTURES}
    return json.dumps([value, unit, type], sort_keys=True, ensure_ascii=False, default=str)


def _rests_on(evidence: Mapping[str, Any] | None) -> str:
    """The same of what it rests on, but for how often it was worked out."""
    kept = {name: value for name, value in (evidence or {}).items() if name != "runs"}
    return json.dumps(kept, sort_keys=True, ensure_ascii=False)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
