"""Trains the encoder: messages of one class come near to its centre, and no vector goes far from where it was."""

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import tokenizers
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from training.meaning.export import BEFORE
from training.meaning.messages import Message
from training.model import WIDTH, ReaderModel
from training.train import NARROW, TOKENIZER

TOKENS = 64
DRAWN = 24  #: messages of a class from which its centre begins


@dataclass(frozen=True, kw_only=True)
class Course:
    """How it is trained."""

    passes: float = 1.0
    size: int = 64
    rate: float = 8e-5
    centres: float = 2e-3  #: the rate of the centres
    heat: float = 0.07  #: what a cosine to a centre is divided by
    held: float = 1.0  #: how much a cosine to the vector it had weighs beside the classes
    frozen: int = 2  #: lower layers that stay as they are, with the embeddings
    soft: float = 0.05  #: of a label's certainty, given to all others
    seed: int = 0


@dataclass(frozen=True, slots=True)
class _Row:
    kind: int  #: which set
    ids: list[int]
    label: int


class Encoder(ReaderModel):
    """The layers of MiniLM, giving a text's vector; of the reader's heads none is used."""

    def vectors(self, ids: Tensor, mask: Tensor, frozen: int = 0) -> Tensor:
        """A vector of length one for each row, as the exported graph gives it."""
        bias = ((1.0 - mask.float()) * -1e4)[:, None, None, :]
        with torch.no_grad():
            places = self.places(torch.arange(ids.shape[1]))[None]
            x = self.norm(self.words(ids) + places + self.types(torch.zeros_like(ids)))
            for layer in self.layers[:frozen]:
                x = layer(x, bias)
        last = before = x
        for layer in self.layers[frozen:]:
            before, last = last, layer(last, bias)
        inner = mask.clone()
        inner[:, 0] = 0
        inner[torch.arange(len(ids)), mask.sum(1) - 1] = 0
        both = [_direction(last, inner), BEFORE * _direction(before, inner)]
        return F.normalize(torch.cat(both, dim=-1), dim=-1)


def _direction(x: Tensor, inner: Tensor) -> Tensor:
    return F.normalize((F.normalize(x.float(), dim=-1) * inner[:, :, None]).sum(1), dim=-1)


def train(weights: Path, sets: Mapping[str, Sequence[Message]], course: Course) -> Encoder:
    """The encoder that has learned from these sets, each by its own labels; the same seed gives the same one."""
    torch.manual_seed(course.seed)
    rng = random.Random(course.seed)
    before, model = Encoder(), Encoder()
    for one in (before, model):
        one.begin(weights)
    before.eval()
    rows, sizes = _numbered(sets)
    centres = nn.ParameterList(_centres(before, rows, kind, size) for kind, size in enumerate(sizes))
    for part in (model.words, model.places, model.types, model.norm, *model.layers[: course.frozen]):
        part.requires_grad_(False)
    for head in (model.points, model.bend, model.marks):
        head.requires_grad_(False)
    body = [p for p in model.parameters() if p.requires_grad]
    rates = (course.rate, course.centres)
    optimizer = torch.optim.AdamW(
        [{"params": body, "weight_decay": 0.01}, {"params": list(centres), "weight_decay": 0.0}], fused=True
    )
    steps = int(len(rows) / course.size * course.passes)
    model.train()
    began, total = time.monotonic(), 0.0
    for step, group in enumerate(_groups(rows, course.size, steps, rng), start=1):
        share = min(step / (steps * 0.06 + 1), (steps - step + 1) / steps)
        for part, rate in zip(optimizer.param_groups, rates, strict=True):
            part["lr"] = rate * share
        ids, mask = _padded(group)
        with torch.autocast("cpu", torch.bfloat16, enabled=NARROW):
            found = model.vectors(ids, mask, course.frozen)
            with torch.no_grad():
                was = before.vectors(ids, mask)
        loss = course.held * (1 - (found * was).sum(-1)).mean() + _apart(found, group, centres, course)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(body, 1.0)
        optimizer.step()
        total += float(loss.detach())
        if step % 100 == 0:
            pace = step * course.size / (time.monotonic() - began)
            print(f"step {step}/{steps} loss {total / 100:.3f} messages/s {pace:.0f}", flush=True)
            total = 0.0
    return model.eval()


def _numbered(sets: Mapping[str, Sequence[Message]]) -> tuple[list[_Row], list[int]]:
    """Every message as numbers, and how many classes each set has."""
    words = tokenizers.Tokenizer.from_file(str(TOKENIZER))
    words.no_padding()
    words.enable_truncation(TOKENS)
    rows, sizes = [], []
    for kind, messages in enumerate(sets.values()):
        labels = {label: at for at, label in enumerate(sorted({m.label for m in messages}))}
        sizes.append(len(labels))
        rows += [_Row(kind, words.encode(m.text).ids, labels[m.label]) for m in messages]
    return rows, sizes


def _centres(before: Encoder, rows: Sequence[_Row], kind: int, size: int) -> nn.Parameter:
    """Where the classes of a set are before anything is learned."""
    found = torch.zeros(size, 2 * WIDTH)
    with torch.no_grad():
        for label in range(size):
            some = [row for row in rows if row.kind == kind and row.label == label][:DRAWN]
            found[label] = before.vectors(*_padded(some)).mean(0)
    return nn.Parameter(F.normalize(found, dim=-1))


def _groups(rows: Sequence[_Row], size: int, steps: int, rng: random.Random) -> Iterator[list[_Row]]:
    """So many groups, in random order; texts of about one length stand together."""
    order, given = list(rows), 0
    while given < steps:
        rng.shuffle(order)
        for at in range(0, len(order), size * 20):
            part = sorted(order[at : at + size * 20], key=lambda row: len(row.ids))
            groups = [part[i : i + size] for i in range(0, len(part), size)]
            rng.shuffle(groups)
            yield from groups[: steps - given]
            given += len(groups)
            if given >= steps:
                return


def _padded(rows: Sequence[_Row]) -> tuple[Tensor, Tensor]:
    longest = max(len(row.ids) for row in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    mask = torch.zeros_like(ids)
    for at, row in enumerate(rows):
        ids[at, : len(row.ids)] = torch.tensor(row.ids)
        mask[at, : len(row.ids)] = 1
    return ids, mask


def _apart(found: Tensor, group: Sequence[_Row], centres: nn.ParameterList, course: Course) -> Tensor:
    """How surprising the classes are, each among those of its own set."""
    loss = found.new_zeros(())
    for kind, mine in enumerate(centres):
        at = [i for i, row in enumerate(group) if row.kind == kind]
        if at:
            near = found[at].float() @ F.normalize(mine, dim=-1).T / course.heat
            meant = torch.tensor([group[i].label for i in at])
            loss = loss + F.cross_entropy(near, meant, reduction="sum", label_smoothing=course.soft)
    return loss / len(group)
