"""What is said where a plan was spoken of last, or where data is attached: what is meant for plans is likelier then."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from softrail import Intent, IntentDefinition, Model
from softrail.companion.catalogue import (
    DOWNLOAD,
    NOT_SERVED,
    PRIVACY,
    PROCESS_LENGTH,
    PROCESS_USE,
    PROGRESS,
    SUMMARISE,
    UPLOAD,
)
from softrail.companion.understanding.clauses import COMPLAINT
from softrail.companion.understanding.phrases import phrases
from softrail.plans.data.profile import Source
from softrail.plans.data.sources import Sources
from softrail.plans.intents import (
    CANCEL,
    DETAIL,
    INTENTS,
    MODE,
    NEW,
    REDO,
    RESET,
    SAMPLE,
    STATUS,
    SUMMARY,
    asks_for_a_deed,
    stops,
)
from softrail.plans.readings import Readings, Said
from softrail.plans.requests import PATIENCE
from softrail.plugin import GENERAL, HELP, Candidate, Classifier, SqlStore, Warms, language, now

_PROCESS: Final = "planning"
_CHOOSING: Final = "choosing"  #: its step that asks which of several is meant
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
_MEANT: Final = {
    SUMMARISE: SUMMARY,
    PROGRESS: STATUS,
    COMPLAINT: DETAIL,
    HELP: DETAIL,
    _AGAIN: REDO,
}
#: What is done with a plan: “what happens if I say redo” does it not.
_COMMANDS: Final = frozenset({CANCEL, MODE, REDO, RESET})
#: What is asked of questions that somebody answers; a plan asks none, and "how far along are you?" is about its steps.
_OF_QUESTIONS: Final = frozenset({PROCESS_LENGTH, PROCESS_USE})


#: What a request is, where there is no plan yet; and by so much a word of the attached data makes it likelier.
_REQUEST: Final = next(one for one in INTENTS if one.name == NEW)
_BY_A_WORD: Final = 30.0
_MOST_WORDS: Final = 2  #: further words make it no likelier
_SURELY: Final = 0.95  #: what a question with words of the data is surely read as is not doubted
_NOT_UNLIKELY: Final = (
    0.1  #: so likely a question with such words is asked of the data, or it is not asked about
)
_ASKED: Final = frozenset({PRIVACY})  #: what else a question is read as that may be one of the data
#: What else has words of the data: that something is so. Nothing is to be worked out then.
TOLD: Final = IntentDefinition(
    name="told",
    description="They tell how something is, and ask for nothing.",
    examples=(
        "the rent was 900 euros last year",
        "we sold thirty tickets on Monday",
        "attendance is down to twelve people now",
        "our costs went up by a tenth after the move",
        "the west has the most members, I believe",
        "orders came in at 240 in April",
        "I heard that the margin was flat in winter",
        "Tom says returns should stay below two percent",
        "by the way, the deposit for the hall was 300",
        "visitors dropped to 80 in the rain",
        "so the average is at 3.5 by now",
        "production costs are around 12 each",
        "the old tariff had been cheaper",
        "we lost two suppliers this spring",
        "sales in the east have doubled since June",
        "last quarter we made 40,000",
    ),
)
#: What data to try things with is asked for with. Among all intents these would take questions about documents and values.
SAMPLE_WANTED: Final = replace(
    next(one for one in INTENTS if one.name == SAMPLE),
    examples=(
        "give me sample data to try it",
        "do you have an example file",
        "I have nothing to analyze, is there a demo table",
        "let me try it with test numbers",
        "is there a data set I can practise on",
        "load the demo data",
        "take invented figures for a trial",
        "I want to see what you can do with example data",
        "got some dummy data for me",
        "can I experiment with a sample spreadsheet",
        "attach an example data set",
        "start with your own test table",
    ),
)
#: Words without which nobody asks for data to try; with them nothing is decided yet.
_OF_SAMPLES: Final = re.compile(
    r"\b(?:data|datasets?|numbers?|figures?|files?|tables?|spreadsheets?|sheets?|csv|samples?|examples?|demo|dummy|something)\b",
    re.IGNORECASE,
)
#: What such a wish is taken for otherwise: to hand over a file, or to be given one.
_OF_FILES: Final = (UPLOAD, DOWNLOAD, "export_my_data")


class PlanningClassifier:
    """The given classifier, told whether a plan was spoken of last. Implements the `Classifier` promise."""

    def __init__(self, inner: Classifier, store: SqlStore, sources: Sources, readings: Readings) -> None:
        self._inner = inner
        self._store = store
        self._sources = sources
        self._readings = readings

    async def warm(self, candidates: Sequence[IntentDefinition]) -> None:
        """Load now what the first message would wait for, where the classifier has something to load."""
        if not isinstance(self._inner, Warms):
            return
        await self._inner.warm(candidates)
        if any(one.name == NEW for one in candidates):
            await self._inner.warm(_likely(candidates))
        if _have_talk(candidates):
            await self._inner.warm(_of_requests(candidates))

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
        if found.also or found.name == _THANKS:
            return found
        sure = found.sure and not found.is_talk and found.name not in _OF_FILES
        if sure and (found.confidence >= _SURELY or found.name not in _ASKED):
            return found
        return await self._of_data(message, found, candidates, context or {}, sure=sure) or found

    async def _of_data(
        self,
        message: str,
        found: Intent,
        candidates: Sequence[IntentDefinition],
        known: Mapping[str, Any],
        *,
        sure: bool,
    ) -> Intent | None:
        """Something is to be worked out of the attached data, or data is wanted to try things with; what is not clear is asked.

        Words of the data make that likelier, and just as much that something of it is only told. A question that has such words
        and that is read as one of somebody else's may be one of the data: where that is not unlikely, it is asked which.
        """
        session_id = known.get("session_id")
        if not _have_talk(candidates):
            return None
        if _THEIRS.search(message) or language().consent(message) == "yes":
            return None
        sources = await self._sources.of(session_id) if isinstance(session_id, str) else ()
        words = await self._words(message, sources)
        # Without data nothing comes of it but what is missing, which helps more than that nobody does it.
        missing = not sources and found.name == NOT_SERVED
        if not words and not missing and (sources or not _OF_SAMPLES.search(message)):
            return None
        likelier = _BY_A_WORD ** min(words, _MOST_WORDS)
        weighed = {**known, "likelier": {NEW: likelier, TOLD.name: likelier}}
        again = await self._inner.classify(message, _of_requests(candidates), context=weighed)
        if sure or (found.sure and again.name != NEW):
            return _either(message, found, again) if words else None
        if again.name == SAMPLE:
            wanted, why = again.sure and not again.ambiguous, "data to try things with is asked for"
        elif missing:
            sure = again.name == NEW and again.sure and not again.ambiguous
            wanted, why = sure, "it wants something worked out, and no data is attached"
        else:
            wanted, why = again.name == NEW and words > 0, "it has words of the attached data"
            wanted = wanted and found.name not in _OF_FILES
        if not wanted:
            return None
        why = f"{found.explanation}; {why}".lstrip("; ")
        return replace(again, confidence=1.0, tier="pattern", ambiguous=False, missing=(), explanation=why)

    async def _words(self, message: str, sources: Sequence[Source]) -> int:
        """How many words of the data a message has; none where that takes long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                return await self._readings.words(Said(message, sources, now().date()))
        return 0

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
        found = await self._inner.classify(message, _likely(candidates), model=model, context=known)
        if self._unanswered(message, found) and await self._waits(known):
            why = f"{found.explanation}; what waits for an answer is asked about"
            sure = replace(found, name=DETAIL, confidence=1.0, tier="pattern", ambiguous=False)
            return replace(sure, parameters={}, missing=(), explanation=why)
        meant = _MEANT.get(found.name)
        if (meant or found.name) in _COMMANDS and phrases().asks(message) and not asks_for_a_deed(message):
            why = f"{found.explanation}; it asks about that, and wants nothing done"
            return replace(found, name=GENERAL, parameters={}, ambiguous=False, missing=(), explanation=why)
        if meant is None or found.also or (meant == DETAIL and not _points_at_it(message, found.name)):
            return found
        why = f"{found.explanation}; the plan was spoken of last"
        return replace(found, name=meant, parameters={}, ambiguous=False, missing=(), explanation=why)

    def _unanswered(self, message: str, found: Intent) -> bool:
        """A question that nobody here answers, and that wants nothing done."""
        unknown = found.name.partition(".")[0] in (GENERAL, NEW) or not found.sure or found.ambiguous
        asks = phrases().asks(message) and not asks_for_a_deed(message)
        return unknown and asks and not found.also

    async def _waits(self, known: Mapping[str, Any]) -> bool:
        """Planning has asked which of several is meant: who asks then asks about those, and of no document."""
        instances = await self._store.instances(str(known["session_id"]))
        return any(
            one.process == _PROCESS and one.state == "active" and one.step == _CHOOSING for one in instances
        )

    async def _spoke_last(self, known: Mapping[str, Any]) -> bool:
        """The last words of the companion in the conversation were about a plan."""
        person_id, session_id = known.get("person_id"), known.get("session_id")
        if not isinstance(person_id, str) or not isinstance(session_id, str):
            return False
        last = await self._store.items(person_id, session_id=session_id, before=_END, limit=1)
        return bool(last) and last[-1].process == _PROCESS


