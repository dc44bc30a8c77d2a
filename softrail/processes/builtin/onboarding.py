"""Getting to know a person's projects: names, the main one, repositories."""

import re
from datetime import timedelta
from uuid import NAMESPACE_OID, uuid5

from pydantic import BaseModel

from softrail import (
    Ask,
    Decline,
    Done,
    Goto,
    Option,
    Outcome,
    Process,
    Project,
    Projects,
    Prompts,
    Turn,
    step,
)
from softrail.plugin import normal

#: Each is the default text of the asset `onboarding/NAME`.
SENTENCES = {
    "first": "Tell me about your main project: what is it called, and what is it about?",
    "which": "Great. What is it called, and what is it about?",
    "at_least_one": "I don't have a project yet. What is the first one called? “Stop” leaves this.",
    "noted": "I've noted {name}.",
    "known": "I have {name} already.",
    "another": "Do you have another project?",
    "main": "Which of these is your main project: {names}? Say “save” if it does not matter.",
    "repository": "What is the repository of {name}, as owner/name? “Skip” leaves it out, “skip all” all of them.",
    "bad_repository": "A repository is written owner/name, like vercel/next.js.",
    "untitled": "That sounds good. What is it called?",
    "taken_out": "I've taken {name} out again.",
    "review": "Here is what I will save:\n\n{projects}\n\nIs that right?",
    "main_one": "your main project",
    "save": "Save",
    "without": "Without {name}",
    "one_more": "One more project",
    "from_the_start": "From the start",
    "what_to_change": "What should be different? These are the ways:",
    "saved": "Saved: {names}.",
    "saved_main": "Saved: {names}. Your main project is {main}.",
    "declined": "All right. Say “set up my projects” whenever you want to.",
    "kept_one": "{names} is saved.",
    "kept_many": "{names} are saved.",
}

SAVE = "Save"
LONGEST = 60  #: characters of a name
MOST_WORDS = 4  #: of a name that is told without a word around it
MOST_SHOWN = 4  #: projects that have a button of their own in the review

_REPOSITORY = re.compile(
    r"(?:https?://)?(?:www\.)?(?:(?:github|gitlab)\.com/)?"
    r"([A-Za-z0-9][A-Za-z0-9_.-]{0,99})/([A-Za-z0-9_.-]{1,100}?)(?:\.git)?/?",
)


class Noted(BaseModel):
    """A project as it was told."""

    id: str
    name: str
    description: str
    repository: str | None = None


class Data(BaseModel):
    """What was told so far."""

    projects: list[Noted] = []
    main: str | None = None  #: id of the main project; None: no preference
    main_asked: int = 0
    repository_of: str | None = None  #: id of the project whose repository is asked for
    untitled: str = ""  #: what was told of a project whose name is not known yet
    reviewed: bool = False  #: everything was shown


