"""`python -m training.joint`: the joint model from the reader as it is shipped: examples, training, calibration, export."""

import argparse
import json
import random
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import torch

import softrail.reader.learned
from softrail.reader.learned.joint import FILE
from training import scenes, templates
from training.joint import figures, learn, sources
from training.joint.export import export
from training.joint.forms import Form
from training.joint.model import JointModel
from training.reading import share
from training.stages import taken_up
from training.tape import tape

BUILD = Path(__file__).parents[1] / "build"
MODEL = Path(softrail.reader.learned.__file__).parent / "model"
READER = "reader-minilm-l6-w8.onnx"

FIRST = learn.Course(size=32, rate=1.2e-4, heads=8e-4, seed=1, last=0.3)
SECOND = learn.Course(size=32, rate=1.1e-4, heads=5e-4, seed=2, last=0.0)
THIRD = learn.Course(size=32, rate=9e-5, heads=4e-4, seed=3, last=0.0)
FOURTH = learn.Course(size=32, rate=9e-5, heads=4e-4, seed=4, last=0.0)
FIFTH = learn.Course(size=32, rate=8e-5, heads=3e-4, seed=5, last=0.0)
SIXTH = learn.Course(size=32, rate=8e-5, heads=3e-4, seed=6, last=0.0)
SEVENTH = learn.Course(size=32, rate=8e-5, heads=3e-4, seed=7, last=0.0)
EIGHTH = learn.Course(size=32, rate=1.2e-4, heads=5e-4, seed=8, last=0.0)
NINTH = learn.Course(size=32, rate=1e-4, heads=5e-4, seed=9, last=0.0)


def first() -> list[Form]:
    """Public dialogues, callers, templates, and the scenes without those that are kept back."""
    rng = random.Random(1)
    forms = list(sources.of_dialogues(seed=2))
    forms += rng.sample(list(sources.of_callers(seed=3)), 4_000)
    forms += sources.of_pairs(list(templates.templates(9_000, seed=4)))
    forms += sources.of_scenes(2, seed=5, of=_earlier(), part="train")
    return forms


def second() -> list[Form]:
    """All scenes several times, the tape, and some of the rest again."""
    rng = random.Random(2)
    forms = list(sources.of_scenes(3, seed=6, of=_earlier(), part="train"))
    forms += sources.of_scenes(5, seed=7, of=scenes.whole(), part="train")
    forms += sources.of_tape(list(tape()))
    forms += rng.sample(list(sources.of_dialogues(seed=8)), 5_000)
    forms += rng.sample(list(sources.of_callers(seed=9)), 1_000)
    forms += sources.of_pairs(list(templates.templates(2_000, seed=10)))
    forms += sources.of_pairs(list(templates.bare(1_500, seed=11)))
    return forms


def third() -> list[Form]:
    """The scenes again, with other noise and other values, and a little of the rest."""
    rng = random.Random(3)
    forms = list(sources.of_scenes(3, seed=16, of=_earlier(), part="train"))
    forms += sources.of_scenes(6, seed=17, of=scenes.whole(), part="train")
    forms += rng.sample(list(sources.of_dialogues(seed=18)), 3_000)
    forms += rng.sample(list(sources.of_callers(seed=19)), 600)
    forms += sources.of_pairs(list(templates.bare(1_500, seed=21)))
    return forms


def fourth() -> list[Form]:
    """What was written last, often; which option is meant, which it has not learned; and some of the rest again."""
    rng = random.Random(4)
    forms = list(sources.of_scenes(4, seed=26, of=scenes.whole(), part="train"))
    forms += sources.of_scenes(1, seed=27, of=_earlier(), part="train")
    forms += sources.of_options(3, seed=28, of=(*scenes.whole(), *_earlier()), part="train")
    forms += rng.sample(list(sources.of_dialogues(seed=29)), 2_000)
    forms += rng.sample(list(sources.of_callers(seed=30)), 300)
    forms += sources.of_pairs(list(templates.bare(1_000, seed=31)))
    return forms


