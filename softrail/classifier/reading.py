"""What the scores of one text mean: candidates with confidences, sure or not, torn or not. No arithmetic but sums."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from softrail.core.intents import CONFIDENCE_THRESHOLD, GENERAL, GREETING, Candidate, IntentDefinition

SHOWN = 5  #: candidates that are reported


@dataclass(frozen=True, kw_only=True, slots=True)
class Bars:
    """The confidences that decide; an intent's own `bar` wins over the first two."""

    bar: float = 0.80  #: decides alone
    sub: float = 0.65  #: names the sub-intent, of its primary's confidence
    floor: float = 0.50  #: decides when no model is there to ask
    close: float = 0.10  #: two readings nearer than this are torn
    model: float = CONFIDENCE_THRESHOLD  #: a model's answer strictly below it is general conversation


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """One text as the exemplars see it: intents by confidence, the first being the best."""

    text: str
    intents: Sequence[Candidate]  #: the likeliest primaries, each with the sum of its sub-intents
    sub: Candidate | None = None  #: the best sub-intent of the best primary, with its part of that
    label: str = GENERAL  #: the primary, or the sub-intent where that clears its bar
    sure: bool = False  #: the best clears its bar
    scores: Mapping[str, float] = field(default_factory=dict)

    @property
    def best(self) -> Candidate:
        """The most likely intent."""
        return self.intents[0]

    def torn(self, bars: Bars) -> bool:
        """Two readings that ask for something are as good as each other.

        Confidences of rivals add up to one at most, so the floor is asked of each with its rival set aside.
        """
        if self.sure or len(self.intents) < 2:
            return False
        one, two = self.intents[:2]
        if {one.intent, two.intent} & {GENERAL, GREETING} or one.confidence - two.confidence > bars.close:
            return False
        alone = two.confidence / max(1.0 - one.confidence, 1e-9)
        return min(alone, one.confidence / max(1.0 - two.confidence, 1e-9)) >= bars.floor

    def explain(self) -> str:
        """As it is logged: "matched primary=X at 0.87, sub=Y at 0.72, like 'an example'"."""
        said = f"matched primary={self.best.intent} at {self.best.confidence:.2f}"
        if self.sub is not None:
            said += f", sub={self.sub.intent} at {self.sub.confidence:.2f}"
        return f"{said}, like {self.best.example!r}" if self.best.example else said


def read(
    text: str,
    chances: Mapping[str, float],
    in_scope: float,
    examples: Mapping[str, str],
    definitions: Mapping[str, IntentDefinition],
    *,
    bars: Bars,
    instead: Mapping[str, str],
) -> Reading:
    """The reading of one text.

    Args:
        text: What was said.
        chances: The probability of each intent, given that it is one of them.
        in_scope: The chance that it is one of them; what is left over is general conversation.
        examples: The nearest example of each intent.
        definitions: The candidates by name.
        bars: What decides.
        instead: Intents that cannot be meant as things are, and what is meant then.
    """
    weights: dict[str, float] = {}
    for name, chance in chances.items():
        meant = instead.get(name, name)
        meant = meant if meant in definitions else name
        weights[meant] = weights.get(meant, 0.0) + chance * in_scope
    if GENERAL in definitions:
        weights[GENERAL] = weights.get(GENERAL, 0.0) + 1.0 - in_scope
    primaries: dict[str, float] = {}
    for name, weight in weights.items():
        primary = name.partition(".")[0]
        primaries[primary] = primaries.get(primary, 0.0) + weight
    ranked = sorted(primaries.items(), key=lambda item: (-item[1], item[0]))
    near = _nearest(weights, examples)
    found = tuple(
        Candidate(intent=name, confidence=min(weight, 1.0), example=near.get(name))
        for name, weight in ranked[:SHOWN]
    )
    best = found[0]
    sub = _sub(best, weights, examples)
    label = best.intent
    if sub is not None:
        wanted = definitions[sub.intent].bar if sub.intent in definitions else None
        clears = sub.confidence >= (wanted if wanted is not None else bars.sub)
        label = sub.intent if clears or best.intent not in definitions else best.intent
    bar = definitions[best.intent].bar if best.intent in definitions else None
    return Reading(
        text=text,
        intents=found,
        sub=sub,
        label=label,
        sure=best.confidence >= (bar if bar is not None else bars.bar),
        scores={"intent": max(chances.values()), "in_scope": in_scope},
    )


def _sub(best: Candidate, weights: Mapping[str, float], examples: Mapping[str, str]) -> Candidate | None:
    own = {n: w for n, w in weights.items() if n.startswith(f"{best.intent}.")}
    if not own:
        return None
    name = max(own, key=lambda n: (own[n], n))
    return Candidate(
        intent=name, confidence=own[name] / max(best.confidence, 1e-9), example=examples.get(name)
    )


def _nearest(weights: Mapping[str, float], examples: Mapping[str, str]) -> Mapping[str, str]:
    """An example of each primary: that of its likeliest intent which has one."""
    by_weight = sorted((n for n in examples if n in weights), key=lambda n: weights[n])
    return {name.partition(".")[0]: examples[name] for name in by_weight}
