"""Getting to know a person's projects: names, the main one, repositories."""

import re
from collections.abc import Sequence
from datetime import timedelta
from uuid import NAMESPACE_OID, uuid5

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
    Release,
    Turn,
    step,
)
from softrail.plugin import language
from softrail.processes.builtin.projects_told import (
    BOTH,
    BOTH_ARE,
    JUST_ONE,
    MOST_WORDS,
    Data,
    Doubt,
    Noted,
    bare,
    by_name_alone,
    changes_a_name,
    counted_names,
    doubted,
    headed,
    listed,
    mentions,
    named_in,
    new_names,
    parts,
    same_name,
    short_and_unread,
    shortened,
    tells_what_for,
    told_names,
    written_names,
)

#: Each is the default text of the asset `onboarding/NAME`.
SENTENCES = {
    "first": "Tell me about your main project: what is it called, and what is it about?",
    "which": "Great. What is it called, and what is it about?",
    "at_least_one": "I don't have a project yet. What is the first one called? “Stop” leaves this.",
    "noted": "I've noted {name}.",
    "known": "I have {name} already.",
    "another": "Do you have another project?",
    "main": "Which of these is your main project: {names}? Say “save” if it does not matter.",
    "choose": "Please choose one of these.",
    "repository": "What is the repository of {name}, as owner/name? “Skip” leaves it out, “skip all” all of them.",
    "bad_repository": "A repository is written owner/name, like vercel/next.js.",
    "untitled": "That sounds good. What is it called?",
    "any_name": "I have what you told me, and only need a name for it. Any will do: it can be renamed later.",
    "left_untitled": "What has no name is left out: “{words}”.",
    "taken_out": "I've taken {name} out again.",
    "renamed": "{before} is called {name} now.",
    "added": "I've noted that with {name}.",
    "ask_back": "I'm not sure what to make of “{words}”. What is it?",
    "one_new": "A project called {name}",
    "several_new": "{count} projects: {names}",
    "unnamed": "Another project",
    "called": "{before} is really called {name}",
    "about": "It is about {name}",
    "out": "Take {name} out",
    "all": "That's all",
    "nothing": "None of these",
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

#: What is looked for where a project may be told.
TOLD = {"name": "what the project is called", "about": "what the project is about, what it does"}
#: And where those that were told may be put right.
NAMED = {"project_names": "the names of your projects"}
WITH_CODE = {"repository": "the address of the repository, as owner/name", **NAMED}
SAVE = "Save"
MOST_SHOWN = 4  #: projects that have a button of their own in the review

_REPOSITORY = re.compile(
    r"(?:https?://)?(?:www\.)?(?:(?:github|gitlab)\.com/)?"
    r"([A-Za-z0-9][A-Za-z0-9_.-]{0,99})/([A-Za-z0-9_.-]{1,100}?)(?:\.git)?/?",
)
#: Says that what looks like an address of code is one: "and/or" is none.
_OF_CODE = re.compile(r"\b(?:git\w*|repos?|repository|repositories|code)\b", re.IGNORECASE)


class Onboarding(Process, name="onboarding", version=1):
    """Collects your projects, the main one, and where their code is."""

    title = "your project setup"
    doing = "setting up your projects"
    becomes = (
        "The projects you name are saved with what you say of them, once you say yes to the list. Until then nobody but you "
        "sees them; after that their members do, and so far you are the only one."
    )
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
        goes_to=("confirming", "asking_back"),
        reads=TOLD,
    )
    async def gathering_projects(self, said: Turn, data: Data) -> Outcome:
        """One project after the other, until there are no more."""
        if counted := new_names(counted_names(said.message), named_in(said.message, data)):
            return self._another(data, say=self._note(counted, said.message, said, data))
        names = told_names(said, self._say("another"))
        if not names and (tells_what_for(said) or len(said.message.split()) > MOST_WORDS):
            written, leads = written_names(said.message, data)
            if written and not leads:
                return self._ask_back(Doubt(message=said.message, names=written), data)
            names = written
        doubt = doubted(names, said, data)
        if doubt is not None:
            return self._ask_back(doubt, data)
        if data.projects and changes_a_name(names, said, data):
            return self._renamed(names, said, data)
        if names:
            noted = self._note(names, said.message, said, data)
            if said.does("none"):
                return Goto("confirming", say=noted, data=data)
            return self._another(data, say=noted)
        if said.does("negate", "none", "open") and not (said.does("inform") and not data.projects):
            return self._no_more(said, data)
        if said.does("affirm"):
            if data.projects and language(said.person.locale).names_deed(said.message):
                return Goto("confirming")  # "save it" is no yes to another one
            return Ask(self._say("which"), skippable=bool(data.projects))
        if said.reading is not None and said.reading.exactly("ask") is not None:
            return self._another(data, say="")  # "can we skip the rest": what is asked tells of no project
        if not said.does("affirm", "negate") and (head := headed(said.message, said.person.locale)):
            return self._ask_back(Doubt(message=said.message, names=[head]), data)
        if len(said.message.split()) > MOST_WORDS or tells_what_for(said):
            data.untitled = said.message.strip()
            return Ask(self._say("untitled"), data=data, skippable=bool(data.projects))
        name = shortened(bare(said.message.strip(), said.person.locale))
        if language(said.person.locale).is_done_word(name):
            return self._no_more(said, data)  # "and that's it"
        return self._another(data, say=self._note([name], said.message, said, data) if name else "")

    @step(
        goes_to=("gathering_projects", "confirming"),
        reads=TOLD,
        skippable=True,
    )
    async def asking_back(self, said: Turn, data: Data) -> Outcome:
        """What may have been meant is on buttons, and nothing was kept of it; whatever else is said is heard as before."""
        doubt, data.doubt = data.doubt, None
        refused = said.does("negate", "none", "open") and not said.all_of("name")
        if doubt is None or (said.choice is None and not refused):
            if doubt is not None and short_and_unread(said):  # words beside the buttons may be anything
                return self._ask_back(
                    Doubt(message=said.message, names=[shortened(said.message)], project=doubt.project), data
                )
            return await self.gathering_projects(said, data)
        there = next((p for p in data.projects if p.id == doubt.project), None)
        ends = said.does("none")
        out = self._say("out", name=there.name) if there is not None and said.choice == "out" else ""
        if there is not None and out and by_name_alone(said, out, there.name):
            return self._ask_back(doubt, data)
        match said.choice:
            case "one" | "several" if doubt.names:
                names = doubt.names if said.choice == "one" else parts(doubt.names[0])
                say = self._note(names, doubt.message, said, data)
            case "one":
                data.untitled = doubt.message.strip()
                which = self._say("untitled")
                return Ask(which, step="gathering_projects", data=data, skippable=bool(data.projects))
            case "called" if there is not None and doubt.names:
                say = self._say("renamed", before=there.name, name=doubt.names[0])
                there.name = doubt.names[0]
            case "about" if there is not None:
                there.description = f"{there.description}\n{doubt.message.strip()}"
                say = self._say("added", name=there.name)
            case "out" if there is not None:
                data.projects.remove(there)
                say = self._say("taken_out", name=there.name)
            case "all":
                return Goto("confirming", data=data)
            case None if ends and data.projects:
                return Goto("confirming", data=data)  # "nope, that's it"
            case None if ends and len(doubt.names) == 1:
                noted = self._note(doubt.names, doubt.message, said, data)  # a name, and no more of them
                return Goto("confirming", say=noted, data=data)
            case _:
                say = ""
        return self._another(data, say=say)

    @step(goes_to=("gathering_repos",), reads=NAMED)
    async def confirming(self, said: Turn, data: Data) -> Outcome:
        """Asks once for the main project, when there are several."""
        if len(data.projects) == 1:
            data.main = data.projects[0].id
            return Goto("gathering_repos", data=data)
        again = ""
        if data.main_asked and said.choice is None and not said.skipped:
            again = self._changed(said, data) or self._say("choose")
        data.main_asked += 1
        if again or data.main_asked == 1:
            names = [p.name for p in data.projects]
            options = [Option(label=p.name, value=p.id) for p in data.projects]
            text = self._say("main", names=", ".join(names))
            save = Option(label=SAVE, value="save")
            return Ask(text, say=again, options=[*options, save], skippable=True, data=data)
        data.main = next((p.id for p in data.projects if p.id == said.choice), None)
        return Goto("gathering_repos", data=data)

    @step(
        goes_to=("reviewing",),
        reads=WITH_CODE,
        skippable=True,
    )
    async def gathering_repos(self, said: Turn, data: Data) -> Outcome:
        """Project by project, where its code is."""
        asked = next((at for at, p in enumerate(data.projects) if p.id == data.repository_of), None)
        if asked is None:
            return self._ask_repository(0, data)
        if changed := self._changed(said, data):
            return self._ask_repository(asked, data, say=changed)
        found = _repository(said.values.get("repository", "")) or _repository(said.message)
        if found is not None:
            data.projects[asked].repository = found
        elif self._skips_all(said) or said.does("none") or self._saves(said):
            return self._ask_repository(len(data.projects), data)
        elif said.does("correct"):
            return self._review(data, say=self._say("what_to_change"))
        elif not said.does("open", "negate"):
            tried = "/" in said.message or len(said.message.split()) == 1 or said.does("affirm")
            if data.told_how and not tried:  # no address once more: it is heard by whoever it is for
                return Release()
            data.told_how = True
            return self._ask_repository(asked, data, say=self._say("bad_repository"))
        data.told_how = False
        return self._ask_repository(asked + 1, data)

    @step(goes_to=("gathering_projects",), reads=WITH_CODE)
    async def reviewing(self, said: Turn, data: Data) -> Outcome:
        """Shows everything before anything is saved."""
        if not data.reviewed:
            return self._review(data)
        if said.choice == "one_more":
            return Ask(self._say("which"), step="gathering_projects", data=data, skippable=True)
        if said.choice == "from_the_start":
            return Ask(self._say("first"), step="gathering_projects", data=Data())
        out = self._out(said, data)
        told = "" if out is not None else self._changed(said, data) or self._kept_elsewhere(said, data)
        if not told and (said.choice == "save" or (said.choice is None and said.does("affirm"))):
            return self._finish(data)
        if out is None and not told:
            told = self._say("what_to_change")
        data.projects = [p for p in data.projects if p.id != out]
        if not data.projects:
            return Ask(self._say("at_least_one"), step="gathering_projects", data=Data())
        return self._review(data, say=told)

    def kept(self, data: Data) -> str:
        """The names of the projects told so far."""
        names = [p.name for p in data.projects]
        if not names:
            return ""
        return self._say("kept_one" if len(names) == 1 else "kept_many", names=listed(names))

    # -- parts

    def _another(self, data: Data, *, say: str) -> Ask:
        """The next project; the first one, where there is none any more."""
        asks, more = self._say("another" if data.projects else "first"), bool(data.projects)
        return Ask(asks, say=say, step="gathering_projects", data=data, skippable=more, several=more)

    def _no_more(self, said: Turn, data: Data) -> Outcome:
        """No further project; what was told without a name is asked for one once more, and never left out in silence."""
        if data.untitled and not data.pressed:
            data.pressed = True
            return Ask(self._say("any_name"), data=data, skippable=bool(data.projects))
        if not data.projects:
            declines = said.does("negate") and not data.untitled  # what was told is not dropped
            return Decline(self._say("declined")) if declines else Ask(self._say("at_least_one"))
        left = self._say("left_untitled", words=shortened(data.untitled)) if data.untitled else ""
        data.untitled = ""
        return Goto("confirming", say=left, data=data)

    def _note(self, names: Sequence[str], message: str, said: Turn, data: Data) -> str:
        """Keep projects; what is said of that."""
        description = "\n".join(part for part in (data.untitled, message.strip()) if part)
        data.untitled, data.pressed = "", False
        noted: list[str] = []
        known: list[str] = []
        for name in names:
            there = next((p for p in data.projects if same_name(p.name, name)), None)
            if there is not None:
                known.append(there.name)
                continue
            # The same turn gives the same id, however often it is run.
            made = uuid5(NAMESPACE_OID, f"{said.person.id}:{said.id}:{len(data.projects)}")
            data.projects.append(Noted(id=str(made), name=name, description=description))
            noted.append(name)
        told = [("noted", noted), ("known", known)]
        return " ".join(self._say(sentence, name=listed(which)) for sentence, which in told if which)

    def _ask_back(self, doubt: Doubt, data: Data) -> Outcome:
        """Ask what was meant, with what was read on buttons."""
        there = next((p for p in data.projects if p.id == doubt.project), None)
        options: list[Option] = []
        if len(doubt.names) > 1:
            options.append(Option(label=self._several(doubt.names), value="one"))
        elif doubt.names:
            whole = doubt.names[0]
            options.append(
                Option(label=self._say("one_new", name=whole), value="one", words=(whole, *JUST_ONE))
            )
            if len(within := parts(whole)) > 1:
                both = BOTH if len(within) == BOTH_ARE else ()
                options.append(Option(label=self._several(within), value="several", words=both))
        elif data.projects:
            options.append(Option(label=self._say("unnamed"), value="one"))
        if there is not None:
            if doubt.names:
                called = self._say("called", before=there.name, name=doubt.names[0])
                options.append(Option(label=called, value="called"))
            options.append(Option(label=self._say("about", name=there.name), value="about"))
            options.append(Option(label=self._say("out", name=there.name), value="out"))
        elif data.projects:
            options.append(Option(label=self._say("all"), value="all"))
        options.append(Option(label=self._say("nothing"), value="nothing"))
        data.doubt = doubt
        words = self._say("ask_back", words=shortened(doubt.message))
        return Ask(words, options=options, step="asking_back", data=data)

    def _several(self, names: Sequence[str]) -> str:
        return self._say("several_new", count=str(len(names)), names=listed(names))

    def _renamed(self, names: Sequence[str], said: Turn, data: Data) -> Outcome:
        """The project that the message names, or that was told last, has another name."""
        named = named_in(said.message, data)
        name, meant = new_names(names, named)[0], named or data.projects[-1]
        say = self._say("renamed", before=meant.name, name=name)
        meant.name = name
        return self._another(data, say=say)

    def _review(self, data: Data, *, say: str = "") -> Ask:
        """Everything that will be saved, with the ways to change it."""
        data.reviewed = True
        options = [Option(label=self._say(way), value=way) for way in ("save", "one_more", "from_the_start")]
        options[1:1] = [
            Option(label=self._say("without", name=p.name), value=p.id) for p in data.projects[:MOST_SHOWN]
        ]
        shown = "\n".join(f"- {self._shown(p, data)}" for p in data.projects)
        review = self._say("review", projects=shown)
        return Ask(review, say=say, kind="confirm", options=options, step="reviewing", data=data)

    def _changed(self, said: Turn, data: Data) -> str:
        """Call projects otherwise, note more of them or take some out, as the message makes their names; what is said of that, or ""."""
        names = said.became("project_names", data.project_names)
        if names is None or any(map(_repository, names)):
            return ""
        new = [name for name in names if not any(same_name(name, p.name) for p in data.projects)]
        gone = [p for p in data.projects if not any(same_name(p.name, name) for name in names)]
        if len(new) == len(gone) == 1:
            before, gone[0].name = gone[0].name, new[0]
            return self._say("renamed", before=before, name=new[0])
        data.projects = [p for p in data.projects if p not in gone]
        told = [self._say("taken_out", name=p.name) for p in gone]
        return " ".join([*told, *([self._note(new, said.message, said, data)] if new else [])])

    def _kept_elsewhere(self, said: Turn, data: Data) -> str:
        """Note the repository of the project that is named, or of the only one; what is said of that, or ""."""
        told = [found for word in said.message.split() if (found := _repository(word.strip(",;:!?()")))]
        named = [p for p in data.projects if mentions(said.message, p.name)]
        meant = named if len(data.projects) > 1 else data.projects
        if len(told) != 1 or len(meant) != 1 or not _OF_CODE.search(said.message) or said.does("ask"):
            return ""
        meant[0].repository = told[0]
        return self._say("added", name=meant[0].name)

    def _out(self, said: Turn, data: Data) -> str | None:
        """The id of the project that is to be left out: by its button, or in the words of one, which not all have."""
        for project in data.projects:
            label = self._say("without", name=project.name)
            chosen = said.choice == project.id and not by_name_alone(said, label, project.name)
            if chosen or (said.choice is None and same_name(label, said.message)):
                return project.id
        return None

    def _skips_all(self, said: Turn) -> bool:
        return said.reading is not None and said.reading.of("open", target="all") is not None

    def _saves(self, said: Turn) -> bool:
        """What is told is enough: "save it"."""
        return said.does("affirm") and language(said.person.locale).names_deed(said.message)

    def _shown(self, project: Noted, data: Data) -> str:
        main = self._say("main_one") if project.id == data.main and len(data.projects) > 1 else ""
        parts = (project.name, project.repository or "", main)
        return ", ".join(part for part in parts if part)

    def _ask_repository(self, at: int, data: Data, say: str = "") -> Outcome:
        if at >= len(data.projects):
            data.reviewed = False
            return Goto("reviewing", data=data)
        data.repository_of = data.projects[at].id
        return Ask(self._say("repository", name=data.projects[at].name), say=say, data=data)

    def _finish(self, data: Data) -> Outcome:
        names = listed([p.name for p in data.projects])
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
