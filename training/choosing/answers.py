"""Answers to closed questions: what was asked, what was offered, what was said, and what of it was meant."""

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from softrail.reader.learned.choosing import NOTHING
from training.scenes import CLOSED, Asked, Said, Scene

FOLDER: Final = Path(__file__).parents[1] / "choices"
YES_NO: Final = ("yes", "no")
_UNTOLD: Final = 0.25  #: how often a closed question is put that the message tells nothing of
_ELSEWHERE: Final = 0.2  #: how often what was said to one question is put to another
#: How a file says what is no option: it is asked back, none of them fits, it is no answer.
SIGNS: Final = dict(zip(("~", "-", "*"), NOTHING, strict=True))


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One message and what a clerk would take it for: an option, or one of `NOTHING`."""

    asks: str
    options: tuple[str, ...]
    message: str
    meant: str
    beside: bool = False  #: something else was asked
    source: str = ""


class Unreadable(Exception):
    """A line of a file cannot be read."""


def read(path: Path) -> list[Answer]:
    """The answers of a file; `Unreadable` names the line."""
    found: list[Answer] = []
    asks, options = "", ()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if text.startswith("? "):
            asks, _, offered = text[2:].rpartition(" | ")
            options = tuple(option.strip() for option in offered.split(","))
            if not asks or len(set(options)) < 2:
                raise Unreadable(f"{path.name}:{number}: a question is `? question | option, option`: {text}")
            continue
        message, _, label = text.rpartition(" = ")
        meant = SIGNS.get(label, label)
        if not message or meant not in (*options, *NOTHING):
            raise Unreadable(f"{path.name}:{number}: {label!r} is no option, and none of ~ - *: {text}")
        found.append(Answer(asks=asks, options=options, message=message, meant=meant, source=path.stem))
    return found


def written() -> list[Answer]:
    """All that was written for this."""
    return [answer for path in sorted(FOLDER.glob("*.txt")) for answer in read(path)]


def of_scenes(scenes: Sequence[Scene], rng: random.Random) -> Iterator[Answer]:
    """What is said in scenes to closed questions: to the open one, and beside an answer to one that is not open."""
    for scene in scenes:
        for said in scene.said:
            meant = _meant(scene, said)
            options = _offered(said.open)
            if meant in (*options, *NOTHING) and options and meant is not None:
                asks = rng.choice(said.open.asks)
                yield Answer(asks=asks, options=options, message=said.plain, meant=meant, source="scenes")
            yield from _beside(scene, said, rng)


def _beside(scene: Scene, said: Said, rng: random.Random) -> Iterator[Answer]:
    """The closed questions that the message answers besides, and now and then one that it does not."""
    told = {scene.of(said, part).name: part for part in said.parts()}
    for asked in scene.fields.values():
        options, part = _offered(asked), told.get(asked.name)
        if asked is said.open or not options or asked.kind == "confirm":
            continue
        if part is not None:
            meant = part["option"] or part["words"].strip().lower()
        elif asked.name in said.wrong or (asked.kind == "bool" and not scene.tells_consent):
            continue  # which it is nobody says
        elif rng.random() < _UNTOLD:
            meant = "aside"
        else:
            continue
        about = rng.choice(asked.asks)
        yield Answer(
            asks=about, options=options, message=said.plain, meant=meant, beside=True, source="scenes"
        )


def _offered(asked: Asked) -> tuple[str, ...]:
    return YES_NO if asked.kind in CLOSED else asked.options


def to_others(answers: Sequence[Answer], rng: random.Random) -> Iterator[Answer]:
    """Some of what was said to one question, put to another one of the same hand: it is no answer to that."""
    by_hand: dict[str, list[Answer]] = {}
    for answer in answers:
        by_hand.setdefault(answer.source, []).append(answer)
    for answer in answers:
        other = rng.choice(by_hand[answer.source])
        if other.asks != answer.asks and rng.random() < _ELSEWHERE:
            yield replace(answer, asks=other.asks, options=other.options, meant="aside", beside=True)


def _meant(scene: Scene, said: Said) -> str | None:
    """What the open question is told; None where the scene does not say."""
    if said.open.name in said.wrong:
        return None
    there = set(said.there)
    if said.open.kind in CLOSED:
        if {"affirm", "negate"} <= there or {"affirm", "negate"} & set(said.shy):
            return None
        if "affirm" in there:
            return "yes"
        if "negate" in there:
            return "no"
    else:
        here = [part for part in said.parts() if scene.of(said, part) is said.open]
        if here:
            return here[-1]["option"] or here[-1]["words"].strip().lower()
        if said.open.kind != "choice":
            return None
    if "none" in there:
        return "none"
    if {"open", "hold"} & there:
        return "open" if "open" in there else "aside"
    return "aside"


def shuffled(answer: Answer, rng: random.Random, *, fewer: float = 0.4) -> Answer:
    """The same with its options in another order, and now and then without some that are not meant."""
    options = list(answer.options)
    rng.shuffle(options)
    if len(options) > 2 and answer.meant in options and rng.random() < fewer:
        spare = [option for option in options if option != answer.meant]
        gone = set(rng.sample(spare, rng.randint(1, len(spare) - 1)))
        options = [option for option in options if option not in gone]
    return replace(answer, options=tuple(options))


def main() -> None:
    """Read files and tell what is in them."""
    for name in sys.argv[1:]:
        try:
            answers = read(Path(name))
        except Unreadable as err:
            print(err)
            raise SystemExit(1) from None
        print(f"{name}: {len({a.asks for a in answers})} questions, {len(answers)} messages")


if __name__ == "__main__":
    main()
