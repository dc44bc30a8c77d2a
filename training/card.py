"""Figures, calibration, the file and its card."""

import json
import random
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch

import softrail.reader.learned
from softrail.core.reading import Bars
from training import course, figures, grammar, public, sgd, templates
from training.export import export
from training.lines import lines
from training.model import ReaderModel
from training.pairs import Pair
from training.reading import Read, calibrate, read, sample

OUT = Path(softrail.reader.learned.__file__).parent / "model"
FILE = "reader-minilm-l6-w8.onnx"

BARS = Bars()

Played = list[tuple[dict[str, Any], list[Read]]]


def write(build: Path, rows: list[tuple[dict[str, Any], list[Pair]]]) -> None:
    """Calibrates on what was held back, writes the model, its calibration and its card."""
    model = _load(build / "fold0.pt")
    mine = [(row, pairs) for row, pairs in rows if course.fold(row) == 0]
    found = iter(read(model, [pair for _, pairs in mine for pair in pairs]))
    played: Played = [(row, [next(found) for _ in pairs]) for row, pairs in mine]
    grammar.use("held")
    held = read(model, list(templates.templates(2500, seed=77)))
    grammar.use("all")
    told = read(model, list(course.told(1, seed=78, part="held")))
    rng = random.Random(8)
    unseen = read(model, sample(list(sgd.sgd("sgd/unseen.jsonl.xz", seed=6)), 4000))
    asked = [field.question(rng) for field in templates.VALUED]
    wishes = read(model, sample(list(public.intents(asked, "_valid", seed=6)), 700))
    final = _load(build / "final.pt")
    own, test = read(final, lines()), read(final, lines("test.txt"))
    tape = [reading for _, readings in played for reading in readings]
    by = calibrate([*tape, *held, *told, *unseen[:1500], *wishes, *own, *own])
    export(final, OUT / FILE)
    numbers = {"marks": by.marks, "span": by.span, "span_temperature": by.span_temperature}
    (OUT / "calibration.json").write_text(json.dumps(numbers) + "\n", encoding="utf-8")
    (OUT / "README.md").write_text(
        _card(
            {
                "CALIBRATION": figures.of_calibration([*unseen[1500:], *test], by),
                "TAPE": figures.table(figures.of_tape(played, by, BARS)),
                "FIELDS": figures.table(figures.of_fields(unseen, by, BARS)),
                "HELD": figures.table(figures.of_lines(held, by, BARS)),
                "SCENES": figures.table(figures.of_scenes(told, by, BARS)),
                "LINES": figures.table(figures.of_lines(own, by, BARS)),
                "TEST": figures.table(figures.of_lines(test, by, BARS)),
            }
        ),
        encoding="utf-8",
    )


def _load(path: Path) -> ReaderModel:
    model = ReaderModel()
    model.load_state_dict(torch.load(path))
    return model


def _card(parts: Mapping[str, Iterable[str]]) -> str:
    words = (Path(__file__).parent / "card.md").read_text(encoding="utf-8")
    for name, rows in parts.items():
        words = words.replace(f"@{name}@", "\n".join(rows))
    levels = "\n".join(f"| `{name}` | {value} |" for name, value in asdict(BARS).items())
    words = words.replace("@BARS@", f"| bar | at least |\n|---|---|\n{levels}")
    return words.replace("@SHA@", sha256((OUT / FILE).read_bytes()).hexdigest())
