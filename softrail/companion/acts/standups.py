"""Standups of a period, by conversation: what was said on a day, in a week, since a day."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, Final

from softrail import Intent, Prompts, Records, RouteResult, StoredRecord, Turn
from softrail.companion.understanding.phrases import phrases

MOST_TOLD: Final = 10
_FIELDS: Final = ("yesterday", "today", "blockers")


class Standups:
    """The handler of the intent that tells them."""

    def __init__(self, records: Records, prompts: Prompts) -> None:
        self._records = records
        self._prompts = prompts

    async def told(self, turn: Turn, intent: Intent) -> RouteResult:
        """The person's own standups of the period that is named, the newest first; without one, the last few."""
        kept = await self._records.list(turn.person.id, "standup")
        if not kept:
            return self._say("standups_none")
        days = phrases().period(turn.message, at=turn.at, zone=turn.person.zone)
        found = [one for one in kept if days is None or days[0].isoformat() <= one.key <= days[1].isoformat()]
        if not found:
            assert days is not None  # noqa: S101 - without a period all are found
            return self._say("standups_none_then", period=_spoken(days))
        found = sorted(found, key=lambda one: one.key, reverse=True)
        told = "\n\n".join(self._one(one) for one in found[:MOST_TOLD])
        if more := len(found) - MOST_TOLD:
            told = (
                f"{told}\n\n{self._prompts.render('replies/past_input_more', count=str(more))}"
                if more > 0
                else told
            )
        return self._say("standups", standups=told)

    def _one(self, kept: StoredRecord) -> str:
        lines = [f"{kept.key}"]
        for name in _FIELDS:
            items: Sequence[Any] = kept.data.get(name) or []
            if items:
                lines.append(f"- {name.capitalize()}: {'; '.join(str(item) for item in items)}")
        return "\n".join(lines)

    def _say(self, reply: str, **values: str) -> RouteResult:
        return RouteResult(text=self._prompts.render(f"replies/{reply}", **values))


def _spoken(days: tuple[date, date]) -> str:
    first, last = days
    return first.isoformat() if last - first < timedelta(days=1) else f"{first} to {last}"
