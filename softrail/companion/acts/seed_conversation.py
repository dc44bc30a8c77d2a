"""The seed conversation: describing a new project until there is enough to create it."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from softrail import Done, Process, Prompts, Turn
from softrail.companion.memory.seed import (
    LABELS,
    Description,
    drafted,
    first_notes,
    listed,
    specification,
    told,
)
from softrail.companion.memory.service import CompanionProjects
from softrail.companion.memory.values import NewProject
from softrail.companion.understanding.phrases import phrases
from softrail.plugin import Drafted

#: Each is the default text of the asset `seed_conversation/NAME`.
SENTENCES = {
    "reviewing": "Here is the project as I understand it:\n\n{summary}\n\nShall I create it?",
    "created": "{name} is created. Its specification is in the project, and I kept {count} notes from what you told me. "
    "Say “remember that …” whenever there is more.",
    "kept": "For {name} I have noted {told}.",
    "kept_name": "I have noted the name {name}.",
    "kept_unnamed": "I have noted {told}.",
    "tell_me": "What have I told you about {name}?",
}
_SURE = 0.75  #: how sure an answer in the very first message must be, before anything was asked
_TELLS = 0.5  #: how likely it must tell anything, where that is likelier than a wish
_MAY_TELL = 0.3  #: the same, where it stands behind words that begin something


class SeedConversation(Process, name="seed_conversation", version=2):
    """Describes a new project: what it is, its name, who it is for, what success means, and what else matters."""

    title = "your new project"
    doing = "describing a new project"
    becomes = (
        "Your answers become a new project with its description and its first notes, once you say yes to the summary. "
        "Until then nobody but you sees them; after that the members of the project do, and so far you are the only one."
    )
    priority = 50
    contract = "questions_pass"
    idle_timeout = timedelta(hours=24)
    confirm_step = "reviewing"
    on_new_version = "migrate"
    sentences = SENTENCES
    names = ("new project", "the new project", "project description", "describing a project")
    ends_on = (
        *("finalize it", "finalise it", "finalize the project", "looks good, finalize it", "finish it"),
        *(
            "create it",
            "save it",
            "go ahead",
            "go ahead and create it",
            "create the project",
            "create the project now",
            "yes, create it",
            "that's it, create it",
        ),
    )
    subject = ("audience", "voice", "constraint", "constraints", "success", "specification", "draft")

    Answers = Description

    def __init__(self, projects: CompanionProjects, prompts: Prompts) -> None:
        self._projects = projects
        self._prompts = prompts

    def prefill(self, said: Turn) -> dict[str, Any]:
        """The name and the idea that the first message gives already, and what else is clear in it.

        A wish to begin is no idea: "I'd like to describe a new project" says nothing of it.
        """
        read, telling = _read(said)
        before, name = phrases().named(said.message)
        if not name and (name := phrases().written_name(said.message)):
            before = said.message[: said.message.rindex(name)].rstrip(" :,-–—\"'“„«")
            before = (
                before if len(phrases().idea(before).split()) > 1 else ""
            )  # "open one for me: Night Market"
        what = phrases().behind_name(said.message) if name else ""
        if telling >= _MAY_TELL and phrases().opens(before) and not phrases().begins_named(said.message):
            what = phrases().idea(before) or what
        elif not what and telling >= _SURE:
            what = read.get("what", said.message)
        idea = phrases().idea(what)
        others = [text for part, text in read.items() if part != "what"]
        told = read.get("what", "")
        idea = told if told and idea.endswith(told) else phrases().idea_alone(idea, others)
        found = {**({"name": name} if name else {}), **read, "what": idea}
        return {part: _kept(part, text) for part, text in found.items() if text}

    async def summary(self, answers: Description, turn: Turn) -> str:
        """The draft specification."""
        return specification(answers)

    async def complete(self, answers: Description, turn: Turn) -> Done:
        """The project with its specification and its first notes, once."""
        # The same turn makes the same project, however often it is run.
        project_id = str(uuid5(NAMESPACE_OID, f"{turn.person.id}:{turn.id}:project"))
        name, notes = " ".join(answers.name.split()), first_notes(answers)
        project = NewProject(
            id=project_id,
            name=name,
            description=answers.what,
            seed=told(answers),
            specification=specification(answers),
            notes=notes,
        )
        return Done(
            self._say("created", name=name, count=str(len(notes))),
            effects=[self._projects.found(project)],
            suggested_actions=[self._say("tell_me", name=name)],
            project_id=project_id,
        )

    # -- what the process shows of itself

    def drafted(self, data: Description) -> Drafted:
        """The draft specification as it stands."""
        return drafted(data)

    def slot(self, data: Description) -> str:
        """One run may be paused for each idea."""
        parts = told(data)
        return " ".join(next(iter(parts.values()), "").casefold().split())[:80]

    def kept(self, data: Description) -> str:
        """What was told so far, by name."""
        parts = told(data)
        name = parts.pop("name", "")
        there = listed([LABELS[part] for part in parts])
        if not name:
            return self._say("kept_unnamed", told=there) if there else ""
        return self._say("kept", name=name, told=there) if there else self._say("kept_name", name=name)

    @classmethod
    def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
        """Version 1 kept texts by part, and the parts that were skipped."""
        parts: dict[str, str] = {**dict.fromkeys(data.get("left_out", ()), ""), **data.get("told", {})}
        missing = next((part for part in LABELS if part not in parts), None)
        step = f"gathering_{missing}" if missing else "reviewing"
        return {part: _kept(part, text) for part, text in parts.items()}, step

    def _say(self, sentence: str, /, **values: str) -> str:
        return self._prompts.render(f"seed_conversation/{sentence}", SENTENCES[sentence], **values)


def _read(said: Turn) -> tuple[Mapping[str, str], float]:
    """What is clear in the first message, by part, and how likely it tells what the project is.

    Where nobody has learned to read, words that begin something are believed to be followed by it.
    """
    if said.reading is None or not said.reading.learned:
        return {}, _MAY_TELL
    values = said.reading.values.items()
    clear = {part: value.text for part, value in values if value.confidence >= _SURE}
    inform, wish = said.reading.likely("inform"), said.reading.likely("request", "ask")
    return clear, _SURE if inform >= max(_TELLS, wish) else inform


def _kept(part: str, text: str) -> str | list[str]:
    """A text as its part keeps it."""
    return text if part not in ("constraints", "notes") else [text] if text else []
