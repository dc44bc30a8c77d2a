"""Where the examples come from: scenes, schema-guided dialogues, callers, the tape, and single questions of templates."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from softrail.reader.learned.questions import query
from training import public, sgd, tape
from training.joint.forms import Form, Told, unmarked
from training.messages import mark
from training.noise import noisy
from training.pairs import Pair, acts, rows
from training.scene_pairs import swapped, values_of
from training.scenes import CLOSED, MARK, Asked, Said, Scene

FIELDS = 9  #: beside the open one
_KEPT = 0.9  #: how often a field is there of which nothing is said
_IN_ORDER = 0.8
_GIVEN = 0.3  #: how often a field of which nothing is said has a value, where the scene tells of none


def of_scenes(times: int, *, seed: int, of: Sequence[Scene], part: str = "all") -> Iterator[Form]:
    """Every message so many times, with other noise, other values, and its fields in other words."""
    rng = random.Random(seed)
    for scene in of:
        values = values_of(scene)
        for said in scene.part(part):
            for time in range(times):
                told = swapped(rng, scene, said, values) if time % 2 else said
                yield of_said(rng, scene, told, values)


def of_options(times: int, *, seed: int, of: Sequence[Scene], part: str = "all") -> Iterator[Form]:
    """What is said to a choice, beside each of its options: which one is meant, in whatever words, or none."""
    rng = random.Random(seed)
    for scene in of:
        for said in scene.part(part):
            if said.open.kind != "choice":
                continue
            for _ in range(times):
                yield _chosen(rng, scene, said)


def _chosen(rng: random.Random, scene: Scene, said: Said) -> Form:
    here = [part for part in said.parts() if scene.of(said, part) is said.open]
    meant = (here[-1]["option"] or here[-1]["words"].strip().lower()) if here else None
    options = [*said.open.options]
    rng.shuffle(options)
    asked = replace(said.open, options=tuple(options))
    message, _ = unmarked(noisy(rng, MARK.sub(lambda part: part["words"], said.words), 0.6))
    known = meant is None or meant in options
    told = [Told(query=asked.question(rng), given=None)]
    told += [Told(query=query("option", o), given=int(o == meant) if known else None) for o in options]
    return Form(message=message, told=told[: FIELDS + 1], source="scene", label="option")


def of_said(rng: random.Random, scene: Scene, said: Said, values: Mapping[str, list[str]]) -> Form:
    """One message with noise, its fields in other words, and values that others gave for some of those it says nothing of."""
    parts = [part for part in said.parts() if part["words"]]
    text = MARK.sub(lambda part: mark(part["words"]) if part["words"] else "", said.words)
    message, spans = unmarked(noisy(rng, text, 0.6))
    where: dict[str, tuple[int, int]] = {}
    for part, span in zip(parts, spans, strict=True):
        where[scene.of(said, part).name] = span  # of two in one place the last
    given = {scene.of(said, part).name: part for part in said.parts()}
    wrong = {*said.wrong} | (given.keys() & said.present.keys())
    told_which = bool(wrong) or "correct" not in said.there
    consent = scene.told(said)
    others = [f for f in scene.fields.values() if f is not said.open and f.kind != "confirm"]
    told = [_open(rng, said, where, given)]
    for asked in filled(rng, others, {*given, *wrong}):
        present = said.present.get(asked.name)
        if (
            present is None
            and asked.name not in given
            and "correct" not in said.there
            and asked.kind not in CLOSED
        ):
            pool = values.get(asked.name, []) or list(asked.options)
            if pool and rng.random() < _GIVEN:
                present = rng.choice(pool)
        if asked.kind == "bool":
            known = scene.tells_consent
            yes = consent.get(asked.name)
            told.append(
                Told(
                    query=put(rng, asked, present),
                    given=int(yes is not None) if known else None,
                    yes=int(yes is True) if known else None,
                    no=int(yes is False) if known else None,
                )
            )
            continue
        told.append(
            Told(
                query=put(rng, asked, present),
                given=int(asked.name in given),
                span=where.get(asked.name),
                denied=None if present is None or not told_which else int(asked.name in wrong),
            )
        )
    return Form(
        message=message,
        told=told,
        acts=acts(*said.there, unknown=said.shy),
        source="scene",
        label="+".join(sorted(said.there)),
    )


def _open(
    rng: random.Random, said: Said, where: Mapping[str, tuple[int, int]], given: Mapping[str, object]
) -> Told:
    asked, known = said.open.question(rng), acts(*said.there, unknown=said.shy)
    if said.open.kind in CLOSED:
        return Told(query=asked, given=None, yes=known.get("affirm"), no=known.get("negate"))
    name = said.open.name
    there = 1 if name in given else None if "inform" not in known else 0
    return Told(query=asked, given=there, span=where.get(name))


def put(rng: random.Random, asked: Asked, present: str | None) -> str:
    """A field that is not open, as a developer may have described it."""
    if rng.random() < 0.35:
        words = asked.name.replace("_", " ").capitalize()
        return query(asked.kind, f"{words}: {rng.choice(asked.asks)}", options=asked.options, present=present)
    return asked.other(rng, present)


def filled(
    rng: random.Random, fields: Sequence[Asked], needed: set[str], *, most: int = FIELDS
) -> Sequence[Asked]:
    """Those of the fields that a form has: all that are needed and most of the others, mostly in their order."""
    kept = [asked for asked in fields if asked.name in needed or rng.random() < _KEPT]
    if rng.random() > _IN_ORDER:
        rng.shuffle(kept)
    spare, found = len(kept) - most, []
    for asked in kept:
        if spare > 0 and asked.name not in needed:
            spare -= 1
        else:
            found.append(asked)
    return found


def of_dialogues(name: str = "sgd/train.jsonl.xz", *, seed: int) -> Iterator[Form]:
    """The schema-guided dialogues; what others said in the place of a field may be the value there is."""
    rng = random.Random(seed)
    known = sgd.fields()
    pools: dict[tuple[str, str], list[str]] = {}
    for row in rows(name):
        slots, service = known[row["service"]], row["service"]
        before = {
            slot: rng.choice(pool[-200:])
            for slot in slots
            if (pool := pools.get((service, slot))) and rng.random() < _had(row, slot)
        }
        made = _dialogue(rng, row, slots, before)
        if made is not None:
            yield made
        for slot, (start, end) in row["spans"].items():
            pools.setdefault((service, slot), []).append(row["message"][start:end])
        for slot, value in row["values"].items():
            if value != "dontcare" and slot in slots and slots[slot]["kind"] != "bool":
                pools.setdefault((service, slot), []).append(str(value).replace("_", " "))


def _had(row: dict[str, Any], slot: str) -> float:
    """How often a field has a value: what is told at a confirmation changes one."""
    told = slot in row["spans"] or slot in row["values"]
    if "CONFIRM" in row["system"]:
        return 0.9 if told else 0.6
    return 0.2 if told else 0.35


def _dialogue(
    rng: random.Random, row: dict[str, Any], slots: dict[str, Any], before: Mapping[str, str]
) -> Form | None:
    opened = next(sgd.opened(rng, row, slots), None) if row["question"] else None
    told_slots = [s for s in dict.fromkeys([*row["spans"], *row["values"]]) if s in slots]
    asked = [s for s in row["asked"] if s in slots]
    if opened is None and len(told_slots) < 2:
        return None
    told: list[Told] = []
    here = asked[0] if asked else None
    if opened is not None:
        told.append(_single(opened))
    else:
        told.append(Told(query=query("text", row["question"] or "How can I help you?"), given=None))
        here = None
    rest = [s for s in slots if s not in told_slots and s != here]
    shown = [s for s in told_slots if s != here] + rng.sample(rest, min(len(rest), rng.randint(1, 5)))
    shown = shown[:FIELDS]
    order = list(slots)
    shown.sort(key=order.index) if rng.random() < 0.5 else rng.shuffle(shown)
    for name in shown:
        slot, present = slots[name], before.get(name)
        value = row["values"].get(name)
        if value == "dontcare":
            continue
        there = name in told_slots
        span: tuple[int, int] | None = None
        if name in row["spans"]:
            span = tuple(row["spans"][name])
        elif there and slot["kind"] != "bool":
            found = sgd.chosen(row["message"], str(value), slot["kind"])
            span = found[0] if found else None
        said = (
            str(value).replace("_", " ") if value is not None else span and row["message"][span[0] : span[1]]
        )
        same = present is not None and said is not None and said.lower() == present.lower()
        boolean = slot["kind"] == "bool"
        told.append(
            Told(
                query=sgd.as_field(rng, slot, present),
                given=int(there),
                span=span,
                denied=None if present is None or boolean else int(there and not same),
                yes=int(there and value == "True") if boolean else None,
                no=int(there and value == "False") if boolean else None,
            )
        )
    return Form(
        message=row["message"],
        told=told,
        acts=dict(opened.acts) if opened is not None else {},
        source="sgd",
        label=opened.label if opened is not None else "several",
    )


def _single(pair: Pair) -> Told:
    """What a pair tells of its question."""
    closed = pair.query.split(":", 1)[0] in CLOSED
    return Told(
        query=pair.query,
        given=None if closed else pair.value,
        span=pair.spans[0] if pair.spans and pair.value and not pair.keyword else None,
        yes=pair.acts.get("affirm") if closed else None,
        no=pair.acts.get("negate") if closed else None,
    )


def of_pairs(pairs: Sequence[Pair]) -> Iterator[Form]:
    """Questions that stand alone."""
    for pair in pairs:
        if pair.acts:
            yield Form(
                message=pair.message,
                told=[_single(pair)],
                acts=pair.acts,
                source=pair.source,
                label=pair.label,
            )


def of_callers(*, seed: int) -> Iterator[Form]:
    """People who call a restaurant: five fields, all of them told."""
    rng = random.Random(seed)
    for row in rows("polyai/restaurants8k.jsonl.xz"):
        names = list(public.ASKED)
        here = next((name for name in row["asked"] if name in names), None) if row["asked"] else None
        open_name = here or rng.choice(names)
        told = []
        for name in (open_name, *[n for n in names if n != open_name and rng.random() < 0.9]):
            kind, ways = public.ASKED[name]
            span = row["spans"].get(name)
            told.append(
                Told(
                    query=query(kind, rng.choice(ways)),
                    given=int(span is not None),
                    span=tuple(span) if span else None,
                )
            )
        yield Form(message=row["message"], told=told, source="callers", label="callers")


def of_tape(lines: Sequence[tuple[dict[str, Any], list[Pair]]]) -> Iterator[Form]:
    """The lines of the tape, with the values that the flow had."""
    for _, (first, *others) in lines:
        told = [_single(first)]
        changed = [pair for pair in others if pair.label == "corrected"]
        for pair in others:
            one = _single(replace(pair, acts={}))
            told.append(replace(one, denied=pair.value if changed or pair.value == 0 else None))
        yield Form(
            message=first.message, told=told[: FIELDS + 1], acts=first.acts, source="tape", label=first.label
        )


__all__ = ["of_callers", "of_dialogues", "of_options", "of_pairs", "of_scenes", "of_tape", "tape"]
