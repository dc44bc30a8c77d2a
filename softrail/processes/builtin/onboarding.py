"""Getting to know a person's projects: names, the main one, repositories."""

import re
from datetime import timedelta
from uuid import NAMESPACE_OID, uuid5

from pydantic import BaseModel

from softrail import Ask, Decline, Done, Goto, Option, Process, Project, Projects, Turn, step
from softrail.core.outcomes import Outcome
from softrail.core.ports import Prompts
from softrail.language import Language, language, normal
from softrail.processes.builtin.naming import announces, has_name, name_of

#: Each is the default text of the asset `onboarding/NAME`.
SENTENCES = {
    "first": "Tell me about your main project: what is it called, and what is it about?",
    "which": "Great. What is it called, and what is it about?",
    "at_least_one": "I don't have a project yet. What is the first one called? “Stop” leaves this.",
    "noted": "I've noted {name}.",
    "known": "I have {name} already.",
    "another": "Do you have another project?",
    "main": "Which of these is your main project: {names}? Say “save” if it does not matter.",
    "main_again": "I could not tell which one. Please name one of: {names}, or say “save”.",
    "repository": "What is the repository of {name}, as owner/name? “Skip” leaves it out, “skip all” all of them.",
    "bad_repository": "A repository is written owner/name, like vercel/next.js.",
    "saved": "Saved: {names}.",
    "saved_main": "Saved: {names}. Your main project is {main}.",
    "declined": "All right. Say “set up my projects” whenever you want to.",
    "kept_one": "{names} is saved.",
    "kept_many": "{names} are saved.",
}

SAVE = "Save"

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
        """The step while it is offered; a message that names a project is its first answer."""
        if has_name(said.message):
            return self._note(said.message, said, data, then="gathering_projects")
        return Ask(self._say("first"), step="gathering_projects")

    @step(goes_to=("confirming",))
    async def gathering_projects(self, said: Turn, data: Data) -> Outcome:
        """One project after the other, until there are no more."""
        words = language(said.person.locale)
        message = said.message
        consent = words.consent(message)
        if words.is_done_word(message) or words.is_skip(message):
            return Goto("confirming") if data.projects else Ask(self._say("at_least_one"))
        if consent == "no":
            return Goto("confirming") if data.projects else Decline(self._say("declined"))
        if consent == "yes" or announces(message):
            return Ask(self._say("which"))
        before = words.done_with(message)
        if before is not None and before.strip():
            return self._last(before, said, data, words)
        return self._note(message, said, data)

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
            return Ask(self._say("main", names=", ".join(names)), options=options, data=data)
        chosen = next((p.id for p in data.projects if p.id == said.choice), None)
        if chosen is None and not self._no_preference(said) and data.main_asked == 2:
            return Ask(self._say("main_again", names=", ".join(names)), options=options, data=data)
        data.main = chosen
        return Goto("gathering_repos", data=data)

    @step()
    async def gathering_repos(self, said: Turn, data: Data) -> Outcome:
        """Project by project, where its code is."""
        words = language(said.person.locale)
        asked = next((at for at, p in enumerate(data.projects) if p.id == data.repository_of), None)
        if asked is None:
            return self._ask_repository(0, data)
        message = said.message.strip()
        if words.is_skip_all(message) or words.is_done_word(message):
            return self._finish(data)
        if not words.is_skip(message) and words.consent(message) != "no":
            found = _REPOSITORY.fullmatch(message.strip("`'\"<>. "))
            if found is None:
                again = self._say("repository", name=data.projects[asked].name)
                return Ask(again, say=self._say("bad_repository"))
            data.projects[asked].repository = f"{found[1]}/{found[2]}"
        return self._ask_repository(asked + 1, data)

    def kept(self, data: Data) -> str:
        """The names of the projects told so far."""
        names = [p.name for p in data.projects]
        if not names:
            return ""
        return self._say("kept_one" if len(names) == 1 else "kept_many", names=_listed(names))

    # -- parts

    def _note(self, message: str, said: Turn, data: Data, then: str | None = None) -> Outcome:
        name, known = self._add(message, said, data)
        noted = self._say("known" if known else "noted", name=name)
        return Ask(self._say("another"), say=noted, step=then, data=data)

    def _last(self, message: str, said: Turn, data: Data, words: Language) -> Outcome:
        """What came before a done-word: the last project, or "no, that's all"."""
        told = words.consent(message) not in ("yes", "no") and not announces(message)
        if told:
            self._add(message, said, data)
        return Goto("confirming", data=data) if data.projects else Ask(self._say("at_least_one"))

    def _add(self, message: str, said: Turn, data: Data) -> tuple[str, bool]:
        name = name_of(message)
        for project in data.projects:
            if normal(project.name) == normal(name):
                return project.name, True
        # The same turn gives the same id, however often it is run.
        made = uuid5(NAMESPACE_OID, f"{said.person.id}:{said.id}:{len(data.projects)}")
        data.projects.append(Noted(id=str(made), name=name, description=message.strip()))
        return name, False

    def _no_preference(self, said: Turn) -> bool:
        words = language(said.person.locale)
        message = said.message
        plain = (
            words.consent(message) in ("yes", "no") or words.is_skip(message) or words.is_done_word(message)
        )
        return said.choice == "save" or plain

    def _ask_repository(self, at: int, data: Data) -> Outcome:
        if at >= len(data.projects):
            return self._finish(data)
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


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
