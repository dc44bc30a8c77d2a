"""Pairs from lines that real people said in the middle of guided flows."""

import random
import re
from collections.abc import Iterator
from typing import Any

from softrail.reader.learned.questions import query
from training.pairs import Pair, acts, rows

_YES = re.compile(
    r"\s*(?:y\b|yes|yeah|yea\b|yep|yup|ya\b|sure|ok|okay|of course|certainly|definitely|absolutely|right\b|correct\b|sounds|perfect|great|please do|that('s| is) (right|correct|fine|good|ok|great|perfect)|go ahead|awesome|let'?s|works|book it|do it|that works|please|fine|good|i would|i confirm|alright|excellent|cool|wonderful|that would|that will)",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\s*(?:no\b|nope|nah|not\b|never|negative|don't|do not|i don't|that's not|that ain't|that isn't|it is not|it isn't|wrong|incorrect)",
    re.IGNORECASE,
)
_KINDS = {"text": "text", "bool": "bool", "int": "number", "day": "date", "time": "time", "digits": "text"}
SPECIAL = {
    "chat": ("social", ("ask", "hold", "inform_other", "correct")),
    "clarify": ("ask", ("repeat", "request", "open", "social")),
    "question": ("ask", ("request", "inform_other", "social")),
    "refuse": ("open", ("none", "ask", "social", "negate", "hold", "pause", "human")),
    "leave": ("leave", ("social", "negate", "none", "request", "pause", "correct", "inform_other", "open")),
    "postpone": ("pause", ("hold", "open", "social", "ask")),
    "new_task": (
        "request",
        ("ask", "social", "inform_other", "correct", "leave", "negate", "affirm", "hold"),
    ),
    "human": ("human", ("request", "ask", "social", "leave", "open", "negate")),
    "other_slot": ("inform_other", ("correct", "social", "ask", "open", "hold", "request")),
}
FILES = (
    "star/interruption.jsonl.xz",
    "sgd/interruption.jsonl.xz",
    "dstc/interruption.jsonl.xz",
    "polyai/interruption.jsonl.xz",
    "taskmaster/interruption.jsonl.xz",
)


def tape() -> Iterator[tuple[dict[str, Any], list[Pair]]]:
    """Every line with its pairs: the open question's first, then those of other fields."""
    rng = random.Random(5)
    for name in FILES:
        for row in rows(name):
            yield row, list(_pairs(rng, row))


def kind_of(row: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """The kind and the options of what was asked."""
    if row["open"] == "confirm":
        return "confirm", ()
    wanted = next(slot["type"] for slot in row["flow"] if slot["name"] == row["open"])
    return ("choice", tuple(wanted)) if isinstance(wanted, list) else (_KINDS[wanted], ())


def polarity(line: str) -> str:
    """Yes or no, where its beginning says so."""
    return "affirm" if _YES.match(line) else "negate" if _NO.match(line) else ""


def _pairs(rng: random.Random, row: dict[str, Any]) -> Iterator[Pair]:
    kind, options = kind_of(row)
    line, label = row["line"], row["label"]
    closed = kind in ("bool", "confirm")
    gold = [value for slot, value in row["gold"] if slot == row["open"]]
    spans = tuple(span for value in gold for span in _where(line, value))
    value: int | None = 0
    if label in SPECIAL:
        act, unknown = SPECIAL[label]
        known = acts(act, unknown=unknown)
    elif label == "correction":
        known = acts("correct", unknown=("negate", "inform_other", "social", "ask", "affirm", "hold"))
    else:
        present: set[str] = set()
        hidden = ["hold", "social", "none"]
        if closed:
            yes = polarity(line)
            present |= {yes} if yes else set()
            hidden += [] if yes else ["affirm", "negate"]
            hidden += ["inform", "inform_other"]
        else:
            present.add("inform")
            hidden += ["affirm", "negate"]
        if label in ("answer_extra", "answer_request"):
            hidden += ["inform_other", "ask", "request", "correct"]
        if label == "answer_request":
            present |= {act for act, there in {"ask": "?" in line}.items() if there}
        if label == "answer_correction":
            present.add("correct")
            hidden += ["inform_other"]
        value, known = 1, acts(*present, unknown=hidden)
    common: dict[str, Any] = {"message": line, "source": "tape", "group": row["group"], "form": row["form"]}
    yield Pair(
        query=query(kind, row["question"], options=options),
        value=value,
        spans=spans if value else (),
        acts=known,
        label=label,
        **common,
    )
    meant = next((o for o in options if o.lower() in {str(v).lower() for v in gold}), None)
    if kind == "choice" and meant is not None and label.startswith("answer"):
        for option in options[:6] if meant in options[:6] else (meant, *options[:5]):
            asked = query("option", row["question"], options=(option,))
            found = int(option == meant)
            yield Pair(query=asked, value=found, label="option" if found else "not option", **common)
    for slot in row["flow"]:
        if slot["name"] == row["open"] or slot["value"] is None:
            continue
        wanted = slot["type"]
        asked = query(
            "choice" if isinstance(wanted, list) else _KINDS[wanted],
            slot["question"],
            options=tuple(wanted) if isinstance(wanted, list) else (),
            present=str(slot["value"]),
        )
        new = [value for name, value in row["corrects"] if name == slot["name"]]
        if new:
            marked = tuple(span for value in new[0].split("|") for span in _where(line, value))
            yield Pair(
                query=asked,
                value=1,
                spans=marked,
                keyword=row["source"] == "star",
                label="corrected",
                **common,
            )
        elif label not in ("answer_extra", "other_slot", "answer_correction", "correction", "answer_request"):
            yield Pair(query=asked, value=0, label="untouched", **common)


def _where(line: str, value: str) -> list[tuple[int, int]]:
    found = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", line, re.IGNORECASE)
    if found is None and len(value) > 2:
        found = re.search(re.escape(value), line, re.IGNORECASE)
    return [found.span()] if found else []
