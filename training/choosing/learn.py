"""Trains the choosing model; the same seed and answers give the same model on the same machine."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from softrail.reader.learned.choosing import MESSAGE, NOTHING, laid_out
from softrail.reader.learned.loading import PAIR, tokenizer
from training.choosing.answers import Answer, shuffled
from training.joint.model import body_of, heads_of, weights_of
from training.model import WIDTH, Body
from training.noise import noisy
from training.train import NARROW, batches

OUT = -1e4  #: logit of a place where no option stands
#: What each head is called in the file.
HEADS = {"beside": "beside", "meant": "more", "nothing": "untold"}
LENGTH = WIDTH**0.5  #: of a vector whose numbers are about 1


@dataclass(frozen=True, kw_only=True)
class Course:
    """How it is trained."""

    passes: int = 4
    size: int = 32
    rate: float = 1.0e-4
    heads: float = 5e-4
    frozen: int = 2  #: lower layers that stay as they are, with the embeddings
    soft: float = 0.03
    clean: float = 0.6  #: how often a message is said without slips
    seed: int = 0


class ChoosingModel(Body):
    """Gives a logit for each option, and for each way in which none of them is told.

    What an option and the message come to beside each other is compared as the sentence encoder does, by their cosine, from
    which it begins; what else there is between them is learned.
    """

    def __init__(self, drop: float = 0.1) -> None:
        super().__init__(drop)
        self.alike = nn.Parameter(torch.tensor(8.0))
        self.beside = nn.Linear(4 * WIDTH, WIDTH)
        self.meant = nn.Linear(WIDTH, 1)
        nn.init.zeros_(self.meant.weight)
        self.nothing = nn.Linear(2 * WIDTH, len(NOTHING))
        self.drop = nn.Dropout(drop)

    def resume(self, shipped: Path) -> None:
        """Takes over all weights of a choosing model as it is shipped, in whose file they have 8 bits."""
        alike = torch.tensor(weights_of(shipped)["alike"].item())
        self.load_state_dict(body_of(shipped) | heads_of(shipped, HEADS) | {"alike": alike})

    def chosen(self, ids: Tensor, types: Tensor, mask: Tensor, where: Tensor, frozen: int = 0) -> Tensor:
        """`where`: rows x (message, options) x tokens, all 0 where there is no option. Rows x (nothing, options)."""
        x = self.tokens(ids, types, mask, frozen).float()
        each = F.normalize(where @ F.normalize(x, dim=-1), dim=-1)
        said, options = each[:, :1].expand_as(each[:, 1:]), each[:, 1:]
        alike = (said * options).sum(-1)
        both = torch.cat(
            [
                options * LENGTH,
                said * LENGTH,
                (options - said).abs() * LENGTH,
                options * said * LENGTH**2,
            ],
            dim=-1,
        )
        more = self.meant(self.drop(F.gelu(self.beside(self.drop(both)))))[:, :, 0]
        there = where[:, 1:].sum(-1) > 0
        meant = torch.where(there, self.alike * alike + more, OUT)
        whole = torch.cat([x[:, 0], each[:, 0] * LENGTH], dim=-1)
        return torch.cat([self.nothing(self.drop(whole)), meant], dim=1)


@dataclass(frozen=True, kw_only=True)
class Example:
    """An answer as numbers."""

    ids: list[int]
    said: int  #: where the message's tokens begin
    spans: list[tuple[int, int]]  #: of the options
    meant: int  #: the place in `NOTHING`, or behind that of the option


def example(answer: Answer) -> Example:
    """An answer as numbers, with the reader's tokenizer and its cuts."""
    ids, spans = laid_out(tokenizer(), answer.asks, answer.options, beside=answer.beside)
    message = tokenizer().encode(answer.message, add_special_tokens=False).ids[:MESSAGE]
    meant = (*NOTHING, *answer.options).index(answer.meant)
    return Example(ids=[*ids, *message, PAIR], said=len(ids), spans=spans, meant=meant)


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Examples of about the same length side by side."""

    ids: Tensor
    types: Tensor
    mask: Tensor
    where: Tensor
    meant: Tensor


def batch(examples: Sequence[Example]) -> Batch:
    """Examples padded to the longest."""
    longest, most = max(len(e.ids) for e in examples), max(len(e.spans) for e in examples)
    ids = torch.zeros(len(examples), longest, dtype=torch.long)
    types, mask = torch.zeros_like(ids), torch.zeros_like(ids)
    where = torch.zeros(len(examples), most + 1, longest)
    for row, e in enumerate(examples):
        ids[row, : len(e.ids)] = torch.tensor(e.ids)
        types[row, e.said : len(e.ids)] = 1
        mask[row, : len(e.ids)] = 1
        where[row, 0, e.said : len(e.ids)] = 1
        for at, (start, end) in enumerate(e.spans, start=1):
            where[row, at, start:end] = 1
    return Batch(
        ids=ids, types=types, mask=mask, where=where, meant=torch.tensor([e.meant for e in examples])
    )


def train(model: ChoosingModel, answers: Sequence[Answer], course: Course) -> None:
    """Trains in place, with the answers said with other noise each time and their options in another order."""
    torch.manual_seed(course.seed)
    rng = random.Random(course.seed)
    for part in (model.words, model.places, model.types, model.norm, *model.layers[: course.frozen]):
        part.requires_grad_(False)
    body = [p for layer in model.layers[course.frozen :] for p in layer.parameters()]
    tops = [
        *(p for part in (model.beside, model.meant, model.nothing) for p in part.parameters()),
        model.alike,
    ]
    optimizer = torch.optim.AdamW(
        [{"params": body}, {"params": tops}], lr=course.rate, weight_decay=0.01, fused=True
    )
    steps, step = course.passes * (len(answers) // course.size), 0
    model.train()
    began, total = time.monotonic(), 0.0
    for _ in range(course.passes):
        said = [
            replace(one, message=noisy(rng, one.message, course.clean))
            for one in (shuffled(answer, rng) for answer in answers)
        ]
        examples = [example(one) for one in said]
        for group in batches(examples, course.size, rng):
            share = max(0.0, min((step + 1) / max(1, steps / 20), (steps - step) / steps))
            for part, top in zip(optimizer.param_groups, (course.rate, course.heads), strict=True):
                part["lr"] = top * share
            data = batch(group)
            with torch.autocast("cpu", torch.bfloat16, enabled=NARROW):
                found = model.chosen(data.ids, data.types, data.mask, data.where, course.frozen)
            loss = _loss(found, data, course.soft)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(body + tops, 1.0)
            optimizer.step()
            step, total = step + 1, total + float(loss.detach())
            if step % 200 == 0:
                pace = step * course.size / (time.monotonic() - began)
                print(f"step {step}/{steps} loss {total / 200:.4f} answers/s {pace:.0f}", flush=True)
                total = 0.0


def _loss(found: Tensor, data: Batch, soft: float) -> Tensor:
    """How surprising what is meant is; a part of the certainty goes to all that might be."""
    likely = F.log_softmax(found, dim=-1)
    there = found > OUT / 2
    mean = torch.where(there, likely, 0.0).sum(-1) / there.sum(-1)
    right = likely.gather(1, data.meant[:, None])[:, 0]
    return -((1 - soft) * right + soft * mean).mean()


@torch.no_grad()
def run(model: ChoosingModel, answers: Sequence[Answer], size: int = 64) -> list[list[float]]:
    """Logits of every answer, in order: of `NOTHING`, then of its options."""
    model.eval()
    examples = [example(answer) for answer in answers]
    order = sorted(range(len(examples)), key=lambda at: len(examples[at].ids))
    found: list[list[float]] = [[]] * len(examples)
    for at in range(0, len(order), size):
        rows = order[at : at + size]
        data = batch([examples[row] for row in rows])
        with torch.autocast("cpu", torch.bfloat16, enabled=NARROW):
            logits = model.chosen(data.ids, data.types, data.mask, data.where)
        for row, one in zip(rows, logits, strict=True):
            found[row] = one[: len(NOTHING) + len(examples[row].spans)].tolist()
    return found
