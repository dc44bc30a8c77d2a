"""A person is asked to do a part of another person's process: offered, never forgotten, and never in the way."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from softrail.core.instances import Instance, State, Trigger
from softrail.core.questions import Option, Pending, Question
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.language import Language, normal
from softrail.processes import Definition

if TYPE_CHECKING:
    from softrail.dialogue.instances import Acting

NO = "decline"  #: the value of the option that sends a part back undone
ANSWERS = (
    Option(label="Yes", value="yes"),
    Option(label="Not now", value="later", words=("Later",)),
    Option(label="Decline", value=NO, words=("I decline",)),
)


class Asked:
    """The side of whoever is asked. Nothing of the caller's is read here but whether it still waits."""

    def __init__(self, parts: Parts, acting: "Acting") -> None:
        self._parts = parts
        self._acting = acting
        self._say = parts.sentences.say
        self._called: tuple[object, Mapping[str, str]] = (None, {})

    # -- which there are

    async def open(self, person_id: str) -> list[Instance]:
        """The parts that a person is asked for and that are still needed, the first asked first."""
        found = await self._parts.store.asked_of(person_id)
        return [one for one in found if await self._needed(one)]

    async def _needed(self, instance: Instance) -> bool:
        part = instance.memo.asked
        if part is None or instance.memo.outcome is not None:
            return False
        caller = await self._parts.store.instance(part.caller)
        if caller is None or caller.state is None or caller.state.ended:
            return False
        return caller.memo.assigned is not None and caller.memo.assigned.part.key == part.key

    async def _here(self, draft: Draft) -> list[Instance]:
        """Those of the person as this turn sees them."""
        found = [draft.instances.get(i.id, i) for i in await self.open(draft.turn.person.id)]
        return [i for i in found if i.state is not None and not i.state.ended]

    # -- a new one

    async def hear(self, draft: Draft) -> None:
        """Note that the person is asked; it is offered as soon as nothing else is open in their session."""
        news = draft.turn.part
        assert news is not None  # noqa: S101 - narrowed by the caller
        part, definition = news.part, self._parts.registry.find(news.part.process)
        instance = Instance(
            id=part.key,
            person_id=draft.turn.person.id,
            session_id=draft.session.id,
            process=part.process,
            version=definition.version if definition else 0,
            slot=part.key,
        ).note(asked=part)
        if not await self._needed(instance):
            draft.decision.passed("signal", "over", f"{part.process} is not needed any more.")
            return
        draft.move(instance, Trigger.OFFER, "another person asks for it")
        draft.shown = None
        draft.decision.passed("signal", "asked", f"Another person asks for {part.process}.")
        if definition is None:
            draft.move(draft.instances[instance.id], Trigger.LAPSE, "it is not installed")
            draft.shown = None

    # -- offering

    def offer_one(self, draft: Draft) -> None:
        """Offer the first one that was not offered yet, where nothing holds the session and nothing is asked."""
        if draft.holder is not None or draft.pending is not None:
            return
        waiting = [
            i
            for i in draft.instances.values()
            if i.state is State.OFFERED and i.memo.asked and not i.memo.shown and draft.here(i)
        ]
        if waiting:
            self._offer(draft, min(waiting, key=lambda i: (i.moved_at or draft.turn.at, i.id)))

    async def on_greeting(self, draft: Draft) -> bool:
        """Name again what the person is asked for and has not begun, whichever session it was offered in."""
        if draft.holder is not None or draft.pending is not None:
            return False
        for instance in await self._here(draft):
            if instance.state is State.OFFERED:
                self._offer(draft, instance)
                return True
        return False

    def _offer(self, draft: Draft, instance: Instance) -> None:
        draft.put(instance.note(shown=True))
        draft.shown = instance.id
        prompt = self.prompt(instance)
        question = Question(kind="offer", prompt=prompt, options=ANSWERS)
        draft.ask(Pending(question=question, instance_id=instance.id, seq=draft.turn.seq))
        draft.say(prompt)
        draft.decision.passed("route", "offer", f"{instance.process}, which another person asks for.")

    def prompt(self, instance: Instance) -> str:
        """The question that offers it: who asks for what."""
        part = instance.memo.asked
        who = part.asked_by if part is not None else ""
        return self._say("part_offer", who=who, process=self._parts.title(instance.process))

    # -- answering

    def later(self, draft: Draft, instance: Instance) -> None:
        """Leave it open, without a question."""
        draft.ask(None)
        draft.say(self._say("part_later", process=self._parts.title(instance.process)))

    def aside(self, draft: Draft, instance: Instance) -> None:
        """Close its question, if it is asked: what came in between was not its answer."""
        if draft.pending is not None and draft.pending.instance_id == instance.id:
            draft.ask(None)

    async def decline(self, draft: Draft, instance: Instance) -> None:
        """The person will not do it; whoever asked is told."""
        part = instance.memo.asked
        draft.ask(None)
        await self._acting.decline(draft, instance, "the person will not do it")
        draft.say(self._say("part_declined", who=part.asked_by if part is not None else ""))

    # -- going there

    async def of(self, draft: Draft, definition: Definition) -> Instance | None:
        """The first part of that process that is open: a start goes there."""
        return next((i for i in await self._here(draft) if i.process == definition.name), None)

    async def go_to(self, draft: Draft, definition: Definition, instance: Instance) -> None:
        """Begin it, or go on with it, in this session."""
        draft.instances.setdefault(instance.id, instance)
        if instance.state is State.OFFERED:
            self.aside(draft, instance)
            await self._acting.start(draft, definition, offered=instance, reason="asked for by name")
        else:
            await self._acting.calls.go_to(draft, instance)

    async def named(self, draft: Draft, language: Language) -> Definition | None:
        """The process that the message names, word for word, where the person is asked for one of that name."""
        if draft.holder is not None:
            return None
        names = self._names()
        name = names.get(normal(draft.message)) or names.get(language.unpadded(draft.message))
        definition = self._parts.registry.find(name) if name is not None else None
        if definition is None or await self.of(draft, definition) is None:
            return None
        return definition

    def _names(self) -> Mapping[str, str]:
        known = self._parts.registry.names_of
        if self._called[0] is not known:
            found = {normal(one): name for name, names in known.items() for one in names}
            self._called = known, found
        return self._called[1]

    # -- what is not needed any more

    async def check(self, draft: Draft) -> None:
        """End parts of this session that nobody waits for any more, and say so; before the message is read."""
        pending = draft.pending.instance_id if draft.pending is not None else None
        for instance in list(draft.instances.values()):
            mine = instance.person_id == draft.turn.person.id
            if mine and instance.memo.asked and (draft.here(instance) or instance.id == pending):
                await self.void(draft, instance)

    async def void(self, draft: Draft, instance: Instance) -> bool:
        """End a part, with a sentence, if nobody waits for it any more; whether that was so."""
        part = instance.memo.asked
        if part is None or instance.state is None or instance.state.ended or await self._needed(instance):
            return False
        if instance.state is State.OFFERED:
            self.aside(draft, instance)
            draft.move(instance, Trigger.LAPSE, "it is not needed any more")
        else:
            await self._acting.close(draft, instance, "it is not needed any more")
        title = self._parts.title(instance.process)
        draft.say(self._say("part_void", who=part.asked_by, process=title))
        return True