class Onboarding(Process, name="onboarding", version=1):
    """Collects your projects, the main one, and where their code is."""

    title = "your project setup"
    doing = "setting up your projects"
    priority = 10
    idle_timeout = timedelta(minutes=30)
    names = ("project setup", "the setup", "setup", "setting up my projects")
    subject = ("project", "projects", "repository", "repositories", "repo")
    starts_on = ("set up my projects", "add my projects", "let's set up my projects", "start onboarding")
    sentences = SENTENCES
    offer_text = "Shall we set up your projects? It takes a minute."

    def __init__(self, projects: Projects, prompts: Prompts) -> None:
        self._projects = projects
        self._prompts = prompts

    async def offer_when(self, turn: Turn) -> bool:
        """People without a project are offered it."""
        return await self._projects.count(turn.person.id) == 0

    @step(goes_to=("gathering_projects",))
    async def initiated(self, said: Turn, data: Data) -> Outcome:
        """The step while it is offered."""
        return Ask(self._say("first"), step="gathering_projects")

    @step(
        goes_to=("confirming",),
        reads={"name": "what the project is called", "about": "what the project is about, what it does"},
    )
    async def gathering_projects(self, said: Turn, data: Data) -> Outcome:
        """One project after the other, until there are no more."""
        name, about = said.values.get("name"), said.values.get("about")
        if said.does("correct") and data.projects:
            return self._corrected(name, data)
        if name is None and (said.does("negate", "none", "open")):
            if not data.projects:
                return (
                    Decline(self._say("declined")) if said.does("negate") else Ask(self._say("at_least_one"))
                )
            return Goto("confirming")
        if name is None and said.does("affirm"):
            return Ask(self._say("which"), skippable=bool(data.projects))
        if name is None and about is not None and len(said.message.split()) > MOST_WORDS:
            data.untitled = said.message.strip()
            return Ask(self._say("untitled"), data=data, skippable=bool(data.projects))
        noted = self._note(name or _shortened(said.message), said, data)
        if said.does("none"):
            return Goto("confirming", say=noted, data=data)
        return Ask(self._say("another"), say=noted, data=data, skippable=True)

    @step(goes_to=("gathering_repos",))
    async def confirming(self, said: Turn, data: Data) -> Outcome:
        """Asks once for the main project, when there are several."""
        if len(data.projects) == 1:
            data.main = data.projects[0].id
            return Goto("gathering_repos", data=data)
        names = [p.name for p in data.projects]
        options = [
            *(Option(label=p.name, value=p.id) for p in data.projects),
            Option(label=SAVE, value="save"),
        ]
        data.main_asked += 1
        if data.main_asked == 1:
            text = self._say("main", names=", ".join(names))
            return Ask(text, options=options, skippable=True, data=data)
        data.main = next((p.id for p in data.projects if p.id == said.choice), None)
        return Goto("gathering_repos", data=data)

    @step(
        goes_to=("reviewing",),
        reads={"repository": "the address of the repository, as owner/name"},
        skippable=True,
    )
    async def gathering_repos(self, said: Turn, data: Data) -> Outcome:
        """Project by project, where its code is."""
        asked = next((at for at, p in enumerate(data.projects) if p.id == data.repository_of), None)
        if asked is None:
            return self._ask_repository(0, data)
        found = _repository(said.values.get("repository", "")) or _repository(said.message)
        if found is not None:
            data.projects[asked].repository = found
        elif self._skips_all(said) or said.does("none"):
            return self._ask_repository(len(data.projects), data)
        elif not said.does("open", "negate"):
            again = self._say("repository", name=data.projects[asked].name)
            return Ask(again, say=self._say("bad_repository"))
        return self._ask_repository(asked + 1, data)

    @step(goes_to=("gathering_projects",))
    async def reviewing(self, said: Turn, data: Data) -> Outcome:
        """Shows everything before anything is saved."""
        options = [Option(label=self._say(way), value=way) for way in ("save", "one_more", "from_the_start")]
        options[1:1] = [
            Option(label=self._say("without", name=p.name), value=p.id) for p in data.projects[:MOST_SHOWN]
        ]
        if data.reviewed and (said.choice == "save" or (said.choice is None and said.does("affirm"))):
            return self._finish(data)
        if data.reviewed and said.choice == "one_more":
            return Ask(self._say("which"), step="gathering_projects", data=data, skippable=True)
        if data.reviewed and said.choice == "from_the_start":
            return Ask(self._say("first"), step="gathering_projects", data=Data())
        before = self._say("what_to_change") if data.reviewed and said.choice is None else ""
        data.projects = [p for p in data.projects if p.id != said.choice]
        if not data.projects:
            return Ask(self._say("at_least_one"), step="gathering_projects", data=Data())
        data.reviewed = True
        shown = "\n".join(f"- {self._shown(p, data)}" for p in data.projects)
        return Ask(
            self._say("review", projects=shown), say=before, kind="confirm", options=options, data=data
        )

    def kept(self, data: Data) -> str:
        """The names of the projects told so far."""
        names = [p.name for p in data.projects]
        if not names:
            return ""
        return self._say("kept_one" if len(names) == 1 else "kept_many", names=_listed(names))

    # -- parts

    def _note(self, name: str, said: Turn, data: Data) -> str:
        """Keep a project; what is said of that."""
        description = "\n".join(part for part in (data.untitled, said.message.strip()) if part)
        data.untitled = ""
        for project in data.projects:
            if normal(project.name) == normal(name):
                return self._say("known", name=project.name)
        # The same turn gives the same id, however often it is run.
        made = uuid5(NAMESPACE_OID, f"{said.person.id}:{said.id}:{len(data.projects)}")
        data.projects.append(Noted(id=str(made), name=name, description=description))
        return self._say("noted", name=name)

    def _corrected(self, name: str | None, data: Data) -> Outcome:
        """The project told last has another name, or is none."""
        last = data.projects[-1]
        if name is None:
            data.projects.pop()
            taken_out = self._say("taken_out", name=last.name)
            return Ask(self._say("which"), say=taken_out, data=data, skippable=bool(data.projects))
        last.name = name
        return Ask(self._say("another"), say=self._say("noted", name=name), data=data, skippable=True)

    def _skips_all(self, said: Turn) -> bool:
        return said.reading is not None and said.reading.of("open", target="all") is not None

    def _shown(self, project: Noted, data: Data) -> str:
        main = self._say("main_one") if project.id == data.main and len(data.projects) > 1 else ""
        parts = (project.name, project.repository or "", main)
        return ", ".join(part for part in parts if part)

    def _ask_repository(self, at: int, data: Data) -> Outcome:
        if at >= len(data.projects):
            data.reviewed = False
            return Goto("reviewing", data=data)
        data.repository_of = data.projects[at].id
        return Ask(self._say("repository", name=data.projects[at].name), data=data)

    def _finish(self, data: Data) -> Outcome:
        names = _listed([p.name for p in data.projects])
        main = next((p.name for p in data.projects if p.id == data.main), None)
        several = len(data.projects) > 1 and main is not None
        text = (
            self._say("saved_main", names=names, main=main)
            if several and main
            else self._say("saved", names=names)
        )
        return Done(
            text,
            data=data,
            effects=[
                self._projects.create(
                    Project(
                        id=p.id,
                        name=p.name,
                        description=p.description,
                        repository=p.repository,
                        main=p.id == data.main,
                    )
                )
                for p in data.projects
            ],
        )

    def _say(self, sentence: str, /, **values: str) -> str:
        return self._prompts.render(f"onboarding/{sentence}", SENTENCES[sentence], **values)


def _repository(words: str) -> str | None:
    """The owner/name in words that are nothing else."""
    found = _REPOSITORY.fullmatch(words.strip("`'\"<>. "))
    return f"{found[1]}/{found[2]}" if found else None


def _shortened(message: str) -> str:
    """The first line of a message as a name."""
    line = next((line.strip() for line in message.splitlines() if line.strip()), message.strip())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
