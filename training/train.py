"""Fine-tunes the model on pairs; the same seed and pairs give the same model on the same machine."""

import pickle
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
import torch.multiprocessing
import torch.nn.functional as F
from torch import Tensor, distributed

import softrail.classifier
from softrail.reader.learned.loading import tokenizer
from softrail.reader.learned.marks import ACTS
from training.model import ReaderModel
from training.pairs import Pair

#: Half as exact and several times as fast, where the processor can; where it cannot, many times slower.
NARROW = any(flag in Path("/proc/cpuinfo").read_text() for flag in ("amx_bf16", "avx512_bf16"))
QUERY, MESSAGE = 64, 128
PROCESSES = 2
TOKENIZER = Path(softrail.classifier.__file__).parent / "minilm" / "tokenizer.json"


@dataclass(frozen=True, kw_only=True)
class Example:
    """A pair as numbers; -1 stands for what is not known."""

    ids: list[int]
    said: int  #: where the message's tokens begin
    marks: list[int]
    start: int
    end: int


class Words:
    """The tokenizer that the reader uses, with its cuts."""

    def __init__(self) -> None:
        self._tokenizer = tokenizer()

    def example(self, pair: Pair) -> Example:
        """A pair as numbers."""
        asked = self._tokenizer.encode(pair.query, add_special_tokens=False).ids[:QUERY]
        message = self._tokenizer.encode(pair.message, add_special_tokens=False)
        words, offsets = message.ids[:MESSAGE], message.offsets[:MESSAGE]
        marks = [pair.acts.get(act, -1) for act in ACTS] + [-1 if pair.value is None else pair.value]
        first = last = -1
        if pair.spans and pair.value != 0 and not pair.keyword:
            start, end = pair.spans[0]
            inside = [at for at, (a, b) in enumerate(offsets) if b > start and a < end]
            if inside:
                first, last = inside[0], inside[-1]
        said = len(asked) + 2
        return Example(ids=[101, *asked, 102, *words, 102], said=said, marks=marks, start=first, end=last)


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Examples of about the same length side by side."""

    ids: Tensor
    types: Tensor
    mask: Tensor
    marks: Tensor
    start: Tensor
    end: Tensor


def batch(examples: Sequence[Example]) -> Batch:
    """Examples padded to the longest."""
    longest = max(len(example.ids) for example in examples)
    ids = torch.zeros(len(examples), longest, dtype=torch.long)
    types, mask = torch.zeros_like(ids), torch.zeros_like(ids)
    for row, example in enumerate(examples):
        n = len(example.ids)
        ids[row, :n] = torch.tensor(example.ids)
        types[row, example.said : n] = 1
        mask[row, :n] = 1
    at = [(e.said + e.start, e.said + e.end) if e.start >= 0 else (-1, -1) for e in examples]
    return Batch(
        ids=ids,
        types=types,
        mask=mask,
        marks=torch.tensor([e.marks for e in examples], dtype=torch.float32),
        start=torch.tensor([a for a, _ in at]),
        end=torch.tensor([b for _, b in at]),
    )


def batches(examples: Sequence[Example], size: int, rng: random.Random) -> Iterator[list[Example]]:
    """One pass in random order; neighbours of like length share a batch."""
    order = list(examples)
    rng.shuffle(order)
    pool = size * 40
    for at in range(0, len(order), pool):
        part = sorted(order[at : at + pool], key=lambda e: len(e.ids))
        groups = [part[i : i + size] for i in range(0, len(part), size)]
        rng.shuffle(groups)
        yield from groups


def loss_of(points: Tensor, marks: Tensor, data: Batch) -> Tensor:
    """The marks that are known, and the places of the spans that are known."""
    known = (data.marks >= 0).float()
    each = F.binary_cross_entropy_with_logits(marks.float(), data.marks.clamp(min=0), reduction="none")
    loss = (each[:, :-1] * known[:, :-1]).sum() / known[:, :-1].sum().clamp(min=1) * 4
    loss = loss + (each[:, -1] * known[:, -1]).sum() / known[:, -1].sum().clamp(min=1) * 0.7
    there = data.start >= 0
    if there.any():
        outside = torch.where(data.types[there].bool(), 0.0, -1e4)
        places = points[there].float() + outside[:, :, None]
        loss = loss + 0.5 * (
            F.cross_entropy(places[:, :, 0], data.start[there])
            + F.cross_entropy(places[:, :, 1], data.end[there])
        )
    return loss


@dataclass(frozen=True, kw_only=True)
class Course:
    """How a stage is trained."""

    passes: float = 1.0
    size: int = 48  #: pairs of a step, over all processes
    rate: float = 1e-4
    heads: float = 5e-4
    frozen: int = 2  #: lower layers that stay as they are, with the embeddings
    seed: int = 0
    last: float = 0.0  #: share of the rate at the end
    seconds: float | None = None  #: stop early; only for trials, as it makes results depend on the machine


def train(model: ReaderModel, examples: Sequence[Example], course: Course) -> None:
    """Trains in place, in processes of one thread each that share every step."""
    with TemporaryDirectory() as folder:
        files = [str(Path(folder) / name) for name in ("weights", "examples", "meeting")]
        torch.save(model.state_dict(), files[0])
        Path(files[1]).write_bytes(pickle.dumps(list(examples)))
        torch.multiprocessing.spawn(_work, args=(files, course), nprocs=PROCESSES)
        model.load_state_dict(torch.load(files[0]))


def _work(rank: int, files: list[str], course: Course) -> None:
    """One process: its share of every batch, gradients averaged with the others'."""
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", init_method=f"file://{files[2]}", rank=rank, world_size=PROCESSES)
    model = ReaderModel()
    model.load_state_dict(torch.load(files[0]))
    examples: list[Example] = pickle.loads(Path(files[1]).read_bytes())
    torch.manual_seed(course.seed * PROCESSES + rank)
    rng = random.Random(course.seed)
    for part in (model.words, model.places, model.types, model.norm, *model.layers[: course.frozen]):
        part.requires_grad_(False)
    body = [p for layer in model.layers[course.frozen :] for p in layer.parameters()]
    tops = [p for part in (model.points, model.bend, model.marks) for p in part.parameters()]
    rates = [course.rate, course.heads]
    optimizer = torch.optim.AdamW(
        [{"params": body}, {"params": tops}], lr=course.rate, weight_decay=0.01, fused=True
    )
    steps = int(len(examples) / course.size * course.passes)
    model.train()
    step, seen, began, total, stop = 0, 0, time.monotonic(), 0.0, torch.zeros(1)
    while step < steps:
        for group in batches(examples, course.size, rng):
            if step >= steps:
                break
            share = min(
                (step + 1) / max(1, steps / 20), course.last + (1 - course.last) * (steps - step) / steps
            )
            if course.seconds is not None:
                spent = (time.monotonic() - began) / course.seconds
                share = min((step + 1) / 100, course.last + (1 - course.last) * max(0.0, 1 - spent))
                stop[0] = float(spent >= 1)
                distributed.all_reduce(stop)
                if stop[0] > 0:
                    step = steps
                    break
            for part, top in zip(optimizer.param_groups, rates, strict=True):
                part["lr"] = top * share
            data = batch(group[rank::PROCESSES] or group[:1])
            with torch.autocast("cpu", torch.bfloat16, enabled=NARROW):
                points, marks = model(data.ids, data.types, data.mask, course.frozen)
            loss = loss_of(points, marks, data)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            together(body + tops)
            torch.nn.utils.clip_grad_norm_(body + tops, 1.0)
            optimizer.step()
            step, seen, total = step + 1, seen + len(group), total + float(loss.detach())
            if rank == 0 and step % 200 == 0:
                print(
                    f"step {step}/{steps} loss {total / 200:.4f} pairs/s {seen / (time.monotonic() - began):.0f}",
                    flush=True,
                )
                total = 0.0
    if rank == 0:
        torch.save(model.state_dict(), files[0])
    distributed.barrier()


