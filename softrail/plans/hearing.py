"""What is said where a plan was spoken of last, or where data is attached: what is meant for plans is likelier then."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from softrail import Intent, IntentDefinition, Model
from softrail.companion.catalogue import PROCESS_LENGTH, PROCESS_USE, PROGRESS, SUMMARISE
from softrail.companion.clauses import COMPLAINT
from softrail.plans.data.sources import Sources
from softrail.plans.intents import (
    CANCEL,
    DETAIL,
    INTENTS,
    NEW,
    REDO,
    STATUS,
    SUMMARY,
    stops,
)
from softrail.plans.readings import Readings
from softrail.plans.requests import PATIENCE
from softrail.plugin import GENERAL, HELP, Classifier, SqlStore, language, now

_PROCESS: Final = "planning"
_END: Final = 2**62  #: beyond every item of a conversation
_AGAIN: Final = f"{GENERAL}.redo"
_THANKS: Final = f"{GENERAL}.thanks"
#: What a plan has none of.
_THEIRS: Final = re.compile(r"\b(?:projects?|notes?|drafts?|docs?)\b", re.IGNORECASE)
_SHOWN: Final = re.compile(
    r"\b(?:this|that|it|these|those|numbers?|figures?|results?|values?)\b", re.IGNORECASE
)
_MEANING: Final = re.compile(r"\b(?:means?|meant|explain|understand)\b", re.IGNORECASE)
_SPOKEN_TO: Final = re.compile(r"\b(?:you|your|i|me)\b", re.IGNORECASE)

#: So many times likelier than elsewhere is what is meant for the plan that was spoken of last. What is asked about is not.
LIKELIER: Final = {one.name: 3.0 for one in INTENTS if not one.surely}
#: What is meant of a plan by words that the companion has for its own: "sum it up", "any progress?", "that can't be right".
_MEANT: Final = {SUMMARISE: SUMMARY, PROGRESS: STATUS, COMPLAINT: DETAIL, HELP: DETAIL, _AGAIN: REDO}
#: What is asked of questions that somebody answers; a plan asks none, and "how far along are you?" is about its steps.
_OF_QUESTIONS: Final = frozenset({PROCESS_LENGTH, PROCESS_USE})


#: What a request is, where there is no plan yet; and by so much a word of the attached data makes it likelier.
_REQUEST: Final = next(one for one in INTENTS if one.name == NEW)
_BY_A_WORD: Final = 30.0
_MOST_WORDS: Final = 2  #: further words make it no likelier


class PlanningClassifier:
    """The given classifier, told whether a plan was spoken of last. Implements the `Classifier` promise."""

    def __init__(self, inner: Classifier, store: SqlStore, sources: Sources, readings: Readings) -> None:
        self._inner = inner
        self._store = store
        self._sources = sources
        self._readings = readings

    async def classify(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        *,
        model: Model | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Intent:
        """The intent among `candidates`; besides, that something is wanted of the data that is attached."""
        found = await self._heard(message, candidates, model, context)
        if found.also or (found.sure and found.name.partition(".")[0] != GENERAL) or found.name == _THANKS:
            return found
        return await self._of_data(message, found, candidates, context or {}) or found

    async def _of_data(
        self,
        message: str,
        found: Intent,
        candidates: Sequence[IntentDefinition],
        known: Mapping[str, Any],
    ) -> Intent | None:
        """Words of the attached data make a request likelier; then it is one, and what is not clear of it is asked."""
        session_id = known.get("session_id")
        talks = any(one.name.startswith(f"{GENERAL}.") for one in candidates)
        if not talks:  # what is talk is learned from examples of it, and there are none
            return None
        if not isinstance(session_id, str) or _THEIRS.search(message) or language().consent(message) == "yes":
            return None
        words, sources = 0, await self._sources.of(session_id)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                words = await self._readings.words(message, sources, now().date())
        if not words:
            return None
        others = [one for one in candidates if one.name != NEW]
        weighed = {**known, "likelier": {NEW: _BY_A_WORD ** min(words, _MOST_WORDS)}}
        again = await self._inner.classify(message, [*others, _REQUEST], context=weighed)
        if again.name != NEW:
            return None
        why = f"{found.explanation}; it has words of the attached data".lstrip("; ")
        return replace(again, confidence=1.0, tier="pattern", ambiguous=False, missing=(), explanation=why)

    async def _heard(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        model: Model | None,
        context: Mapping[str, Any] | None,
    ) -> Intent:
        known = dict(context or {})
        there = NEW in {one.name for one in candidates}
        if not there or _says_nothing_of_it(message) or not await self._spoke_last(known):
            found = await self._inner.classify(message, candidates, model=model, context=context)
            if found.name != CANCEL or not stops(message):
                return found
            why = f"{found.explanation}; nothing runs"  # of what does the process knows the words
            return replace(found, name=GENERAL, parameters={}, ambiguous=False, missing=(), explanation=why)
        known["likelier"] = LIKELIER
        likely = [one for one in candidates if one.name not in _OF_QUESTIONS]
        found = await self._inner.classify(message, likely, model=model, context=known)
        meant = _MEANT.get(found.name)
        if meant is None or found.also or (meant == DETAIL and not _points_at_it(message, found.name)):
            return found
        why = f"{found.explanation}; the plan was spoken of last"
        return replace(found, name=meant, parameters={}, ambiguous=False, missing=(), explanation=why)

    async def _spoke_last(self, known: Mapping[str, Any]) -> bool:
        """The last words of the companion in the conversation were about a plan."""
        person_id, session_id = known.get("person_id"), known.get("session_id")
        if not isinstance(person_id, str) or not isinstance(session_id, str):
            return False
        last = await self._store.items(person_id, session_id=session_id, before=_END, limit=1)
        return bool(last) and last[-1].process == _PROCESS


def _says_nothing_of_it(message: str) -> bool:
    """A bare yes, no or stop, and what speaks of notes or projects, is meant as it is elsewhere."""
    return (
        language().consent(message) in ("yes", "no") or stops(message) or _THEIRS.search(message) is not None
    )


def _points_at_it(message: str, read_as: str) -> bool:
    """It doubts what was shown, and does not scold whoever showed it; or asks what that means, and not for help."""
    points = _SHOWN.search(message) is not None and _SPOKEN_TO.search(message) is None
    return points and (read_as != HELP or _MEANING.search(message) is not None)
