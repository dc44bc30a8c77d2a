"""The fields of the forms in `words/forms.yaml`: how they are asked, what values they have."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from softrail.reader.learned.questions import query
from training.grammar import expand, forms, kept, sections


@dataclass(frozen=True)
class Field:
    """One question of a form."""

    form: str
    name: str
    told: Mapping[str, Any]
    title: str
    things: Sequence[str] = field(default=())

    @property
    def kind(self) -> str:
        return str(self.told["kind"])

    @property
    def long(self) -> bool:
        return bool(self.told.get("long"))

    def asked(self, rng: random.Random) -> str:
        return expand(rng, rng.choice(self.told["ask"]))

    def described(self, rng: random.Random) -> str:
        turn = rng.random()
        if turn < 0.45:
            return self.asked(rng)
        return expand(rng, rng.choice(self.told["is"])) if turn < 0.9 else self.name

    def options(self) -> list[str]:
        return list(self.told.get("options", ()))

    def value(self, rng: random.Random) -> str:
        if self.kind == "choice":
            return rng.choice(self.options())
        return expand(rng, str(self.told["value"]))

    @property
    def says(self) -> list[str]:
        """Sentences of this field's own around a value."""
        return kept(self.told.get("says") or ())

    def thing(self, rng: random.Random) -> str:
        return str(rng.choice(self.told["things"]))

    def question(self, rng: random.Random) -> str:
        """The query while this question is open."""
        about = self.asked(rng) if rng.random() < 0.88 else self.described(rng)
        if rng.random() < 0.12:
            about = rng.choice(sections()["before"]) + " " + about
        return query(self.kind, about, options=self.options() if rng.random() < 0.85 else ())

    def other(self, rng: random.Random, present: str | None = None) -> str:
        """The query while another question is open."""
        return query(self.kind, self.described(rng), options=self.options(), present=present)


FIELDS = [
    Field(form, name, told, "")
    for form, fields in forms().items()
    for name, told in fields.items()
    if name != "title"
]
VALUED = [f for f in FIELDS if f.kind not in ("bool", "choice")]
BOOLS = [f for f in FIELDS if f.kind == "bool"]
CHOICES = [f for f in FIELDS if f.kind == "choice"]
_SHARE = {"project": 3.0, "standup": 4.0}
WEIGHTS = [_SHARE.get(f.form, 1.0) for f in VALUED]


def valued(rng: random.Random) -> Field:
    return rng.choices(VALUED, WEIGHTS)[0]


def any_field(rng: random.Random) -> Field:
    turn = rng.random()
    return valued(rng) if turn < 0.8 else rng.choice(CHOICES) if turn < 0.9 else rng.choice(BOOLS)


def sister(rng: random.Random, asked: Field) -> Field:
    """Another field with a value of the same form, or of any."""
    own = [f for f in VALUED if f.form == asked.form and f.name != asked.name]
    return (
        rng.choice(own)
        if own and rng.random() < 0.8
        else rng.choice([f for f in VALUED if f.name != asked.name])
    )
