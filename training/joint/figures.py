"""What the joint model says of forms that it has not learned from: its calibration, and figures by kind of field."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from softrail.reader.learned.loading import sigmoid, tokenizer
from softrail.reader.learned.marks import ACTS
from softrail.reader.learned.spans import best, trimmed
from training.figures import Counts, Row
from training.joint.forms import Form, Told
from training.joint.learn import Example, Words, batch
from training.joint.model import JointModel
from training.reading import platt
from training.train import NARROW

OUTPUTS = ("given", "denied", "yes", "no")
BAR = 0.5


@dataclass(frozen=True, kw_only=True)
class ReadField:
    """The logits of one field, and the likeliest span."""

    told: Told
    marks: Sequence[float]
    start: int
    end: int
    point: float
    here: bool  #: it is the open question


@dataclass(frozen=True, kw_only=True)
class ReadForm:
    """The logits of one form."""

    form: Form
    fields: Sequence[ReadField]
    acts: Sequence[float]


@torch.no_grad()
def read(model: JointModel, forms: Sequence[Form], size: int = 48) -> list[ReadForm]:
    """Reads forms with the model that is trained."""
    words = Words()
    model.eval()
    examples = [words.example(form) for form in forms]
    order = sorted(range(len(forms)), key=lambda at: len(examples[at].ids))
    found: dict[int, ReadForm] = {}
    for at in range(0, len(order), size):
        rows = order[at : at + size]
        data = batch([examples[row] for row in rows])
        with torch.autocast("cpu", torch.bfloat16, enabled=NARROW):
            marks, starts, ends, does = model(data.ids, data.types, data.mask, data.fields)
        for n, row in enumerate(rows):
            offsets = tokenizer().encode(forms[row].message, add_special_tokens=False).offsets
            numbers = [x[n].float().numpy() for x in (marks, starts, ends, does)]
            found[row] = _form(forms[row], examples[row], offsets, *numbers)
    return [found[at] for at in range(len(forms))]


def _form(
    form: Form,
    example: Example,
    offsets: Sequence[tuple[int, int]],
    marks: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    does: np.ndarray,
) -> ReadForm:
    inside = slice(example.said, len(example.ids) - 1)
    fields = []
    for at, told in enumerate(form.told[: len(example.fields)]):
        start = end = 0
        logit = -13.0
        if len(example.ids) - 1 > example.said:
            point = best(np.stack([starts[at, inside], ends[at, inside]], axis=1))
            start, end = trimmed(form.message, offsets[point.first][0], offsets[point.last][1])
            logit = point.logit
        fields.append(
            ReadField(
                told=told,
                marks=[float(x) for x in marks[at]],
                start=start,
                end=end,
                point=logit,
                here=at == 0,
            )
        )
    return ReadForm(form=form, fields=fields, acts=[float(x) for x in does])


def _exact(form: Form, field: ReadField) -> bool:
    return field.told.span is not None and (field.start, field.end) == trimmed(form.message, *field.told.span)


def calibrate(readings: Sequence[ReadForm]) -> dict[str, list[list[float]] | list[float]]:
    """Slope and shift of the log odds of each output."""
    fields = [(one.form, field) for one in readings for field in one.fields]
    marks = []
    for at, name in enumerate(OUTPUTS):
        known = [(f.marks[at], y) for _, f in fields if (y := getattr(f.told, name)) is not None]
        marks.append(platt(known))
    spans = [(f.point, int(_exact(form, f))) for form, f in fields if f.told.given and f.told.span]
    acts = []
    for at, act in enumerate(ACTS):
        known = [(one.acts[at], y) for one in readings if (y := one.form.acts.get(act)) is not None]
        acts.append(platt(known))
    return {"marks": marks, "span": platt(spans), "acts": acts}


def figures(readings: Sequence[ReadForm], by: dict[str, list[list[float]]]) -> list[Row]:
    """What is found and what is seen where nothing is, of the open question and of other fields."""
    counts = Counts()
    for one in readings:
        for field in one.fields:
            told = field.told
            given, denied, yes, no = (
                sigmoid(a * x + b) for x, (a, b) in zip(field.marks, by["marks"], strict=True)
            )
            where = "open question" if field.here else "other field"
            if told.query.split(":", 1)[0] in ("bool", "confirm"):
                if told.yes is not None and told.no is not None:
                    meant = "yes" if told.yes else "no" if told.no else "nothing"
                    seen = "yes" if yes >= BAR > no else "no" if no >= BAR > yes else "nothing"
                    counts.add(f"{where}, yes or no: {meant}", seen == meant)
                continue
            if told.given == 0:
                counts.add(f"{where}: nothing said of it, and none seen", given < BAR)
            elif told.given == 1:
                counts.add(f"{where}: a value is said and seen", given >= BAR)
                if told.span is not None:
                    counts.add(
                        f"{where}: a value is said, seen, and its place exact",
                        given >= BAR and _exact(one.form, field),
                    )
            if told.denied == 1 and not told.given:
                counts.add("taken back with nothing in its place: seen", denied >= BAR)
            elif told.denied == 1:
                counts.add("changed: seen as denied", denied >= BAR)
            elif told.denied == 0:
                counts.add("stands, and is not seen as denied", denied < BAR)
        whole = all(_right(one.form, field, by) for field in one.fields)
        counts.add("messages of which every field is right", whole)
    return sorted(counts.rows())


def _right(form: Form, field: ReadField, by: dict[str, list[list[float]]]) -> bool:
    given = sigmoid(by["marks"][0][0] * field.marks[0] + by["marks"][0][1])
    told = field.told
    if told.given is None or told.query.startswith("bool"):
        return True
    if not told.given:
        return given < BAR
    return given >= BAR and (told.span is None or _exact(form, field))


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Rows of text."""
    for name, right, n in rows:
        yield f"{name:60} {n:6} {100 * right / n:5.1f}"
