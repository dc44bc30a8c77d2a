"""A process that is on offer is meant by words that hardly anybody would say for it elsewhere: “can we do my daily thing”."""

import math

import numpy as np

from softrail.classifier.head import Head, Scores
from softrail.core.intents import IntentDefinition

#: Fitted on 20 ways to take up an offer, and on 1,241 messages of every kind in the place of them: of what stands at the
#: usual bar 0.80 or above, and is no sure wish for something else, are 12 and 2 %.
_CLOSE, _LIKELY, _LEVEL = 10.4, 1.77, 1.96
_LEAST = 1e-6  #: of a probability, as it is counted


def taken_up(head: Head, offered: IntentDefinition, text: str, scores: Scores) -> float:
    """The chance that the text means what is on offer: from how near it is to its examples and its description.

    Args:
        head: Knows the offered intent.
        offered: It begins what is on offer.
        text: What was said, and was no yes and no no.
        scores: What the head makes of the text without knowing of an offer.
    """
    if head.encoder is None or offered.name not in head.intents:
        return 0.0
    place = head.intents.index(offered.name)
    said, described = head.encoder.encode([text, offered.description])
    near = max(float((head.known.of_label(place) @ said).max()), float(described @ said))
    likely = math.log10(max(float(scores.probabilities[place]), _LEAST))
    return float(1.0 / (1.0 + np.exp(-(_CLOSE * near + _LIKELY * likely + _LEVEL))))
