"""Where the derived steps of a process go next."""

from dataclasses import dataclass

from softrail.core.outcomes import Decline, Goto, Release
from softrail.core.questions import Question


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """A question is put to the person; `before` are words that precede it."""

    step: str
    question: Question
    before: str = ""
    polish: bool = False
    asker: str = ""  #: the step whose `Ask` put it anew; "" where a step asks it by itself, or once more


@dataclass(frozen=True, slots=True)
class Complete:
    """Everything is answered and confirmed: `complete` is to be called."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Summarise:
    """Everything is answered; the summary is to be shown after `before`."""

    before: str = ""


Move = Waiting | Goto | Decline | Release | Complete | Summarise
