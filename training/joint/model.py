"""The joint model: the reader's lower layers as they are, upper layers of its own, and a head for each field."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch import Tensor, nn

from softrail.reader.learned.marks import ACTS
from training.model import LAYERS, WIDTH, Body

SHARED = 2  #: lower layers that are the reader's, with its embeddings
#: What each head is called in the file.
HEADS = {"bend": "bend", "marks": "marked", "seeks": "seeks", "found": "found", "does": "does"}
POINTED = 128
GIVEN, DENIED, YES, NO = range(4)


class JointModel(Body):
    """Gives logits: four marks of each field, its start and end among the message's tokens, and the acts."""

    def __init__(self, drop: float = 0.1) -> None:
        super().__init__(drop)
        self.bend = nn.Linear(WIDTH, WIDTH)
        self.marks = nn.Linear(WIDTH, 4)
        self.seeks = nn.Linear(WIDTH, 2 * POINTED)
        self.found = nn.Linear(WIDTH, 2 * POINTED)
        self.does = nn.Linear(2 * WIDTH, len(ACTS))
        self.drop = nn.Dropout(drop)

    def forward(
        self, ids: Tensor, types: Tensor, mask: Tensor, fields: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """`fields` are the places of the fields' marks, rows x fields; the message's tokens have type 1.

        Returns marks (rows x fields x 4), starts and ends (rows x fields x tokens), acts (rows x acts).
        """
        x = self.tokens(ids, types, mask, SHARED)
        each = torch.gather(x, 1, fields[:, :, None].expand(-1, -1, WIDTH))
        marks = self.marks(self.drop(F.gelu(self.bend(self.drop(each)))))
        seeks = self.seeks(each).float() * POINTED**-0.5
        found = self.found(x).float()
        starts = seeks[:, :, :POINTED] @ found[:, :, :POINTED].transpose(1, 2)
        ends = seeks[:, :, POINTED:] @ found[:, :, POINTED:].transpose(1, 2)
        said = types.float()[:, :, None]
        mean = (x * said).sum(1) / said.sum(1).clamp(min=1.0)
        does = self.does(self.drop(torch.cat([x[:, 0], mean.to(x.dtype)], dim=-1)))
        return marks, starts, ends, does

    def begin(self, reader: Path) -> None:
        """Takes over the weights of the reader as it is shipped."""
        missing = self.load_state_dict(body_of(reader), strict=False)
        assert not missing.unexpected_keys
        assert {key.split(".")[0] for key in missing.missing_keys} <= {*HEADS}

    def resume(self, shipped: Path) -> None:
        """Takes over all weights of a joint model as it is shipped, in whose file they have 8 bits."""
        self.load_state_dict(body_of(shipped) | heads_of(shipped, HEADS))


def weights_of(shipped: Path) -> dict[str, np.ndarray]:
    """The arrays of a model as it is shipped, by the names that they have in its file."""
    return {w.name: numpy_helper.to_array(w) for w in onnx.load(str(shipped)).graph.initializer}


def heads_of(shipped: Path, names: Mapping[str, str]) -> dict[str, Tensor]:
    """The matrices of a model as it is shipped that are written as they are; `names`: in a model, in the file."""
    old = weights_of(shipped)
    return {
        f"{name}.{part}": torch.tensor(old[f"{written}.{part}"].T.copy())
        for name, written in names.items()
        for part in ("weight", "bias")
    }


def body_of(shipped: Path) -> dict[str, Tensor]:
    """The embeddings and layers of a model as it is shipped, by the names that they have in a model."""
    old = weights_of(shipped)

    def table(name: str) -> Tensor:
        return torch.tensor(old[f"{name}.int8"].astype(np.float32) * old[f"{name}.scale"])

    def matrix(name: str) -> tuple[Tensor, Tensor]:
        weight = old[f"{name}.bytes"].astype(np.float32) * old[f"{name}.scale"]
        return torch.tensor(weight.T.copy()), torch.tensor(old[f"{name}.bias"].copy())

    new: dict[str, Tensor] = {
        "words.weight": table("words"),
        "places.weight": table("places"),
        "types.weight": torch.tensor(old["types.table"].copy()),
        "norm.weight": torch.tensor(old["norm.gain"].copy()),
        "norm.bias": torch.tensor(old["norm.shift"].copy()),
    }
    for at in range(LAYERS):
        weight, shift = matrix(f"layer{at + 1}.all")
        for n, part in enumerate(("query", "key", "value")):
            new[f"layers.{at}.{part}.weight"] = weight[n * WIDTH : (n + 1) * WIDTH]
            new[f"layers.{at}.{part}.bias"] = shift[n * WIDTH : (n + 1) * WIDTH]
        for part in ("out", "wide", "narrow"):
            new[f"layers.{at}.{part}.weight"], new[f"layers.{at}.{part}.bias"] = matrix(
                f"layer{at + 1}.{part}"
            )
        for part, name in (("norm1", f"layer{at + 1}.middle"), ("norm2", f"layer{at + 1}")):
            new[f"layers.{at}.{part}.weight"] = torch.tensor(old[f"{name}.gain"].copy())
            new[f"layers.{at}.{part}.bias"] = torch.tensor(old[f"{name}.shift"].copy())
    return new
