"""Messages with which a form begins: nobody has asked for anything, and all of it may be told at once.

At run time they are read under the question how one can help, with every field of the form beside it.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from softrail.reader.learned.questions import wish
from training.joint.forms import Form, Told, unmarked
from training.joint.sources import FIELDS, filled, put
from training.messages import mark
from training.noise import noisy
from training.scene_pairs import swapped, values_of
from training.scenes import CLOSED, MARK, Asked, Said, Scene

_SEVERAL: Final = 2  #: values in a message that could begin a form
_PARTS: Final = (3, 6)  #: answers in one that is composed
_SHORT: Final = 8  #: words of an answer that can be a part of one
_BARE: Final = 0.35  #: how often a value stands in it with the name of its field
_JOINS: Final = (", ", ", ", ", ", "; ", ". ", " / ", " and ", " + ", "\n", " - ", " ")


def of_beginnings(times: int, *, seed: int, of: Sequence[Scene], part: str = "all") -> Iterator[Form]:
    """Every message that tells of several fields and changes nothing, as if a form began with it."""
    rng = random.Random(seed)
    for scene in of:
        values = values_of(scene)
        for said in scene.part(part):
            if "correct" in said.there or said.open.kind in CLOSED or len(said.parts()) < _SEVERAL:
                continue
            for time in range(times):
                told = swapped(rng, scene, said, values) if time % 2 else said
                words = MARK.sub(lambda one: mark(one["words"]) if one["words"] else "", told.words)
                yield _begun(
                    rng, scene, words, [(scene.of(told, one), one["option"]) for one in _marked(told)]
                )


def composed(times: int, *, seed: int, of: Sequence[Scene], part: str = "all") -> Iterator[Form]:
    """Short answers of a form one behind the other, as those write who have no time; so many for each form."""
    rng = random.Random(seed)
    for scene in of:
        known = _answers(scene, part)
        if len(known) < _PARTS[0]:
            continue
        for _ in range(times):
            names = rng.sample(sorted(known), min(len(known), rng.randint(*_PARTS)))
            parts = [rng.choice(known[name]) for name in names]
            words = "".join(
                (rng.choice(_JOINS) if at else "") + _worded(rng, one) for at, one in enumerate(parts)
            )
            given = [(one.open, part["option"]) for one in parts for part in one.parts()]
            yield _begun(rng, scene, words, given)


def _marked(said: Said) -> Iterator[re.Match[str]]:
    """Its marked values; a value in no words, of an option that follows, stands nowhere."""
    return (part for part in said.parts() if part["words"])


def _answers(scene: Scene, part: str) -> Mapping[str, Sequence[Said]]:
    """The short answers to each question that give its value and nothing else."""
    found: dict[str, list[Said]] = {}
    for said in scene.part(part):
        if gives_alone(said) and len(said.plain.split()) <= _SHORT and said.open.name not in said.present:
            found.setdefault(said.open.name, []).append(said)
    return found


def gives_alone(said: Said) -> bool:
    """It gives the value that is asked for, in words of its own, and nothing else."""
    parts = said.parts()
    if said.there != ("inform",) or said.shy or said.open.kind in CLOSED or len(parts) != 1:
        return False
    return not parts[0]["field"] and bool(parts[0]["words"])


def _worded(rng: random.Random, said: Said) -> str:
    """Its words with the value marked, or the value alone with what it is of."""
    [part] = said.parts()
    value, asked = mark(part["words"]), said.open
    names = [asked.name.replace("_", " "), *(one for one in asked.about if len(one.split()) <= 3)]
    numbered = asked.kind == "number" and part["words"].strip().isdigit()
    if rng.random() < (0.8 if numbered and said.plain == part["words"] else _BARE):
        name = rng.choice(names)
        return rng.choice((f"{name} {value}", f"{name}: {value}", f"{value} {name}"))
    return MARK.sub(lambda one: mark(one["words"]), said.words).rstrip(".!?")


def _begun(rng: random.Random, scene: Scene, words: str, given: Sequence[tuple[Asked, str | None]]) -> Form:
    message, spans = unmarked(noisy(rng, words, 0.6))
    where = {asked.name: span for (asked, _), span in zip(given, spans, strict=True)}
    said = {asked.name: option for asked, option in given}
    fields = [asked for asked in scene.fields.values() if asked.kind != "confirm"]
    told = [Told(query=wish(), given=None)]
    for asked in filled(rng, fields, {*said}, most=FIELDS):
        if asked.kind == "bool":
            known = scene.tells_consent
            yes, no = said.get(asked.name) == "yes", said.get(asked.name) == "no"
            told.append(
                Told(
                    query=put(rng, asked, None),
                    given=int(yes or no) if known else None,
                    yes=int(yes) if known else None,
                    no=int(no) if known else None,
                )
            )
            continue
        told.append(
            Told(query=put(rng, asked, None), given=int(asked.name in said), span=where.get(asked.name))
        )
    return Form(
        message=message, told=told, acts={"inform_other": int(bool(said))}, source="scene", label="begins"
    )
