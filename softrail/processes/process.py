"""The base class of every guided process: what an author may say, each with its default."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, Literal

from softrail.core.intents import IntentDefinition
from softrail.core.outcomes import Drafted, Outcome
from softrail.core.reading import Layer
from softrail.core.turns import Turn
from softrail.processes.asking import Contract

OnNewVersion = Literal["migrate", "restart", "finish"]

#: Whether a paused process comes back by itself once what it was paused for is over: when that is done ("asked"),
#: however it ended ("always"), or "never".
ComesBack = Literal["asked", "always", "never"]

#: For whom there is only one run at a time: a second start goes to the one that is there.
OneFor = Literal["session", "person"]


@dataclass(frozen=True, kw_only=True, slots=True)
class OfferPolicy:
    """How often a process may be offered unasked."""

    cool_down: timedelta = timedelta(days=1)  #: between two offers, after a "not now"
    at_most: int = 3  #: offers to one person, ever


class Process:
    """A guided process: `class Standup(Process, name="standup", version=1)`.

    Give it a pydantic model `Answers` and `complete`, or steps of its own marked with `@step`, or both. There
    is one instance per registered class, without state: everything it knows of a conversation it is handed.
    Constructor arguments are filled from the application's services by their annotations.

    With `confirm = False`, in the class or beside its name, `complete` follows the last answer without a
    summary. (It is not declared here because `confirm` is a good name for a step.)
    """

    name: ClassVar[str] = ""
    version: ClassVar[int] = 1
    title: ClassVar[str] = ""  #: in a sentence: "the standup"; omitted: made from the name
    doing: ClassVar[str] = (
        ""  #: after "you were": "setting up your projects"; omitted: "in the middle of TITLE"
    )
    description: ClassVar[str] = ""  #: omitted: the first line of the docstring

    idle_timeout: ClassVar[timedelta | None] = timedelta(minutes=30)
    freshness: ClassVar[timedelta | None] = None  #: older answers are asked again after a pause
    retention: ClassVar[timedelta | None] = None  #: how long a paused run is kept; None: as the settings say
    priority: ClassVar[int] = 100
    contract: ClassVar[Contract] = "exclusive"
    takes_anything: ClassVar[bool] = False
    reads: ClassVar[Layer] = (
        "model"  #: how far answers are read: "exact" words only, "learned", or also a "model"
    )
    starts_on: ClassVar[tuple[str, ...]] = ()  #: examples of asking for it
    ends_on: ClassVar[
        tuple[str, ...]
    ] = ()  #: whole messages that say "that is all": the summary comes, and they agree to it
    names: ClassVar[tuple[str, ...]] = ()  #: other names people use for it
    becomes: ClassVar[str] = (
        ""  #: what is done with what is told, and who sees it, as a sentence for who asks
    )
    subject: ClassVar[tuple[str, ...]] = ()  #: words of its own subject: never off-topic here
    confirm_step: ClassVar[str] = "confirming"
    on_new_version: ClassVar[OnNewVersion] = "restart"
    resumable: ClassVar[bool] = True  #: paused runs are offered back
    comes_back: ClassVar[ComesBack] = "asked"  #: after what the person asked for in the middle of it
    pausable: ClassVar[bool] = True  #: another process asked for pauses it; False: it waits underneath that
    leaves_by: ClassVar[str | None] = None  #: the step that is told when the person leaves, before it is left
    one: ClassVar[OneFor | None] = None  #: one run at a time: a second start goes to the one that is there
    intents: ClassVar[
        tuple[IntentDefinition, ...]
    ] = ()  #: of its own: a step marked `@step(intent=…)` takes each
    slashes: ClassVar[Mapping[str, str]] = {}  #: slash words of its own, each with one of its intents
    offers: ClassVar[OfferPolicy] = OfferPolicy()
    offer_text: ClassVar[str] = ""  #: the default text of `PROCESS/offer`
    sentences: ClassVar[
        Mapping[str, str]
    ] = {}  #: default texts of the assets `PROCESS/NAME` that its steps say

    def __init_subclass__(
        cls, *, name: str = "", version: int | None = None, confirm: bool | None = None, **kwargs: Any
    ) -> None:
        super().__init_subclass__(**kwargs)
        if confirm is not None:
            type.__setattr__(cls, "confirm", confirm)
        if name:
            cls.name = name
        if version is not None:
            cls.version = version

    async def complete(self, answers: Any, turn: Turn, *more: Any, **wanted: Any) -> Outcome:
        """What to do with the answers, once confirmed. A subclass declares `answers: Answers`.

        Further parameters are filled by their annotations: the model of the steps' data, and services.
        """
        raise NotImplementedError(f"{type(self).__qualname__} has no complete().")

    async def summary(self, answers: Any, turn: Turn) -> str | None:
        """The summary to confirm, in better words; None: the plain one, made from what was captured."""
        return None

    def prefill(self, said: Turn) -> dict[str, Any]:
        """Answers, or data, that the message it started with gives already.

        Where a process has none of its own, numbers, dates, times and options are found in it.
        """
        return {}

    async def offer_when(self, turn: Turn) -> bool:
        """Whether to offer it now, unasked. One yes/no question; it asks for no data."""
        return False

    def recognise(self, words: str, *more: Any, **wanted: Any) -> Any:
        """Which of its own `intents` a message is for certain; None: the classifier is asked.

        Plain, or `async` where it has to look something up; with a second parameter it is handed the turn. It is asked
        before any model, but after the ways out, which no process can take away.
        """
        return None

    def slot(self, data: Any) -> str:
        """Which of several runs this is; one run may be paused per process, person and slot."""
        return ""

    def kept(self, data: Any) -> str:
        """What is kept so far, in one sentence; omitted: made from the answers."""
        return ""

    def drafted(self, data: Any) -> Drafted | None:
        """The text this run is working on, sent with every reply of its; None: it works on none."""
        return None

    def refresh(self, data: Any, older_than: datetime) -> Outcome | None:
        """Asked on resume when there is a `freshness`: `Goto(step, data=…)` asks again for what is stale.

        Answers need no such method: those captured before `older_than` are asked again by themselves.
        """
        return None

    @classmethod
    def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
        """State and step of an older version in the form of this one, for `on_new_version = "migrate"`.

        `data` holds answers and data of the older version in one flat dictionary.
        """
        raise NotImplementedError(f"{cls.__qualname__} has no migrate().")
