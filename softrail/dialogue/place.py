"""Where a message is said: what it may answer and what it may be about, for the reader and for `decide`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from softrail.core.instances import Instance, State
from softrail.core.intents import Intent
from softrail.core.reading import Place, Reading
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.offers import Offers
from softrail.dialogue.view import View, to_come_back_to
from softrail.dialogue.ways import undoable
from softrail.language import Language, language, normal
from softrail.processes import Contract, Definition
from softrail.registry.registry import Registry

_RESUMABLE = (State.SUSPENDED, State.ACTIVE)
_MARKS = re.compile(r"[^\w\s'’-]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """Who is in front in a session, and whose question is open; found once, seen by reader and `decide` alike."""

    holder: Instance | None
    front: Instance | None
    definition: Definition | None  #: of what is in front
    contract: Contract
    offer: Instance | None
    asker: Instance | None
    others: Mapping[str, Instance]

    @property
    def answers(self) -> Instance | None:
        """Whoever would get the message as an answer."""
        return self.asker or self.front


class Places:
    """Finds out where a message stands."""

    def __init__(self, parts: Parts, offers: Offers) -> None:
        self._parts = parts
        self._offers = offers

    def standing(self, draft: Draft) -> Standing:
        """Who is in front now. A question whose asker is gone is closed."""
        asker = self._asker(draft)
        offer = (
            asker if asker is not None and draft.pending and draft.pending.question.kind == "offer" else None
        )
        if offer is not None:
            asker = None
        holder = draft.holder
        background = (
            asker is not None and asker.state is State.ACTIVE and self._contract(asker) == "background"
        )
        front = asker if background else holder
        definition = self._parts.registry.of(front) if front is not None else None
        return Standing(
            holder=holder,
            front=front,
            definition=definition,
            contract=self._contract(front) if front is not None else "exclusive",
            offer=offer,
            asker=asker,
            others=self._others(draft, front),
        )

    def _asker(self, draft: Draft) -> Instance | None:
        pending = draft.pending
        asker = draft.instances.get(pending.instance_id) if pending is not None else None
        if pending is None:
            return None
        if pending.question.kind == "offer":
            there = asker is not None and asker.state in (_RESUMABLE if pending.resume else (State.OFFERED,))
        else:
            there = (
                asker is not None and draft.here(asker) and asker.state is not None and not asker.state.ended
            )
        if not there:
            draft.ask(None)
            return None
        return asker

    def _contract(self, instance: Instance) -> Contract:
        definition = self._parts.registry.of(instance)
        return definition.contract_of(instance.step) if definition else "exclusive"

    def _others(self, draft: Draft, front: Instance | None) -> Mapping[str, Instance]:
        """What waits underneath, and what goes on in the background."""
        below = draft.beneath(front) if front is not None else None
        found = {}
        for instance in draft.instances.values():
            background = not instance.holds and instance.state is State.ACTIVE and draft.here(instance)
            if instance is front:
                continue
            apart = instance.memo.waits or instance.memo.calls is not None
            if instance is below or (background and (apart or self._contract(instance) == "background")):
                found[instance.id] = instance
        return found

    def place(self, draft: Draft, standing: Standing, language: Language) -> Place:
        """What the reader is told."""
        registry = self._parts.registry
        asker = standing.offer or standing.answers
        definition = registry.of(asker) if asker is not None else None
        question = asker.question if asker is not None else None
        if standing.offer is not None and draft.pending is not None:
            question = draft.pending.question
        others = {key: self.names(one) for key, one in standing.others.items()}
        stops = asker or lives_on(draft, registry)  # what words of leaving are for
        known = Place(
            question=question,
            names=tuple(self.names(stops)) if stops is not None else (),
            subject=definition.subject if definition else (),
            known=definition is not None,
            doubt=draft.pending.question if draft.pending is not None and draft.pending.doubted else None,
            before=draft.snapshot.session.memo.before.question
            if draft.snapshot.session.memo.before
            else None,
            offer=standing.offer is not None,
            others=others,
            processes=registry.names_of,
            all_names=registry.names(),
            starts=lambda message: found.name if (found := registry.asked_for(message, language)) else None,
            told=lambda message: registry.is_told_to_say(
                message, language, within=asker.process if asker is not None else None
            ),
        )
        if standing.offer is not None:
            return replace(known, wanted="bool")
        if asker is None or definition is None:  # what is gone cannot be answered: only ways out are read
            return replace(known, reads="exact")
        return self._parts.conductor.placed(definition, asker, draft.turn, known)

    def stale(self, draft: Draft) -> bool:
        """The client says which question it answers, and that one is not open."""
        answers = draft.turn.answers
        return answers is not None and (draft.pending is None or draft.pending.id != answers)

    async def view(
        self,
        draft: Draft,
        standing: Standing,
        reading: Reading,
        place: Place,
        own: tuple[str, Intent] | None = None,
        *,
        stale: bool = False,
    ) -> View:
        """What `decide` is told; what is paused is loaded only where it is asked for."""
        hinted = self._parts.registry.route(draft.turn.intent_hint or "")
        front = standing.front
        its = hinted is not None and front is not None and hinted.process == front.process
        words = language(draft.turn.person.locale) if reading.learned else None
        resumes = reading.exactly("resume") is not None
        paused = tuple(await self._offers.paused(draft)) if resumes else ()
        return View(
            holder=standing.holder,
            front=front,
            known=front is None or standing.definition is not None,
            contract=standing.contract,
            own=own,
            wanted=place.wanted,
            required=place.required,
            none=place.none,
            about=bool(place.subject) and _names_one(draft.message, (*place.subject, *place.names)),
            bars=self._parts.bars,
            pending=draft.pending,
            offer=standing.offer,
            names_another=standing.offer is not None and self._names_another(draft.message, standing.offer),
            asker=standing.asker,
            undo=self._undo(draft),
            changed=reading.exactly("undo") is not None and self._has_changed(draft, standing),
            paused=paused,
            expired=await self._expired(draft, reading, paused) if resumes and front is None else None,
            quiet=lives_on(draft, self._parts.registry) if front is None else None,
            standing=self._under_way(draft, front),
            others=standing.others,
            hint=hinted is not None and draft.whole and not its,
            hinted=hinted.process if hinted is not None and front and not its else None,
            beside=words.told_beside(draft.message) if words is not None else None,
            mends=words is not None and self._keeps_last(draft) and words.mends(draft.message),
            another_deed=self._is_another_deed(draft),
            so_far=words is not None and words.asks_so_far(draft.message),
            again=words is not None and words.asks_again(draft.message),
            means=words.meaning_asked(draft.message, self._names_of(standing)) or ""
            if words is not None
            else "",
            stale=stale,
            before=draft.snapshot.session.memo.before,
        )

    async def _expired(self, draft: Draft, reading: Reading, paused: Sequence[Instance]) -> Instance | None:
        named = to_come_back_to(reading)
        there = any(not named or one.process in named for one in paused)
        return None if there else await self._offers.expired(draft, named)

    def _names_of(self, standing: Standing) -> Mapping[str, Sequence[str]]:
        """What the answers of whoever asks are called."""
        who = standing.answers if standing.offer is None else None
        definition = self._parts.registry.of(who) if who is not None else None
        fields = definition.fields.values() if definition is not None else ()
        return {field.name: (field.label, *field.names) for field in fields}

    def _keeps_last(self, draft: Draft) -> bool:
        keeper = self._parts.registry.keeper()
        return keeper is not None and draft.session.memo.focus.intent == keeper.name

    def _names_another(self, message: str, offered: Instance) -> bool:
        if _names_one(message, self.names(offered)):
            return False
        of = self._parts.registry.names_of
        return any(_names_one(message, names) for name, names in of.items() if name != offered.process)

    def _undo(self, draft: Draft) -> Instance | None:
        undo = draft.snapshot.session.memo.undo
        instance = draft.instances.get(undo.instance_id) if undo is not None else None
        return instance if instance is not None and undoable(instance) else None

    def _is_another_deed(self, draft: Draft) -> bool:
        pending = draft.pending
        if pending is None or pending.doubted is None:
            return False
        told = " ".join([pending.question.prompt, *(option.label for option in pending.question.options)])
        return language(draft.turn.person.locale).names_another_deed(draft.message, told)

    def _has_changed(self, draft: Draft, standing: Standing) -> bool:
        front, definition = standing.front, standing.definition
        if front is None or definition is None or draft.pending is None or standing.offer is not None:
            return False
        return self._parts.conductor.changed(definition, front, draft.pending.seq)

    def _under_way(self, draft: Draft, front: Instance | None) -> Mapping[str, Instance]:
        found: dict[str, Instance] = {}
        below = draft.holder
        while below is not None and below.process not in found:
            found[below.process] = below
            below = draft.beneath(below)
        return found | ({front.process: front} if front is not None else {})

    def names(self, instance: Instance) -> Sequence[str]:
        """What people call the process of an instance."""
        definition = self._parts.registry.of(instance)
        return definition.names if definition else (instance.process.replace("_", " "),)


def lives_on(draft: Draft, registry: Registry) -> Instance | None:
    """The run in the background that is told of words of leaving where nothing is in front: the last moved.

    One that stands where leaving it leads has nothing to leave.
    """
    found = [
        one
        for one in draft.instances.values()
        if one.state is State.ACTIVE and not one.holds and draft.here(one) and one.id not in draft.released
        if (definition := registry.of(one)) is not None and one.step not in definition.lives_on
        if definition.lives_on
    ]
    return max(found, key=lambda i: i.moved_at.timestamp() if i.moved_at else 0.0, default=None)


def _names_one(message: str, words: Sequence[str]) -> bool:
    """One of those words stands in the message."""
    said = f" {_without_marks(message)} "
    return any(map(said.__contains__, _apart(tuple(words))))


def _without_marks(text: str) -> str:
    return " ".join(_MARKS.sub(" ", normal(text)).split())


@lru_cache(maxsize=1024)  # as many as there are processes, more or less: names do not change
def _apart(words: tuple[str, ...]) -> Sequence[str]:
    return [f" {alone} " for word in words if (alone := _without_marks(word))]
