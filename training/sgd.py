"""Pairs from the schema-guided dialogues: questions with their answers, and fields given and not given."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any

from softrail.reader.learned.questions import query
from training.pairs import DATA, Pair, acts, rows

_NUMBER_WORDS = {
    "0": ("zero", "no", "none"),
    "1": ("one", "a", "just me", "myself"),
    "2": ("two", "couple"),
    "3": ("three",),
    "4": ("four",),
    "5": ("five",),
    "6": ("six",),
    "7": ("seven",),
    "8": ("eight",),
    "9": ("nine",),
}


def fields() -> dict[str, dict[str, Any]]:
    """The slots of every service: descriptions, kind, options."""
    told: dict[str, dict[str, Any]] = {}
    for service in json.loads((DATA / "sgd" / "fields.json").read_text(encoding="utf-8")):
        slots = told.setdefault(service["service"], {})
        for name, slot in service["slots"].items():
            slots[name] = {
                "kind": _kind(name, slot),
                "about": slot["descriptions"],
                "options": _options(slot),
                "name": name,
            }
    return told


def _options(slot: dict[str, Any]) -> list[str]:
    values = [str(value) for value in slot["values"]]
    return [] if set(values) <= {"True", "False"} or all(v.isdigit() for v in values) else values


def _kind(name: str, slot: dict[str, Any]) -> str:
    values = {str(value) for value in slot["values"]}
    if values and values <= {"True", "False"}:
        return "bool"
    if values and all(value.isdigit() for value in values):
        return "number"
    if values:
        return "choice"
    if "date" in name:
        return "date"
    if "time" in name:
        return "time"
    if re.search(
        r"number_of|group_size|amount|price|fare|rating|balance|total|temperature|passengers|humidity", name
    ):
        return "number"
    return "text"


def chosen(message: str, value: str, kind: str) -> tuple[tuple[int, int], ...]:
    """Where a choice's words stand, if they stand there."""
    words = (value, *(_NUMBER_WORDS.get(value, ()) if kind == "number" else ()))
    for word in words:
        found = list(re.finditer(rf"\b{re.escape(word)}\b", message, re.IGNORECASE))
        if len(found) == 1:
            return (found[0].span(),)
        if found:
            return ()
    if " " in value or len(value) > 5:
        first = re.search(rf"\b{re.escape(value.split()[0][:6])}\w*\b", message, re.IGNORECASE)
        if first:
            return (first.span(),)
    return ()


def about(rng: random.Random, slot: dict[str, Any]) -> str:
    """One way to say what a field is."""
    if rng.random() < 0.15:
        return str(slot["name"]).replace("_", " ")
    text: str = rng.choice(slot["about"])
    turn = rng.random()
    if turn < 0.2:
        return text.rstrip(".?").lower()
    return text.rstrip(".?") + "?" if turn < 0.35 else text


def as_field(rng: random.Random, slot: dict[str, Any], present: str | None = None) -> str:
    """A query for a field by its description, with its options most of the time."""
    options = slot["options"] if rng.random() < 0.75 else ()
    return query(slot["kind"], about(rng, slot), options=options, present=present)


def sgd(name: str = "sgd/train.jsonl.xz", *, seed: int = 1, others: float = 1.6) -> Iterator[Pair]:
    """The schema-guided dialogues: every question with its answer, and fields that the answer gives or does not give."""
    rng = random.Random(seed)
    known = fields()
    given: dict[str, list[str]] = {}
    for row in rows(name):
        slots, message = known[row["service"]], row["message"]
        if row["question"]:
            yield from opened(rng, row, slots)
        told = dict.fromkeys([*row["spans"], *row["values"]])
        for slot in told:
            if slot in row["asked"] and rng.random() < 0.5:
                continue
            pair = _field(rng, row, slots[slot], given.get(row["service"] + slot))
            if pair:
                yield pair
        for slot, span in row["spans"].items():
            given.setdefault(row["service"] + slot, []).append(message[span[0] : span[1]])
        for slot in told:
            yield from _meant(rng, row, slots[slot])
        rest = [slot for slot in slots if slot not in told]
        for slot in rng.sample(rest, min(len(rest), int(others) + (rng.random() < others % 1))):
            yield _absent(rng, row, slots[slot], given.get(row["service"] + slot))


def _meant(rng: random.Random, row: dict[str, Any], slot: dict[str, Any]) -> Iterator[Pair]:
    """Which option of a choice is meant, each asked for on its own."""
    meant, options = str(row["values"].get(slot["name"])), slot["options"]
    if slot["kind"] != "choice" or meant not in options:
        return
    asked = row["question"] if slot["name"] in row["asked"] and rng.random() < 0.7 else about(rng, slot)
    others = [option for option in options if option != meant]
    for option in (meant, *rng.sample(others, min(2, len(others)))):
        yield Pair(
            query=query("option", asked, options=(option.replace("_", " "),)),
            message=row["message"],
            value=int(option == meant),
            source="sgd-field",
            group=row["dialogue"],
            label="option" if option == meant else "not option",
            form=row["service"],
        )


