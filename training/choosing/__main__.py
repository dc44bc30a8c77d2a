"""`python -m training.choosing`: the choosing model from the reader as it is shipped, its calibration and its card.

An hour on two cores. Every tenth question is kept back with all that is said to it: what the model says of those makes
its calibration and its figures.
"""

import argparse
import json
import random
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

import torch

import softrail.reader.learned
from softrail.reader.learned.choosing import FILE, NOTHING
from training import scenes
from training.choosing.answers import YES_NO, Answer, of_scenes, to_others, written
from training.choosing.export import export
from training.choosing.learn import ChoosingModel, Course, run, train
from training.choosing.ordinary import ordinary
from training.joint.model import body_of
from training.reading import share
from training.stages import taken_up

MODEL = Path(softrail.reader.learned.__file__).parent / "model"
READER = "reader-minilm-l6-w8.onnx"
BUILD = Path(__file__).parents[1] / "build"
FIRST = Course(passes=4, rate=1e-4, heads=5e-4, seed=0)
SECOND = Course(passes=1, rate=5e-5, heads=2e-4, seed=1)
THIRD = Course(passes=1, rate=5e-5, heads=2e-4, seed=2)
FOURTH = Course(passes=2, rate=7e-5, heads=3e-4, seed=3)
FIFTH = Course(passes=2, rate=7e-5, heads=3e-4, seed=4)
NEWEST = ("hand_28",)  #: what the last stage says more often
BARS = (0.7, 0.8, 0.9)
_KEPT = 10  #: of so many questions one is kept back


def main() -> None:
    """Trains, calibrates, writes."""
    parser = argparse.ArgumentParser(prog="python -m training.choosing", description=__doc__)
    parser.add_argument(
        "--keep", action="store_true", help="take up what an earlier run left in training/build"
    )
    parser.add_argument(
        "--further",
        action="store_true",
        help="the last stage alone, from the choosing model as it is shipped",
    )
    given = parser.parse_args()
    torch.set_num_threads(2)  # on more or less, the same answers give another file
    BUILD.mkdir(exist_ok=True)
    learned, kept = parted(answers())
    model = ChoosingModel()
    model.load_state_dict(body_of(MODEL / READER), strict=False)
    *earlier, last = STAGES
    for stage in () if given.further else earlier:
        _learn(model, stage, learned, keep=given.keep)
    if given.further:
        taken_up(model, BUILD / "choosing-before.pt", lambda: model.resume(MODEL / FILE), keep=given.keep)
    before = {key: value.clone() for key, value in model.state_dict().items()}
    _learn(model, last, learned, keep=given.keep)
    model.load_state_dict({key: (before[key] + value) / 2 for key, value in model.state_dict().items()})
    model.eval()
    logits = run(model, kept)
    temperature = calibrated(kept, logits)
    export(model, MODEL / FILE, MODEL / READER)
    numbers = json.dumps({"temperature": temperature})
    (MODEL / "choosing-calibration.json").write_text(f"{numbers}\n", encoding="utf-8")
    card = (Path(__file__).parent / "card.md").read_text(encoding="utf-8")
    card = card.replace("@FIGURES@", figures(kept, logits, temperature))
    card = card.replace("@SHA@", sha256((MODEL / FILE).read_bytes()).hexdigest())
    (MODEL / "CHOOSING.md").write_text(card, encoding="utf-8")


def answers() -> list[Answer]:
    """All that there is to learn from."""
    rng = random.Random(3)
    made = written()
    every = (*scenes.scenes(), *scenes.further(), *scenes.whole())
    return [*made, *of_scenes(every, rng), *to_others(made, rng)]


def _ordinary() -> list[Answer]:
    return parted(ordinary(seed=5))[0]


def _of_forms() -> list[Answer]:
    """Whole messages of forms, and some of the plain ones again."""
    rng = random.Random(7)
    told = list(of_scenes(scenes.forms(), rng))
    plain = ordinary(seed=9)
    return parted([*told, *rng.sample(plain, len(plain) // 2)])[0]


def _of_the_newest() -> list[Answer]:
    """Whole messages of forms, and three more times what was written since the stage before."""
    newest = [answer for answer in written() if answer.source in NEWEST]
    return [*_of_forms(), *parted(newest)[0] * 3]


class Stage(NamedTuple):
    """What is learned beside the answers that were written for it, and how."""

    name: str
    more: Callable[[], list[Answer]]
    how: Course


#: Of the last one the middle of what it began with and what it came to is shipped: that takes more, and no more of it wrongly.
STAGES: Final = (
    Stage("first", list, FIRST),
    Stage("second", _ordinary, SECOND),
    Stage("third", _of_forms, THIRD),
    Stage("fourth", _of_forms, FOURTH),
    Stage("fifth", _of_the_newest, FIFTH),
)


def _learn(model: ChoosingModel, stage: Stage, learned: Sequence[Answer], *, keep: bool) -> None:
    path = BUILD / f"choosing-{stage.name}.pt"
    taken_up(model, path, lambda: train(model, [*learned, *stage.more()], stage.how), keep=keep)


def parted(every: Sequence[Answer]) -> tuple[list[Answer], list[Answer]]:
    """What is learned from, and what is said to the questions that are kept back."""
    kept = [answer for answer in every if crc32(answer.asks.encode()) % _KEPT == 0]
    return [answer for answer in every if crc32(answer.asks.encode()) % _KEPT], kept


def calibrated(answers: Sequence[Answer], logits: Sequence[Sequence[float]]) -> float:
    """What logits are divided by, so that what is said to be nine of ten is."""
    places = [(*NOTHING, *answer.options).index(answer.meant) for answer in answers]

    def surprise(temperature: float) -> float:
        each = [
            -float(torch.tensor(one).div(temperature).log_softmax(0)[at])
            for one, at in zip(logits, places, strict=True)
        ]
        return sum(each) / len(each)

    return min((step / 20 for step in range(10, 61)), key=surprise)


def figures(answers: Sequence[Answer], logits: Sequence[Sequence[float]], temperature: float) -> str:
    """A table: how often the likeliest option is the one that is meant, and what becomes of bars."""
    rows = ["| | n | % (95 % interval) |", "|---|---|---|"]
    for name, closed in (("a choice", False), ("yes or no", True)):
        read = [
            (answer, torch.tensor(one).div(temperature).softmax(0)[len(NOTHING) :].tolist())
            for answer, one in zip(answers, logits, strict=True)
            if (set(answer.options) == set(YES_NO)) == closed and not answer.beside
        ]
        told = [(a, likely) for a, likely in read if a.meant in a.options]
        right = sum(a.options[likely.index(max(likely))] == a.meant for a, likely in told)
        rows.append(f"| {name}: the likeliest is meant | {len(told)} | {share(right, len(told))} |")
        for bar in BARS:
            sure = [(a, likely) for a, likely in read if max(likely) >= bar]
            taken = sum(a.meant in a.options for a, _ in sure)
            wrong = sum(a.options[likely.index(max(likely))] != a.meant for a, likely in sure)
            rows.append(f"| – as sure as {bar} | {len(told)} | {share(taken, len(told))} |")
            rows.append(f"| – of these something else is meant | {len(sure)} | {share(wrong, len(sure))} |")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
