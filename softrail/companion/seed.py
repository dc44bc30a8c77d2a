"""What a new project needs to be told, and the draft that grows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from softrail.companion.phrases import phrases
from softrail.core.outcomes import Drafted
from softrail.language import items

LONGEST_ANSWER: Final = 4_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """One thing to be told."""

    key: str
    required: bool
    label: str
    missing: str  #: in a list of what is missing
    names: Sequence[str]  #: what else people call it in a correction
    common: Sequence[str] = ()  #: those of them that other sentences use too: "users find it quickly"


_REQUIRED: Final = ("what", "name", "who", "success")
_OPTIONAL: Final = ("voice", "constraints", "notes")
#: In the order they are asked.
FIELDS: Final = tuple(
    Field(key=key, required=key in _REQUIRED, **phrases().field(key)) for key in (*_REQUIRED, *_OPTIONAL)
)
BY_KEY: Final[Mapping[str, Field]] = {field.key: field for field in FIELDS}


class Seed(BaseModel):
    """What was told so far of one project idea."""

    idea: str = ""  #: what it was when it began; several ideas may be paused side by side
    told: dict[str, str] = {}
    left_out: list[str] = []  #: optional ones the person skipped
    postponed: list[str] = []  #: required ones the person wants to tell later
    asked: str = ""  #: what is asked for now
    proposed: str = ""  #: the name that was proposed
    shown: bool = False  #: the whole draft was shown for review

    def keep(self, key: str, value: str) -> None:
        """Keep an answer, in place of an earlier one."""
        self.told[key] = value.strip()[:LONGEST_ANSWER]
        self.idea = self.idea or self.told[key][:80]
        if key in self.left_out:
            self.left_out.remove(key)

    def add(self, key: str, texts: Sequence[str]) -> None:
        """More of one part, beside what there is."""
        self.keep(key, "\n".join(part for part in (self.told.get(key), *texts) if part))

    def drop(self, key: str) -> None:
        """Keep nothing of an optional part, and do not ask for it."""
        self.told.pop(key, None)
        if key not in self.left_out:
            self.left_out.append(key)

    @property
    def missing(self) -> list[Field]:
        """Required ones that were not told."""
        return [field for field in FIELDS if field.required and not self.told.get(field.key)]

    @property
    def open(self) -> list[Field]:
        """Those that are neither told nor left out, in the order they are asked: postponed ones after the required."""
        left = [f for f in FIELDS if not self.told.get(f.key) and f.key not in self.left_out]
        return sorted(left, key=lambda field: (not field.required, field.key in self.postponed))

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
            f"{field.label}: {_in_a_row(self.told[field.key])}"
            for field in FIELDS
            if field.key in self.told and field.key not in ("name", "notes")
        ]
        return [*found, *items(self.told.get("notes", ""))]


def listed(parts: Sequence[str]) -> str:
    """Parts of a sentence in a row: "a, b and c"."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def missing_in(draft: str) -> Sequence[str]:
    """What a draft specification still needs before its project can be created, as people call it."""
    lines = draft.splitlines()
    there = {"name"} if draft.startswith("# ") else set[str]()
    there.update(field.key for field in FIELDS if f"## {field.label}" in lines)
    return [field.missing for field in FIELDS if field.required and field.key not in there]


def is_list(text: str) -> bool:
    """Every line of it has a bullet."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return bool(lines) and all(line.startswith(("- ", "* ", "• ")) for line in lines)


def _in_a_row(text: str) -> str:
    return "; ".join(items(text)) if is_list(text) else text


def _line(text: str) -> str:
    return " ".join(text.split())
