"""Which questions a run has asked, so that "back" finds the one before, and a side question its way home."""

import json
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Self

from pydantic_core import to_json

from softrail.core.questions import Question

MOST = 20  #: questions that are remembered
LARGEST = 32 * 1024  #: bytes of what is remembered of them

#: Made once: `json.dumps` makes a new one for every call that asks for anything unusual.
_SORTED = json.JSONEncoder(sort_keys=True, ensure_ascii=False)


class Stop:
    """One question as it was asked, and what the steps had kept by then: a view of what is kept of it.

    Few are ever asked again, and all are read and written at every turn: until then they stay JSON values.
    """

    __slots__ = ("kept",)

    def __init__(self, kept: dict[str, Any]) -> None:
        self.kept = kept

    @classmethod
    def of(
        cls,
        step: str,
        at: datetime,
        *,
        question: Question | None = None,
        asker: str = "",
        data: Mapping[str, Any] | None = None,
        answers: str = "",
    ) -> Self:
        """A question that is asked now.

        Args:
            step: The step that it belongs to.
            at: When it is asked.
            question: As an `Ask` put it; None: its step asks it anew.
            asker: The step whose `Ask` it was.
            data: What the steps had kept by then.
            answers: A digest of the answers it may have told.
        """
        put = None if question is None else question.model_dump(mode="json", exclude_defaults=True)
        beside = {"question": put, "asker": asker, "data": data, "answers": answers}
        return cls({"step": step, "at": at.isoformat(), **{name: it for name, it in beside.items() if it}})

    @property
    def step(self) -> str:
        """The step that it belongs to."""
        return self.kept["step"]  # type: ignore[no-any-return] # written by `of`

    @property
    def asker(self) -> str:
        """The step whose `Ask` it was."""
        return self.kept.get("asker", "")  # type: ignore[no-any-return] # written by `of`

    @property
    def is_put(self) -> bool:
        """An `Ask` put it: its step cannot ask it anew."""
        return "question" in self.kept

    @property
    def data(self) -> dict[str, Any]:
        """What the steps had kept by then."""
        return self.kept.get("data", {})  # type: ignore[no-any-return] # written by `of`

    @property
    def answers(self) -> str:
        """A digest of the answers it may have told."""
        return self.kept.get("answers", "")  # type: ignore[no-any-return] # written by `of`

    @answers.setter
    def answers(self, known: str) -> None:
        self.kept["answers"] = known

    @property
    def anew(self) -> bool:
        """The person has come back to it: what its answer led to is replaced by the next one."""
        return "anew" in self.kept

    @anew.setter
    def anew(self, it_is: bool) -> None:
        if it_is:
            self.kept["anew"] = True
        else:
            self.kept.pop("anew", None)

    def question_at(self, now: datetime) -> Question | None:
        """The question as it is put at another time: its default is taken as long after that."""
        if not self.is_put:
            return None
        question = Question.model_validate(self.kept["question"])
        if question.expires_at is None:
            return question
        asked = datetime.fromisoformat(self.kept["at"])
        return question.model_copy(update={"expires_at": now + (question.expires_at - asked)})


def stopped(trail: list[dict[str, Any]], stop: Stop) -> None:
    """Note a question. One that is asked again, of a step that has kept nothing since, is the same one."""
    last = Stop(trail[-1]) if trail else None
    if last is not None and last.anew and last.step == stop.step:
        return  # what is kept of it stays until it is answered
    if last is None or (last.step, last.data, last.answers) != (stop.step, stop.data, stop.answers):
        trail.append(stop.kept)
        del trail[:-MOST]
    elif stop.asker not in ("", stop.step):
        trail[-1] = stop.kept  # put anew by the step that puts it: it may tell more by now


def digest(answers: Mapping[str, Any]) -> str:
    """The same for the same answers."""
    return sha256(_SORTED.encode(answers).encode()).hexdigest()[:12] if answers else ""


def dumped(trail: list[dict[str, Any]], *, room: int) -> str:
    """The trail as JSON, without its oldest stops where there is no room for them; "" where there is for none."""
    for start in range(len(trail)):
        found = to_json(trail[start:])
        if len(found) <= min(room, LARGEST):
            return found.decode()
    return ""
