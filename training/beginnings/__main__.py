"""`python -m training.beginnings`: the model of first messages from the joint model as it is shipped, in an hour on two cores."""

import argparse
import random
from pathlib import Path
from typing import Final

from softrail.reader.learned.reader import BEGINNINGS
from training import scenes
from training.beginnings.sources import composed, of_beginnings
from training.joint import learn
from training.joint import sources as joint
from training.joint.__main__ import BUILD, FILE, MODEL, READER, mixed, rest, written
from training.joint.forms import Form
from training.joint.model import JointModel
from training.stages import taken_up

FIRST = learn.Course(size=32, rate=1.2e-4, heads=5e-4, seed=10, last=0.0)
SECOND = learn.Course(size=32, rate=1.2e-4, heads=5e-4, seed=11, last=0.0)

#: The names under which weights are kept.
BEFORE, ONE, TWO = "shipped", "beginnings-first", "beginnings-second"
#: What the second stage begins with, and what is shipped.
BETWEEN: Final = {BEFORE: 0.3, ONE: 0.7}
SHIPPED: Final = {name: 0.3 * share for name, share in BETWEEN.items()} | {TWO: 0.7}


def first() -> list[Form]:
    """What people tell all at once, above all with the message that begins a form; all forms once more, and some of the rest."""
    every = (*scenes.forms(), *scenes.whole())
    forms = list(joint.of_scenes(6, seed=141, of=scenes.dense(), part="train"))
    forms += of_beginnings(6, seed=142, of=scenes.dense(), part="train")
    forms += of_beginnings(1, seed=143, of=every, part="train")
    forms += composed(9, seed=144, of=(*scenes.dense(), *scenes.forms()), part="train")
    forms += joint.of_scenes(1, seed=145, of=every, part="train")
    return [*forms, *rest(1, seed=10, first=146)]


def second() -> list[Form]:
    """The same once more, with some of the forms."""
    rng, every = random.Random(11), (*scenes.forms(), *scenes.whole())
    forms = list(joint.of_scenes(6, seed=161, of=scenes.dense(), part="train"))
    forms += of_beginnings(6, seed=162, of=scenes.dense(), part="train")
    forms += rng.sample(list(of_beginnings(1, seed=163, of=every, part="train")), 5_000)
    forms += composed(5, seed=164, of=(*scenes.dense(), *scenes.forms()), part="train")
    forms += rng.sample(list(joint.of_scenes(1, seed=165, of=every, part="train")), 20_000)
    return [*forms, *rest(1, seed=11, first=166)]


def main() -> None:
    """Every step; with `--keep` those whose results are there already are skipped."""
    parser = argparse.ArgumentParser(prog="python -m training.beginnings", description=__doc__)
    parser.add_argument(
        "--keep", action="store_true", help="take up what an earlier run left in training/build"
    )
    given = parser.parse_args()
    BUILD.mkdir(exist_ok=True)
    model, words = JointModel(), learn.Words()
    model.begin(MODEL / READER)

    def begun() -> None:
        model.resume(MODEL / FILE)

    def learned_first() -> None:
        learn.train(model, [words.example(form) for form in first()], FIRST)

    def learned_second() -> None:
        model.load_state_dict(mixed(BETWEEN))
        learn.train(model, [words.example(form) for form in second()], SECOND)

    taken_up(model, BUILD / f"joint-{BEFORE}.pt", begun, keep=given.keep)
    taken_up(model, BUILD / f"joint-{ONE}.pt", learned_first, keep=given.keep)
    taken_up(model, BUILD / f"joint-{TWO}.pt", learned_second, keep=given.keep)
    model.load_state_dict(mixed(SHIPPED))
    write(model)


def write(model: JointModel) -> None:
    """Calibrates on what was kept back, writes the model, its calibration and its card."""
    kept = {
        "messages that begin a form": list(of_beginnings(1, seed=95, of=scenes.dense(), part="held")),
        "all messages of those forms": list(joint.of_scenes(1, seed=94, of=scenes.dense(), part="held")),
        "messages of older forms": list(joint.of_scenes(1, seed=96, of=scenes.forms(), part="held")),
    }
    written(
        model,
        kept,
        BEGINNINGS,
        "beginnings-calibration.json",
        Path(__file__).parent / "card.md",
        "BEGINNINGS.md",
    )


if __name__ == "__main__":
    main()
