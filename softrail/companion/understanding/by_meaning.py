"""Notes that may answer a question in words of their own: "who fixed the oven?", "when can I see my professor?".

Compared by the sentence encoder that reads intents. What is near in meaning is shown as what may answer, never as what does.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from softrail import Intent
from softrail.companion.catalogue import LEFT_OFF, WORLD_NOW
from softrail.companion.memory.service import Notes
from softrail.companion.memory.values import Note
from softrail.companion.understanding.answering import looked_up
from softrail.companion.understanding.phrases import phrases
from softrail.plugin import GENERAL

Encode = Callable[[Sequence[str]], Any]  #: texts to rows of unit vectors

_NEWEST: Final = (
    12  #: notes that are compared besides those with words of the question; each costs milliseconds once
)
_WITH_WORDS: Final = 4
_SHOWN: Final = 2  #: notes that may answer one question
_BESIDE: Final = 0.06  #: how much less near the second may be
#: How near a note has to be, by what the question was read as: of the first nothing is known that would answer it.
_NEAR: Final[Mapping[str, float]] = {
    GENERAL: 0.45,
    LEFT_OFF: 0.48,
    f"{GENERAL}.knowledge": 0.46,
    **dict.fromkeys((WORLD_NOW, f"{GENERAL}.small_talk", f"{GENERAL}.not_served"), 0.52),
}


class ByMeaning:
    """Looks for notes near a question in meaning; without an encoder it finds none."""

    def __init__(self, notes: Notes, encode: Encode | None) -> None:
        self._notes = notes
        self._encode = encode

    async def may_answer(
        self, person_id: str, project_id: str, question: str, found: Intent
    ) -> Intent | None:
        """The look at the notes that may answer a question which nothing surely does; None where none is near."""
        bar = _NEAR.get(found.name)
        plain = found.confidence < 1.0 and not found.also and found.tier != "model"
        asks = phrases().asks_what(question) or (
            phrases().asks(question) and not phrases().notes.is_polite(question)
        )
        if self._encode is None or bar is None or not plain or not asks:
            return None
        near = await self._near(person_id, project_id, question)
        best = max(near.values(), default=0.0)
        if best < bar:
            return None
        numbers = sorted((n for n, value in near.items() if value >= best - _BESIDE), key=lambda n: -near[n])
        what: dict[str, object] = {"numbers": numbers[:_SHOWN], "may": True, "project_id": project_id}
        return looked_up(found, what, f"a note is {best:.2f} near it in meaning")

    async def _near(self, person_id: str, project_id: str, question: str) -> Mapping[int, float]:
        notes: list[Note] = list(await self._notes.about(person_id, project_id, question, limit=_WITH_WORDS))
        newest = await self._notes.list(person_id, project_id, newest_first=True, limit=_NEWEST)
        texts = {note.number: note.text for note in (*notes, *newest)}
        if not texts or self._encode is None:
            return {}
        asked, *rows = await asyncio.to_thread(self._encode, [question, *texts.values()])
        return {number: float(asked @ row) for number, row in zip(texts, rows, strict=True)}
