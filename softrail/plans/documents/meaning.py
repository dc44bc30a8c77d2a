"""Questions that a document answers, whatever else nobody knows them to mean; asked only where there is a plan."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from softrail import Intent, IntentDefinition, Model
from softrail.companion.catalogue import PAST, SEARCH
from softrail.companion.memory.search import MOST_ASKED
from softrail.companion.memory.stems import terms
from softrail.companion.understanding.answering import ASKS, MAY_ANSWER, vocabulary
from softrail.companion.understanding.phrases import phrases
from softrail.plans.documents.asking import Documents
from softrail.plans.documents.passages import calls
from softrail.plans.intents import CONTINUE, CONTROL, LOOKUP, NEW, QUERY, STATUS, asks_for_a_deed
from softrail.plugin import GENERAL, Classifier, Warms

BY_DOCUMENT: Final = (
    "by_document"  #: a parameter: it was heard as a question for the words of a document alone
)

#: Below it a deed is a guess where a question was asked: right after a plan its intents are counted as likelier than they are.
_GUESS: Final = 0.9


class DocumentsClassifier:
    """The given classifier, and beside a plan a look into what is attached. Implements the `Classifier` promise."""

    def __init__(self, inner: Classifier, documents: Documents) -> None:
        self._inner = inner
        self._documents = documents

    async def warm(self, candidates: Sequence[IntentDefinition]) -> None:
        """Load now what the first message would wait for, where the classifier has something to load."""
        if isinstance(self._inner, Warms):
            await self._inner.warm(candidates)

    async def classify(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        *,
        model: Model | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Intent:
        """The intent among `candidates`."""
        found = await self._inner.classify(message, candidates, model=model, context=context)
        known = context or {}
        person_id, session_id = known.get("person_id"), known.get("session_id")
        if not isinstance(person_id, str) or not isinstance(session_id, str):
            return found
        needed = _needed(message, found, candidates)
        if needed is None:
            return found
        said = await self._documents.about(person_id, session_id, message)
        having = [one.document for one in said.passages if one.share >= needed]
        if found.name in (PAST, SEARCH):  # what was told is in notes, unless a document is called by its name
            having = [one for one in having if calls(message, one)]
        # Of one that is called by its name and cannot be read, just that is told.
        if not having and not any(calls(message, one.document) for one in said.notes):
            return found
        what = "has the words of what is asked" if having else "that is named cannot be read"
        why = f"{found.explanation}; a document {what}"
        # What is a guess, and stands in a document, is asked of that and not of the plan.
        asks = found.name in (QUERY, LOOKUP) or (found.name.startswith(QUERY) and found.tier != "floor")
        # Its words stand there, which no other reading has to show: it is heard while a question is open, too.
        return replace(
            found,
            name=found.name if asks else LOOKUP,
            confidence=1.0,
            tier="pattern",
            parameters={} if asks else {BY_DOCUMENT: True},
            ambiguous=False,
            missing=(),
            explanation=why.lstrip("; "),
        )


def _needed(message: str, found: Intent, candidates: Sequence[IntentDefinition]) -> float | None:
    """How much of a question a passage has to have, by the same rule as notes; None: it means something else."""
    primary = found.name.partition(".")[0]
    if LOOKUP not in {one.name for one in candidates} or not phrases().asks(message):
        return None
    if found.confidence >= 1.0 or found.also:
        return None
    if found.name == PAST and found.parameters:  # notes say it
        return None
    if primary == GENERAL or found.name in (QUERY, LOOKUP):
        return MAY_ANSWER
    asked = set(terms(message, MOST_ASKED))
    # “How far is the plan?” means just that, whatever a document says.
    own = [one for one in candidates if one.name in (primary, found.name)]
    if any(asked <= vocabulary(one.examples) for one in own):
        return None
    guessed = (found.tier == "floor" or found.confidence < _GUESS) and not asks_for_a_deed(message)
    if guessed and primary in (NEW, CONTINUE, CONTROL):
        return MAY_ANSWER  # who asks whether dogs are allowed wants nothing of the plan
    return 1.0 if guessed or found.name in (STATUS, PAST, SEARCH) or primary in (*ASKS, QUERY) else None
