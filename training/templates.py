"""Pairs made of parts: forms, values, framings and what people say in place of an answer."""

import random
from collections.abc import Callable, Iterator

from training.answers import bares, chooses, informs, itself, mixes
from training.corrections import corrects
from training.fields import VALUED
from training.hard import hard
from training.pairs import Pair
from training.refusals import asks, consents, others, refuses, unsaid

__all__ = ["VALUED", "bare", "templates"]


def templates(count: int, *, seed: int) -> Iterator[Pair]:
    """So many messages, each with the open question's pair and some of other fields."""
    rng = random.Random(seed)
    makers, weights = zip(*_MAKERS, strict=True)
    for _ in range(count):
        for pair in rng.choices(makers, weights)[0](rng):
            if len(pair.message) > 0 and len(pair.query) < 600:
                yield pair


def bare(count: int, *, seed: int) -> Iterator[Pair]:
    """So many answers that are nothing but the value."""
    rng = random.Random(seed)
    for _ in range(count):
        yield from bares(rng)


_MAKERS: tuple[tuple[Callable[[random.Random], Iterator[Pair]], float], ...] = (
    (informs, 26),
    (refuses, 27),
    (mixes, 9),
    (others, 5),
    (corrects, 11),
    (consents, 10),
    (unsaid, 5),
    (chooses, 5),
    (itself, 1.5),
    (asks, 2.5),
    (hard, 7),
)
