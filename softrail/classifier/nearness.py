"""How near words are to an intent of few examples: “my suitcase is still on your train” to “I left something on the train”.

A head learns from examples, and of three it learns little. How near a message is to one of them, and to what the intent
is for, tells as much.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from softrail.core.intents import IntentDefinition

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from softrail.classifier.head import Head

_FEW: Final = 16  #: examples of an intent that are so few
#: By cosine. Of 600 messages to a companion, put to the four processes of either of two applications, 13 and 10 in 1,000
#: come as near; of 43 messages with which two strangers began these in their own words 35 do.
NEAR: Final = 0.5
SURELY_NEAR: Final = 0.65  #: none of those 600 comes as near
_AHEAD: Final = 0.08  #: of another intent; if it is not, both are asked about
FAR_AHEAD: Final = 0.2


class Near(NamedTuple):
    """How near words are to an intent."""

    near: float
    intent: str


def nearest(head: "Head", definitions: Sequence[IntentDefinition], said: str) -> Sequence[Near]:
    """The intents of few examples that the words are near to, and no farther than others; the nearest first."""
    few = [one for one in definitions if len(one.examples) <= _FEW and one.name in head.intents]
    if head.encoder is None or not few:
        return ()
    vector, *described = head.encoder.encode([said, *(one.description for one in few)])
    near = [
        Near(max(_to_examples(head, one.name, vector), float(what @ vector)), one.name)
        for one, what in zip(few, described, strict=True)
    ]
    near.sort(reverse=True)
    return [one for one in near if one.near >= max(NEAR, near[0].near - _AHEAD)]


def nearness(head: "Head", intent: str, said: str) -> float:
    """How near the words are to the nearest example of that intent."""
    if head.encoder is None or intent not in head.intents:
        return 0.0
    [vector] = head.encoder.encode([said])
    return _to_examples(head, intent, vector)


def _to_examples(head: "Head", intent: str, vector: "NDArray[Any]") -> float:
    return float((head.known.of_label(head.intents.index(intent)) @ vector).max())
