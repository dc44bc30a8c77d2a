"""Messages put together: an answer, and beside it clauses from other messages of its form, as people tell more than was asked.

Every message of a scene was said once, in one place. Its clauses are said in others here, before and behind other answers,
so that what a clause gives is learned from its words and not from what happened to stand beside it.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from training.joint.beginnings import gives_alone
from training.joint.forms import Form
from training.joint.sources import of_said
from training.scene_pairs import values_of, whole_clauses
from training.scenes import Said, Scene

_ANSWER: Final = 14  #: words of an answer beside which more can stand
_CLAUSE: Final = (2, 14)  #: words of what stands beside it
_MORE: Final = (0, 1, 1, 1, 1, 2, 2, 3)  #: how many clauses stand beside one, as often as they stand here
_REMARKS: Final = 0.25  #: how often there is a clause that gives nothing
_FIRST: Final = 0.25  #: how often what was not asked for is said before the answer
_HAD: Final = 0.3  #: how often a field of which nothing is said has a value
_JOINS: Final = (
    ", ",
    ", ",
    ", ",
    ". ",
    ". ",
    "; ",
    " and ",
    ", and ",
    " - ",
    " / ",
    ", also ",
    ". oh and ",
    " ",
    "\n",
)
_HANGS: Final = re.compile(
    r"^[\s,;.]*(?:and|but|also|or|so|because|which|who|that|then|too|either)\b[\s,;.]*", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True)
class _Parts:
    """What messages of a form are put together of."""

    answers: Mapping[str, Sequence[Said]]  #: by the field that is open
    clauses: Mapping[str, Sequence[str]]  #: by the field of which each gives a value, marked with its name
    remarks: Sequence[str]  #: clauses that give nothing


def of_parts(times: int, *, seed: int, of: Sequence[Scene], part: str = "all") -> Iterator[Form]:
    """So many messages for each form."""
    rng = random.Random(seed)
    for scene in of:
        known, values = _parts_of(scene, part), values_of(scene)
        asked = [name for name, said in known.answers.items() if len(said) > 1]
        others = sorted(known.clauses)
        if not asked or len(others) < 2:
            continue
        for _ in range(times):
            yield of_said(rng, scene, _put_together(rng, scene, known, rng.choice(asked), values), values)


def _put_together(
    rng: random.Random, scene: Scene, known: _Parts, asked: str, values: Mapping[str, Sequence[str]]
) -> Said:
    said = rng.choice(known.answers[asked])
    names = [name for name in known.clauses if name != asked]
    told = rng.sample(names, min(len(names), rng.choice(_MORE)))
    beside = [rng.choice(known.clauses[name]) for name in told]
    if known.remarks and rng.random() < _REMARKS:
        beside.insert(rng.randint(0, len(beside)), rng.choice(known.remarks))
    words = said.words.strip().rstrip(".")
    for clause in beside:
        join = rng.choice(_JOINS) if words[-1:].isalnum() or words[-1:] in "})" else " "
        words = f"{clause}{join}{words}" if rng.random() < _FIRST else f"{words}{join}{clause}"
    present = {
        name: rng.choice(values[name])
        for name in scene.fields
        if name not in (*told, asked) and values.get(name) and rng.random() < _HAD
    }
    there = (*said.there, *(("inform_other",) if told else ()))
    return replace(said, words=words, listed=words, present=present, there=there, shy=())


def _parts_of(scene: Scene, part: str) -> _Parts:
    answers: dict[str, list[Said]] = {}
    told: dict[str, list[str]] = {}
    remarks: list[str] = []
    for said in scene.part(part):
        if "correct" in said.there or said.shy:
            continue
        if _is_answer(said):
            answers.setdefault(said.open.name, []).append(said)
        if said.open.kind == "confirm":
            continue
        for names, words in _clauses(scene, said):
            if not names and "inform" in said.there:
                remarks.append(words)
            elif len(names) == 1 and names[0] != said.open.name:
                told.setdefault(names[0], []).append(words)
    if not scene.tells_consent:
        told = {name: words for name, words in told.items() if scene.fields[name].kind != "bool"}
    return _Parts(answers=answers, clauses=told, remarks=remarks)


def _is_answer(said: Said) -> bool:
    """It answers what is asked, and nothing else is in it."""
    if len(said.plain.split()) > _ANSWER or "?" in said.plain:
        return False
    if said.open.kind == "bool":
        return said.there in (("affirm",), ("negate",)) and not said.parts()
    return gives_alone(said)


def _clauses(scene: Scene, said: Said) -> Iterator[tuple[list[str], str]]:
    """The clauses of a message with their values marked by name, and the fields of which they give one."""
    least, most = _CLAUSE
    for clause, values in whole_clauses(scene, said):
        inside = [value for value in values if value[2] > value[1]]
        if not least <= len(clause.split()) <= most or any(asked.kind == "confirm" for asked, *_ in inside):
            continue
        words, last = "", 0
        for asked, a, b, part in inside:
            option = "" if part["option"] is None else f"={part['option']}"
            words += f"{clause[last:a]}{{{asked.name}:{clause[a:b]}{option}}}"
            last = b
        words += clause[last:]
        words = _HANGS.sub("", words).strip(" .,;")
        if words and "?" not in words:
            yield [asked.name for asked, *_ in inside], words
