"""The seed conversation: describing a new project until there is enough to create it."""

from datetime import timedelta
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from softrail import Ask, Decline, Done, Goto, Model, Option, Process, Release, Turn, step
from softrail.companion.catalogue import ADD, CREATE, DOWNLOAD, FINALIZE, PAST, PROGRESS, is_example, own
from softrail.companion.phrases import phrases
from softrail.companion.seed import (
    BY_KEY,
    NAMES,
    Field,
    Seed,
    asides,
    key_of,
    labelled,
    listed,
    spoken_of,
    stated,
)
from softrail.companion.seed_reading import read_answers
from softrail.companion.service import CompanionProjects
from softrail.companion.values import NewProject
from softrail.core.outcomes import Drafted, Outcome
from softrail.core.ports import Classifier, Prompts
from softrail.language import Language, language
from softrail.processes.builtin.naming import has_name, name_of

#: Each is the default text of the asset `seed_conversation/NAME`.
SENTENCES = {
    "what": "What is the work about? A sentence or two is enough.",
    "name": "What shall we call it?",
    "name_proposed": "What shall we call it? I would call it “{name}”.",
    "who": "Who will use it, or read it?",
    "success": "How will you know that it is a success?",
    "voice": "Which voice should it have: plain, formal, playful? “Skip” leaves it open.",
    "constraints": "Are there constraints to keep: money, time, rules, technology? “Skip” if there are none.",
    "notes": "What else should I note? “Skip” if that is all.",
    "begun": "So it is about this: {what}.",
    "begun_named": "So it is called {name}.",
    "noted": "Noted.",
    "again": "Let me ask that again.",
    "changed": "I've changed this: {label}.",
    "nothing_before": "That was the first question.",
    "not_ready": "Before I can create it, I still need {missing}.",
    "cannot_skip": "I need this one to create the project.",
    "unsure": "A rough answer is enough; you can change it until the project is created, and “stop” pauses this.",
    "review": "Here is the project as I understand it:\n\n{draft}",
    "review_question": "Shall I create it?",
    "review_again": "Say “yes” to create it, or tell me what to change, for example “change the audience to …”.",
    "what_to_change": "What shall I change? For example: “change the audience to …”.",
    "declined": "All right. Say “create a project” whenever you want to describe one.",
    "created": "{name} is created. Its specification is in the project, and I kept {count} notes from what you told me. "
    "Say “remember that …” whenever there is more.",
    "kept": "For {name} I have noted {told}.",
    "kept_name": "I have noted the name {name}.",
    "kept_unnamed": "I have noted {told}.",
    "yes": "Yes, create it",
    "change": "Change something",
    "skip": "Skip",
    "tell_me": "What have I told you?",
}

#: What people ask for in the middle of it that is no answer; the question comes back after it.
ELSEWHERE = frozenset([PROGRESS, PAST, DOWNLOAD])


