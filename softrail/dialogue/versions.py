"""A person comes back to a process whose class has changed, or is gone.

The class's own policy decides: `migrate`, `restart` or `finish` on a kept old class. Whatever happens, the
person gets a clear sentence and a way on.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from softrail.core.errors import StepFailed
from softrail.core.instances import Instance, State, Trigger
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.processes import Definition

if TYPE_CHECKING:
    from softrail.dialogue.instances import Acting

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Fit:
    """How an instance goes on: by which definition, and whether it has asked anew in this turn."""

    definition: Definition | None  #: None: it cannot go on, and the draft says so
    asked: bool = False


async def fit(
    parts: Parts, acting: "Acting", draft: Draft, instance: Instance, *, resuming: bool = False
) -> Fit:
    """Bring an instance to the version that is installed, by the policy of its class.

    With `resuming` the caller brings it into this conversation and asks; nothing is asked before.
    """
    definition = parts.registry.of(instance)
    title = parts.title(instance.process)
    if definition is None or instance.version > definition.version:
        why = (
            "it is not installed" if definition is None else f"version {instance.version} is newer than ours"
        )
        draft.decision.trouble = f"{instance.process}: {why}"
        if instance.state is State.ACTIVE:
            await acting.suspend(draft, instance, Trigger.TROUBLE, why)
        draft.say(parts.sentences.say("gone_process", process=title))
        return Fit(None)
    if definition.version == instance.version:
        if unknown := parts.conductor.not_asked_for(definition, instance):
            draft.decision.trouble = _changed_without_a_version(definition, unknown)
            log.error("%s", draft.decision.trouble)
        elif instance.step in definition.steps:
            return Fit(definition)
    if definition.on_new_version == "migrate":
        try:
            data, step = await parts.conductor.migrate(definition, instance, draft.turn)
        except StepFailed as error:
            if (
                error.kind != "unreadable"
            ):  # its code failed, which says nothing about the state: that is kept
                await _not_now(parts, acting, draft, instance, error)
                return Fit(definition, asked=True)
            draft.decision.trouble = f"{instance.process}: {error.message}"
        else:
            asks = resuming or instance.state is not State.ACTIVE
            migrated = moved(definition, instance, data, step, asks=asks)
            draft.put(migrated)
            draft.decision.why = f"brought from version {instance.version} to {definition.version}"
            # An answer to a step that is still there is used; otherwise the new step asks first.
            if asks or step == instance.step:
                return Fit(definition)
            draft.say(parts.sentences.say("migrated", process=title))
            await _ask_anew(parts, acting, draft, definition, migrated)
            return Fit(definition, asked=True)
    await _restart(parts, acting, draft, definition, instance)
    return Fit(definition, asked=True)


def _changed_without_a_version(definition: Definition, unknown: Sequence[str]) -> str:
    names = ", ".join(unknown)
    return (
        f"{definition.name}: version {definition.version} does not ask for {names} any more, and a run of that version "
        f"has it. A field that is renamed or removed is a new version: say version={definition.version + 1}."
    )


def moved(definition: Definition, instance: Instance, data: str, step: str, *, asks: bool) -> Instance:
    """The instance in the new version; where it `asks` next, in the words of that.

    A question of a step of one's own stays as the person saw it where their message answers it: its options
    choose. It stays as well where nobody but an earlier step knows how to put it.
    """
    there = definition.steps.get(step)
    own = there is not None and there.kind == "own" and step == instance.step
    stays = own and (not asks or (there is not None and there.asks is None))
    question = instance.question if stays else None
    return instance.evolve(version=definition.version, data=data, step=step, question=question)


async def _not_now(
    parts: Parts, acting: "Acting", draft: Draft, instance: Instance, error: StepFailed
) -> None:
    """Leave the instance as it is: migrating it may work another time."""
    if instance.state is State.ACTIVE:
        await acting.trouble(draft, instance, error)
        return
    draft.decision.trouble = f"{instance.process}: {error.message}"
    log.error("Turn %s of session %s (%s).", draft.turn.id, draft.session.id, error.kind, exc_info=error)
    draft.say(parts.sentences.say("gone_process", process=parts.title(instance.process)))


async def _ask_anew(
    parts: Parts, acting: "Acting", draft: Draft, definition: Definition, instance: Instance
) -> None:
    try:
        played = await parts.conductor.resume(definition, instance, draft.turn)
    except StepFailed as error:
        await acting.trouble(draft, instance, error)
    else:
        await acting.apply(draft, definition, instance, played)


async def _restart(
    parts: Parts, acting: "Acting", draft: Draft, definition: Definition, instance: Instance
) -> None:
    """Begin afresh in the same instance: what it holds of the old version is not read again."""
    draft.decision.why = f"version {instance.version} cannot go on in version {definition.version}"
    draft.say(parts.sentences.say("new_version", process=definition.title))
    try:
        played = await parts.conductor.start(definition, draft.turn, prefill={})
    except StepFailed as error:
        await acting.trouble(draft, instance, error)
        return
    fresh = instance.evolve(version=definition.version, failures=0)
    if fresh.state is not State.ACTIVE or fresh.session_id != draft.session.id:
        fresh = await acting.bring_here(draft, fresh, Trigger.RESUME)
        draft.decision.transitions[-1].reason = "in a new version"
    await acting.apply(draft, definition, fresh, played)
