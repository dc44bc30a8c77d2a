"""A project that is gone on with by a part of its name: "the reunion, please", "let's hop over to the stall"."""

from collections.abc import Sequence
from typing import Final

from softrail import Intent
from softrail.companion.catalogue import CHOOSE
from softrail.companion.memory.stems import terms
from softrail.companion.memory.values import ProjectDetail
from softrail.companion.understanding.certain import certain
from softrail.companion.understanding.phrases import phrases
from softrail.companion.understanding.wish_words import parts

_WORDS: Final = 20


def gone_on_with(message: str, mine: Sequence[ProjectDetail]) -> Intent | None:
    """The one project whose name has the words that are left once those for going somewhere are taken off."""
    name = phrases().gone_to(message)
    said = set(terms(name, _WORDS))
    if not said or any(part.kind != "unknown" for part in parts(name, {})):
        return None
    found = [one for one in mine if not one.archived and said <= set(terms(one.name, _WORDS))]
    if len(found) != 1:
        return None
    return certain(CHOOSE, "names a project by a part of its name", project_id=found[0].id)
