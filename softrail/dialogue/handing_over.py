"""A person is wanted instead of the program: the conversation goes to one, or it is said where one is to be had."""

from typing import Final

from softrail.core.effects import Effect
from softrail.core.instances import Instance
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft

HANDOVER: Final = "handover"  #: the kind of the effect that hands a conversation to a person
TOLD: Final = 20  #: items of the conversation that they get


async def to_a_person(parts: Parts, draft: Draft, instance: Instance | None = None) -> None:
    """Hand the conversation over, say where a person is to be had, or honestly that there is none here.

    `instance` is what is under way; it stays as it is.
    """
    say = parts.sentences.say
    if parts.hands_over:
        draft.effects.append(await _handover(parts, draft, instance))
        draft.say(say("handed_over"))
    if parts.people_at or not parts.hands_over:
        draft.say(say("human", people=parts.people_at) if parts.people_at else say("no_human"))


async def _handover(parts: Parts, draft: Draft, instance: Instance | None) -> Effect:
    """What a person who takes over needs to know: what was asked, what is kept, and the last words of both."""
    after = max(0, draft.turn.seq - 1 - TOLD)
    said = await parts.store.items(draft.turn.person.id, session_id=draft.session.id, after=after, limit=TOLD)
    asked = instance.question if instance is not None else None
    payload = {
        "message": draft.message,
        "process": instance.process if instance is not None else "",
        "asked": asked.prompt if asked is not None else "",
        "kept": parts.kept(instance) if instance is not None else "",
        "said": [{"role": item.role, "content": item.content} for item in said],
    }
    return Effect(
        kind=HANDOVER, summary=parts.sentences.say("handed_over"), payload=payload, after_commit=True
    )
