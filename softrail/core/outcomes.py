"""What a step returns: a frozen value that says how the step is left.

Every outcome takes `data` (the new state; omitted: unchanged) and `effects`. Where `say` is a list, each text of it is
a message of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from pydantic import BaseModel

from softrail.core.effects import AnyEffect
from softrail.core.questions import Option

DEEPEST: Final = 5  #: calls within calls


@dataclass(frozen=True, slots=True)
class Outcome:
    """The parent of all outcomes; compared by value."""

    data: Any = field(default=None, kw_only=True)
    effects: Sequence[AnyEffect] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True)
class Ask(Outcome):
    """Say this and wait for the answer. It goes to `step`, or to the step that asked."""

    text: str
    say: str | Sequence[str] = field(
        default="", kw_only=True
    )  #: said once before the question, not when it is asked again
    step: str | None = field(default=None, kw_only=True)
    options: Sequence[str | Option] = field(default=(), kw_only=True)
    kind: Literal["ask", "confirm", "approve", "clarify"] = field(default="ask", kw_only=True)
    tail: bool = field(default=False, kw_only=True)  #: only "looks good" is missing
    default_after: timedelta | None = field(default=None, kw_only=True)
    polish: bool = field(default=False, kw_only=True)  #: a model may phrase it; plain if that fails
    takes_anything: bool = field(default=False, kw_only=True)  #: free text of any kind, also beside `options`
    skippable: bool = field(
        default=False, kw_only=True
    )  #: it may be left out: the step is told by `said.skipped`
    several: bool = field(
        default=False, kw_only=True
    )  #: one thing, several or none may answer it: "that's all" is heard as none
    payload: Any = field(
        default=None, kw_only=True
    )  #: JSON for the client, with every reply while this is open


@dataclass(frozen=True, slots=True)
class Goto(Outcome):
    """Continue at `step` now, after saying `say`; the answers in `forget` are no longer given."""

    step: str
    say: str | Sequence[str] = field(default="", kw_only=True)
    forget: Sequence[str] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True)
class Wait(Outcome):
    """Stay at `step`, or at the step that waits, without a question, until something happens outside.

    A signal, or the time `until`, runs a step. The session is free meanwhile.
    """

    say: str | Sequence[str] = field(default="", kw_only=True)
    step: str | None = field(default=None, kw_only=True)
    until: datetime | timedelta | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Call(Outcome):
    """Let another process do the next part; what comes of it reaches step `then` as `turn.result`."""

    process: str
    prefill: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    then: str = field(kw_only=True)
    say: str | Sequence[str] = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class Assign(Outcome):
    """Let another person do the next part; what comes of it reaches step `then` as `turn.result`.

    The session is free meanwhile. At `until` (a time or a duration) the part is withdrawn and goes to
    `substitute`, who has as long; without one, or without an answer of theirs, it is left: "timeout".
    """

    process: str
    to: str = field(kw_only=True)
    prefill: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    then: str = field(kw_only=True)
    until: datetime | timedelta | None = field(default=None, kw_only=True)
    substitute: str | None = field(default=None, kw_only=True)
    say: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class Done(Outcome):
    """The process is complete; these are its last words."""

    text: str
    polish: bool = field(default=False, kw_only=True)
    suggested_actions: Sequence[str] = field(default=(), kw_only=True)
    reroute: "Sequence[Reroute]" = field(default=(), kw_only=True)  #: then route these earlier turns again
    project_id: str | None = field(default=None, kw_only=True)  #: the project it was about or has made
    value: Any = field(default=None, kw_only=True)  #: for whoever called the process, as JSON holds it
    payload: Any = field(default=None, kw_only=True)  #: JSON for the client, with this reply


@dataclass(frozen=True, slots=True)
class Decline(Outcome):
    """The person said no to the first question; these words say how to come back."""

    text: str


@dataclass(frozen=True, slots=True)
class Release(Outcome):
    """This turn is not mine: it is answered the normal way.

    The process stays and asks again, unless `close` ends it (abandoned) or `suspend` pauses it. Where a signal
    or an intent of the process's own ran the step, everything stays as it was; `say` is said.
    """

    say: str = field(default="", kw_only=True)  #: a short prefix to the answer
    close: bool = field(default=False, kw_only=True)
    suspend: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """What a process is working on: the text, and what it adds to replies that tell of it."""

    text: str = ""
    reply: BaseModel | None = None  #: of a model that is announced under `softrail.reply`


@dataclass(frozen=True, slots=True, kw_only=True)
class Reroute:
    """Route the turn `message` as if it had been clear: with this intent and these parameters."""

    message: str
    intent: str
    parameters: dict[str, Any] = field(default_factory=dict)
    project_id: str | None = None
    told: str | None = None  #: the parameter told last: all are checked, and what is missing is asked for
    tries: int = 0  #: how often what was told for it could not be used
