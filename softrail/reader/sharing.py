"""Which answer gets which words of a message: the likeliest first, and no words twice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from softrail.core.reading import Command, Value, log_odds
from softrail.language import normal
from softrail.reader.clauses import head_before
from softrail.reader.fields import Span, is_typed
from softrail.reader.heard import TOLD, Heard, Seen

_CALLED: Final = 0.5  #: from here on a value of an answer that is called by its name is kept
_ASKED: Final = 0.45  #: from here on it is asked whether it is one
_CHANGED: Final = 0.6  #: from here on an answer is changed
_NEXT: Final = 1.0  #: log odds by which the answer that is asked for next is preferred
APART: Final = 0.7  #: log odds by which one must be ahead of another that the same words may give
_MOST: Final = 3  #: answers that are asked about


@dataclass(frozen=True, kw_only=True, slots=True)
class Shared:
    """What a message gives, changes and may give."""

    commands: tuple[Command, ...]
    spans: tuple[tuple[str, Span], ...]  #: where those values stand, by field
    beside: tuple[Value, ...]  #: what else may be told
    torn: tuple[Value, ...]  #: called by their names, and their words answer the open question as well


def shared_out(seen: Sequence[Seen], heard: Heard) -> Shared:
    """The values that are sure, where they stand, what else may be told, and what answers the open question as well."""
    following = heard.following if heard.reading else None

    def rank(one: Seen) -> float:
        return log_odds(one.likely) + (_NEXT if one.field.name == following else 0.0)

    ranked = sorted(seen, key=lambda one: (not one.named, -rank(one)))
    taken: list[Seen] = []
    beside: list[Value] = []
    torn: list[Value] = []
    commands: list[Command] = []
    for one in ranked:
        if any(one.touches(other.span) for other in taken):
            continue
        rivals = [
            r
            for r in ranked
            if r is not one and r not in taken and one.touches(r.span)
            if not (one.named and not r.named) and rank(one) - rank(r) < APART
        ]
        changes = one.field.given and not one.value.adds
        least = _CALLED if one.named else _CHANGED if one.field.given else TOLD
        sure = one.likely >= least and not rivals
        if _answers_the_question(one, heard, sure=sure) and not changes:
            torn += [one.value] if one.named else []
            continue
        if changes:
            commands.append(Command.of_another(_changed(one, rivals), changes=True))
        elif sure:
            commands.append(Command.of_another(one.value, changes=False))
        elif one.likely >= _ASKED:
            near = [r.value for r in ranked if r is not one and not r.field.given and r.touches(one.span)]
            beside += [one.value, *(v for v in near if v.confidence >= heard.bars.doubt)]
        else:
            continue
        taken.append(one)
    return Shared(
        commands=tuple(commands),
        spans=tuple((one.field.name, one.span) for one in taken),
        beside=tuple(dict.fromkeys(beside))[:_MOST],
        torn=tuple(torn),
    )


def _answers_the_question(one: Seen, heard: Heard, *, sure: bool) -> bool:
    """The same words answer what is asked; an option beside that tells its own: "the tap in the garden"."""
    here = heard.here
    if not heard.reading or not one.touches((here.start, here.end)) or here.given < one.likely:
        return False
    if one.field.options and heard.place.wanted == "text":
        return False
    behind = head_before(heard.message, here.start, [one.span]) is not None
    own = is_typed(one.field) or one.end >= here.end
    return not (behind and own and sure)


def _changed(one: Seen, rivals: Sequence[Seen]) -> Value:
    """The new value, with what else the same words may change."""
    also = tuple(replace(r.value, rivals=()) for r in rivals)
    there = [normal(item) for item in one.field.items]  # is not added once more
    adds = [replace(r, confidence=one.likely) for r in one.value.rivals if normal(r.text) not in there]
    return replace(one.value, rivals=(*adds, *also))
