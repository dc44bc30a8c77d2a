"""What a plan makes of words that would mean something else without it: “how is it going?” while one runs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from softrail import Intent, IntentDefinition, Model
from softrail.companion.answering import vocabulary
from softrail.companion.catalogue import PROGRESS
from softrail.companion.phrases import phrases
from softrail.companion.search import MOST_ASKED
from softrail.companion.stems import terms
from softrail.plans.intents import PROVENANCE, QUERY, STATUS
from softrail.plans.records import standing
from softrail.plugin import GENERAL, Classifier, SqlStore

#: What is asked, as what it was taken for, and what it is under a plan if all its words are words of that.
_RUNNING: Final = (STATUS, frozenset({PROGRESS, GENERAL}))
_KNOWN: Final = (PROVENANCE, frozenset({QUERY, GENERAL}))


class PlansClassifier:
    """The given classifier, weighed by where a plan stands. Implements the `Classifier` promise."""

    def __init__(self, inner: Classifier, store: SqlStore) -> None:
        self._inner = inner
        self._store = store

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
        session_id = (context or {}).get("session_id")
        if not isinstance(session_id, str) or found.confidence >= 1.0 or found.also:
            return found
        meant = [one for one in (_RUNNING, _KNOWN) if _may_be(message, found, candidates, *one)]
        if not meant:
            return found
        stands = await self._store.read(lambda conn: standing(conn, session_id))
        running = stands.run is not None and stands.run.state == "running"
        for name, _ in meant:
            if running if name == STATUS else stands.facts:
                why = f"{found.explanation}; under a plan its words are those of {name}".lstrip("; ")
                return replace(found, name=name, parameters={}, ambiguous=False, missing=(), explanation=why)
        return found


def _may_be(
    message: str, found: Intent, candidates: Sequence[IntentDefinition], name: str, taken_for: frozenset[str]
) -> bool:
    """Whether a question has no word that is not one of this intent's: one that names something else is about that."""
    own = next((one for one in candidates if one.name == name), None)
    if (
        own is None
        or not {found.name, found.name.partition(".")[0]} & taken_for
        or found.name.startswith("query.")
    ):
        return False
    asked = set(terms(message, MOST_ASKED))
    return bool(asked) and phrases().asks(message) and asked <= vocabulary(own.examples)
