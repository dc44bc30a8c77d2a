"""What the scores of one text mean: candidates with confidences, sure or not, torn or not. No arithmetic but sums."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from softrail.classifier.text import READ
from softrail.classifier.words import cues
from softrail.core.intents import CONFIDENCE_THRESHOLD, GENERAL, GREETING, Candidate, IntentDefinition

SHOWN = 5  #: candidates that are reported
ASKING = ("ask_", "query")  #: intents that ask: a question about an act may be one of them
_DOUBTED = 0.9  #: of the floor: what an act is believed that was denied or asked about


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
    doubted: str = ""  #: the primary it would be, were it not denied or asked about instead of asked for

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
        if self.doubted:
            said += f", for {self.doubted} is denied or asked about"
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
    keeps: Collection[str] = (),
    doubted: str = "",
    likelier: Mapping[str, float] = MappingProxyType({}),
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
        keeps: Intents that keep what was said: a denial in it is part of that.
        doubted: An act that another part of the message denies.
        likelier: How many times likelier than elsewhere some intents are as things are.
    """
    weights: dict[str, float] = {}
    for name, chance in chances.items():
        meant = instead.get(name, name)
        meant = meant if meant in definitions else name
        weights[meant] = weights.get(meant, 0.0) + chance * in_scope
    if GENERAL in definitions:
        weights[GENERAL] = weights.get(GENERAL, 0.0) + 1.0 - in_scope
    if likelier:
        weights = {name: weight * likelier.get(name, 1.0) for name, weight in weights.items()}
        whole = sum(weights.values())
        weights = {name: weight / whole for name, weight in weights.items()}
    primaries = _primaries(weights)
    likeliest = max(sorted(primaries), key=lambda name: primaries[name])
    held = primaries[likeliest] >= bars.floor and (
        likeliest == doubted or _doubtful(text, likeliest, definitions, keeps)
    )
    doubted = likeliest if held else ""
    if held:
        weights = _believed_less(weights, primaries[likeliest], _DOUBTED * bars.floor, definitions)
        primaries = _primaries(weights)
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
        sure=best.confidence >= (bar if bar is not None else bars.bar) and not doubted,
        scores={"intent": max(chances.values()), "in_scope": in_scope},
        doubted=doubted,
    )


def asks_about(text: str) -> bool:
    """It asks about an act instead of asking for it."""
    return bool(cues().doubts.match(text[:READ]))


def _primaries(weights: Mapping[str, float]) -> dict[str, float]:
    """The sum of each primary's own and its sub-intents' weights."""
    found: dict[str, float] = {}
    for name, weight in weights.items():
        primary = name.partition(".")[0]
        found[primary] = found.get(primary, 0.0) + weight
    return found


def _doubtful(
    text: str, primary: str, definitions: Mapping[str, IntentDefinition], keeps: Collection[str]
) -> bool:
    """The text denies this act or asks about it, in a way that none of the act's own examples does."""
    if primary in (GENERAL, GREETING):
        return False
    said = text[:READ]
    pattern = cues().denials
    denied = pattern.match(said)
    if denied and primary in keeps and not cues().keeping.match(said, denied.end()):
        denied = None
    if not denied:
        pattern = cues().doubts
        if primary.startswith(ASKING) or not pattern.match(said):
            return False
    own = (d for name, d in definitions.items() if name.partition(".")[0] == primary)
    return not any(pattern.match(example) for definition in own for example in definition.examples)


def _believed_less(
    weights: Mapping[str, float], best: float, most: float, definitions: Mapping[str, IntentDefinition]
) -> dict[str, float]:
    """The weights with the best primary at `most`; what the acts lose is general conversation's."""
    share = min(1.0, most / best)
    less = {
        name: weight if name in (GENERAL, GREETING) else weight * share for name, weight in weights.items()
    }
    if GENERAL in definitions:
        less[GENERAL] = less.get(GENERAL, 0.0) + sum(weights.values()) - sum(less.values())
    return less


def unread(text: str) -> Reading:
    """The reading of what no example says anything about, as it is in letters that none has."""
    return Reading(text=text, intents=(Candidate(intent=GENERAL, confidence=0.0),))


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
