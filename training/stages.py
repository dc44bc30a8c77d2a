"""What an earlier run of a training left behind, and what is shipped to go on from."""

from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn


def taken_up(model: nn.Module, path: Path, make: Callable[[], None], *, keep: bool) -> None:
    """Gives the model the weights that lie there, where they are to be kept; else what `make` does to it, left there for the next run."""
    if keep and path.exists():
        model.load_state_dict(torch.load(path))
        return
    make()
    torch.save(model.state_dict(), path)