def fifth() -> list[Form]:
    """Whole messages of forms, twice, and some of everything else again."""
    return _with_forms(seed=5, first=41)


def sixth() -> list[Form]:
    """The same once more, with other noise and other values."""
    return _with_forms(seed=6, first=61)


def seventh() -> list[Form]:
    """The same with ten hands more, who wrote above all how people change their mind, and say what a text is."""
    return _with_forms(seed=7, first=81)


def eighth() -> list[Form]:
    """The forms many times, with six hands more: what is told beside an answer takes long to learn. And some of the rest."""
    return _many_times(5, seed=8, first=101)


def ninth() -> list[Form]:
    """The same once more with three hands: what is called wrong without being told anew, half answers, and what is easily mixed up."""
    return _many_times(4, seed=9, first=121)


def _many_times(times: int, *, seed: int, first: int) -> list[Form]:
    """The forms so many times, and some of the rest; `first` is the first of the seeds of its five sources."""
    forms = list(sources.of_scenes(times, seed=first, of=scenes.forms(), part="train"))
    forms += sources.of_scenes(1, seed=first + 1, of=(*_earlier(), *scenes.whole()), part="train")
    return [*forms, *rest(2, seed=seed, first=first + 2)]


def _with_forms(*, seed: int, first: int) -> list[Form]:
    """`first` is the first of the seeds of its five sources."""
    forms = list(sources.of_scenes(1, seed=first, of=(*_earlier(), *scenes.whole()), part="train"))
    forms += sources.of_scenes(2, seed=first + 1, of=scenes.forms(), part="train")
    return [*forms, *rest(1, seed=seed, first=first + 2)]


def rest(parts: int, *, seed: int, first: int) -> list[Form]:
    """So many thousands of what is bare, twice as many of dialogues, a few callers, and the tape."""
    rng = random.Random(seed)
    forms = list(sources.of_tape(list(tape())))
    forms += rng.sample(list(sources.of_dialogues(seed=first)), 2_000 * parts)
    forms += rng.sample(list(sources.of_callers(seed=first + 1)), 300 * parts)
    forms += sources.of_pairs(list(templates.bare(1_000 * parts, seed=first + 2)))
    return forms


def _earlier() -> tuple[scenes.Scene, ...]:
    return (*scenes.scenes(), *scenes.further())


#: The middle of two stages: surer of the tape than the last one, and stores less on a guess.
MIDDLE: Final = {"third": 0.5, "fourth": 0.5}
#: Half of that, and half of what it came to with the forms.
FORMS: Final = {name: share / 2 for name, share in MIDDLE.items()} | {"fifth": 0.5}
#: Most of that, and some of what it came to with more of them, which alone stores more on a guess.
MORE: Final = {name: 0.7 * share for name, share in FORMS.items()} | {"sixth": 0.3}
#: Half of that, and half of what ten hands more made of it.
SEVEN: Final = {name: 0.5 * share for name, share in MORE.items()} | {"seventh": 0.5}
#: A little of that, and most of what the forms many times made of it: what the last stage begins with.
EIGHT: Final = {name: 0.3 * share for name, share in SEVEN.items()} | {"eighth": 0.7}
#: The name under which that is kept.
BEFORE: Final = "before"
#: What is shipped.
SHIPPED: Final = {BEFORE: 0.3, "ninth": 0.7}


class Stage(NamedTuple):
    """What is learned, how, and what it begins with: the weights of stages, by their shares; those of the one before, if empty."""

    name: str
    forms: Callable[[], list[Form]]
    how: learn.Course
    begins: Mapping[str, float] = {}


STAGES: Final = (
    Stage("first", first, FIRST),
    Stage("second", second, SECOND),
    Stage("third", third, THIRD),
    Stage("fourth", fourth, FOURTH),
    Stage("fifth", fifth, FIFTH, begins=MIDDLE),
    Stage("sixth", sixth, SIXTH, begins=FORMS),
    Stage("seventh", seventh, SEVENTH, begins=MORE),
    Stage("eighth", eighth, EIGHTH, begins=SEVEN),
    Stage("ninth", ninth, NINTH),
)


