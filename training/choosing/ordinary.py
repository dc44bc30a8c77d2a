"""Plain answers to closed questions, as dialogues, the tape and templates have them: what those that are clever make a model forget."""

import random
import re
from collections.abc import Sequence
from typing import Final

from softrail.reader.learned.choosing import NOTHING
from training import sgd, tape, templates
from training.choosing.answers import YES_NO, Answer
from training.pairs import Pair

_QUERY: Final = re.compile(r"^(?P<kind>bool|confirm|choice): (?P<asks>.*?)(?: \((?P<options>[^()]*)\))?$")
_ASIDE: Final = frozenset(
    {"ask", "hold", "social", "request", "repeat", "pause", "leave", "human", "inform_other"}
)
_TEMPLATES: Final = 12_000  #: messages, of which a third answers a closed question
_OPEN, _BESIDE, _AGAIN = 9_000, 4_000, 3  #: how many of the dialogues are taken, and how often the tape


def ordinary(*, seed: int) -> list[Answer]:
    """All of them."""
    rng = random.Random(seed)
    told = [one for pair in sgd.sgd(seed=seed) if (one := of_pair(pair)) is not None]
    found = _some(rng, [one for one in told if not one.beside], _OPEN)
    found += _some(rng, [one for one in told if one.beside], _BESIDE)
    found += [
        one for pair in templates.templates(_TEMPLATES, seed=seed) if (one := of_pair(pair)) is not None
    ]
    said = [of_pair(first) for _, (first, *_) in tape.tape()]
    return found + [one for one in said if one is not None] * _AGAIN


def _some(rng: random.Random, answers: Sequence[Answer], most: int) -> list[Answer]:
    return rng.sample(answers, min(most, len(answers)))


def of_pair(pair: Pair) -> Answer | None:
    """What a pair tells of a closed question; None where it tells nothing that is sure, or the question is none."""
    match = _QUERY.match(pair.query)
    if match is None or " now " in match["asks"]:
        return None
    closed, options = match["kind"] != "choice", YES_NO
    if not closed:
        if not match["options"]:
            return None
        options = tuple(dict.fromkeys(one.strip() for one in match["options"].split(",")))
        if len(options) < 2:
            return None
    beside = pair.label in ("given", "absent") or not pair.acts
    meant = _meant(pair, options, closed=closed)
    if meant is None or (beside and meant in NOTHING and meant != "aside"):
        return None
    return Answer(
        asks=match["asks"],
        options=options,
        message=pair.message,
        meant=meant,
        beside=beside,
        source=pair.source,
    )


def _meant(pair: Pair, options: Sequence[str], *, closed: bool) -> str | None:
    does = {act for act, there in pair.acts.items() if there}
    if closed:
        if "affirm" in does or "negate" in does:
            return None if {"affirm", "negate"} <= does else "yes" if "affirm" in does else "no"
    elif pair.value and pair.spans:
        start, end = pair.spans[0]
        said = pair.message[start:end].strip().lower()
        return next((one for one in options if one.lower() == said), None)
    if pair.value or "correct" in does or "inform" in does:
        return None
    if "open" in does or "none" in does:
        return "open" if "open" in does else "none"
    if does & _ASIDE or pair.label == "absent":
        return "aside"
    return None