def _either(message: str, found: Intent, again: Intent) -> Intent | None:
    """A question that may be about the data, or what it was read as: it is asked which; None where it hardly is about data."""
    share = next((one for one in again.candidates if one.intent == NEW), None)
    if share is None or share.confidence < _NOT_UNLIKELY or not phrases().asks(message):
        return None
    if found.confidence >= _SURELY or not (found.name in _ASKED or found.name.startswith(f"{GENERAL}.")):
        return None
    why = f"{found.explanation}; it has words of the attached data, and may ask about that"
    both = (share, Candidate(intent=found.name, confidence=found.confidence))
    return replace(found, ambiguous=True, candidates=both, missing=(), explanation=why)


def _have_talk(candidates: Sequence[IntentDefinition]) -> bool:
    """What is talk is learned from examples of it: where there are none, nothing is weighed against it."""
    return any(one.name.startswith(f"{GENERAL}.") for one in candidates)


def _likely(candidates: Sequence[IntentDefinition]) -> list[IntentDefinition]:
    """What may be meant where a plan was spoken of last."""
    return [one for one in candidates if one.name not in _OF_QUESTIONS]


def _of_requests(candidates: Sequence[IntentDefinition]) -> list[IntentDefinition]:
    """The second set: what is wanted of data or for it, and what is only told of it, beside all else."""
    others = [one for one in candidates if one.name not in (NEW, SAMPLE)]
    return [*others, _REQUEST, TOLD, SAMPLE_WANTED]


def _says_nothing_of_it(message: str) -> bool:
    """A bare yes, no or stop, and what speaks of notes or projects, is meant as it is elsewhere."""
    return (
        language().consent(message) in ("yes", "no") or stops(message) or _THEIRS.search(message) is not None
    )


def _points_at_it(message: str, read_as: str) -> bool:
    """It doubts what was shown, and does not scold whoever showed it; or asks what that means, and not for help."""
    points = _SHOWN.search(message) is not None and _SPOKEN_TO.search(message) is None
    return points and (read_as != HELP or _MEANING.search(message) is not None)
