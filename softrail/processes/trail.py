"""Which questions a run has asked, so that "back" finds the one before, and a side question its way home."""

import json
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

from pydantic import BaseModel, Field, TypeAdapter

from softrail.core.questions import Question

MOST = 20  #: questions that are remembered
LARGEST = 32 * 1024  #: bytes of what is remembered of them

#: Made once: `json.dumps` makes a new one for every call that asks for anything unusual.
_SORTED = json.JSONEncoder(sort_keys=True, ensure_ascii=False)


class Stop(BaseModel):
    """One question as it was asked, and what the steps had kept by then."""

    step: str
    at: datetime
    question: Question | None = None  #: as an `Ask` put it; None: its step asks it anew
    asker: str = ""  #: the step whose `Ask` it was
    data: dict[str, Any] = Field(default_factory=dict)
    answers: str = ""  #: a digest of the answers it may have told
    anew: bool = False  #: the person has come back to it: what its answer led to is replaced by the next one

    def question_at(self, now: datetime) -> Question | None:
        """The question as it is put at another time: its default is taken as long after that."""
        question = self.question
        if question is None or question.expires_at is None:
            return question
        return question.model_copy(update={"expires_at": now + (question.expires_at - self.at)})


_STOPS = TypeAdapter(list[Stop])


def stopped(trail: list[Stop], stop: Stop) -> None:
    """Note a question. One that is asked again, of a step that has kept nothing since, is the same one."""
    last = trail[-1] if trail else None
    if last is not None and last.anew and last.step == stop.step:
        return  # what is kept of it stays until it is answered
    if last is None or (last.step, last.data, last.answers) != (stop.step, stop.data, stop.answers):
        trail.append(stop)
        del trail[:-MOST]
    elif stop.asker not in ("", stop.step):
        trail[-1] = stop  # put anew by the step that puts it: it may tell more by now


def digest(answers: Mapping[str, Any]) -> str:
    """The same for the same answers."""
    return sha256(_SORTED.encode(answers).encode()).hexdigest()[:12] if answers else ""


def dumped(trail: list[Stop], *, room: int) -> str:
    """The trail as JSON, without its oldest stops where there is no room for them; "" where there is for none."""
    for start in range(len(trail)):
        found = _STOPS.dump_json(trail[start:], exclude_defaults=True)
        if len(found) <= min(room, LARGEST):
            return found.decode()
    return ""