def together(parameters: Sequence[Tensor]) -> None:
    """Every gradient becomes the mean over the processes."""
    flat = torch.cat(
        [p.grad.reshape(-1) if p.grad is not None else torch.zeros(p.numel()) for p in parameters]
    )
    distributed.all_reduce(flat)
    flat /= PROCESSES
    at = 0
    for p in parameters:
        p.grad = flat[at : at + p.numel()].view_as(p)
        at += p.numel()


@torch.no_grad()
def run(model: ReaderModel, examples: Sequence[Example], size: int = 64) -> tuple[list[Tensor], Tensor]:
    """Logits of every example, in order: places within the message, and marks."""
    model.eval()
    order = sorted(range(len(examples)), key=lambda at: len(examples[at].ids))
    places: list[Tensor] = [torch.empty(0)] * len(examples)
    marks = torch.zeros(len(examples), len(ACTS) + 1)
    for at in range(0, len(order), size):
        rows = order[at : at + size]
        data = batch([examples[row] for row in rows])
        with torch.autocast("cpu", torch.bfloat16, enabled=NARROW):
            points, said = model(data.ids, data.types, data.mask)
        for row, point, mark in zip(rows, points.float(), said.float(), strict=True):
            example = examples[row]
            places[row] = point[example.said : len(example.ids) - 1]
            marks[row] = mark
    return places, marks