def main() -> None:
    """Every step; with `--keep` those whose results are there already are skipped."""
    parser = argparse.ArgumentParser(prog="python -m training.joint", description=__doc__)
    parser.add_argument(
        "--keep", action="store_true", help="take up what an earlier run left in training/build"
    )
    parser.add_argument(
        "--further", action="store_true", help="the last stage alone, from the joint model as it is shipped"
    )
    parser.add_argument(
        "--until", choices=[stage.name for stage in STAGES], default="", help="stop after that stage"
    )
    given = parser.parse_args()
    BUILD.mkdir(exist_ok=True)
    model = JointModel()
    model.begin(MODEL / READER)
    *earlier, last = STAGES
    for stage in () if given.further else earlier:
        _learn(model, stage, keep=given.keep)
        if given.until == stage.name:
            return

    def begun() -> None:
        if given.further:
            model.resume(MODEL / FILE)
        else:
            model.load_state_dict(mixed(EIGHT))

    taken_up(model, BUILD / f"joint-{BEFORE}.pt", begun, keep=given.keep)
    _learn(model, last, keep=given.keep)
    model.load_state_dict(mixed(SHIPPED))
    write(model)


def _learn(model: JointModel, stage: Stage, *, keep: bool) -> None:
    def learned() -> None:
        if stage.begins:
            model.load_state_dict(mixed(stage.begins))
        words = learn.Words()
        examples = [words.example(form) for form in stage.forms()]
        learn.train(model, examples, stage.how)

    taken_up(model, BUILD / f"joint-{stage.name}.pt", learned, keep=keep)


def mixed(shares: Mapping[str, float]) -> dict[str, torch.Tensor]:
    """The weights of those stages, each with its share."""
    states = [(share, torch.load(BUILD / f"joint-{name}.pt")) for name, share in shares.items()]
    return {
        key: sum(share * state[key] for share, state in states) if value.is_floating_point() else value
        for key, value in states[0][1].items()
    }


def write(model: JointModel) -> None:
    """Calibrates on what was kept back, writes the model, its calibration and its card."""
    kept = {
        "earlier scenes": list(sources.of_scenes(1, seed=99, of=_earlier(), part="held")),
        "whole scenes": list(sources.of_scenes(1, seed=98, of=scenes.whole(), part="held")),
        "forms": list(sources.of_scenes(1, seed=96, of=scenes.forms(), part="held")),
        "dialogues about other services": random.Random(3).sample(
            list(sources.of_dialogues("sgd/unseen.jsonl.xz", seed=97)), 800
        ),
    }
    written(model, kept, FILE, "joint-calibration.json", Path(__file__).parent / "card.md", "JOINT.md")


def written(
    model: JointModel, kept: Mapping[str, Sequence[Form]], file: str, calibration: str, card: Path, name: str
) -> None:
    """Writes a model with its calibration and, by the pattern of a card, its card, both from what was kept back."""
    read = {what: figures.read(model, forms) for what, forms in kept.items()}
    by = figures.calibrate([one for readings in read.values() for one in readings])
    model.eval()
    export(model, MODEL / file, MODEL / READER)
    (MODEL / calibration).write_text(json.dumps(by) + "\n", encoding="utf-8")
    parts = [
        f"| {part} | n | % (95 % interval) |\n|---|---|---|\n"
        + "\n".join(
            f"| {what} | {n} | {share(right, n)} |" for what, right, n in figures.figures(readings, by)
        )
        for part, readings in read.items()
    ]
    told = card.read_text(encoding="utf-8").replace("@FIGURES@", "\n\n".join(parts))
    told = told.replace("@SHA@", sha256((MODEL / file).read_bytes()).hexdigest())
    (MODEL / name).write_text(told, encoding="utf-8")


if __name__ == "__main__":
    main()
