"""What a new project needs to be told, and the draft that grows from it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from softrail.companion.phrases import phrases
from softrail.core.outcomes import Drafted
from softrail.language import items, normal

LONGEST_ANSWER: Final = 4_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """One thing to be told."""

    key: str
    required: bool
    label: str
    missing: str  #: in a list of what is missing
    names: Sequence[str]  #: what else people call it in a correction


_REQUIRED: Final = ("what", "name", "who", "success")
_OPTIONAL: Final = ("voice", "constraints", "notes")
#: In the order they are asked.
FIELDS: Final = tuple(
    Field(key=key, required=key in _REQUIRED, **phrases().field(key)) for key in (*_REQUIRED, *_OPTIONAL)
)
BY_KEY: Final[Mapping[str, Field]] = {field.key: field for field in FIELDS}
NAMES: Final[Mapping[str, Sequence[str]]] = {field.key: field.names for field in FIELDS}
_WORD: Final = re.compile(r"[^\W_]+")
_QUESTION_WORDS: Final = frozenset(["what", "who"])
_KEYS: Final = {normal(name): f.key for f in FIELDS for name in (f.key, f.label, *f.names)}


class Seed(BaseModel):
    """What was told so far of one project idea."""

    idea: str = ""  #: what it was when it began; several ideas may be paused side by side
    told: dict[str, str] = {}
    left_out: list[str] = []  #: optional ones the person skipped
    asked: str = ""  #: what is asked for now
    proposed: str = ""  #: the name that was proposed
    shown: bool = False  #: the whole draft was shown for review

    def keep(self, key: str, value: str) -> None:
        """Keep an answer, in place of an earlier one."""
        self.told[key] = value.strip()[:LONGEST_ANSWER]
        self.idea = self.idea or self.told[key][:80]
        if key in self.left_out:
            self.left_out.remove(key)

    def add_notes(self, texts: Sequence[str]) -> None:
        """More things to note, beside those there are."""
        self.keep("notes", "\n".join(part for part in (self.told.get("notes"), *texts) if part))

    @property
    def missing(self) -> list[Field]:
        """Required ones that were not told."""
        return [field for field in FIELDS if field.required and not self.told.get(field.key)]

    @property
    def open(self) -> list[Field]:
        """Those that are neither told nor left out, in the order they are asked."""
        return [f for f in FIELDS if not self.told.get(f.key) and f.key not in self.left_out]

    @property
    def drafted(self) -> Drafted:
        """The draft specification as it stands."""
        ready = not self.missing
        return Drafted(text=self.specification, readiness="ready_for_review" if ready else "drafting")

    @property
    def specification(self) -> str:
        """Everything told, as a text with a heading for each."""
        name = self.told.get("name")
        parts = [f"# {_line(name)}"] if name else []
        parts += [
            f"## {f.label}\n\n{self.told[f.key]}" for f in FIELDS if f.key != "name" and f.key in self.told
        ]
        return "\n\n".join(parts)

    @property
    def notes(self) -> list[str]:
        """The first notes of the project: one for each thing told, one for each further note."""
        found = [
            f"{field.label}: {self.told[field.key]}"
            for field in FIELDS
            if field.key in self.told and field.key not in ("name", "notes")
        ]
        return [*found, *items(self.told.get("notes", ""))]


def labelled(message: str) -> dict[str, str]:
    """Answers that name what they answer, one a line: "Audience: farmers". Empty when a line does not."""
    found: dict[str, str] = {}
    for line in message.splitlines():
        if not line.strip():
            continue
        label, colon, value = line.partition(":")
        key = _KEYS.get(normal(label))
        if not colon or key is None or not value.strip():
            return {}
        found[key] = value.strip()
    return found


def stated(message: str) -> dict[str, str]:
    """The answer that says what it answers: "the audience is farmers"."""
    found = phrases().stated(message)
    key = _KEYS.get(normal(found[0])) if found else None
    return {key: found[1]} if found and key else {}


def asides(message: str) -> list[str]:
    """What is to be noted beside what was asked: "remember that …", or a list with bullets."""
    aside = phrases().aside(message)
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    listed_out = bool(lines) and all(line.startswith(("- ", "* ", "• ")) for line in lines)
    return [aside] if aside else items(message) if listed_out else []


def spoken_of(message: str) -> str | None:
    """The one answer a message names among other words: "the success part is wrong"."""
    said = f" {' '.join(_WORD.findall(normal(message)))} "
    found = {key for name, key in _KEYS.items() if name not in _QUESTION_WORDS and f" {name} " in said}
    return found.pop() if len(found) == 1 else None


def key_of(message: str) -> str | None:
    """What a message names and says nothing else about: "the audience"."""
    said = normal(message).removeprefix("the ").removeprefix("its ")
    return _KEYS.get(said)


def listed(parts: Sequence[str]) -> str:
    """Parts of a sentence in a row: "a, b and c"."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def _line(text: str) -> str:
    return " ".join(text.split())
