"""Messages that answer: plainly, with something beside it, in words that sound like something else."""

import random
from collections.abc import Iterator

from softrail.reader.learned.questions import query
from training.fields import CHOICES, VALUED, Field, sister, valued
from training.grammar import expand, one, sections
from training.messages import SHY, answer, around, cased, clause, framed, mark, pair, plain
from training.noise import CLOSE, OPEN
from training.pairs import Pair, acts

_JOIN = (", ", ". ", " - ", "; ", " and ", ", and ", ". Also, ", ". Oh, and ")


def informs(rng: random.Random) -> Iterator[Pair]:
    asked = valued(rng)
    text = answer(rng, asked)
    if asked.kind == "choice":
        return
    yield pair(
        rng,
        asked.question(rng),
        text,
        acts("inform", unknown=("hold", "social")),
        1,
        label="inform",
        form=asked.form,
    )
    if rng.random() < 0.35:
        other = sister(rng, asked)
        clear = asked.kind != other.kind or {asked.name, other.name} & {
            "voice",
            "constraints",
            "what",
            "yesterday",
            "blockers",
            "budget",
        }
        if clear:
            yield pair(
                rng,
                other.other(rng, other.value(rng) if rng.random() < 0.4 else None),
                plain(text),
                {},
                0,
                label="absent",
                form=other.form,
            )


def bares(rng: random.Random) -> Iterator[Pair]:
    """An answer and nothing around it: a name, a task, a few words."""
    asked = valued(rng)
    known = acts("inform", unknown=("hold", "social"))
    text = mark(cased(rng, asked.value(rng)))
    yield pair(rng, asked.question(rng), text, known, 1, label="inform", form=asked.form, clean=0.7)


def mixes(rng: random.Random) -> Iterator[Pair]:
    """An answer and something beside it."""
    asked = valued(rng)
    said = answer(rng, asked)
    act = rng.choice(
        (
            "ask",
            "ask",
            "request",
            "social",
            "pause",
            "human",
            "inform_other",
            "inform_other",
            "inform_other",
            "correct",
            "gooder",
            "gooder",
        )
    )
    joint = rng.choice(_JOIN[:4] + _JOIN[6:]) if act != "gooder" else ""
    if act in ("inform_other", "correct"):
        yield from _two_fields(rng, asked, said, act, joint)
        return
    second = one(rng, "gooder") if act == "gooder" else clause(rng, act, asked)
    if act == "gooder" or rng.random() < 0.75:
        text = f"{said.rstrip('.!?')}{joint}{second}"
    else:
        text = f"{second}{rng.choice(('. ', '! ', '? ', ' - ')) if second[-1:].isalnum() else ' '}{said}"
    act = "social" if act == "gooder" else act
    shy = {"hold", *SHY.get(act, ()), "social", "inform_other"} | ({"social"} if act == "social" else set())
    known = acts("inform", act, unknown=shy)
    if act in ("social", "pause"):
        known.pop(act)
    yield pair(rng, asked.question(rng), text, known, 1, label=f"inform+{act}", form=asked.form)


def _two_fields(rng: random.Random, asked: Field, said: str, act: str, joint: str) -> Iterator[Pair]:
    """An answer, and the value of another field, or a new one."""
    other = sister(rng, asked)
    present = other.value(rng) if act == "correct" or rng.random() < 0.2 else None
    value = cased(rng, other.value(rng))
    words = {"v": mark(value), "thing": other.thing(rng), "o": present or ""}
    if act == "correct":
        second = expand(
            rng, rng.choice([c for c in sections()["correct"] if "<thing>" in c or ("<o>" in c)]), words
        )
    elif asked.told.get("more") and rng.random() < 0.6 and asked.name == "name":
        yield from _apposition(rng, asked)
        return
    else:
        own = other.says or ["the <thing> is <v>"]
        second = expand(rng, rng.choice([*own, "the <thing> is <v>", "and the <thing> is <v>"]), words)
    first = said
    both = (first, second) if rng.random() < 0.7 else (second, first)
    text = f"{both[0].rstrip('.!?')}{joint}{both[1]}"
    one_side = text.replace(second, plain(second))
    other_side = text.replace(first, plain(first))
    shy = ("hold", "social", "correct" if act == "inform_other" else "inform_other")
    yield pair(
        rng,
        asked.question(rng),
        one_side,
        acts("inform", act, unknown=shy),
        1,
        label=f"inform+{act}",
        form=asked.form,
    )
    yield pair(rng, other.other(rng, present), other_side, {}, 1, label="given", form=other.form)
    third = sister(rng, asked)
    if third.kind not in (asked.kind, other.kind):
        yield pair(
            rng,
            third.other(rng),
            plain(text),
            {},
            0,
            label="absent",
            form=third.form,
        )


