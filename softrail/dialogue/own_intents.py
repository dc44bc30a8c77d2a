"""Intents of processes' own: which may be meant now, who knows words for one, and who is told."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from softrail.core.errors import StepFailed
from softrail.core.instances import Instance, State, Trigger
from softrail.core.intents import Intent, IntentDefinition
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.instances import Acting
from softrail.dialogue.offers import Offers
from softrail.dialogue.place import Standing
from softrail.dialogue.versions import fit
from softrail.processes import Definition, Played

log = logging.getLogger(__name__)


class OwnIntents:
    """What can be said to a run of a process besides the answers to its questions."""

    def __init__(self, parts: Parts, acting: Acting, offers: Offers) -> None:
        self._parts = parts
        self._acting = acting
        self._offers = offers
        self._say = parts.sentences.say

    # -- what there is now

    def _hearers(self, draft: Draft) -> list[tuple[Instance, Definition]]:
        """The active runs with intents of their own: who asked last, who holds, then the last moved."""
        asker = draft.pending.instance_id if draft.pending is not None else ""
        found = [
            (one, definition)
            for one in draft.instances.values()
            if one.state is State.ACTIVE and draft.here(one) and one.id not in draft.released
            if (definition := self._parts.registry.of(one)) is not None and definition.intents
            if one.version <= definition.version
        ]
        return (
            found
            if len(found) < 2
            else sorted(
                found,
                key=lambda pair: (
                    pair[0].id == asker,
                    pair[0].holds,
                    pair[0].moved_at.timestamp() if pair[0].moved_at else 0.0,
                ),
                reverse=True,
            )
        )

    def candidates(self, draft: Draft) -> list[IntentDefinition]:
        """The intents that a free turn may have now."""
        return self._parts.registry.candidates([definition for _, definition in self._hearers(draft)])

    def slashes(self, draft: Draft) -> Sequence[str]:
        """The slash words of the runs that are active."""
        return [word for _, definition in self._hearers(draft) for word in definition.slashes]

    def is_own(self, draft: Draft, intent: Intent) -> bool:
        """It is an intent of a run that is active."""
        return any(intent.name in definition.takes for _, definition in self._hearers(draft))

    # -- words that a process knows

    def may_know(self, draft: Draft, standing: Standing) -> bool:
        """Some process may know the words of a message, before anybody else has read it."""
        if standing.offer is not None:
            return False
        if standing.front is None and self._parts.registry.recognises:
            return True
        return any(standing.front is None or one.id == standing.front.id for one, _ in self._hearers(draft))

    async def known(self, draft: Draft, standing: Standing) -> tuple[tuple[str, Intent] | None, bool]:
        """The process that knows the words, with its intent; and whether one was paused, for it failed too often.

        While a question is open only the process that asks it is asked: an answer to it is nobody else's.
        """
        front = standing.front
        hinted = self._parts.registry.route(draft.turn.intent_hint or "")
        if front is not None and hinted is not None and hinted.tells == front.process and draft.whole:
            if front.id not in draft.released:
                return (front.process, Intent(name=hinted.intent.name, confidence=1.0, tier="hint")), False
            return None, False
        return await self._recognised(draft, front)

    async def among(self, draft: Draft) -> Intent | None:
        """The intent that any process knows the words for, once it is clear that they are no answer."""
        found, _ = await self._recognised(draft, None)
        return found[1] if found is not None else None

    async def _recognised(
        self, draft: Draft, front: Instance | None
    ) -> tuple[tuple[str, Intent] | None, bool]:
        active = self._hearers(draft)
        for instance, definition in active:
            if front is not None and instance.id != front.id:
                continue
            try:
                name = await self._asked(draft, definition, instance.id)
            except StepFailed as error:
                if await self._failed(draft, instance, error):
                    return None, True
                continue
            if name is not None:
                return (definition.name, Intent(name=name, confidence=1.0, tier="pattern")), False
        there = {definition.name for _, definition in active}
        for definition in self._parts.registry.recognises if front is None else ():
            always = {one.name for one in definition.intents if one.offered == "always"}
            always.update(definition.begins_with)
            if definition.name in there:
                continue
            try:
                name = await self._asked(draft, definition, definition.name)
            except StepFailed as error:
                self._noted(draft, definition.name, error)
                continue
            if name in always:
                return (definition.name, Intent(name=name, confidence=1.0, tier="pattern")), False
        return None, False

    async def _asked(self, draft: Draft, definition: Definition, key: str) -> str | None:
        """Ask a process once for the same words."""
        if (key, draft.message) in draft.asked_own:
            return None
        draft.asked_own.add((key, draft.message))
        return await self._parts.conductor.recognised(definition, draft.message, draft.turn)

    async def _failed(self, draft: Draft, instance: Instance, error: StepFailed) -> bool:
        """Count it; the message goes on its way. The third failure in a row pauses the process: True."""
        self._noted(draft, instance.process, error)
        return await self._acting.count_failure(draft, instance)

    def _noted(self, draft: Draft, process: str, error: StepFailed) -> None:
        draft.decision.trouble = f"{process}: {error.message}"
        log.error("Process %s failed on turn %s (%s).", process, draft.turn.id, error.kind, exc_info=error)

    # -- telling

    async def by_slash(self, draft: Draft, word: str, argument: str) -> bool:
        """Tell a process what its slash word stands for; False: no process has such a word."""
        found = [
            definition.slashes[word] for _, definition in self._hearers(draft) if word in definition.slashes
        ]
        route = self._parts.registry.slash(word)
        if not found and route is None:
            return False
        name = found[0] if found else route[1]  # type: ignore[index] # one of the two is there
        intent = Intent(name=name, confidence=1.0, tier="slash", target=argument, text=argument)
        if not found and await self._begun(draft, intent, "asked for by a slash word"):
            return True
        process = self._owner(draft, name)
        if not await self.tell(draft, intent):
            draft.say(self._say("nothing_for_that", process=self._parts.title(process)))
        return True

    async def _begun(self, draft: Draft, intent: Intent, reason: str) -> bool:
        """An intent that a process begins with starts it, where no run of it is active."""
        definition = self._parts.registry.find(self._owner(draft, intent.name))
        if definition is None or intent.name not in definition.begins_with:
            return False
        draft.own, draft.intent, draft.owner = True, intent.name, definition.name
        await self._acting.start(draft, definition, prefill={}, intent=intent, reason=reason)
        return True

    def _owner(self, draft: Draft, intent: str) -> str:
        for instance, definition in self._hearers(draft):
            if intent in definition.takes:
                return instance.process
        route = self._parts.registry.route(intent)
        return route.tells or "" if route is not None else ""

    async def tell(self, draft: Draft, intent: Intent) -> bool:
        """Give the turn to the active run whose intent it is; False: that says that it is not its own.

        Where there is no such run, that is said.
        """
        found = next((pair for pair in self._hearers(draft) if intent.name in pair[1].takes), None)
        draft.own, draft.intent = True, intent.name
        draft.decision.tier, draft.decision.confidence = intent.tier, round(intent.confidence, 4)
        if found is None and self._released_by(draft, intent.name):
            return self._not_its_own(draft)
        if (
            found is None
            and intent.tier == "pattern"
            and await self._begun(draft, intent, "words of its own")
        ):
            return True
        if found is None:
            await self._not_under_way(draft, self._owner(draft, intent.name))
            return True
        instance = found[0]
        draft.decision.passed("route", "told", f"{intent.name} is told to {instance.process}.")
        if await self._told(draft, instance, intent):
            draft.owner = instance.process
            return True
        draft.released.add(instance.id)
        draft.decision.passed("route", "not its own", f"{instance.process} says that it is not.")
        return self._not_its_own(draft)

    def _not_its_own(self, draft: Draft) -> bool:
        draft.own, draft.intent, draft.owner = False, None, None
        return False

    def _released_by(self, draft: Draft, intent: str) -> bool:
        """A run of the process whose intent it is has said already that the message is not its own."""
        owner = self._owner(draft, intent)
        return any(draft.instances[one].process == owner for one in draft.released)

    async def _not_under_way(self, draft: Draft, process: str) -> None:
        paused = any(one.process == process for one in await self._offers.paused(draft))
        said = "not_under_way_paused" if paused else "not_under_way"
        draft.say(self._say(said, process=self._parts.title(process)))
        draft.decision.passed("route", "not under way", f"There is no active run of {process}.")

    async def _told(self, draft: Draft, instance: Instance, intent: Intent) -> bool:
        found = await fit(self._parts, self._acting, draft, instance)
        if found.definition is None or found.asked:
            return found.asked
        current = draft.instances[instance.id]
        try:
            turn = replace(draft.turn, intent=intent)
            played = await self._parts.conductor.told(found.definition, current, turn)
        except StepFailed as error:
            self._answered(draft, current)
            return await self._acting.trouble(draft, current, error)
        draft.decision.why = played.why
        if played.release is not None:
            return await self._released(draft, current, played)
        self._answered(draft, current)
        if played.question is not None:
            await self._acting.lapse_offer(draft)
        await self._acting.apply(draft, found.definition, current, played)
        return True

    def _answered(self, draft: Draft, instance: Instance) -> None:
        """What the instance says and asks now stands for its question."""
        if draft.ask_again == instance.id:
            draft.ask_again = None

    async def _released(self, draft: Draft, instance: Instance, played: Played) -> bool:
        """Leave everything as it was, but for what the step keeps and says; without words it is not its own."""
        release = played.release
        assert release is not None  # noqa: S101 - narrowed by the caller
        draft.add_effects(played.effects, instance.id)
        draft.prompts.extend(played.prompts)
        instance = draft.put(instance.evolve(data=played.data, failures=0))
        title = self._parts.title(instance.process)
        if release.close:
            await self._acting.close(draft, instance, "the process let go")
            draft.say(release.say or self._say("closed", process=title))
            return True
        if release.suspend:
            await self._acting.suspend(draft, instance, Trigger.ESCAPE, "the process stepped aside")
            draft.say(release.say or self._say("paused", process=title))
            return True
        if not release.say.strip():
            return False
        draft.say(release.say)
        draft.shown = instance.id
        if instance.question is not None:
            draft.ask_again = instance.id
        return True
