"""Intents and slash words of a process's own, checked at registration."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from softrail.core.intents import IntentDefinition, Offered
from softrail.language import RESERVED, Slash, slash
from softrail.processes.definition import StepDefinition
from softrail.processes.process import Process


def takers(steps: Mapping[str, StepDefinition]) -> dict[str, str]:
    """The step that takes each intent."""
    return {intent: step.name for step in steps.values() for intent in step.intent}


def fault_of_intents(process: type[Process], steps: Mapping[str, StepDefinition]) -> str:
    """What is wrong with the intents and slash words of a process; "" when nothing is."""
    return next(_faults(process, steps), "")


def _faults(process: type[Process], steps: Mapping[str, StepDefinition]) -> Iterator[str]:
    given: Any = process.intents
    if not isinstance(given, tuple) or not all(isinstance(one, IntentDefinition) for one in given):
        yield f'has intents = {given!r:.200}. It is a tuple of them: (IntentDefinition(name="…", …),).'
        return
    for intent in given:
        yield from _of_one(intent)
    names = [intent.name for intent in given]
    yield from (f"has two intents named {name!r}." for name in names if names.count(name) > 1)
    yield from _untaken(names, steps)
    yield from _slashes(process.slashes, names)
    if not names and process.recognise is not Process.recognise:
        yield "has a recognise() and no intents that it could recognise. Write: intents = (…,)."


def _of_one(intent: IntentDefinition) -> Iterator[str]:
    if intent.offered not in get_args(Offered):
        known = ", ".join(get_args(Offered))
        yield f"has an intent {intent.name!r} with offered = {intent.offered!r}. Known: {known}."
    if intent.handler is not None or intent.process is not None:
        yield f"has an intent {intent.name!r} with a handler or a process. A step of its own takes it."
    if intent.reply or intent.instruction:
        yield f"has an intent {intent.name!r} with a reply or an instruction. The step that takes it has the words."


def _untaken(names: Sequence[str], steps: Mapping[str, StepDefinition]) -> Iterator[str]:
    taken: dict[str, str] = {}
    for step in steps.values():
        for name in step.intent:
            if name not in names:
                known = ", ".join(names) or "none"
                yield f"has a step {step.name!r} for the intent {name!r}, which it does not have. Its intents are: {known}."
            other = taken.setdefault(name, step.name)
            if other != step.name:
                yield f"has two steps for the intent {name!r}: {other} and {step.name}. One takes it."
    for name in names:
        if name not in taken:
            yield f"has an intent {name!r} that no step takes. Write: @step(intent={name!r}) above one."


def _slashes(given: Any, names: Sequence[str]) -> Iterator[str]:
    if not isinstance(given, Mapping):
        yield f'has slashes = {given!r:.200}. It is a mapping of words to intents: {{"redo": "redo_plan"}}.'
        return
    for word, intent in given.items():
        if not isinstance(word, str) or slash(f"/{word}") != Slash(word):
            yield f"has the slash word {word!r}. Such words have small letters and hyphens, and no slash."
        if word in RESERVED:
            yield f"has the slash word {word!r}, which is the framework's. Those are: {', '.join(sorted(RESERVED))}."
        if intent not in names:
            known = ", ".join(names) or "none"
            yield f"leads /{word} to the intent {intent!r}, which it does not have. Its intents are: {known}."
