"""What came of letting a step act: the conductor's answer to the dispatcher."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from softrail.core.decisions import Captured, Refused
from softrail.core.effects import AnyEffect
from softrail.core.outcomes import Assign, Call, Drafted, Release, Reroute
from softrail.core.questions import Question


@dataclass(frozen=True, kw_only=True, slots=True)
class Played:
    """Where an instance stands after its steps acted, and what they want said and done."""

    step: str
    data: str  #: the new state, JSON
    say: str = ""  #: words for the person, its question included
    messages: Sequence[str] = ()  #: the same in parts, where a step said that they are messages of their own
    question: Question | None = None  #: what it waits for; None when it ended or released the turn
    effects: Sequence[AnyEffect] = ()
    suggested_actions: Sequence[str] = ()
    end: Literal["completed", "declined"] | None = None
    waits: bool = False  #: for something outside, without a question
    waits_until: datetime | None = None
    call: Call | None = None  #: another process does the next part
    assign: Assign | None = None  #: another person does the next part
    value: Any = None  #: of what is completed, for whoever called it
    payload: Any = None  #: of what is completed, for the client
    release: Release | None = None  #: the turn is not its own: answer it the normal way
    project_id: str | None = None  #: the project it was about or has made
    reroute: Sequence[Reroute] = ()  #: it ended and these earlier turns are to be routed
    drafted: Drafted | None = None  #: the text it is working on
    polish: bool = False
    trouble: str = ""  #: what its own code could not do; the turn counts as a failure, what it gave is kept
    why: str = ""  #: one sentence for the decision record, e.g. "captured today"
    prompts: Sequence[str] = ()
    captured: Sequence[Captured] = ()  #: answers that were given, changed or taken back
    refused: Sequence[Refused] = ()  #: answers that could not be used
