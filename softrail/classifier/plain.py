"""A classifier of the standard library alone: exact matches are sure, everything else is honestly unsure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from softrail.classifier.text import bare, form, words
from softrail.core.intents import GENERAL, GREETING, Candidate, Intent, IntentDefinition
from softrail.core.ports import Model

FLOOR = 0.50
#: Words that carry no wish: they never make two messages alike.
_EMPTY = frozenset(
    "a an the and or of to for in on at by with from is are was were be it its this that these those i you we me my "
    "your our us he she they them do does did can could would will shall should may might have has had what's i'd "
    "i'm let's there here so if as about just please any some".split()
)
#: How much of a lexical likeness is believed: measured on public few-shot sets, a likeness of 1 that is no exact
#: match is right in about seven of ten messages, so no such guess passes the bar of 0.80.
_TRUST = 0.7
_GREETINGS = frozenset(
    "hi hello hey hiya howdy greetings morning afternoon evening good day there all again everyone yo".split()
)
_GREETING_HEADS = frozenset("hi hello hey hiya howdy greetings morning yo good".split())
_LONGEST_GREETING = 5


class _Example(NamedTuple):
    intent: str
    text: str
    words: frozenset[str]


class PlainClassifier:
    """Matches examples by their words; needs no encoder, no numpy and no model.

    A message that equals an example up to case, punctuation and polite padding is that intent at 1.0. Other messages
    get the intent whose example shares most of their words, at a confidence that never passes a bar of 0.80 and decides
    only at the floor; below it the message is general conversation.
    """

    def __init__(self, *, floor: float = FLOOR) -> None:
        self.floor = floor

    async def classify(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        *,
        model: Model | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Intent:
        """The intent among `candidates`; `model` and `context` are not used."""
        if (exact := exact_match(message, candidates)) is not None:
            return exact
        ranked = _ranked(message, candidates)
        best = ranked[0] if ranked else None
        if best is not None and best.confidence >= self.floor:
            return Intent(
                name=best.intent,
                confidence=best.confidence,
                tier="floor",
                candidates=ranked,
                explanation=f"shares most words with {best.example!r}",
            )
        return Intent(
            name=GENERAL,
            confidence=best.confidence if best is not None else 0.0,
            tier="default",
            candidates=ranked,
            explanation="no example is close enough",
        )


def exact_match(message: str, candidates: Sequence[IntentDefinition]) -> Intent | None:
    """The intent one of whose examples the whole message is, or a greeting; None when there is no such example."""
    said, stripped = form(message), bare(message)
    if not said:
        return None
    for wanted, read in ((said, form), (stripped, bare)):
        for definition in candidates:
            for example in definition.examples:
                if read(example) == wanted:
                    found = Candidate(intent=definition.name, confidence=1.0, example=example)
                    return Intent(
                        name=definition.name,
                        confidence=1.0,
                        tier="exemplars",
                        candidates=(found,),
                        explanation=f"is the example {example!r}",
                    )
    if is_greeting(message) and any(d.name == GREETING for d in candidates):
        found = Candidate(intent=GREETING, confidence=1.0)
        return Intent(
            name=GREETING,
            confidence=1.0,
            tier="exemplars",
            candidates=(found,),
            explanation="only greeting words",
        )
    return None


def is_greeting(message: str) -> bool:
    """The whole message is greeting words."""
    said = words(message)
    return (
        0 < len(said) <= _LONGEST_GREETING
        and said[0] in _GREETING_HEADS
        and all(w in _GREETINGS for w in said)
    )


def _ranked(message: str, candidates: Sequence[IntentDefinition]) -> tuple[Candidate, ...]:
    said = frozenset(bare(message).split()) - _EMPTY
    if not said:
        return ()
    examples = [
        _Example(d.name, text, frozenset(bare(text).split()) - _EMPTY)
        for d in candidates
        for text in d.examples
    ]
    # A word that examples of many intents share says little about which of them is meant.
    homes = Counter(word for word, _ in {(w, e.intent) for e in examples for w in e.words})
    weight = {word: 1.0 / count for word, count in homes.items()}
    best: dict[str, Candidate] = {}
    for example in examples:
        if (likeness := _likeness(said, example.words, weight)) > 0:
            confidence = round(_TRUST * likeness, 4)
            if example.intent not in best or confidence > best[example.intent].confidence:
                best[example.intent] = Candidate(
                    intent=example.intent, confidence=confidence, example=example.text
                )
    return tuple(sorted(best.values(), key=lambda c: (-c.confidence, c.intent))[:5])


def _likeness(said: frozenset[str], example: frozenset[str], weight: Mapping[str, float]) -> float:
    """Weighted Jaccard: what both hold, of all that either holds; words in no example count fully."""
    together = sum(weight.get(w, 1.0) for w in said | example)
    return sum(weight[w] for w in said & example) / together if together else 0.0
