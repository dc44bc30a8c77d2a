"""Groups of notes made by a language model: asked for as data, believed only as far as it can be checked."""

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from softrail import Message, Model, ModelRequest, Prompts
from softrail.companion.memory.checks import shortened
from softrail.companion.memory.clusters import MOST_GROUPS
from softrail.companion.memory.values import Group
from softrail.companion.wall import Wall
from softrail.plugin import ModelUnavailable, form

ASSET: Final = "companion/organise"
MOST_READ: Final = 300  #: notes; more of them are grouped without a model
FEWEST: Final = 3  #: notes; fewer need no model to be seen together
LONGEST_ANSWER: Final = 4_096  #: tokens

_LONGEST_NOTE: Final = 300  #: characters of a note that are read
_LONGEST_LABEL: Final = 80
_LONGEST_SENTENCE: Final = 300

log = logging.getLogger(__name__)


class _Made(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    label: str
    rationale: str
    summary: str
    notes: list[int]


class GroupsMade(BaseModel):
    """The form of an answer: groups of notes."""

    model_config = ConfigDict(extra="forbid", strict=True)

    groups: list[_Made]


async def by_model(model: Model, prompts: Prompts, notes: Mapping[int, str], wall: Wall) -> Sequence[Group]:
    """Groups of these notes, by number; empty when there is no usable answer.

    A number that is no note's is passed over, a note stands in one group only, and what puts no half of the notes
    anywhere is no answer.
    """
    if not FEWEST <= len(notes) <= MOST_READ:
        return ()
    told = [{"number": number, "text": text[:_LONGEST_NOTE]} for number, text in notes.items()]
    request = ModelRequest(
        purpose="organise",
        system=prompts.render(ASSET),
        messages=[Message(role="user", content=json.dumps({"notes": told}, ensure_ascii=False))],
        max_tokens=LONGEST_ANSWER,
        answer_schema=form(GroupsMade),
    )
    try:
        answer = await model.answer(request)
        made = GroupsMade.model_validate_json(answer.text).groups if answer.complete else []
    except (ModelUnavailable, ValidationError) as error:
        log.info("Notes are grouped without a model: %s.", type(error).__name__)
        return ()
    return _checked(made, notes, wall)


def _checked(made: Sequence[_Made], notes: Mapping[int, str], wall: Wall) -> Sequence[Group]:
    left = dict.fromkeys(notes)
    found: list[Group] = []
    labels: set[str] = set()
    for one in made[:MOST_GROUPS]:
        numbers = [number for number in dict.fromkeys(one.notes) if number in left]
        label = _said(one.label, _LONGEST_LABEL, notes, wall)
        if not numbers or not label or label.casefold() in labels:
            continue
        labels.add(label.casefold())
        for number in numbers:
            del left[number]
        group = Group(
            label=label,
            rationale=_said(one.rationale, _LONGEST_SENTENCE, notes, wall),
            summary=_said(one.summary, _LONGEST_SENTENCE, notes, wall),
            count=len(numbers),
            numbers=sorted(numbers),
        )
        found.append(group)
    if 2 * len(left) > len(notes):
        return ()
    return sorted(found, key=lambda group: (-group.count, group.numbers[0]))


def _said(text: str, longest: int, notes: Mapping[int, str], wall: Wall) -> str:
    """Words of a model as people may read them: on one line, behind the wall."""
    return wall.clean(shortened(text, longest), quoting=notes.values()).text
