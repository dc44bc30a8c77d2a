"""How a message is made: the value in its framing, words around it, what is said in place of an answer."""

import random
import re
from collections.abc import Mapping

from training.fields import Field
from training.grammar import expand, one, sections, titles
from training.noise import CLOSE, OPEN, noisy
from training.pairs import Pair


def mark(value: str) -> str:
    return f"{OPEN}{value}{CLOSE}"


def plain(text: str) -> str:
    """The text without the marks around a value."""
    return text.replace(OPEN, "").replace(CLOSE, "")


def pair(
    rng: random.Random,
    asked: str,
    text: str,
    known: Mapping[str, int],
    value: int | None,
    *,
    label: str,
    form: str,
    clean: float = 0.45,
) -> Pair:
    """A pair of a text in which the value is marked, with the noise of typing."""
    text = noisy(rng, text, clean)
    start, end = text.find(OPEN), text.find(CLOSE)
    if start < 0:
        return Pair(
            query=asked, message=text, acts=known, value=value, source="template", label=label, form=form
        )
    message = plain(text)
    return Pair(
        query=asked,
        message=message,
        acts=known,
        value=value,
        spans=((start, end - 1),),
        source="template",
        label=label,
        form=form,
    )


def cased(rng: random.Random, value: str) -> str:
    turn = rng.random()
    return value.lower() if turn < 0.3 else value[:1].upper() + value[1:] if turn < 0.4 else value


def framed(rng: random.Random, asked: Field, value: str, given: Mapping[str, str] | None = None) -> str:
    """The value in a sentence, marked."""
    own = asked.says
    clause = rng.choice(list(own)) if own and rng.random() < 0.55 else rng.choice(sections()["frame"])
    if asked.long and not own:
        clause = rng.choice(
            (
                "<v>",
                "<v>",
                "<v>",
                "well, <v>",
                "I'd say <v>",
                "so <v>",
                "basically: <v>",
                "ok, <v>",
                "in short, <v>",
            )
        )
    said = {"v": mark(value), "thing": asked.thing(rng), **(given or {})}
    return expand(rng, clause, said)


def around(rng: random.Random, text: str, opener: float = 0.22, trailer: float = 0.2) -> str:
    if rng.random() < opener:
        text = f"{one(rng, 'opener')} {text}"
    if rng.random() < trailer:
        more = one(rng, "trailer")
        text = text + more if not more[0].isalnum() and more[0] != ":" else f"{text} {more}"
    return text


def answer(rng: random.Random, asked: Field) -> str:
    """An answer, bare or in a sentence."""
    value = cased(rng, asked.value(rng))
    turn = rng.random()
    if asked.name == "what" and re.match(r"an? ", value, re.IGNORECASE) and turn < 0.45:
        return rng.choice(sections()["being"]) + " " + mark(value[0].lower() + value[1:])
    if turn < 0.24:
        return mark(value)
    if turn < 0.3:
        quote = rng.choice(('"{}"', "'{}'", "“{}”", "‘{}’", "`{}`", "«{}»"))
        text = framed(rng, asked, value) if rng.random() < 0.6 else mark(value)
        return text.replace(mark(value), quote.format(mark(value)))
    if turn < 0.38:
        return around(rng, mark(value), 0.5, 0.6)
    return around(rng, framed(rng, asked, value))


#: Acts that may be there, too, when one is; they are left out then.
SHY = {
    "none": ("open", "negate", "affirm"),
    "open": ("none", "hold", "ask", "negate"),
    "hold": ("open", "pause", "ask", "social"),
    "ask": ("request", "open", "repeat", "social"),
    "repeat": ("ask", "social", "hold"),
    "request": ("ask",),
    "human": ("request", "leave", "ask"),
    "social": ("hold", "ask", "request", "leave", "none"),
    "pause": ("social", "hold", "open", "request", "negate"),
    "leave": ("social", "negate", "request", "pause", "none"),
}
PART = {
    "hold": 3.0,
    "open": 5.0,
    "ask": 5.5,
    "repeat": 1.6,
    "request": 4.0,
    "human": 2.6,
    "social": 5.0,
    "pause": 4.0,
    "leave": 5.5,
    "none": 2.5,
}


def clause(rng: random.Random, act: str, asked: Field) -> str:
    """What people say in place of an answer."""
    thing = asked.thing(rng)
    title = rng.choice(titles(asked.form))
    plural = thing + ("s" if not thing.endswith("s") else "")
    return one(rng, act, {"thing": thing, "things": plural, "form": title})
