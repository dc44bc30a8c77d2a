"""The seed conversation: describing a new project until there is enough to create it."""

from datetime import timedelta
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from softrail import Decline, Done, Model, Process, Release, Turn, step
from softrail.companion.catalogue import (
    ADD,
    CREATE,
    DOWNLOAD,
    FINALIZE,
    PAST,
    PROGRESS,
    is_example,
    own,
)
from softrail.companion.phrases import phrases
from softrail.companion.seed import BY_KEY, Field, Seed, is_list, listed
from softrail.companion.seed_asking import SENTENCES, Asking
from softrail.companion.seed_reading import read_answers
from softrail.companion.seed_telling import (
    Told,
    aside_of,
    asides,
    dropped,
    is_sentence,
    key_of,
    names,
    spoken_of,
    telling,
    tells_something,
)
from softrail.companion.service import CompanionProjects
from softrail.companion.values import NewProject
from softrail.core.intents import GENERAL
from softrail.core.outcomes import Drafted, Outcome
from softrail.core.ports import Classifier, Prompts
from softrail.language import Language, language
from softrail.processes.builtin.naming import has_name, name_of

#: What people ask for in the middle of it that is no answer; the question comes back after it.
ELSEWHERE = frozenset([PROGRESS, PAST, DOWNLOAD, "request_draft", "request_redirect"])

#: What a message may be read as that tells something.
_TELLS = frozenset(["", GENERAL, "request_revision"])

#: What is answered with few words, of which none is a wish.
_PLAIN = frozenset(["name", "who", "voice"])


