"""Offers: a process that may be started, one that may be resumed, and what the person says to them.

An offer is one yes/no question that asks for no data. Yes starts, no declines, a question leaves it open one
more turn, anything else lets it lapse silently.
"""

import logging
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from softrail.core.errors import StepFailed
from softrail.core.instances import Instance, State, Trigger
from softrail.core.people import Person
from softrail.core.questions import Option, Pending, Question
from softrail.core.sessions import Undo
from softrail.dialogue.asked import NO
from softrail.dialogue.claims import Word
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.instances import Acting
from softrail.language import Language, choose, language
from softrail.processes import Definition

log = logging.getLogger(__name__)

RECENTLY = timedelta(hours=12)  #: so long it is still told what was stopped or done last
ANSWERS = (Option(label="Yes"), Option(label="Not now"))


class Offers:
    """What the registry proposes by itself, and the consent to it."""

    def __init__(self, parts: Parts, acting: Acting) -> None:
        self._parts = parts
        self._acting = acting
        self._say = parts.sentences.say

    # -- making one

    async def on_greeting(self, draft: Draft) -> bool:
        """Offer what was paused, else what is open elsewhere, else a fresh process that asks for it."""
        if await self._acting.asked.on_greeting(draft):
            return True
        return await self._paused(draft) or await self._open_elsewhere(draft) or await self.fresh(draft)

    async def _paused(self, draft: Draft) -> bool:
        found = [i for i in await self.resumables(draft) if not i.offered_back and i.id not in draft.left]
        if not found:
            return False
        self._offer_back(draft, found[0], "resume_offer")
        return True

    async def on_late_consent(self, draft: Draft, spoken: Language) -> bool:
        """Say that a question is not open any more to which a yes or no comes late, and offer its process."""
        lapsed = draft.session.memo.lapsed
        draft.remember(lapsed=None)
        if lapsed is None or spoken.consent(draft.message) not in ("yes", "no"):
            return False
        found = next((i for i in await self.resumables(draft) if i.id == lapsed), None)
        if found is None:
            return False
        draft.say(self._say("question_over"))
        self._offer_back(draft, found, "resume_offer")
        return True

    async def _open_elsewhere(self, draft: Draft) -> bool:
        found = await self._elsewhere(draft)
        if not found:
            return False
        self._offer_back(draft, found[0], "resume_elsewhere")
        return True

    async def _elsewhere(self, draft: Draft) -> list[Instance]:
        """What the person is in the middle of in other conversations, the last used first."""
        found = await self._parts.store.elsewhere(draft.turn.person.id, draft.session.id)
        found = [i for i in found if self.resumable(i) and i.id not in draft.instances]
        return sorted(found, key=lambda i: (i.handled_at or i.moved_at or draft.turn.at, i.id), reverse=True)

    async def unfinished(self, draft: Draft) -> list[Instance]:
        """What the person may come back to: what is paused, the last paused first, then what is open elsewhere."""
        return [*await self.paused(draft), *await self._elsewhere(draft)]

    async def paused(self, draft: Draft) -> list[Instance]:
        """The person's suspended instances as this turn sees them, the last paused first."""
        if draft.suspended is None:  # what this turn changes is in the draft
            draft.suspended = await self._parts.store.suspended(draft.turn.person.id)
        current = [draft.instances.get(i.id, i) for i in draft.suspended]
        known = {i.id for i in current}
        current += [i for i in draft.instances.values() if i.id not in known]
        return self.still_paused(current, draft.turn.at)

    async def resumables(self, draft: Draft) -> list[Instance]:
        """Those of them that are worth coming back to."""
        return [i for i in await self.paused(draft) if self.resumable(i)]

    async def expired(self, draft: Draft, named: Collection[str]) -> Instance | None:
        """What the person means to come back to, where it was paused for too long: by its name, else the last one.

        Without a name only where nothing was said since: else "go on" is meant for what was.
        """
        last = draft.snapshot.session.last_turn_at
        here = self._parts.registry.find(draft.session.memo.focus.process or "")
        asked = self._parts.registry.definitions() if last is None else [here] if here is not None else []
        if named:
            asked = [one for one in self._parts.registry.definitions() if one.name in named]
        found = list[Instance]()
        for definition in asked:
            if definition.process.resumable:
                found += (await self._parts.store.past(draft.turn.person.id, definition.name))[:1]
        found = [draft.instances.get(one.id, one) for one in found]
        over = [one for one in found if self._has_expired(one, draft.turn.at)]
        if last is not None and not named:
            over = [one for one in over if one.moved_at is not None and one.moved_at >= last]
        return max(over, key=self._order, default=None)

    def tell_expired(self, draft: Draft, instance: Instance) -> None:
        """Say why what was paused cannot be picked up, and how to begin anew."""
        definition = self._parts.registry.find(instance.process)
        title = self._parts.title(instance.process)
        again = self._begins(definition) if definition is not None else title
        draft.say(self._say("expired", process=title, again=again))

    def _has_expired(self, instance: Instance, at: datetime) -> bool:
        return instance.state is State.EXPIRED or (instance.state is State.SUSPENDED and _over(instance, at))

    def still_paused(self, instances: Iterable[Instance], at: datetime) -> list[Instance]:
        """Those of them that can be come back to, the last paused first."""
        still = [
            i for i in instances if i.state is State.SUSPENDED and not _over(i, at) and not self.passing(i)
        ]
        return sorted(still, key=self._order, reverse=True)

    def _order(self, instance: Instance) -> tuple[float, int, bool, str]:
        """Later is greater; of two that were paused in one moment, what was called is where the person was."""
        definition = self._parts.registry.of(instance)
        moved = instance.moved_at.timestamp() if instance.moved_at else 0.0
        priority = -(definition.priority if definition else 1000)
        return moved, priority, instance.memo.caller is not None, instance.id

    def resumable(self, instance: Instance) -> bool:
        """Its process is installed, and a paused run of it is worth coming back to."""
        definition = self._parts.registry.of(instance)
        return definition is not None and definition.process.resumable

    def passing(self, instance: Instance) -> bool:
        """A paused run of its process is not worth coming back to, such as a question about one turn."""
        definition = self._parts.registry.of(instance)
        return definition is not None and not definition.process.resumable

    def _offer_back(self, draft: Draft, instance: Instance, sentence: str) -> None:
        kept, title = self._parts.kept(instance), self._parts.title(instance.process)
        definition = self._parts.registry.of(instance)
        doing = (definition.doing if definition else "") or f"in the middle of {title}"
        values = {"process": title} if sentence == "resume_elsewhere" else {"doing": doing}
        if kept:
            sentence, values = f"{sentence}_kept", {**values, "kept": kept}
        prompt = self._say(sentence, **values)
        draft.put(instance.evolve(offered_back=True))
        draft.shown = instance.id
        question = Question(kind="offer", prompt=prompt, options=ANSWERS)
        draft.ask(Pending(question=question, instance_id=instance.id, seq=draft.turn.seq, resume=True))
        draft.say(prompt)

    async def fresh(self, draft: Draft) -> bool:
        """Offer a process that asks for it."""
        if draft.holder is not None:
            return False
        for definition in self._parts.registry.offering():
            if await self._may_offer(draft, definition):
                self.offer(draft, definition)
                return True
        return False

    def offer(self, draft: Draft, definition: Definition) -> None:
        """Make the offer of a process: an instance that holds nothing yet, and one question."""
        instance = Instance(
            id=self._parts.ids.new(),
            person_id=draft.turn.person.id,
            session_id=draft.session.id,
            process=definition.name,
            version=definition.version,
            step=definition.first,
        )
        instance = draft.move(instance, Trigger.OFFER, "on a greeting")
        prompt, used = self._parts.conductor.offer_text(definition)
        prompt = prompt or self._say("offer", process=definition.title)
        draft.prompts.extend(used)
        question = Question(kind="offer", prompt=prompt, options=ANSWERS)
        draft.ask(Pending(question=question, instance_id=instance.id, seq=draft.turn.seq))
        draft.say(prompt)

    async def _may_offer(self, draft: Draft, definition: Definition) -> bool:
        if not await self._policy_allows(draft, definition):
            return False
        try:
            return await self._parts.conductor.offer_when(definition, draft.turn)
        except StepFailed as error:  # the others are still asked
            log.error("%s", error.message, exc_info=error.__cause__)
            return False

    async def _policy_allows(self, draft: Draft, definition: Definition) -> bool:
        """No second unprompted offer after a no in this session; a cool-down and a most over all.

        An offer that merely lapsed was not refused: it does not count.
        """
        policy, refused = definition.offers, 0
        for instance in await self._parts.store.past(draft.turn.person.id, definition.name):
            if instance.memo.asked is not None:
                continue  # what others ask for says nothing about offers of our own
            here = instance.session_id == draft.session.id
            if instance.state in (State.ACTIVE, State.SUSPENDED):
                return False
            if instance.state is State.OFFERED and here:
                return False  # one that was left standing in another conversation is no reason
            if instance.state is not State.DECLINED:
                continue
            refused += 1
            if here or instance.slot == NEVER:
                return False
            if instance.moved_at is not None and instance.moved_at + policy.cool_down > draft.turn.at:
                return False
        return refused < policy.at_most

    async def left_off(self, draft: Draft) -> bool:
        """Say what was under way before, and offer what is paused. False: nothing was, or long ago."""
        if await self._acting.asked.on_greeting(draft):
            return True
        if paused := await self.resumables(draft):
            self._offer_back(draft, paused[0], "resume_offer")
            return True
        definition = self._parts.registry.find(draft.session.memo.focus.process or "")
        again = self._begins(definition) if definition is not None else ""
        if definition is None or not (again or definition.doing):
            return False  # a question that is over is nothing that was under way
        past = await self._parts.store.past(draft.turn.person.id, definition.name)
        last = next((one for one in past if one.session_id == draft.session.id), None)
        if last is None or last.moved_at is None or last.moved_at + RECENTLY < draft.turn.at:
            return False
        doing = definition.doing or f"in the middle of {definition.title}"
        if last.state is State.ABANDONED and again:
            draft.say(self._say("left_stopped", doing=doing, again=again))
        elif last.state is State.COMPLETED:
            draft.say(self._say("left_done", process=definition.title))
        else:
            return False
        return True

    def _begins(self, definition: Definition) -> str:
        """The words that begin it anew; "" where no words do."""
        first = next(iter(definition.starts_on), "")
        return first or (definition.title if definition.process.resumable else "")

    # -- answering one

    def word(self, draft: Draft, pending: Pending, instance: Instance, word: Word) -> Word:
        """What is said to an offer. A part for another person is declined in so many words, never by a bare no."""
        if instance.memo.asked is None or pending.resume:
            return word
        spoken = language(draft.turn.person.locale)
        chosen = choose(draft.message, pending.question.options, language=spoken)
        if word == "never" or (chosen is not None and chosen.value == NO):
            return "never"
        if word == "no" or (chosen is not None and chosen.value == "later"):
            return "no"
        return "yes" if chosen is not None and word == "other" else word

    async def answered(self, draft: Draft, pending: Pending, instance: Instance, word: Word) -> bool:
        """Do what the person said to the open offer. True: the message is still to be answered."""
        if word in ("echo", "question"):
            # A question is no consent and no refusal: the offer stays open for one more turn.
            draft.ask(pending.model_copy(update={"misses": 1}))
            draft.shown = instance.id
            again = self._say("offer_again", question=pending.question.prompt)
            if word == "echo":
                draft.say(again)
                return False
            draft.decision.passed("question", "left open", f"A question: {instance.process} stays offered.")
            draft.reminder = again
            return True
        if instance.memo.asked is not None and not pending.resume and word in ("no", "never"):
            if word == "never":
                await self._acting.asked.decline(draft, instance)
            else:
                self._acting.asked.later(draft, instance)
            return False
        if word == "other":
            self.lapse(draft, instance, resume=pending.resume)
            return True
        if word == "restart":
            draft.ask(None)
            await self._restart(draft, instance)
        elif word == "yes":
            draft.ask(None)
            await self._accept(draft, instance, resume=pending.resume)
        else:
            await self.decline(draft, instance, resume=pending.resume, never=word == "never")
        return False

    async def _accept(self, draft: Draft, instance: Instance, *, resume: bool) -> None:
        if resume:
            await self._acting.resume(draft, instance)
            return
        definition = self._parts.registry.find(instance.process)
        if definition is None:
            draft.move(instance, Trigger.LAPSE, "it is not installed")
            draft.say(self._say("gone_process", process=self._parts.title(instance.process)))
            return
        await self._acting.start(draft, definition, offered=instance, reason="the person said yes")

    async def _restart(self, draft: Draft, instance: Instance) -> None:
        definition = self._parts.registry.find(instance.process)
        if definition is None:
            await self._acting.resume(draft, instance)
            return
        await self._acting.close(draft, instance, "started over")
        draft.say(self._say("restarted", process=definition.title))
        await self._acting.start(draft, definition, prefill={}, reason="started over")

    async def decline(self, draft: Draft, instance: Instance, *, resume: bool, never: bool = False) -> None:
        """No: an offer is declined; a resume offer declines the instance, which is not offered again."""
        title = self._parts.title(instance.process)
        if resume and instance.state is State.ACTIVE:
            draft.ask(None)  # it goes on where it is; only this conversation leaves it alone
            draft.say(self._say("resume_declined", process=title))
            return
        if never:
            instance = instance.evolve(slot=NEVER)
        await self._acting.decline(draft, instance, "never" if never else "the person said no")
        draft.remember(undo=Undo(instance_id=instance.id, seq=draft.turn.seq))
        definition = self._parts.registry.find(instance.process)
        if resume:
            draft.say(self._say("resume_declined", process=title))
        elif definition is not None and definition.starts_on:
            draft.say(self._say("declined", again=definition.starts_on[0]))
        else:
            draft.say(self._say("declined_plainly", process=title))

    def lapse(self, draft: Draft, instance: Instance, *, resume: bool) -> None:
        """Let an offer go without a word."""
        draft.ask(None)
        draft.decision.passed("question", "lapsed", f"The offer of {instance.process} was not taken up.")
        if not resume and instance.memo.asked is None:  # whoever asks for it still waits
            draft.move(instance, Trigger.LAPSE, "the person said something else")


NEVER = "never"  #: the slot of an instance that was declined for good


def _over(instance: Instance, at: datetime) -> bool:
    return instance.due_at is not None and instance.due_at < at


def when(moment: datetime | None, person: Person, at: datetime) -> str:
    """A past moment as a person would name it, in their zone: "earlier today", "Tuesday", "3 March"."""
    if moment is None:
        return "before"
    local, today = moment.astimezone(person.zone), at.astimezone(person.zone)
    days = (today.date() - local.date()) / timedelta(days=1)
    if days <= 0:
        return "earlier today"
    if days < 2:
        return "yesterday"
    if days < 7:
        return f"{local:%A}"
    return f"{local.day} {local:%B}" + ("" if local.year == today.year else f" {local.year}")
