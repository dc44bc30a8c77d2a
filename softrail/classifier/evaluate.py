"""How good a classifier is on labelled messages: what `softrail eval FILE` prints.

A file has one JSON object a line with `text` and `label`; the label `oos` means none of the intents.
"""

import difflib
import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from softrail.core.errors import BadRequest
from softrail.core.intents import GENERAL, Intent, IntentDefinition
from softrail.core.ports import Classifier, Warms
from softrail.core.shares import Interval, interval

OUT_OF_SCOPE = "oos"
_BINS = 15
_PRECISION = 0.95


@dataclass(frozen=True, slots=True)
class Labelled:
    """A message and the intent a person says it has."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A labelled message with what the classifier made of it, and how long that took."""

    said: Labelled
    intent: Intent
    seconds: float

    @property
    def top(self) -> str:
        """The likeliest reading, whatever the bars then made of it."""
        return self.intent.candidates[0].intent if self.intent.candidates else self.intent.name

    @property
    def outside(self) -> bool:
        """It is labelled as none of the intents."""
        return self.said.label == OUT_OF_SCOPE

    @property
    def right(self) -> bool:
        """The likeliest reading is the label, or its primary where only primaries are compared; out of scope, talk."""
        if self.outside:
            return self.top == GENERAL and bool(self.intent.candidates)  # not merely given up
        return self.top in (self.said.label, self.said.label.partition(".")[0])

    @property
    def named(self) -> bool:
        """It is named as its label is, down to the kind behind the dot; a label without one takes any of its kinds."""
        name = self.intent.name
        return self.said.label in (name, name.partition(".")[0])

    @property
    def wish(self) -> float:
        """The confidence that it asks for something; talk asks for nothing."""
        return 1.0 - self.intent.confidence if self.top == GENERAL else self.intent.confidence

    @property
    def in_scope(self) -> float:
        """How likely it is any of the intents; an exemplar is one, what has no such score has its confidence."""
        return self.intent.scores.get("in_scope", self.intent.confidence)

    @property
    def alone(self) -> bool:
        """It was decided by the exemplars alone."""
        return self.intent.tier == "exemplars"


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """The figures of one evaluation; None where nothing could be counted."""

    accuracy: Interval  #: of messages in scope: the likeliest reading is the label
    macro_f1: float
    coverage: Interval  #: of all messages: decided by the exemplars alone
    precision: Interval  #: of those: right
    kinds: Interval | None  #: of messages labelled with a kind, `talk.thanks`: named down to it
    out_of_scope_recall: Interval | None  #: of messages out of scope: not decided as a specific intent
    out_of_scope_auroc: float | None  #: how well the confidence tells in scope from out of scope
    in_scope_auroc: float | None  #: how well the score that is made for it does, whichever intent it is
    intent_calibration_error: float | None  #: of the intent probability, in scope
    gate_calibration_error: float  #: of the confidence that decides, over all messages
    coverage_at_precision: tuple[float, float]  #: the most that can be covered at 95 %, and the bar for it
    several: Interval  #: messages reported as several intents
    tiers: Mapping[str, int]
    milliseconds: tuple[float, float]  #: a message, at the median and at the 99th percentile
    confusion: Mapping[tuple[str, str], int]  #: (label, reading): how often, where they differ or not


def read_labelled(path: Path, *, intents: Collection[str] | None = None) -> list[Labelled]:
    """The labelled messages of a file. Raises BadRequest with file and line for what is none.

    With `intents`, the names there are, a label that is none of them, nor `oos`, is refused as well.
    """
    found = []
    labels = (
        None
        if intents is None
        else {OUT_OF_SCOPE, GENERAL, *intents, *(n.partition(".")[0] for n in intents)}
    )
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise BadRequest(f"{path} cannot be read: {why}.", path=str(path)) from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            found.append(Labelled(_text(row["text"]), _text(row["label"])))
        except (ValueError, KeyError, TypeError, RecursionError):
            why = (
                'it must be a JSON object such as {"text": "how is it going?", "label": "ask_about_progress"}'
            )
            raise BadRequest(f"{path}:{number}: {why}.", path=str(path), line=number) from None
        if labels is not None and found[-1].label not in labels:
            why = _unknown(found[-1].label, labels)
            raise BadRequest(f"{path}:{number}: {why}", path=str(path), line=number)
    if not found:
        raise BadRequest(f"{path} has no labelled messages.", path=str(path))
    return found


