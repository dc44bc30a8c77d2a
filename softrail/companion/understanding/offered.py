"""What a bare yes means where nothing is asked formally: the one thing that the last reply suggested to say.

Only what begins or adds something, or tells: a yes takes nothing back and changes nothing that is there.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from softrail import Intent
from softrail.companion.catalogue import ADD, CREATE, OF_PROJECTS
from softrail.companion.memory.values import ProjectDetail
from softrail.companion.understanding.certain import HARMLESS
from softrail.plugin import HELP

_FLOOR: Final = 0.6  #: of what is left when the impossible is taken away: clearly more than an even chance


def taken_up(found: Intent, phrase: str) -> Intent | None:
    """The suggested phrase as if the person had said it; None where a yes is not enough for what it does."""
    begins = found.name in (ADD, CREATE) or found.name.startswith("start_")
    if not (found.sure and (begins or found.name in HARMLESS)):
        return None
    return replace(found, text=phrase, explanation=f"a yes to what was suggested, “{phrase}”")


def without_projects(found: Intent, mine: Sequence[ProjectDetail]) -> Intent:
    """What is meant by somebody who has no project yet: what is about one is left out of what it may be."""
    if mine or found.tier == "model" or found.confidence >= 1.0:
        return found
    possible = [one for one in found.candidates if one.intent not in OF_PROJECTS]
    rest = 1.0 - sum(one.confidence for one in found.candidates if one.intent in OF_PROJECTS)
    likely = possible and possible[0].confidence >= _FLOOR * rest
    left = likely and (possible[0].intent in (CREATE, HELP) or possible[0].intent in HARMLESS)
    if not (left and (found.tier in ("default", "floor") or found.name in OF_PROJECTS)):
        return replace(found, candidates=possible) if found.tier == "default" else found
    why = f"{found.explanation}; there is no project that it could be about"
    first = possible[0]
    sure = found.confidence if first.intent == CREATE else max(found.confidence, first.confidence / rest)
    return replace(
        found,
        name=first.intent,
        confidence=sure,
        parameters={},
        ambiguous=False,
        missing=(),
        explanation=why,
    )
