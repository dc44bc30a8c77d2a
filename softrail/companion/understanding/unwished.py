"""What was taken for a wish and hardly is one: it is denied, put off, asked about, or about no project at all."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from softrail import Intent, IntentDefinition
from softrail.companion.catalogue import ADD, ARCHIVE, CREATE, REMINDING, RENAME
from softrail.companion.understanding.certain import certain
from softrail.companion.understanding.phrases import phrases, vocabulary
from softrail.plugin import GENERAL, Candidate

_READ: Final = 500  #: characters
_LIKELY: Final = 0.5  #: how likely what is asked about is said to be
_CHANGES: Final = frozenset({ARCHIVE, RENAME})
HOW: Final = "how"  #: the parameter of a change that is only asked about


def unwished(
    found: Intent, message: str, *, names_one: bool, own: IntentDefinition | None = None
) -> Intent | None:
    """What is meant instead of a process that is not to begin, or of a project that is not to change; None: it may be meant.

    `names_one`: the message calls a project by its name. `own`: what is begun is an author's: it may have a time of its
    own ("a table for tonight"), and deny as its examples do ("the heating does not work"). What exact words or a language model read is left as it is.
    """
    begins = found.name == CREATE or found.name.startswith("start_")
    plain = found.tier != "model" and found.confidence < 1.0 and not found.also
    if not plain or not (begins or found.name in _CHANGES):
        return None
    said = message[:_READ]
    if _says("put_off", said) or (found.name != CREATE and own is None and _says("at_a_time", said)):
        return certain(REMINDING, f"{found.explanation}; it is put off to another time")
    if begins:
        denies = _says("denies", said) and not any(
            _says("denies", one) for one in (own.examples if own else ())
        )
        return _asked(found, found.name, "it denies what it speaks of") if denies else None
    if (phrases().notes.asks(said) or phrases().supposes(said)) and not _says("polite", said):
        why = f"{found.explanation}; a question changes nothing"
        return replace(found, parameters={**found.parameters, HOW: True}, explanation=why)
    if not names_one and not _says("of_project", said):
        return _asked(found, ADD, "it speaks of no project")
    if not names_one and _says("of_any", said):
        return replace(found, name=GENERAL, parameters={}, ambiguous=False, explanation=found.explanation)
    return None


def _asked(found: Intent, name: str, why: str) -> Intent:
    """It is asked whether that is meant."""
    return replace(
        found,
        name=GENERAL,
        tier="default",
        parameters={},
        ambiguous=False,
        candidates=(Candidate(intent=name, confidence=_LIKELY),),
        explanation=f"{found.explanation}; {why}",
    )


def _says(name: str, message: str) -> bool:
    return any(pattern.search(message) for pattern in _patterns(name))


@cache
def _patterns(name: str) -> Sequence[re.Pattern[str]]:
    return [re.compile(pattern, re.IGNORECASE) for pattern in vocabulary()["unwished"][name]]
