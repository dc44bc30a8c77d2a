"""Messages that change an earlier answer, and summaries that are to be confirmed."""

import random
import re
from collections.abc import Iterator

from softrail.reader.learned.questions import query
from training.fields import CHOICES, VALUED, WEIGHTS, Field, sister
from training.grammar import expand, one, sections
from training.messages import around, cased, mark, pair, plain
from training.pairs import Pair, acts


def corrects(rng: random.Random) -> Iterator[Pair]:
    """An earlier answer is changed, at a later question or a summary."""
    other = rng.choices([*VALUED, *CHOICES], [*WEIGHTS, *[1.0] * len(CHOICES)])[0]
    old, new = other.value(rng), other.value(rng)
    if (other.long and rng.random() < 0.8) or old.lower() == new.lower():
        return
    closed = rng.random() < 0.6
    thing = other.thing(rng)
    if closed:
        asked = confirmation(rng, other, old)
    else:
        later = sister(rng, other)
        asked = later.question(rng)
        if later.kind == other.kind and later.kind != "text":
            closed = True
            asked = confirmation(rng, other, old)
    field_query = other.other(rng, old)
    given = {"thing": thing, "o": old, "v": mark(cased(rng, new))}
    shy = {"negate", "affirm", "hold", "inform_other", "social", "ask"}
    if rng.random() < 0.2:
        text = around(rng, one(rng, "wrong", given))
        yield pair(rng, asked, text, acts("correct", unknown=shy), 0, label="correct", form=other.form)
        yield pair(rng, field_query, text, {}, 0, label="wrong", form=other.form)
        return
    clauses = sections()["correct"]
    if not closed:
        clauses = [
            c
            for c in clauses
            if "<thing>" in c or "<o>" in c or "instead" in c or "meant" in c or "actually" in c
        ]
    own = [c for c in other.says if "think" not in c]
    if own and rng.random() < 0.3:
        text = rng.choice(
            (
                "no, ",
                "actually, ",
                "sorry, ",
                "wait, ",
                "no wait, ",
                "oh, ",
                "I changed my mind, ",
                "correction: ",
                f"not {old}, ",
            )
        )
        text += expand(rng, rng.choice(own), given)
    else:
        text = expand(rng, rng.choice(clauses), given)
    if not closed and not re.search(r"<|instead|meant|change", text) and "\x01" in text:
        shy |= {"inform"}
    text = around(rng, text, 0.12, 0.2)
    if rng.random() < 0.22:
        yield from _two(rng, other, asked, text, old, shy)
        return
    if closed and rng.random() < 0.06:
        text = mark(new)
    yield pair(
        rng,
        asked,
        plain(text),
        acts("correct", unknown=shy),
        0 if closed else None,
        label="correct",
        form=other.form,
    )
    yield pair(rng, field_query, text, {}, 1, label="corrected", form=other.form)
    if rng.random() < 0.45:
        third = sister(rng, other)
        if third.kind != other.kind or "<thing>" in text:
            yield pair(
                rng,
                third.other(rng, third.value(rng)),
                plain(text),
                {},
                0,
                label="absent",
                form=third.form,
            )


def _two(rng: random.Random, other: Field, asked: str, text: str, old: str, shy: set[str]) -> Iterator[Pair]:
    second = sister(rng, other)
    value = second.value(rng)
    clauses = (
        "the <thing> to <v>",
        "the <thing> is <v>",
        "make the <thing> <v>",
        "the <thing> should be <v>",
        "<thing>: <v>",
        "change the <thing> to <v>",
    )
    more = expand(rng, rng.choice(clauses), {"thing": second.thing(rng), "v": mark(value)})
    joint = rng.choice((" and ", ", and ", ", ", ". also ", ". And ", "; "))
    bare = [plain(part) for part in (text, more)]
    yield pair(
        rng,
        asked,
        f"{bare[0]}{joint}{bare[1]}",
        acts("correct", unknown=shy),
        None,
        label="correct",
        form=other.form,
    )
    yield pair(
        rng, other.other(rng, old), f"{text}{joint}{bare[1]}", {}, 1, label="corrected", form=other.form
    )
    yield pair(
        rng,
        second.other(rng, second.value(rng)),
        f"{bare[0]}{joint}{more}",
        {},
        1,
        label="corrected",
        form=other.form,
    )


def confirmation(rng: random.Random, about: Field | None = None, value: str | None = None) -> str:
    """A summary with a question whether it is right."""
    some = [
        f for f in VALUED + CHOICES if about is not None and f.form == about.form and f.name != about.name
    ] or [rng.choice(VALUED)]
    told = [(f, f.value(rng)) for f in rng.sample(some, min(len(some), rng.randint(0, 3)))]
    if about is not None and value is not None and rng.random() < 0.8:
        told.insert(rng.randint(0, len(told)), (about, value))
    if rng.random() < 0.5:
        text = ", ".join(f"{f.thing(rng)}: {value}" for f, value in told)
    else:
        text = ", ".join(value for _, value in told)
    return query("confirm", one(rng, "confirm", {"sum": text or "two tickets for tomorrow"}))
