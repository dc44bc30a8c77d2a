"""Which process a message may want whose answers it gives, in whatever words it begins: "we marry on 10 July, 60 guests".

Words that start a process are few, and people begin in their own. What they tell is read for the answers of each process
that can be started; who tells two of one hardly speaks of anything else.
"""

from collections.abc import Sequence
from typing import Final

from softrail.core.intents import Candidate, Intent
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.processes import Definition

_FEWEST: Final = 5  #: words in which two answers can be told
_LEAST: Final = 2.0  #: answers that are given
_MAY_BE: Final = 0.5  #: what an answer counts that may be given
_LIKELY: Final = 2.0  #: what the likelihood of the start itself counts
_MOST: Final = 12  #: forms that are read, each in some ten milliseconds
_AHEAD: Final = 1.5  #: by so much one process must be ahead of another to be asked about alone


class ByAnswers:
    """Reads a message that nobody understood over the forms of the processes that can be started."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def wanted(self, draft: Draft, intent: Intent) -> Sequence[Candidate]:
        """The starts whose answers it gives, the likeliest first; none where it gives hardly two of any."""
        if len(draft.message.split()) < _FEWEST:
            return ()
        likely = {one.intent: one.confidence for one in intent.candidates}
        told: list[tuple[float, str]] = []
        registry = self._parts.registry
        started = [one for one in registry.definitions() if registry.route(f"start_{one.name}") is not None]
        started.sort(key=lambda one: -likely.get(f"start_{one.name}", 0.0))  # and else by priority
        for definition in started[:_MOST]:
            start, many = f"start_{definition.name}", await self._told(draft, definition)
            if many >= _LEAST:
                told.append((many + _LIKELY * likely.get(start, 0.0), start))
        told.sort(key=lambda one: (-one[0], one[1]))
        return [Candidate(intent=start, confidence=0.5) for many, start in told if told[0][0] - many < _AHEAD]

    async def _told(self, draft: Draft, definition: Definition) -> float:
        """How many of its answers the message gives."""
        parts, turn = self._parts, draft.turn
        openings = parts.conductor.openings(definition, turn)
        if not openings:
            return 0.0
        reading = await parts.reader.read(turn.message, openings[0], locale=turn.person.locale)
        given, may_be = parts.conductor.given_already(definition, turn, [reading])
        return len(given) + _MAY_BE * len(may_be)
