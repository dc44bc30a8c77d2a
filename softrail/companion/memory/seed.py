"""What a new project needs to be told, and the draft that grows from it."""

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel

from softrail import ask
from softrail.companion.memory.replying import Readiness, ReplyFields
from softrail.plugin import Drafted, items

LONGEST_ANSWER: Final = 4_000
#: The heading of each part of the draft, as it stands in a sentence.
LABELS: Final = {
    "what": "what it is",
    "name": "name",
    "who": "who it is for",
    "success": "success conditions",
    "voice": "voice",
    "constraints": "constraints",
    "notes": "additional notes",
}


class Description(BaseModel):
    """The parts of a description, in the order they are asked for."""

    what: str = ask(
        "What is the work about? A sentence or two is enough.",
        label="description",
        names=("what it is", "what the work is", "work", "idea", "purpose"),
        description="what the work is about, what is built or made",
        max_length=LONGEST_ANSWER,
    )
    name: str = ask(
        "What shall we call it?",
        names=("title", "project name", "name of the project", "project title"),
        description="the name of the project, what it is called",
        max_length=LONGEST_ANSWER,
    )
    who: str = ask(
        "Who will use it, or read it?",
        label="audience",
        names=(
            "who it is for",
            "who it's for",
            "who its for",
            "target audience",
            "target group",
            "users",
            "readers",
            "customers",
        ),
        description="the people it is for, who use it or read it",
        max_length=LONGEST_ANSWER,
    )
    success: str = ask(
        "How will you know that it is a success?",
        label="success condition",
        names=("success conditions", "success criteria", "goal", "target"),
        description="the goal, how it is known that it is a success",
        max_length=LONGEST_ANSWER,
    )
    voice: str = ask(
        "Which voice should it have: plain, formal, playful? “Skip” leaves it open.",
        default="",
        names=("tone", "style", "tone of voice"),
        skip_words=("none", "nothing", "no preference"),
        description="the voice it has, its tone or style",
        max_length=LONGEST_ANSWER,
    )
    constraints: list[str] = ask(
        "Are there constraints to keep: money, time, rules, technology? “Skip” if there are none.",
        default=[],
        names=("constraint", "limits", "limitations"),
        skip_words=("none", "nothing", "no constraints", "there are none"),
        description="constraints to keep: budget, deadline, rules, technology",
    )
    notes: list[str] = ask(
        "What else should I note? “Skip” if that is all.",
        default=[],
        names=("additional notes", "further notes", "anything else"),
        skip_words=("none", "nothing"),
        description="anything else to remember about the project",
    )


def told(description: Description) -> dict[str, str]:
    """What was told so far, by part; what was left out is not there."""
    found = {part: _text(getattr(description, part, "")) for part in LABELS}
    return {part: text for part, text in found.items() if text}


def specification(description: Description) -> str:
    """Everything told, as a text with a heading for each part."""
    parts = told(description)
    name = parts.pop("name", "")
    title = [f"# {_line(name)}"] if name else []
    return "\n\n".join([*title, *(f"## {heading(part)}\n\n{text}" for part, text in parts.items())])


def drafted(description: Description) -> Drafted:
    """The draft specification as it stands."""
    required = {part for part, field in Description.model_fields.items() if field.is_required()}
    ready = required <= told(description).keys()
    text = specification(description)
    readiness: Readiness = "ready_for_review" if ready else "drafting"
    return Drafted(text=text, reply=ReplyFields(draft_specification=text, readiness=readiness))


def first_notes(description: Description) -> list[str]:
    """The first notes of the project: one for each part told, one for each further note."""
    parts = {part: text for part, text in told(description).items() if part not in ("name", "notes")}
    found = [f"{heading(part)}: {_in_a_row(text)}" for part, text in parts.items()]
    return [*found, *description.notes]


def heading(part: str) -> str:
    """What a part is called at its head."""
    return LABELS[part].capitalize()


def listed(parts: Sequence[str]) -> str:
    """Parts of a sentence in a row: "a, b and c"."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def _text(value: str | Sequence[str]) -> str:
    if isinstance(value, str):
        return value.strip()
    return value[0] if len(value) == 1 else "\n".join(f"- {item}" for item in value)


def _in_a_row(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return "; ".join(items(text)) if all(line.startswith(("- ", "* ", "• ")) for line in lines) else text


def _line(text: str) -> str:
    return " ".join(text.split())
