"""A classifier without numpy and encoder: exact matches are sure, everything else is honestly unsure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from softrail.classifier.extract import parameters, target
from softrail.classifier.reading import SHOWN
from softrail.classifier.text import bare, form
from softrail.core.intents import GENERAL, GREETING, Candidate, Intent, IntentDefinition
from softrail.core.parameters import validated
from softrail.core.ports import Model
from softrail.language import language

FLOOR = 0.50
#: The most a likeness of words is believed: no guess may pass for a certainty at a bar of 0.80.
_TRUST = 0.7
#: Words that carry no wish: they never make two messages alike.
_EMPTY = frozenset(
    """a an the and or of to for in on at by with from is are was were be it its this that these those i you we me my
    your our us he she they them do does did can could would will shall should may might have has had what's i'd i'm
    let's there here so if as about just please any some""".split()  # noqa: SIM905 - a text reads better than a list
)


class _Example(NamedTuple):
    intent: str
    text: str
    words: frozenset[str]


class PlainClassifier:
    """Matches examples by their words; needs no encoder, no numpy and no model.

    A message that equals an example up to case, punctuation and polite padding is that intent at 1.0. Other messages
    get the intent whose example shares most of their words, at a confidence that never passes a bar of 0.80 and decides
    only at the floor; below it the message is general conversation. Parameters, what is missing and the target are
    taken from the words as `Cascade` takes them.
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
            return _filled(exact, candidates, message)
        ranked = _ranked(message, candidates)
        best = ranked[0] if ranked else None
        if best is not None and best.confidence >= self.floor:
            found = Intent(
                name=best.intent,
                confidence=best.confidence,
                tier="floor",
                candidates=ranked,
                explanation=f"shares most words with {best.example!r}",
            )
            return _filled(found, candidates, message)
        return Intent(
            name=GENERAL,
            confidence=best.confidence if best is not None else 0.0,
            tier="default",
            candidates=ranked,
            explanation="no example is close enough",
        )


def exact_match(message: str, candidates: Sequence[IntentDefinition]) -> Intent | None:
    """The one intent that the whole message is an example of, or a greeting; None when there is no such intent."""
    for read in (form, bare):
        if not (said := read(message)):
            return None
        hits = {d.name: example for d in candidates for example in d.examples if read(example) == said}
        if len(hits) == 1:
            ((name, example),) = hits.items()
            return certain(name, example)
    if any(d.name == GREETING for d in candidates) and language().is_greeting(message):
        return certain(GREETING, None)
    return None


def certain(name: str, example: str | None) -> Intent:
    """An intent nobody could doubt: the message is `example`, or only greeting words."""
    why = f"is the example {example!r}" if example is not None else "only greeting words"
    found = Candidate(intent=name, confidence=1.0, example=example)
    return Intent(name=name, confidence=1.0, tier="exemplars", candidates=(found,), explanation=why)


def _filled(found: Intent, candidates: Sequence[IntentDefinition], message: str) -> Intent:
    """With the parameters and the target that the words give, and the names of those that are missing."""
    model = next((d.parameters for d in candidates if d.name == found.name), None)
    values, missing = validated(model, parameters(model, message))
    return replace(found, parameters=values, missing=tuple(missing), target=target(found.name, message))


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
        confidence = round(_TRUST * _likeness(said, example.words, weight), 4)
        if confidence > (best[example.intent].confidence if example.intent in best else 0.0):
            best[example.intent] = Candidate(
                intent=example.intent, confidence=confidence, example=example.text
            )
    return tuple(sorted(best.values(), key=lambda c: (-c.confidence, c.intent))[:SHOWN])


def _likeness(said: frozenset[str], example: frozenset[str], weight: Mapping[str, float]) -> float:
    """Weighted Jaccard: what both hold, of all that either holds; words in no example count fully."""
    together = sum(weight.get(w, 1.0) for w in said | example)
    return sum(weight[w] for w in said & example) / together if together else 0.0
