"""Messages read over attached data: beside the event loop, and each once, whoever asks in its turn."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import date
from threading import Lock
from typing import Final

from softrail.plans.aside import Aside
from softrail.plans.data.profile import Source
from softrail.plans.forms.form import Form, Question
from softrail.plans.forms.grammar import LONGEST, read
from softrail.plans.forms.revising import revise
from softrail.plans.forms.steps import plan_of
from softrail.plans.plan import Plan

_KEPT: Final = 64  #: readings: those of a turn and of a few others meanwhile

Found = Form | Question | None


class Readings:
    """What messages ask of data. A service: a request is weighed, heard and planned from one reading.

    A source is known by its id: attached again it is another one.
    """

    def __init__(self, aside: Aside) -> None:
        self._aside = aside
        self._one = Lock()
        self._lately: dict[Hashable, Found] = {}
        self.done = 0  #: so many were read

    async def intent(
        self, message: str, sources: Sequence[Source], before: Form | None, today: date
    ) -> tuple[Found, Found]:
        """The message as a request of its own, and as a change of the form before; None: it is no such thing."""
        return await self._aside.run(self._both, message, sources, before, today)

    async def heard(
        self,
        message: str,
        sources: Sequence[Source],
        before: Form | None,
        today: date,
        *,
        chosen: Mapping[str, str],
        surely: bool,
    ) -> tuple[Found, Plan | None]:
        """What it comes to, as a change of the form before or, without one, of its own; and the plan, where it is clear."""
        return await self._aside.run(self._planned, message, sources, before, today, chosen, surely)

    async def words(self, message: str, sources: Sequence[Source], today: date) -> int:
        """How many words of a message name something in the data."""
        if not sources or len(message) > LONGEST or "\n" in message or message.startswith("/"):
            return 0
        found = await self._aside.run(self._read, message, sources, today, {}, True)
        return found.bound if isinstance(found, Question) else 0 if found is None else len(found.reads)

    # -- in a thread

    def _both(
        self, message: str, sources: Sequence[Source], before: Form | None, today: date
    ) -> tuple[Found, Found]:
        new = self._read(message, sources, today, {}, False)
        if isinstance(new, Form) or before is None:
            return new, None
        return new, self._revised(before, message, sources, today, {})

    def _planned(
        self,
        message: str,
        sources: Sequence[Source],
        before: Form | None,
        today: date,
        chosen: Mapping[str, str],
        surely: bool,
    ) -> tuple[Found, Plan | None]:
        if before is None:
            found = self._read(message, sources, today, chosen, surely)
        else:
            found = self._revised(before, message, sources, today, chosen)
        return found, plan_of(found, sources) if isinstance(found, Form) else None

    def _read(
        self, message: str, sources: Sequence[Source], today: date, chosen: Mapping[str, str], surely: bool
    ) -> Found:
        key = (message, *_known(sources, today, chosen), surely)
        return self._once(key, lambda: read(message, sources, today=today, chosen=chosen, surely=surely))

    def _revised(
        self, before: Form, message: str, sources: Sequence[Source], today: date, chosen: Mapping[str, str]
    ) -> Found:
        key = (before, message, *_known(sources, today, chosen))
        return self._once(key, lambda: revise(before, message, sources, today=today, chosen=chosen))

    def _once(self, key: Hashable, work: Callable[[], Found]) -> Found:
        with self._one:
            if key in self._lately:
                return self._lately[key]
        found = work()
        with self._one:
            self.done += 1
            self._lately[key] = found
            if len(self._lately) > _KEPT:
                self._lately.pop(next(iter(self._lately)))
        return found


def _known(sources: Sequence[Source], today: date, chosen: Mapping[str, str]) -> tuple[Hashable, ...]:
    """What a reading rests on besides the words."""
    return tuple(one.id for one in sources), today, frozenset(chosen.items())
