"""What is trained on in which order."""

import random
from collections.abc import Iterator, Sequence
from typing import Any
from zlib import crc32

from training import public, scene_pairs, scenes, sgd, templates
from training.pairs import Pair
from training.train import Course, Example, Words

__all__ = [
    "FIRST",
    "FOURTH",
    "SECOND",
    "THIRD",
    "Pair",
    "examples",
    "first",
    "fold",
    "fourth",
    "second",
    "third",
    "told",
    "use",
]

FIRST = Course(passes=1.0, size=64, rate=1.3e-4, heads=6e-4, frozen=2, seed=1, last=0.25)
SECOND = Course(passes=1.0, size=64, rate=6e-5, heads=2e-4, frozen=2, seed=2, last=0.0)
THIRD = Course(passes=1.0, size=64, rate=5e-5, heads=2e-4, frozen=2, seed=3, last=0.0)
FOURTH = Course(passes=1.0, size=64, rate=4e-5, heads=1.5e-4, frozen=2, seed=4, last=0.0)

TEMPLATES, SGD, CALLERS, INTENTS = (
    56_000,
    32_000,
    6_000,
    14_000,
)  #: messages of the first, pairs of the others
MORE, AGAIN = 8_000, 3  #: messages from templates in the second stage; how often it sees the tape
SCENES = 3, 2  #: how often each message of the scenes is said in the first and in the second stage


_FURTHER = [False]


def use(*, further: bool) -> None:
    """Learn from the scenes that the shipped model has not seen as well, and from the parts of all of them."""
    _FURTHER[0] = further


def told(times: int, *, seed: int, part: str = "all") -> Iterator[Pair]:
    """Every message of the scenes, so many times."""
    return scene_pairs.pairs(times, seed=seed, part=part, of=_scenes(), parts=_FURTHER[0])


def _scenes() -> Sequence[scenes.Scene]:
    return (*scenes.scenes(), *scenes.further()) if _FURTHER[0] else scenes.scenes()


def first() -> list[Pair]:
    """Templates, scenes and public dialogues, without the tape."""
    rng = random.Random(1)
    made = list(templates.templates(TEMPLATES, seed=11))
    pairs = made + _public(rng, SGD, CALLERS, INTENTS, seed=1)
    pairs += told(SCENES[0], seed=12, part="train")
    rng.shuffle(pairs)
    return pairs


def second(lines: Sequence[Pair], *, seed: int, part: str) -> list[Pair]:
    """The tape's lines several times, with more of what was seen before; of the scenes that `part`."""
    rng = random.Random(seed)
    return (
        list(templates.templates(MORE, seed=seed))
        + list(told(SCENES[1], seed=seed, part=part))
        + _public(rng, 5_000, 600, 2_000, seed=seed)
        + list(lines) * AGAIN
    )


def third(lines: Sequence[Pair], *, seed: int) -> list[Pair]:
    """The scenes once more, every option that was chosen in other words, and some of everything else."""
    rng = random.Random(seed)
    options = [pair for pair in sgd.sgd(seed=seed) if "option" in pair.label]
    return (
        list(templates.templates(MORE, seed=seed))
        + list(told(SCENES[1], seed=seed))
        + _public(rng, 3_000, 400, 1_500, seed=seed)
        + options
        + list(lines) * 2
    )


def fourth(lines: Sequence[Pair], *, seed: int) -> list[Pair]:
    """Answers that are nothing but the value, which whole sentences make a model forget, with some of all the rest."""
    rng = random.Random(seed)
    messages = list(told(1, seed=seed))
    away = list(scene_pairs.left_anywhere(4, seed=seed, of=_scenes())) if _FURTHER[0] else []
    return (
        list(templates.bare(11_000, seed=seed))
        + list(templates.templates(6_000, seed=seed))
        + rng.sample(messages, len(messages) // 2)
        + away
        + _public(rng, 1_500, 200, 800, seed=seed)
        + list(lines)
    )


def _public(rng: random.Random, dialogues: int, callers: int, intents: int, *, seed: int) -> list[Pair]:
    asked = [field.question(rng) for field in rng.choices(templates.VALUED, k=4000)]
    parts = (
        (list(sgd.sgd(seed=seed)), dialogues),
        (list(public.restaurants()), callers),
        (list(public.bank(asked)) + list(public.intents(asked)), intents),
    )
    return [pair for pairs, count in parts for pair in rng.sample(pairs, min(count, len(pairs)))]


def fold(row: dict[str, Any]) -> int:
    """On which side of the split a form of the tape is."""
    return crc32(f"26{row['form'].split('_')[0]}".encode()) % 2


def examples(pairs: Sequence[Pair]) -> list[Example]:
    """Pairs as numbers."""
    words = Words()
    return [words.example(pair) for pair in pairs]
