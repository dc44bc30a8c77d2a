"""Trains the items model in place; the same seed and lists give the same model on the same machine."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from softrail.reader.learned.items import MESSAGE, as_read, laid_out
from softrail.reader.learned.loading import PAIR, tokenizer
from softrail.reader.learned.marks import Edited
from training.items.model import SHARED, ItemsModel
from training.items.sources import Told
from training.train import NARROW

_GOES = 0.5  #: what an item that goes or stays weighs beside the tokens of the message


@dataclass(frozen=True, kw_only=True)
class Course:
    """How it is trained."""

    passes: int
    size: int = 32
    rate: float = 1e-4
    heads: float = 1e-3
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class Example:
    """A list as numbers."""

    ids: list[int]
    said: int  #: where the message's tokens begin
    items: list[tuple[int, int]]  #: of each token of the message: whether it begins an item, and is of one
    goes: list[tuple[int, int]]  #: where the mark of each item stands, and whether that one goes
    ones: list[tuple[int, int]]  #: where each part begins that is counted, and whether it counts for one


def example(told: Told) -> Example:
    """A list as numbers."""
    said = tokenizer().encode(told.message, add_special_tokens=False)
    ids, places = laid_out(tokenizer(), told.query, told.there, told.question)
    return Example(
        ids=[*ids, *said.ids[:MESSAGE], PAIR],
        said=len(ids),
        items=[
            (
                int(any(a <= start < b for start, _ in told.items)),
                int(any(a < e and s < b for s, e in told.items)),
            )
            for a, b in said.offsets[:MESSAGE]
        ],
        goes=[(place, int(goes)) for place, goes in zip(places, told.goes, strict=False)],
        ones=[
            (len(ids) + at, int(one))
            for (start, _), one in zip(told.items, told.ones, strict=False)
            for at, (a, b) in enumerate(said.offsets[:MESSAGE])
            if a <= start < b
        ],
    )


def batch(examples: Sequence[Example]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Tokens, types, mask, and what is to be learned of each token, -1 where it is nothing."""
    longest = max(len(e.ids) for e in examples)
    ids = torch.zeros(len(examples), longest, dtype=torch.long)
    types, mask = torch.zeros_like(ids), torch.zeros_like(ids)
    items = torch.full((*ids.shape, 3), -1.0)
    for row, e in enumerate(examples):
        ids[row, : len(e.ids)] = torch.tensor(e.ids)
        types[row, e.said : len(e.ids)] = 1
        mask[row, : len(e.ids)] = 1
        items[row, e.said : e.said + len(e.items), :2] = torch.tensor(e.items, dtype=torch.float32)
        for place, known in (*e.goes, *e.ones):
            items[row, place, 2] = known
    return ids, types, mask, items


def train(model: ItemsModel, lists: Sequence[Sequence[Told]], course: Course) -> None:
    """Trains in place, a pass over each of the `lists`; embeddings and lower layers stay as they are."""
    torch.manual_seed(course.seed)
    rng = random.Random(course.seed)
    model.requires_grad_(False)
    body = [p for layer in model.layers[SHARED:] for p in layer.parameters()]
    top = [*model.items.parameters()]
    for p in body + top:
        p.requires_grad_(True)
    optimizer = torch.optim.AdamW([{"params": body}, {"params": top}], lr=course.rate, weight_decay=0.01)
    groups = [group for told in lists for group in _groups([example(one) for one in told], course.size, rng)]
    model.train()
    began, seen = time.monotonic(), 0
    for step, group in enumerate(groups):
        share = min((step + 1) / (len(groups) / 20), 1 - step / len(groups))
        for part, most in zip(optimizer.param_groups, (course.rate, course.heads), strict=True):
            part["lr"] = most * share
        ids, types, mask, items = batch(group)
        with torch.autocast("cpu", torch.bfloat16, enabled=NARROW):
            found = model(ids, types, mask)
        loss = _loss(found[..., :2], items[..., :2]) + _GOES * _loss(found[..., 2], items[..., 2])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(body + top, 1.0)
        optimizer.step()
        seen += len(group)
        if step % 200 == 199:
            pace = seen / (time.monotonic() - began)
            print(f"step {step + 1}/{len(groups)} loss {float(loss):.4f} lists/s {pace:.0f}", flush=True)
    model.eval()


def _loss(found: Tensor, meant: Tensor) -> Tensor:
    """Of what is known."""
    known = (meant >= 0).float()
    each = F.binary_cross_entropy_with_logits(found.float(), meant.clamp(min=0), reduction="none")
    return (each * known).sum() / known.sum().clamp(min=1)


def _groups(examples: Sequence[Example], size: int, rng: random.Random) -> list[list[Example]]:
    order = sorted(examples, key=lambda e: (len(e.ids), rng.random()))
    groups = [order[at : at + size] for at in range(0, len(order), size)]
    rng.shuffle(groups)
    return groups


@torch.no_grad()
def read(model: ItemsModel, lists: Sequence[Told]) -> list[Edited]:
    """What the model says of each."""
    model.eval()
    found = []
    for told in lists:
        one = example(told)
        ids, types, mask, _ = batch([one])
        odds = model(ids, types, mask)[0].float().tolist()
        offsets = tokenizer().encode(told.message, add_special_tokens=False).offsets
        found.append(as_read(odds, one.said, offsets, [place for place, _ in one.goes]))
    return found