class SeedConversation(Process, name="seed_conversation", version=1):
    """Describes a new project: what it is, its name, who it is for, what success means, and what else matters."""

    title = "your new project"
    doing = "describing a new project"
    priority = 50
    contract = "questions_pass"
    idle_timeout = timedelta(hours=24)
    names = ("new project", "the new project", "project description", "describing a project")
    sentences = SENTENCES
    subject = (
        "project",
        "audience",
        "voice",
        "constraint",
        "constraints",
        "success",
        "specification",
        "draft",
    )

    def __init__(self, projects: CompanionProjects, prompts: Prompts, classifier: Classifier) -> None:
        self._projects = projects
        self._prompts = prompts
        self._asking = Asking(prompts)
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
        words, field = language(said.person.locale), BY_KEY[data.asked]
        if self._asks_ready(said, words):
            return self._asking.ready(data)
        if phrases().means("holds_back", said.message):
            return self._asking.ask(field, data, self._asking.say("no_hurry"))
        if phrases().means("shows_draft", said.message):
            return self._asking.so_far(field, data)
        told = telling(said.message, words, asked=field.key, known=data.told)
        if told.keys and not self._finalizes_by_words(said):
            return self._asking.taken(told, data, field)
        if self._finalizes(said):
            return self._finalize(said, data) if not data.missing else self._asking.too_early(data)
        if words.is_done_word(said.message):
            return self._asking.enough(data)
        if (moved := self._moved(said, data, field, words)) is not None:
            return moved
        return await self._take(said, data, field, model)

    @step(goes_to=("describing",))
    async def reviewing(self, said: Turn, data: Seed, model: Model) -> Outcome:
        """Shows the draft; the person corrects it, or has the project created."""
        if not data.shown:
            return self._asking.review(data)
        if (left := self._passed_on(said)) is not None:
            return left
        words = language(said.person.locale)
        if self._asks_ready(said, words):
            return self._asking.ready(data)
        if phrases().means("holds_back", said.message):
            return self._asking.again("what_to_change", self._asking.say("no_hurry"))
        if phrases().means("shows_draft", said.message):
            return self._asking.review(data)
        told = telling(said.message, words, known=data.told)
        if told.keys and not self._finalizes_by_words(said):
            return self._asking.review(data, self._asking.keep(data, told))
        if beside := asides(said.message):
            about_another = aside_of(said.message) and await self._is_of_another(said, data)
            return Release() if about_another else self._further(beside, data)
        consent = words.consent(said.message)
        if (
            consent == "yes"
            or (said.choice == "create" and not phrases().negates(said.message))
            or self._finalizes(said)
            or words.is_done_word(said.message)
        ):
            return self._finalize(said, data) if not data.missing else self._asking.too_early(data)
        named = key_of(said.message)
        if named is not None:
            return self._asking.ask(BY_KEY[named], data)
        wants = words.is_back(said.message) or phrases().means("wants_change", said.message)
        if consent == "no" or said.choice == "change" or wants:
            return self._asking.again("what_to_change")
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
        if not name:
            return self._asking.say("kept_unnamed", told=told) if told else ""
        sentence = "kept" if told else "kept_name"
        return self._asking.say(sentence, name=name, **({"told": told} if told else {}))

    # -- taking

    async def _begin(self, said: Turn, data: Seed, model: Model) -> Outcome:
        told = await read_answers(model, self._prompts, said.message, data.told) if said.message else {}
        found = Told({key: value for key, value in told.items() if key not in data.told})
        if found.keys:
            self._asking.keep(data, found)
        what, name = data.told.get("what", "").rstrip(".!?"), data.told.get("name", "")
        begun = self._asking.say("begun", what=what) if what else ""
        begun = begun or (self._asking.say("begun_named", name=name) if name else "")
        more = [key for key in found.keys if key != "what"]
        before = [begun, self._asking.noted(more) if more else ""]
        return self._asking.next(" ".join(part for part in before if part), data)

    def _moved(self, said: Turn, data: Seed, field: Field, words: Language) -> Outcome | None:
        """What the message does instead of answering: it skips, goes back, agrees or refuses."""
        consent = words.consent(said.message)
        later = phrases().means("decides_later", said.message)
        unsure = phrases().unsure(said.message)
        if not field.required and (consent == "no" or unsure or later):
            return self._asking.skip(field, data)
        if later:
            return self._asking.later(field, data)
        if words.is_skip(said.message) or phrases().means("nothing", said.message):
            return self._asking.skip(field, data)
        if unsure:
            return self._asking.ask(field, data, self._asking.say("unsure"))
        if words.is_back(said.message):
            return self._asking.back(data)
        if phrases().takes_back(said.message):
            return self._asking.back(data, self._asking.say("again"))
        if phrases().means("told_already", said.message):
            return self._asking.ask(field, data, self._asking.say("not_found"))
        if consent == "no" and not data.told:
            return Decline(self._asking.say("declined"))
        if phrases().means("takes_proposal", said.message):
            return self._asking.proposed(field, data)
        # A name that shares a word with the proposal is a name of its own: only a letter or number chooses it.
        picked = said.choice == data.proposed and len(said.message.strip(" ().")) == 1
        if field.key == "name" and data.proposed and (consent == "yes" or picked):
            return self._asking.taken(Told({"name": data.proposed}), data, field)
        if consent == "yes" and not data.missing:
            return self._asking.enough(data)  # "looks good": the review is where it is confirmed
        if consent in ("yes", "no"):
            return self._asking.ask(field, data, propose=consent == "yes")
        return None

    async def _take(self, said: Turn, data: Seed, field: Field, model: Model) -> Outcome:
        """What is none of the short replies: something to note, another part, a wish, or the answer."""
        listed_out = is_list(said.message) and field.key != "name"
        beside = [] if listed_out else asides(said.message)
        if aside_of(said.message) and await self._is_of_another(said, data):
            return Release()
        if beside and field.key != "notes":
            data.add("notes", beside)
            return self._asking.ask(field, data, self._asking.say("noted"))
        if (away := dropped(said.message)) is not None:
            return self._asking.dropped(away, data, field)
        if (named := key_of(said.message, asked=field.key)) is not None:
            return self._asking.ask(BY_KEY[named], data)
        read = await read_answers(model, self._prompts, said.message, {}, asked=field.key)
        told = {key: value for key, value in read.items() if key == field.key or key not in data.told}
        if not told and (wished := await self._wished(said, data, field)) is not None:
            return wished
        if not told:
            answer = "\n".join(beside) or said.message
            told = {field.key: name_of(answer) if field.key == "name" else answer}
        return self._asking.taken(Told(told), data, field)

    async def _wished(self, said: Turn, data: Seed, field: Field) -> Outcome | None:
        """What the message wants, where it cannot be an answer to what was asked."""
        if phrases().means("wishes", said.message):
            return Release()
        wish = await self._wish(said.message) if field.key in _PLAIN else ""
        if wish in ELSEWHERE and (field.key == "name" or phrases().told("wish_starts", said.message)):
            return Release()
        if field.key == "name" and (wish == ADD or is_sentence(said.message)):
            if await self._is_of_another(said, data):
                return Release()
            data.add("notes", [said.message])
            return self._asking.ask(field, data, self._asking.noted(["notes"]))
        return self._asking.ready(data) if wish == FINALIZE else None

    async def _heard(self, said: Turn, data: Seed, words: Language, model: Model) -> Outcome:
        """What is neither yes, no nor a correction by name, while the draft is shown."""
        away = words.step_off(said.message, names=self.names, subject=self.subject)
        if away is not None and away.layer == "off_intent":
            return Release()
        if (gone := dropped(said.message)) is not None:
            return self._asking.dropped(gone, data)
        told = await read_answers(model, self._prompts, said.message, data.told)
        if told:
            return self._asking.review(data, self._asking.keep(data, Told(told)))
        wish = await self._wish(phrases().told_after(said.message))
        if wish in ELSEWHERE or phrases().means("wishes", said.message):
            return Release()
        approves = phrases().approves(said.message)
        if not approves and (named := spoken_of(said.message)) is not None:
            return self._asking.ask(BY_KEY[named], data)
        if wish == ADD and await self._is_of_another(said, data):
            return Release()
        if wish == ADD or (wish in _TELLS and self._is_new(said.message, words)):
            return self._further([phrases().told_after(said.message)], data)
        return self._asking.again("review_again")

    def _is_new(self, message: str, words: Language) -> bool:
        """It tells something, and neither asks for anything nor says that it is good."""
        asks = words.is_question(message) or phrases().unsure(message)
        return not asks and not phrases().approves(message) and tells_something(message)

    def _further(self, notes: list[str], data: Seed) -> Outcome:
        data.add("notes", notes)
        return self._asking.review(data, self._asking.say("noted"))

    async def _is_of_another(self, said: Turn, data: Seed) -> bool:
        """The turn is about a project that is created already: by its id, or by its name in the message."""
        if said.project_id is not None:
            return True
        own_name = data.told.get("name", "")
        others = [other.name for other in await self._projects.details(said.person.id)]
        named = [name for name in (own_name, *others) if names(said.message, name)]
        return bool(named) and max(named, key=len) != own_name

    async def _wish(self, message: str) -> str:
        """What the examples alone are sure that a message wants, whatever was asked; "" when they are not."""
        read = await self._classifier.classify(message, own())
        return read.name if read.tier == "exemplars" else ""

    # -- the end

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
            self._asking.say("created", name=name, count=str(len(data.notes))),
            data=data,
            effects=[self._projects.found(project)],
            suggested_actions=[self._asking.say("tell_me", name=name)],
            project_id=project_id,
        )

    # -- parts

    def _passed_on(self, said: Turn) -> Outcome | None:
        """A hint names what is wanted, and another project is a conversation of its own."""
        if said.intent_hint not in (None, CREATE, FINALIZE):
            return Release()
        begins = is_example(CREATE, said.message) or phrases().begins(said.message)
        if said.intent_hint is None and begins and not self._finalizes_by_words(said):
            return Release(suspend=True)
        return None

    def _asks_ready(self, said: Turn, words: Language) -> bool:
        """It asks whether there is enough; a question is never the word to create it."""
        asks = words.consent(said.message) == "question"
        return asks and (said.intent_hint == FINALIZE or phrases().means("asks_ready", said.message))

    def _finalizes(self, said: Turn) -> bool:
        hinted = said.intent_hint == FINALIZE and not phrases().negates(said.message)
        return hinted or self._finalizes_by_words(said)

    def _finalizes_by_words(self, said: Turn) -> bool:
        return phrases().finalizes(said.message) or is_example(FINALIZE, said.message)
