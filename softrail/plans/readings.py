"""Messages read over attached data: beside the event loop, and each once, whoever asks in its turn."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from threading import Lock
from typing import Final

from softrail.plans.aside import Aside
from softrail.plans.data.profile import Source
from softrail.plans.forms.describing import described
from softrail.plans.forms.form import Form, Question
from softrail.plans.forms.grammar import read
from softrail.plans.forms.leading import LONGEST
from softrail.plans.forms.listing import lists_them
from softrail.plans.forms.revising import revise
from softrail.plans.forms.steps import plan_of
from softrail.plans.plan import Plan

_KEPT: Final = 64  #: readings: those of a turn and of a few others meanwhile

Found = Form | Question | None


@dataclass(frozen=True, slots=True)
class Said:
    """A message, and everything that its reading over data rests on."""

    message: str
    sources: Sequence[Source]
    today: date
    before: Form | None = None  #: what it may change
    chosen: Mapping[str, str] = field(default_factory=dict)  #: what was answered to questions before
    surely: bool = False  #: that it is a request is known
    waits: bool = False  #: the plan that it may change waits for a yes

    @property
    def key(self) -> Hashable:
        """The same as something that can be looked up."""
        known = tuple(one.id for one in self.sources), self.today, frozenset(self.chosen.items())
        return self.message, *known, self.before, self.surely, self.waits


class Readings:
    """What messages ask of data. A service: a request is weighed, heard and planned from one reading.

    A source is known by its id: attached again it is another one.
    """

    def __init__(self, aside: Aside) -> None:
        self._aside = aside
        self._one = Lock()
        self._lately: dict[Hashable, Found] = {}
        self.done = 0  #: so many were read

    async def intent(self, said: Said) -> tuple[Found, Found]:
        """The message as a request of its own, and as a change of the form before; None: it is no such thing."""
        return await self._aside.run(self._both, said)

    async def heard(self, said: Said) -> tuple[Found, Plan | None]:
        """What it comes to, as a change of the form before or, without one, of its own; and the plan, where it is clear."""
        return await self._aside.run(self._planned, said)

    async def words(self, said: Said) -> int:
        """How many words of a message name something in the data."""
        message = said.message
        if not said.sources or len(message) > LONGEST or "\n" in message or message.startswith("/"):
            return 0
        found = await self._aside.run(self._read, replace(said, before=None, surely=True))
        return found.bound if isinstance(found, Question) else 0 if found is None else len(found.reads)

    async def described(self, message: str, sources: Sequence[Source]) -> str:
        """What each column holds that the message asks about; "" where it asks for anything else."""
        return await self._aside.run(described, message, sources)

    # -- in a thread

    def _both(self, said: Said) -> tuple[Found, Found]:
        if said.before is not None and lists_them(said.message):  # of what is told
            return None, self._read(said)
        new = self._read(replace(said, before=None))
        if isinstance(new, Form) or said.before is None or (new is not None and new.whole):
            return new, None
        return new, self._read(said)

    def _planned(self, said: Said) -> tuple[Found, Plan | None]:
        found = self._read(said)
        return found, plan_of(found, said.sources) if isinstance(found, Form) else None

    def _read(self, said: Said) -> Found:
        """What was read of the same lately, else what is read now."""
        if said.before is not None and said.surely:  # a change is one, however it is known
            said = replace(said, surely=False)
        with self._one:
            if said.key in self._lately:
                return self._lately[said.key]
        found = _read(said)
        with self._one:
            self.done += 1
            self._lately[said.key] = found
            if len(self._lately) > _KEPT:
                self._lately.pop(next(iter(self._lately)))
        return found


def _read(said: Said) -> Found:
    message, sources, today, chosen = said.message, said.sources, said.today, said.chosen
    if said.before is not None:
        return revise(said.before, message, sources, today=today, chosen=chosen, waits=said.waits)
    return read(message, sources, today=today, chosen=chosen, surely=said.surely)