class SeedConversation(Process, name="seed_conversation", version=1):
    """Describes a new project: what it is, its name, who it is for, what success means, and what else matters."""

    title = "your new project"
    doing = "describing a new project"
    priority = 50
    contract = "questions_pass"
    idle_timeout = timedelta(hours=24)
    names = ("new project", "the new project", "project description", "describing a project")
    sentences = SENTENCES
    subject = ("project", "audience", "voice", "constraint", "constraints", "success", "specification")

    def __init__(self, projects: CompanionProjects, prompts: Prompts, classifier: Classifier) -> None:
        self._projects = projects
        self._prompts = prompts
        self._classifier = classifier

    def prefill(self, said: Turn) -> dict[str, Any]:
        """The idea and the name that the first message gives already."""
        seed = Seed()
        idea = phrases().idea(said.message)
        if has_name(said.message):
            seed.keep("name", name_of(said.message))
        elif idea:
            seed.keep("what", idea)
        elif (
            said.intent_hint == CREATE
            and phrases().tells(said.message)
            and not is_example(CREATE, said.message)
        ):
            seed.keep("what", said.message)
        return seed.model_dump()

    @step(goes_to=("reviewing",))
    async def describing(self, said: Turn, data: Seed, model: Model) -> Outcome:
        """Takes what is told, in any order, and asks for the next thing that is missing."""
        if not data.asked:
            return await self._begin(said, data, model)
        if (left := self._passed_on(said)) is not None:
            return left
        words = language(said.person.locale)
        if self._finalizes(said):
            return self._finalize(said, data) if not data.missing else self._too_early(data)
        if words.is_done_word(said.message):
            return self._enough(data)
        field = BY_KEY[data.asked]
        consent = words.consent(said.message)
        unsure = phrases().unsure(said.message)
        if words.is_skip(said.message) or (not field.required and (consent == "no" or unsure)):
            return self._skip(field, data)
        if unsure:
            return self._ask(field, data, self._say("unsure"))
        if words.is_back(said.message):
            return self._back(data)
        if phrases().takes_back(said.message):
            return self._back(data, self._say("again"))
        if consent == "no" and not data.told:
            return Decline(self._say("declined"))
        # A name that shares a word with the proposal is a name of its own: only a letter or number chooses it.
        picked = said.choice == data.proposed and len(said.message.strip(" ().")) == 1
        if field.key == "name" and data.proposed and (consent == "yes" or picked):
            return self._next(self._kept(data, {"name": data.proposed}), data)
        if consent == "yes" and not data.missing:
            return self._enough(data)  # "looks good": the review is where it is confirmed
        if consent in ("yes", "no"):
            return self._ask(field, data, propose=consent == "yes")
        return await self._take(said, data, field, words, model)

    @step(goes_to=("describing",))
    async def reviewing(self, said: Turn, data: Seed, model: Model) -> Outcome:
        """Shows the draft; the person corrects it, or has the project created."""
        if not data.shown:
            return self._review(data)
        if (left := self._passed_on(said)) is not None:
            return left
        words = language(said.person.locale)
        consent = words.consent(said.message)
        if (
            consent == "yes"
            or said.choice == "create"
            or self._finalizes(said)
            or words.is_done_word(said.message)
        ):
            return self._finalize(said, data) if not data.missing else self._too_early(data)
        told = labelled(said.message) or self._corrected(said.message, words)
        if told:
            return self._review(data, self._changed(data, told))
        named = key_of(said.message)
        if named is not None:
            return self._ask(BY_KEY[named], data)
        if consent == "no" or said.choice == "change":
            return Ask(self._say("what_to_change"), options=self._choices())
        return await self._heard(said, data, words, model)

    # -- what the process shows of itself

    def drafted(self, data: Seed) -> Drafted:
        """The draft specification as it stands."""
        return data.drafted

    def slot(self, data: Seed) -> str:
        """One run may be paused for each idea."""
        return " ".join(data.idea.casefold().split())[:80]

    def kept(self, data: Seed) -> str:
        """What was told so far, by name."""
        name = data.told.get("name", "")
        told = listed([field.missing for key, field in BY_KEY.items() if key in data.told and key != "name"])
        if name:
            return self._say("kept", told=told, name=name) if told else self._say("kept_name", name=name)
        return self._say("kept_unnamed", told=told) if told else ""

    # -- taking

    async def _begin(self, said: Turn, data: Seed, model: Model) -> Outcome:
        told = await read_answers(model, self._prompts, said.message, data.told) if said.message else {}
        self._kept(data, {key: value for key, value in told.items() if key not in data.told})
        what, name = data.told.get("what", "").rstrip(".!?"), data.told.get("name", "")
        if what:
            return self._next(self._say("begun", what=what), data)
        return self._next(self._say("begun_named", name=name) if name else "", data)

    async def _take(self, said: Turn, data: Seed, field: Field, words: Language, model: Model) -> Outcome:
        beside = asides(said.message)
        if beside and field.key != "notes":
            data.add_notes(beside)
            return self._ask(field, data, self._say("noted"))
        corrected = self._corrected(said.message, words)
        if corrected and corrected.keys() <= data.told.keys():
            return self._ask(field, data, self._changed(data, corrected))
        told = labelled(said.message) or stated(said.message) or corrected
        if not told:
            told = await read_answers(model, self._prompts, said.message, {}, asked=field.key)
            told = {key: value for key, value in told.items() if key == field.key or key not in data.told}
        if not told and field.key == "name" and await self._wish(said.message) in ELSEWHERE:
            return Release()
        if not told:
            answer = "\n".join(beside) or said.message
            told = {field.key: self._name(answer) if field.key == "name" else answer}
        return self._next(self._kept(data, told), data)

    async def _heard(self, said: Turn, data: Seed, words: Language, model: Model) -> Outcome:
        """What is neither yes, no nor a correction by name, while the draft is shown."""
        away = words.step_off(said.message, names=self.names, subject=self.subject)
        if away is not None and away.layer == "off_intent":
            return Release()
        told = await read_answers(model, self._prompts, said.message, data.told)
        if told:
            return self._review(data, self._changed(data, told))
        if beside := asides(said.message):
            data.add_notes(beside)
            return self._review(data, self._say("noted"))
        wish = await self._wish(said.message)
        if wish == ADD:
            data.add_notes([said.message])
            return self._review(data, self._say("noted"))
        if wish in ELSEWHERE:
            return Release()
        if (named := spoken_of(said.message)) is not None:
            return self._ask(BY_KEY[named], data)
        return Ask(self._say("review_again"), options=self._choices(), kind="confirm", tail=True)

    async def _wish(self, message: str) -> str:
        """What the examples alone are sure that a message wants, whatever was asked; "" when they are not."""
        read = await self._classifier.classify(message, own())
        return read.name if read.tier == "exemplars" else ""

    def _name(self, message: str) -> str:
        """The name in an answer to "what shall we call it?"."""
        return phrases().name(message) or name_of(message)

    def _corrected(self, message: str, words: Language) -> dict[str, str]:
        found = words.correction(message, NAMES)
        if found is None or not found[1].strip():
            return {}
        key, value = found
        return {key: value.strip()}

    def _kept(self, data: Seed, told: dict[str, str]) -> str:
        for key, value in told.items():
            data.keep(key, value)
        if told.keys() == {"name"}:  # said back: what was no name is noticed at once
            return self._say("begun_named", name=data.told["name"])
        return self._say("noted") if told else ""

    def _changed(self, data: Seed, told: dict[str, str]) -> str:
        self._kept(data, told)
        return self._say("changed", label=", ".join(BY_KEY[key].label.lower() for key in told))

    # -- going on

    def _next(self, before: str, data: Seed) -> Outcome:
        if data.open:
            return self._ask(data.open[0], data, before)
        data.shown = False
        return Goto("reviewing", say=before, data=data)

    def _ask(self, field: Field, data: Seed, before: str = "", *, propose: bool = True) -> Outcome:
        data.asked, data.shown, data.proposed = field.key, False, ""
        options: list[str | Option] = []
        question = self._say(field.key)
        if field.key == "name" and propose:
            data.proposed = phrases().proposed_name(data.told.get("what", ""))
            if data.proposed:
                question = self._say("name_proposed", name=data.proposed)
                options = [Option(label=data.proposed, value=data.proposed)]
        elif not field.required:
            options = [self._say("skip")]
        return Ask(question, say=before, step="describing", options=options, data=data)

    def _skip(self, field: Field, data: Seed) -> Outcome:
        if field.required:
            return self._ask(field, data, self._say("cannot_skip"))
        data.left_out.append(field.key)
        return self._next("", data)

    def _back(self, data: Seed, before: str = "") -> Outcome:
        keys = list(BY_KEY)
        at = keys.index(data.asked)
        if at == 0:
            return self._ask(BY_KEY[data.asked], data, self._say("nothing_before"))
        return self._ask(BY_KEY[keys[at - 1]], data, before)

    def _enough(self, data: Seed) -> Outcome:
        """The person has said all they want to: what is optional is left out."""
        if data.missing:
            return self._too_early(data)
        data.left_out += [field.key for field in data.open]
        return self._next("", data)

    def _too_early(self, data: Seed) -> Outcome:
        missing = listed([field.missing for field in data.missing])
        return self._ask(data.missing[0], data, self._say("not_ready", missing=missing))

    # -- the end

    def _review(self, data: Seed, before: str = "") -> Outcome:
        data.shown = True
        shown = self._say("review", draft=data.specification)
        return Ask(
            self._say("review_question"),
            say=f"{before}\n\n{shown}" if before else shown,
            step="reviewing",
            options=self._choices(),
            kind="confirm",
            tail=True,
            data=data,
        )

    def _choices(self) -> list[str | Option]:
        yes = Option(label=self._say("yes"), value="create")
        return [yes, Option(label=self._say("change"), value="change")]

    def _finalize(self, said: Turn, data: Seed) -> Outcome:
        # The same turn makes the same project, however often it is run.
        project_id = str(uuid5(NAMESPACE_OID, f"{said.person.id}:{said.id}:project"))
        name = " ".join(data.told["name"].split())
        project = NewProject(
            id=project_id,
            name=name,
            description=data.told["what"],
            seed=dict(data.told),
            specification=data.specification,
            notes=data.notes,
        )
        return Done(
            self._say("created", name=name, count=str(len(data.notes))),
            data=data,
            effects=[self._projects.found(project)],
            suggested_actions=[self._say("tell_me")],
            project_id=project_id,
        )

    # -- parts

    def _passed_on(self, said: Turn) -> Outcome | None:
        """A hint names what is wanted, and another project is a conversation of its own."""
        if said.intent_hint not in (None, CREATE, FINALIZE):
            return Release()
        begins = is_example(CREATE, said.message) or phrases().begins(said.message)
        if said.intent_hint is None and begins:
            return Release(suspend=True)
        return None

    def _finalizes(self, said: Turn) -> bool:
        by_words = phrases().finalizes(said.message) or is_example(FINALIZE, said.message)
        return said.intent_hint == FINALIZE or by_words

    def _say(self, sentence: str, /, **values: str) -> str:
        return self._prompts.render(f"seed_conversation/{sentence}", SENTENCES[sentence], **values)