def _absent(rng: random.Random, row: dict[str, Any], slot: dict[str, Any], before: list[str] | None) -> Pair:
    present = rng.choice(before[-200:]) if before and rng.random() < 0.35 else None
    return Pair(
        query=as_field(rng, slot, present),
        message=row["message"],
        value=0,
        source="sgd-field",
        group=row["dialogue"],
        label="absent",
        form=row["service"],
    )


def _field(
    rng: random.Random, row: dict[str, Any], slot: dict[str, Any], before: list[str] | None
) -> Pair | None:
    name, message = slot["name"], row["message"]
    present = rng.choice(before[-200:]) if before and rng.random() < 0.35 else None
    spans, known = _spans(row, slot)
    if row["values"].get(name) == "dontcare":
        return None
    return Pair(
        query=as_field(rng, slot, present),
        message=message,
        value=1,
        spans=spans,
        acts=known,
        source="sgd-field",
        group=row["dialogue"],
        label="given",
        form=row["service"],
    )


def _spans(row: dict[str, Any], slot: dict[str, Any]) -> tuple[tuple[tuple[int, int], ...], dict[str, int]]:
    name = slot["name"]
    if name in row["spans"]:
        return (tuple(row["spans"][name]),), {}
    value = str(row["values"].get(name, ""))
    if slot["kind"] == "bool":
        return (), {"affirm": int(value == "True"), "negate": int(value == "False")}
    return chosen(row["message"], value, slot["kind"]), {}


def opened(rng: random.Random, row: dict[str, Any], slots: dict[str, Any]) -> Iterator[Pair]:
    system, did, asked = set(row["system"]), row["acts"], [slot for slot in row["asked"] if slot in slots]
    told = set(row["spans"]) | set(row["values"])
    present: set[str] = set()
    unknown: set[str] = {"hold", "inform_other"} if len(asked) > 1 else {"hold"}
    value: int | None = 0
    spans: tuple[tuple[int, int], ...] = ()
    closed = bool(
        system
        & {"CONFIRM", "OFFER", "OFFER_INTENT", "REQ_MORE", "NOTIFY_SUCCESS", "NOTIFY_FAILURE", "INFORM"}
    )
    kind, options = ("confirm" if "CONFIRM" in system else "bool"), ()
    if asked:
        slot = slots[asked[0]]
        kind, options = slot["kind"], slot["options"] if rng.random() < 0.6 else ()
    elif not closed or (not row["question"].rstrip().endswith("?") and "CONFIRM" not in system):
        if rng.random() < 0.7:
            return
        kind = "text" if rng.random() < 0.5 else "bool"
    if "dontcare" in row["values"].values():
        present.add("open")
        unknown |= {"inform", "none"}
        value = None
    elif set(asked) & told:
        first = slots[asked[0]]
        if first["kind"] == "bool" and asked[0] in told:
            present.add("affirm" if str(row["values"].get(asked[0])) == "True" else "negate")
            value = 1
            unknown |= {"inform"}
        elif asked[0] in told:
            present.add("inform")
            spans, value = _spans(row, first)[0], 1
        else:
            present.add("inform")
            value = None
            unknown |= {"open"}
    if told - set(asked) - {s for s in told if row["values"].get(s) == "dontcare"}:
        present.add("correct" if "CONFIRM" in system else "inform_other")
        unknown |= (
            {"inform_other"} if "CONFIRM" in system else ({"correct", "inform"} if not asked else {"correct"})
        )
    if "AFFIRM" in did or "AFFIRM_INTENT" in did:
        present.add("affirm")
    if "SELECT" in did:
        present.add("affirm")
    if "NEGATE" in did or "NEGATE_INTENT" in did:
        present.add("negate")
        unknown |= {"none"}
        if "REQ_MORE" in system:
            unknown |= {"leave"}
    if present & {"affirm", "negate"} and kind in ("bool", "confirm"):
        value = 1
    if "REQUEST" in did:
        present.add("ask")
        unknown |= {"request"}
    if "REQUEST_ALTS" in did:
        unknown |= {"ask", "request", "negate", "correct"}
    if "INFORM_INTENT" in did:
        (unknown if present & {"affirm"} else present).add("request")
        unknown |= {"ask", "negate", "affirm", "inform_other", "correct"}
    if "THANK_YOU" in did:
        present.add("social")
    if "GOODBYE" in did:
        unknown |= {"leave", "social", "none", "pause"}
    if not present:
        return
    yield Pair(
        query=query(kind, row["question"], options=options),
        message=row["message"],
        value=value,
        spans=spans,
        acts=acts(*present, unknown=unknown),
        source="sgd",
        group=row["dialogue"],
        form=row["service"],
        label="+".join(sorted(present)),
    )
