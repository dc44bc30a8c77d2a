"""`python -m training.joint`: the joint model from the reader as it is shipped: examples, training, calibration, export."""

import argparse
import json
import random
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import torch

import softrail.reader.learned
from softrail.reader.learned.joint import FILE
from training import scenes
from training.joint import figures, learn, sources
from training.joint.beginnings import of_beginnings
from training.joint.export import export
from training.joint.model import JointModel
from training.joint.stages import BEFORE, SHIPPED, STAGES, TWELVE, Stage, earlier
from training.reading import share
from training.stages import taken_up

BUILD = Path(__file__).parents[1] / "build"
MODEL = Path(softrail.reader.learned.__file__).parent / "model"
READER = "reader-minilm-l6-w8.onnx"


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
    *before, last = STAGES
    for stage in () if given.further else before:
        _learn(model, stage, keep=given.keep)
        if given.until == stage.name:
            return

    def begun() -> None:
        if given.further:
            model.resume(MODEL / FILE)
        else:
            model.load_state_dict(mixed(TWELVE))

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
        "messages that begin a form": list(of_beginnings(1, seed=95, of=scenes.dense(), part="held")),
        "forms that are told all at once": list(
            sources.of_scenes(1, seed=94, of=scenes.dense(), part="held")
        ),
        "earlier scenes": list(sources.of_scenes(1, seed=99, of=earlier(), part="held")),
        "whole scenes": list(sources.of_scenes(1, seed=98, of=scenes.whole(), part="held")),
        "forms": list(sources.of_scenes(1, seed=96, of=scenes.forms(), part="held")),
        "dialogues about other services": random.Random(3).sample(
            list(sources.of_dialogues("sgd/unseen.jsonl.xz", seed=97)), 800
        ),
    }
    read = {what: figures.read(model, forms) for what, forms in kept.items()}
    by = figures.calibrate([one for readings in read.values() for one in readings])
    model.eval()
    export(model, MODEL / FILE, MODEL / READER)
    (MODEL / "joint-calibration.json").write_text(json.dumps(by) + "\n", encoding="utf-8")
    parts = [
        f"| {part} | n | % (95 % interval) |\n|---|---|---|\n"
        + "\n".join(
            f"| {what} | {n} | {share(right, n)} |" for what, right, n in figures.figures(readings, by)
        )
        for part, readings in read.items()
    ]
    told = (Path(__file__).parent / "card.md").read_text(encoding="utf-8")
    told = told.replace("@FIGURES@", "\n\n".join(parts))
    told = told.replace("@SHA@", sha256((MODEL / FILE).read_bytes()).hexdigest())
    (MODEL / "JOINT.md").write_text(told, encoding="utf-8")


if __name__ == "__main__":
    main()
