"""`python -m training.meaning`: the sentence encoder from the weights of all-MiniLM-L6-v2. Ten minutes on one core.

What is written beside the classifier changes the encoder's vectors: `MiniLM.id` and the card get its hash, and
`python -m tests.unit.classifier.vectors` writes those of the bundled exemplars anew.
"""

import argparse
from hashlib import sha256
from pathlib import Path

import torch

from training.__main__ import base
from training.meaning.export import FILE, export
from training.meaning.learn import Course, Encoder, train
from training.meaning.messages import SETS, sets


def main() -> None:
    """Trains and writes; with `--without` for figures on a set whose intents it has not seen."""
    parser = argparse.ArgumentParser(prog="python -m training.meaning", description=__doc__)
    parser.add_argument("--base", type=Path, default=None, help="model.safetensors of all-MiniLM-L6-v2")
    parser.add_argument("--without", choices=SETS, action="append", default=[], help="a set to leave out")
    parser.add_argument("--untrained", action="store_true", help="the weights as they are")
    parser.add_argument("--to", type=Path, default=FILE, help="where it is written")
    given = parser.parse_args()
    torch.set_num_threads(1)  # on more, the same messages give another file
    if given.untrained:
        model = Encoder()
        model.begin(given.base or base())
    else:
        model = train(given.base or base(), sets(given.without), Course())
    export(model, given.to)
    print(given.to, sha256(given.to.read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