def _apposition(rng: random.Random, asked: Field) -> Iterator[Pair]:
    """A name, and what it does: “FarmGuard, an irrigation planner”."""
    name, what = asked.value(rng), expand(rng, rng.choice(sections()["what"][:8]))
    first = framed(rng, asked, name) if rng.random() < 0.5 else mark(name)
    joint = rng.choice(
        (", ", " - ", " – ", ": ", ", it's ", ". It's ", ", which is ", " (", " is ", ", basically ")
    )
    text = f"{first}{joint}{OPEN}{what}{CLOSE}{')' if joint == ' (' else ''}"
    what_field = next(f for f in VALUED if f.form == "project" and f.name == "what")
    left = text.replace(f"{OPEN}{what}{CLOSE}", what)
    right = text.replace(mark(name), name)
    both = rng.random() < 0.3
    question = (
        query(
            "text",
            rng.choice(
                (
                    "Tell me about your main project: what is it called, and what is it about?",
                    "What is it called, and what is it about?",
                    "Great. What is it called, and what does it do?",
                )
            ),
        )
        if both
        else asked.question(rng)
    )
    yield pair(
        rng,
        question,
        left,
        acts("inform", "inform_other", unknown=("hold", "social", *(("inform_other",) if both else ()))),
        1,
        label="inform+inform_other",
        form="project",
    )
    yield pair(rng, what_field.other(rng), right, {}, 1, label="given", form="project")


def itself(rng: random.Random) -> Iterator[Pair]:
    """A slip of the tongue put right at once."""
    asked = valued(rng)
    first, second = asked.value(rng), asked.value(rng)
    if asked.long or first == second:
        return
    joint = rng.choice(
        (
            ", no wait, ",
            " no, ",
            "... no, ",
            ", sorry, ",
            ", I mean ",
            ", or rather ",
            " - no, make that ",
            ". No, ",
            ", actually ",
            "... or no, ",
            ". Wait, ",
            ". I meant ",
            ", well, no, ",
            ". Actually ",
        )
    )
    text = f"{framed(rng, asked, first).replace(OPEN, '').replace(CLOSE, '')}{joint}{mark(second)}"
    yield pair(
        rng,
        asked.question(rng),
        around(rng, text, 0.1, 0.1),
        acts("inform", unknown=("hold", "social", "correct")),
        1,
        label="inform",
        form=asked.form,
    )


def chooses(rng: random.Random) -> Iterator[Pair]:
    asked = rng.choice(CHOICES)
    told = dict(asked.told)
    if rng.random() < 0.5:
        options = _invented(rng)
        about = rng.choice(
            (
                "Which one?",
                "Which of these do you want?",
                "What would you like?",
                "Which <n> do you prefer?",
                "What kind of <n>?",
                "Which <n>?",
                "Pick one, please.",
                "Which is your main project?",
                "What type of <n> do you want?",
                "Which category?",
            )
        )
        told = {
            "kind": "choice",
            "options": options,
            "ask": [about.replace("<n>", rng.choice(sections()["noun"]))],
            "is": ["choice", "type", "category"],
            "things": ["choice", "type", "one"],
        }
    made = Field(asked.form, "choice", told, "")
    value = cased(rng, rng.choice(made.options()))
    turn = rng.random()
    text = (
        mark(value)
        if turn < 0.2
        else expand(rng, rng.choice(sections()["chosen"]), {"v": mark(value)})
        if turn < 0.8
        else framed(rng, made, value)
    )
    if rng.random() < 0.12:
        wrong = rng.choice([o for o in made.options() if o.lower() != value.lower()] or ["that"])
        text = rng.choice(
            (
                f"not {wrong}, {mark(value)}",
                f"{mark(value)}, not {wrong}",
                f"{mark(value)} rather than {wrong}",
            )
        )
    yield pair(
        rng,
        made.question(rng),
        around(rng, text, 0.15, 0.15),
        acts("inform", unknown=("hold", "social", "affirm")),
        1,
        label="choice",
        form=asked.form,
    )


def _invented(rng: random.Random) -> list[str]:
    name = rng.choice(("noun", "adj", "animal", "cap", "role", "city", "food1", "weekday"))
    return list(dict.fromkeys(one(rng, name) for _ in range(rng.randint(2, 6)))) + ["other"] * (
        rng.random() < 0.2
    )
