"""What a new project needs to be told, and the draft that grows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from softrail.core.outcomes import Drafted
from softrail.language import items, normal

LONGEST_ANSWER: Final = 4_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """One thing to be told. `names` are what people call it in a correction."""

    key: str
    label: str
    required: bool
    names: Sequence[str]
    missing: str  #: in a list of what is missing


FIELDS: Final = (
    Field(
        key="what",
        label="What it is",
        required=True,
        names=("what it is", "what the work is", "work", "idea", "description", "purpose"),
        missing="what the work is",
    ),
    Field(
        key="name",
        label="Name",
        required=True,
        names=("title", "project name", "name of the project"),
        missing="a name",
    ),
    Field(
        key="who",
        label="Who it is for",
        required=True,
        names=(
            "audience",
            "who it is for",
            "users",
            "readers",
            "consumers",
            "customers",
            "who uses it",
            "target group",
        ),
        missing="who it is for",
    ),
    Field(
        key="success",
        label="Success conditions",
        required=True,
        names=(
            "success conditions",
            "success condition",
            "success criteria",
            "goal",
            "goals",
            "success looks like",
        ),
        missing="what success looks like",
    ),
    Field(
        key="voice",
        label="Voice",
        required=False,
        names=("tone", "style", "tone of voice"),
        missing="its voice",
    ),
    Field(
        key="constraints",
        label="Constraints",
        required=False,
        names=("constraint", "limits", "limit", "limitations"),
        missing="its constraints",
    ),
    Field(
        key="notes",
        label="Additional notes",
        required=False,
        names=("additional notes", "further notes", "note", "anything else"),
        missing="further notes",
    ),
)
BY_KEY: Final[Mapping[str, Field]] = {field.key: field for field in FIELDS}
NAMES: Final[Mapping[str, Sequence[str]]] = {field.key: field.names for field in FIELDS}
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


def key_of(message: str) -> str | None:
    """What a message names and says nothing else about: "the audience"."""
    said = normal(message).removeprefix("the ").removeprefix("its ")
    return _KEYS.get(said)


def _line(text: str) -> str:
    return " ".join(text.split())
