"""Messages that do not answer what was asked."""

import random
import re
from collections.abc import Iterator

from training.corrections import confirmation
from training.fields import BOOLS, CHOICES, VALUED, any_field, sister, valued
from training.grammar import expand, one
from training.messages import PART, SHY, around, cased, clause, mark, pair, plain
from training.pairs import Pair, acts


def refuses(rng: random.Random) -> Iterator[Pair]:
    asked = any_field(rng)
    act = rng.choices(list(PART), list(PART.values()))[0]
    if act == "none" and asked.kind in ("bool", "choice", "number", "date", "time"):
        act = "open"
    if act == "none" and asked.name in ("name", "recipient", "guest"):
        act = "leave"
    text = clause(rng, act, asked)
    present, shy = {act}, set(SHY.get(act, ()))
    turn = rng.random()
    if turn < 0.25:
        text = f"{one(rng, 'opener')} {text}"
        shy |= {"hold", "social", "affirm"}
    elif turn < 0.42:
        second = rng.choices(list(PART), list(PART.values()))[0]
        if second not in ("none",) and {act, second} not in ({"leave", "pause"}, {"none", "ask"}):
            text = (
                f"{text.rstrip('.')}{rng.choice(('. ', ', ', '! ', ' - ', ' '))}{clause(rng, second, asked)}"
            )
            present.add(second)
            shy |= set(SHY.get(second, ()))
    elif turn < 0.5:
        text += rng.choice(
            (
                "!",
                " lol",
                " please",
                ", sorry",
                " thanks",
                " man",
                " bot",
                " :(",
                " :)",
                ", ok?",
                " haha",
                " now",
                " really",
                " dude",
                ", sir",
            )
        )
        shy |= {"social"}
    if asked.kind in ("bool", "confirm"):
        shy |= {"negate", "affirm"}
    yield pair(
        rng,
        asked.question(rng),
        text,
        acts(*present, unknown=shy),
        0,
        label="+".join(sorted(present)),
        form=asked.form,
    )
    if rng.random() < 0.25:
        other = sister(rng, asked)
        yield pair(
            rng,
            other.other(rng, other.value(rng) if rng.random() < 0.6 else None),
            text,
            {},
            0,
            label="absent",
            form=other.form,
        )


def asks(rng: random.Random) -> Iterator[Pair]:
    """A question with a possible value in it."""
    asked = rng.choice(CHOICES) if rng.random() < 0.4 else valued(rng)
    if asked.long:
        return
    text = one(rng, "askvalue", {"v": cased(rng, asked.value(rng)), "v2": asked.value(rng)})
    if rng.random() < 0.2:
        text = f"{one(rng, 'opener')} {text}"
    yield pair(
        rng,
        asked.question(rng),
        text,
        acts("ask", unknown=("hold", "social", "repeat")),
        0,
        label="ask",
        form=asked.form,
    )


def others(rng: random.Random) -> Iterator[Pair]:
    """What was asked is not answered, but something else is."""
    asked = any_field(rng)
    other = sister(rng, asked)
    value = cased(rng, other.value(rng))
    own = other.says or ["the <thing> is <v>"]
    clauses = [c for c in own if len(c) > 12] + [
        "the <thing> is <v>",
        "the <thing> should be <v>",
        "first the <thing>: <v>",
        "<thing>: <v>",
    ]
    text = around(rng, expand(rng, rng.choice(clauses), {"v": mark(value), "thing": other.thing(rng)}))
    if asked.kind == other.kind or {asked.name, other.name} & {
        "notes",
        "requests",
        "opinion",
        "what",
        "problem",
    }:
        text = around(
            rng, expand(rng, rng.choice(clauses[-4:]), {"v": mark(value), "thing": other.thing(rng)})
        )
        if asked.name in ("notes", "requests", "opinion", "what", "problem", "goal"):
            return
    yield pair(
        rng,
        asked.question(rng),
        plain(text),
        acts("inform_other", unknown=("correct", "hold", "social")),
        0,
        label="inform_other",
        form=asked.form,
    )
    yield pair(rng, other.other(rng), text, {}, 1, label="given", form=other.form)


def unsaid(rng: random.Random) -> Iterator[Pair]:
    """Yes or no to a question that cannot be answered so, and other acts at a confirmation."""
    if rng.random() < 0.4:
        asked = valued(rng)
        act = rng.choice(("affirm", "negate"))
        text = (
            rng.choice(
                (
                    "yes",
                    "no",
                    "yeah",
                    "nope",
                    "ok",
                    "sure",
                    "not really",
                    "no thanks",
                    "yep",
                    "nah",
                    "yes please",
                    "of course",
                    "fine",
                    "k",
                )
            )
            if rng.random() < 0.6
            else one(rng, act)
        )
        act = (
            "negate"
            if re.match(r"n|not", text)
            else "affirm"
            if re.match(r"y|ok|sure|of c|fine|k$", text)
            else act
        )
        yield pair(
            rng,
            asked.question(rng),
            text,
            acts(act, unknown=("none", "open", "social", "hold", "leave", "pause")),
            0,
            label=act,
            form=asked.form,
        )
        return
    asked = any_field(rng)
    act = rng.choice(("ask", "ask", "social", "request", "human", "repeat", "hold", "open", "pause", "leave"))
    yield pair(
        rng,
        confirmation(rng, rng.choice(VALUED)),
        clause(rng, act, asked),
        acts(act, unknown=(*SHY[act], "negate", "affirm", *(("pause",) if act == "leave" else ()))),
        0,
        label=act,
        form=asked.form,
    )


def consents(rng: random.Random) -> Iterator[Pair]:
    """Yes and no, with more or without."""
    closed = rng.random() < 0.45
    asked = rng.choice(BOOLS)
    question = confirmation(rng, rng.choice(VALUED)) if closed else asked.question(rng)
    act = rng.choice(("affirm", "negate"))
    text = one(rng, act)
    present, shy = {act}, {"social", "hold", "open", "none", "inform"}
    turn = rng.random()
    if turn < 0.2:
        more = rng.choice(("ask", "request", "pause", "social", "human"))
        text = f"{text.rstrip('.!')}{rng.choice((', but ', '. ', ', ', '! ', ', but first ', '. And '))}{clause(rng, more, asked)}"
        present.add(more)
        shy |= set(SHY.get(more, ())) - {"affirm", "negate"}
    elif turn < 0.33 and not closed:
        text = f"{text.rstrip('.!')}{one(rng, 'gooder')}"
        shy |= {"inform_other"}
    elif turn < 0.4:
        text = f"{one(rng, 'opener')} {text}"
        shy |= {"affirm"} if act == "negate" else set()
    if act == "negate":
        shy |= {"pause", "leave", "correct"}
    yield pair(
        rng,
        question,
        text,
        acts(*present, unknown=shy - present),
        1,
        label="+".join(sorted(present)),
        form=asked.form,
    )