def _unknown(label: str, labels: Collection[str]) -> str:
    near = difflib.get_close_matches(label, labels, n=1)
    meant = f" Did you mean {near[0]!r}?" if near else f" There are: {', '.join(sorted(labels))}."
    return f"No intent is called {label!r}.{meant} The label of a message that means none of them is `{OUT_OF_SCOPE}`."


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


async def evaluate(
    classifier: Classifier,
    definitions: Sequence[IntentDefinition],
    messages: Sequence[Labelled],
    *,
    progress: Callable[[int], None] | None = None,
) -> tuple[Report, list[Answered]]:
    """Ask the classifier about every message; `progress` is called with how many are done.

    What the first message would wait for is loaded before, so that no message's time has it.
    """
    answered = []
    if isinstance(classifier, Warms):
        await classifier.warm(definitions)
    for done, said in enumerate(messages, 1):
        began = perf_counter()
        intent = await classifier.classify(said.text, definitions)
        answered.append(Answered(said, intent, perf_counter() - began))
        if progress is not None:
            progress(done)
    return report(answered), answered


def report(answered: Sequence[Answered]) -> Report:
    """The figures of what was answered."""
    inside = [a for a in answered if not a.outside]
    outside = [a for a in answered if a.outside]
    wishes = [a for a in inside if a.said.label != GENERAL]
    alone = [a for a in answered if a.alone]
    kinds = [a for a in inside if "." in a.said.label]
    scored = [a for a in inside if "intent" in a.intent.scores]
    times = sorted(1000 * a.seconds for a in answered)
    return Report(
        accuracy=interval(a.right for a in inside),
        macro_f1=_macro_f1(inside),
        coverage=interval(a.alone for a in answered),
        precision=interval(a.right for a in alone),
        kinds=interval(a.named for a in kinds) if kinds else None,
        out_of_scope_recall=interval(not a.alone or a.intent.is_talk for a in outside) if outside else None,
        out_of_scope_auroc=auroc([a.wish for a in wishes], [a.wish for a in outside]),
        in_scope_auroc=auroc([a.in_scope for a in wishes], [a.in_scope for a in outside]),
        intent_calibration_error=(
            calibration_error([(a.intent.scores["intent"], a.right) for a in scored]) if scored else None
        ),
        gate_calibration_error=calibration_error([(a.intent.confidence, a.right) for a in answered]),
        coverage_at_precision=_coverage_at([(a.intent.confidence, a.right) for a in answered]),
        several=interval(bool(a.intent.also) for a in answered),
        tiers=Counter(a.intent.tier for a in answered),
        milliseconds=(_at(times, 0.5), _at(times, 0.99)),
        confusion=Counter(
            (a.said.label, a.said.label if a.right and not a.outside else a.top) for a in answered
        ),
    )


def calibration_error(pairs: Sequence[tuple[float, bool]]) -> float:
    """By how much confidence and hit rate differ on average, over 15 equal bins of confidence."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in pairs:
        bins.setdefault(min(int(confidence * _BINS), _BINS - 1), []).append((confidence, right))
    gap = sum(abs(sum(c for c, _ in rows) - sum(r for _, r in rows)) for rows in bins.values())
    return gap / len(pairs) if pairs else 0.0


def auroc(inside: Sequence[float], outside: Sequence[float]) -> float | None:
    """The chance that a message in scope scores above one that is not; ties count half."""
    if not inside or not outside:
        return None
    ranks: dict[float, float] = {}
    pooled = sorted([*inside, *outside])
    for rank, value in enumerate(pooled, 1):
        ranks.setdefault(value, rank)
    size = Counter(pooled)
    total = sum(ranks[v] + (size[v] - 1) / 2 for v in inside)
    return (total - len(inside) * (len(inside) + 1) / 2) / (len(inside) * len(outside))


def _coverage_at(pairs: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    best, right = (0.0, 1.0), 0
    ordered = sorted(pairs, key=lambda pair: -pair[0])
    for n, (confidence, hit) in enumerate(ordered, 1):
        right += hit
        last_of_its_kind = n == len(ordered) or ordered[n][0] < confidence
        if last_of_its_kind and right >= _PRECISION * n:
            best = (n / len(ordered), confidence)
    return best


def _macro_f1(answered: Sequence[Answered]) -> float:
    labels = {a.said.label for a in answered}
    scores = []
    for label in labels:
        hit = sum(a.said.label == label and a.right for a in answered)
        wrong = sum(a.said.label != label and a.top == label for a in answered)
        missed = sum(a.said.label == label and not a.right for a in answered)
        scores.append(2 * hit / (2 * hit + wrong + missed))
    return sum(scores) / len(scores) if scores else 0.0


def _at(ordered: Sequence[float], share: float) -> float:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0
