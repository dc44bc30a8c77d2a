"""Trains the joint model in place; the same seed and examples give the same model on the same machine."""

import pickle
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
import torch.multiprocessing
import torch.nn.functional as F
from torch import Tensor, distributed

from softrail.reader.learned.joint import FIELD, FIELDS, MESSAGE, OTHER, QUERY
from softrail.reader.learned.loading import tokenizer
from softrail.reader.learned.marks import ACTS
from training.joint.forms import Form
from training.joint.model import SHARED, JointModel
from training.train import NARROW, PROCESSES, batches, together


@dataclass(frozen=True, kw_only=True)
class Example:
    """A form as numbers; -1 stands for what is not known."""

    ids: list[int]
    said: int  #: where the message's tokens begin
    fields: list[int]  #: where the mark of each field stands
    marks: list[list[int]]  #: of each field: given, denied, yes, no
    spans: list[tuple[int, int]]  #: first and last token of its value
    acts: list[int]


class Words:
    """The tokenizer that the reader uses, with its cuts."""

    def __init__(self) -> None:
        self._tokenizer = tokenizer()

    def example(self, form: Form) -> Example:
        """A form as numbers."""
        ids, fields, kept = [101], [], []
        for at, told in enumerate(form.told):
            words = self._tokenizer.encode(told.query, add_special_tokens=False).ids[: OTHER if at else QUERY]
            if len(ids) + len(words) + 1 > FIELDS:
                break
            fields.append(len(ids))
            ids += [FIELD, *words]
            kept.append(told)
        ids.append(102)
        message = self._tokenizer.encode(form.message, add_special_tokens=False)
        words, offsets = message.ids[:MESSAGE], message.offsets[:MESSAGE]
        said = len(ids)
        spans = []
        for told in kept:
            first = last = -1
            if told.span is not None:
                start, end = told.span
                inside = [at for at, (a, b) in enumerate(offsets) if b > start and a < end]
                if inside:
                    first, last = said + inside[0], said + inside[-1]
            spans.append((first, last))
        return Example(
            ids=[*ids, *words, 102],
            said=said,
            fields=fields,
            marks=[[-1 if x is None else int(x) for x in (t.given, t.denied, t.yes, t.no)] for t in kept],
            spans=spans,
            acts=[form.acts.get(act, -1) for act in ACTS],
        )


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Examples of about the same length side by side."""

    ids: Tensor
    types: Tensor
    mask: Tensor
    fields: Tensor
    marks: Tensor
    starts: Tensor
    ends: Tensor
    acts: Tensor


def batch(examples: Sequence[Example]) -> Batch:
    """Examples padded to the longest; a field that is not there has the mark of the first and is not learned."""
    longest = max(len(e.ids) for e in examples)
    most = max(len(e.fields) for e in examples)
    n = len(examples)
    ids = torch.zeros(n, longest, dtype=torch.long)
    types, mask = torch.zeros_like(ids), torch.zeros_like(ids)
    fields = torch.ones(n, most, dtype=torch.long)
    marks = torch.full((n, most, 4), -1.0)
    starts = torch.full((n, most), -1, dtype=torch.long)
    ends = torch.full((n, most), -1, dtype=torch.long)
    for row, e in enumerate(examples):
        ids[row, : len(e.ids)] = torch.tensor(e.ids)
        types[row, e.said : len(e.ids)] = 1
        mask[row, : len(e.ids)] = 1
        count = len(e.fields)
        fields[row, :count] = torch.tensor(e.fields)
        marks[row, :count] = torch.tensor(e.marks, dtype=torch.float32)
        starts[row, :count] = torch.tensor([a for a, _ in e.spans])
        ends[row, :count] = torch.tensor([b for _, b in e.spans])
    acts = torch.tensor([e.acts for e in examples], dtype=torch.float32)
    return Batch(
        ids=ids, types=types, mask=mask, fields=fields, marks=marks, starts=starts, ends=ends, acts=acts
    )


def loss_of(found: tuple[Tensor, Tensor, Tensor, Tensor], data: Batch) -> Tensor:
    """What is known of marks, places and acts."""
    marks, starts, ends, does = found
    known = (data.marks >= 0).float()
    each = (
        F.binary_cross_entropy_with_logits(marks.float(), data.marks.clamp(min=0), reduction="none") * known
    )
    loss = each.sum() / known.sum().clamp(min=1) * 4
    there = data.starts >= 0
    if there.any():
        outside = torch.where(data.types.bool(), 0.0, -1e4)[:, None, :]
        loss = loss + 0.5 * (
            F.cross_entropy((starts + outside)[there], data.starts[there])
            + F.cross_entropy((ends + outside)[there], data.ends[there])
        )
    known = (data.acts >= 0).float()
    each = F.binary_cross_entropy_with_logits(does.float(), data.acts.clamp(min=0), reduction="none") * known
    return loss + each.sum() / known.sum().clamp(min=1)


@dataclass(frozen=True, kw_only=True)
class Course:
    """How a stage is trained."""

    size: int = 32
    rate: float = 1e-4
    heads: float = 5e-4
    seed: int = 0
    last: float = 0.0  #: share of the rate at the end


def train(model: JointModel, examples: Sequence[Example], course: Course) -> None:
    """Trains in place, in processes of one thread each that share every step."""
    with TemporaryDirectory() as folder:
        files = [str(Path(folder) / name) for name in ("weights", "examples", "meeting")]
        torch.save(model.state_dict(), files[0])
        Path(files[1]).write_bytes(pickle.dumps(list(examples)))
        torch.multiprocessing.spawn(_work, args=(files, course), nprocs=PROCESSES)
        model.load_state_dict(torch.load(files[0]))


def _work(rank: int, files: list[str], course: Course) -> None:
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", init_method=f"file://{files[2]}", rank=rank, world_size=PROCESSES)
    model = JointModel()
    model.load_state_dict(torch.load(files[0]))
    examples: list[Example] = pickle.loads(Path(files[1]).read_bytes())
    torch.manual_seed(course.seed * PROCESSES + rank)
    rng = random.Random(course.seed)
    for part in (model.words, model.places, model.types, model.norm, *model.layers[:SHARED]):
        part.requires_grad_(False)
    body = [p for layer in model.layers[SHARED:] for p in layer.parameters()]
    tops = [
        p
        for part in (model.bend, model.marks, model.seeks, model.found, model.does)
        for p in part.parameters()
    ]
    optimizer = torch.optim.AdamW(
        [{"params": body}, {"params": tops}], lr=course.rate, weight_decay=0.01, fused=True
    )
    steps = len(examples) // course.size
    model.train()
    step, seen, began, total = 0, 0, time.monotonic(), 0.0
    for group in batches(examples, course.size, rng):
        if step >= steps:
            break
        share = min((step + 1) / max(1, steps / 20), course.last + (1 - course.last) * (steps - step) / steps)
        for part, top in zip(optimizer.param_groups, (course.rate, course.heads), strict=True):
            part["lr"] = top * share
        data = batch(group[rank::PROCESSES] or group[:1])
        with torch.autocast("cpu", torch.bfloat16, enabled=NARROW):
            found = model(data.ids, data.types, data.mask, data.fields)
        loss = loss_of(found, data)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        together(body + tops)
        torch.nn.utils.clip_grad_norm_(body + tops, 1.0)
        optimizer.step()
        step, seen, total = step + 1, seen + len(group), total + float(loss.detach())
        if rank == 0 and step % 200 == 0:
            pace = seen / (time.monotonic() - began)
            print(f"step {step}/{steps} loss {total / 200:.4f} forms/s {pace:.0f}", flush=True)
            total = 0.0
    if rank == 0:
        torch.save(model.state_dict(), files[0])
    distributed.barrier()
