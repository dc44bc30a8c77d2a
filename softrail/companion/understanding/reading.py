"""Tells the classifier what it cannot see in a message: the state of the project and the last turns."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from softrail import Intent, IntentDefinition, Model
from softrail.companion.catalogue import (
    ACTING,
    ADD,
    ARCHIVE,
    CHANGING,
    CHOOSE,
    CREATE,
    DOWNLOAD,
    EDIT,
    LIST,
    NOT_SERVED,
    NOTES,
    OPINION,
    ORGANISE,
    OTHER_LANGUAGE,
    PAST,
    PROGRESS,
    SAVE,
    SEARCH,
    SHOW,
    TELLING,
    UNDO,
    is_courtesy,
)
from softrail.companion.memory.context import Contexts
from softrail.companion.memory.service import Artifacts, CompanionProjects, Notes
from softrail.companion.memory.values import Artifact, ProjectDetail
from softrail.companion.understanding.amending import mended
from softrail.companion.understanding.answers import Answers
from softrail.companion.understanding.by_meaning import ByMeaning, Encode
from softrail.companion.understanding.certain import (
    ASKS_HOW,
    HARMLESS,
    UNGROUPS,
    about_projects,
    again,
    answered,
    by_part_of_name,
    by_words,
    certain,
    is_answer,
    noted,
    ruled_out,
    torn_between_looks,
    with_others,
    without_process,
)
from softrail.companion.understanding.clauses import asks, commands, goes_beyond_notes, wishes_besides
from softrail.companion.understanding.following import Following
from softrail.companion.understanding.going_on import gone_on_with
from softrail.companion.understanding.in_an_application import of_no_use, said_here
from softrail.companion.understanding.looks import asked_for, looks
from softrail.companion.understanding.matching import named
from softrail.companion.understanding.offered import taken_up, without_projects
from softrail.companion.understanding.phrases import phrases
from softrail.companion.understanding.pointing import Pointed
from softrail.companion.understanding.taking_back import CLAUSES, taken_back
from softrail.companion.understanding.told_anew import told_anew
from softrail.companion.understanding.unwished import unwished
from softrail.companion.understanding.wish_words import parts, parts_of_names
from softrail.companion.understanding.wishes import begins_with_deed, wishes
from softrail.plugin import GENERAL, HELP, Candidate, Classifier, Focus, NotFound, Warms, language, normal

_UNNAMED: Final = "the project"
#: A name stands behind one of these; a lone article is none.
_NAMED: Final = re.compile(
    r"\b(?:called|named|(?:my|our|the)\s+(?:\w+\s+)?project(?:['’]s name)?\s+is(?:\s+just)?|another\s+(?:project|one)\s+is"
    r"|its\s+name\s+is)\s+(?:(?:an?|the|my|our|some)\s+)*(?!(?:an?|the|my|our|some)\b\W*$)[\"'“‘„«]?\w",
    re.IGNORECASE,
)
_ALSO: Final = re.compile(r",\s*(?:and|then)\b", re.IGNORECASE)  #: something else may be asked for behind it
_INSTEAD: Final[Mapping[str, str]] = {
    UNGROUPS: NOT_SERVED,
    ASKS_HOW: HELP,
}  #: what is meant by what is ruled out
_MOST_NUMBERS: Final = 20  #: of one wish, that are looked for
#: What does something: it is not done where the same message takes it back.
_DOES: Final = frozenset([*ACTING, CREATE, UNDO, ORGANISE.name])
_SURELY: Final = 0.90  #: words behind a note are no part of it
_SENTENCES: Final = re.compile(r"[.!?;\n]\s*\S")  #: there is more than one sentence


class InformedClassifier:
    """The given classifier, with the project's state in its context. Implements the `Classifier` promise."""

    def __init__(
        self,
        inner: Classifier,
        projects: CompanionProjects,
        notes: Notes,
        artifacts: Artifacts,
        contexts: Contexts,
        *,
        encode: Encode | None = None,
    ) -> None:
        self._inner = inner
        self._projects = projects
        self._notes = notes
        self._artifacts = artifacts
        self._contexts = contexts
        self._pointed = Pointed(notes)
        self._following = Following(notes)
        self._answers = Answers(inner, notes, ByMeaning(notes, encode))

    async def classify(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        *,
        model: Model | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Intent:
        """The intent among `candidates`."""
        known = dict(context or {})
        person_id = known.get("person_id")
        mine = await self._projects.details(person_id) if isinstance(person_id, str) else ()
        authors = any(one.authors_own for one in candidates)
        known["unserved"] = of_no_use(message, mine, authors=authors)
        found = await self._read(message, candidates, model=model, context=known, mine=mine)
        if not isinstance(person_id, str):
            return found
        return said_here(found, message, known, mine, authors=authors)

    async def _read(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        *,
        model: Model | None,
        context: Mapping[str, Any] | None,
        mine: Sequence[ProjectDetail],
    ) -> Intent:
        known = dict(context or {})
        if model is None and (numbered := await self._following.numbered(message, known)) is not None:
            found = await self.classify(numbered, candidates, context=context)
            if found.name in (SAVE, PAST, EDIT):
                asks_ = {"asks": True} if found.name != PAST else {}  # it may be counted from the other end
                return replace(found, text=found.text or numbered, parameters={**found.parameters, **asks_})
        person_id, project_id = known.get("person_id"), known.get("project_id")
        name = _named(mine, message)
        read = phrases().without_lead(_UNNAMED.join(_split(message, name)) if name else message)
        sure = await self._certain(message, candidates, known, mine, plain=model is None)
        there = {candidate.name for candidate in candidates}
        focus = known.get("focus")
        sure = sure or (again(message, mine, focus) if isinstance(focus, Focus) else None)
        numbers = await self._numbers(message, known, mine) if model is None and SAVE in there else ()
        of = next((d.id for d in mine if d.name == name), None)
        if (
            of is None
            and isinstance(focus, Focus)
            and focus.intent == CHOOSE
            and phrases().asks_of_it(message)
        ):
            of = focus.project  # "what's in it", of the one just chosen
        shown = _all_of([_in(of, one) for one in looks(read, there)])
        sure = sure or (shown if shown is not None and shown.also else None)
        apart = SAVE in there and model is None  # clause by clause, where no language model reads the whole
        sure = sure or about_projects(message, mine, there)
        words = sure or by_words(read, there, numbers) or shown
        sure = None if sure is None and apart and goes_beyond_notes(read, mine) else words
        if apart:
            sure = await self._following.likewise(message, known) or sure
        if apart and (sure is None or sure.name != UNDO):
            sure = await self._pointed.read(message, known, mine, here=_where(known, mine)) or sure
        if sure is None and apart and (left := await self._retracted(message, candidates, known)) is not None:
            return left
        if sure is None and apart:
            alone = self._alone(candidates, known, name, mine)
            bare = phrases().without_lead(message)
            sure = await self._following.read(message, known, mine)
            sure = sure or await self._borne_out(
                await commands(bare, mine, there, alone, there=numbers), known, mine
            )
            sure = sure or words
            sure = _rather_changed(sure) if sure is not None else await self._searched(message, known, mine)
            sure = sure or gone_on_with(message, mine)
            if sure is None and numbers and begins_with_deed(bare):
                sure = certain(
                    SAVE, "may be a wish about notes"
                )  # "drop 4 if it is about the vet": asked about
            sure = sure or by_part_of_name(bare, mine, there)
            sure = sure or by_part_of_name(bare.partition(", ")[0], mine, there)  # what follows says why
            sure = sure or await self._following.topics(bare, known, _where(known, mine))
            sure = sure or await self._following.some_of_all(bare, known, _where(known, mine))
        if sure is not None:
            return _told_of(sure, message, mine)
        if isinstance(person_id, str) and isinstance(project_id, str):
            files = await self._files(person_id, project_id)
            if files is not None and (title := asked_for(message, [file.title for file in files])):
                return _wanted(title)
            if (
                files is not None and not files and not phrases().files_at_all(message)
            ):  # then "show me the report" asks how it is coming along
                known["instead"] = {DOWNLOAD: PROGRESS}
            if files is not None and model is not None:
                known.update(await self._state(person_id, project_id, files))
        if model is not None and isinstance(person_id, str):
            before = await self._contexts.turns(person_id, project_id, but="")
            known["turns"] = [
                {"role": role, "content": text}
                for exchange in before
                for role, text in (("person", exchange.said), ("companion", exchange.answered))
            ]
        found = await self._inner.classify(read, candidates, model=model, context=known)
        if found.unheard:  # read as where there is no model: what words alone say counts again
            plainly = await self.classify(message, candidates, context=context)
            return replace(
                plainly, prompts=found.prompts, explanation=found.explanation or plainly.explanation
            )
        begun = without_projects(found, mine)
        if begun.name in (CREATE, GENERAL) and found.tier != "model" and only_named(message):
            why = f"{found.explanation}; a project's name alone asks for nothing"
            begun = replace(found, name=GENERAL, parameters={}, candidates=(), explanation=why)
        found = torn_between_looks(begun if known.get("under_way") else without_process(begun))
        if apart and found.name in (NOT_SERVED, OPINION) and phrases().note_numbers(message):
            why = f"{found.explanation}; it speaks of a note, and nothing does that with one"
            found = replace(found, name=GENERAL, parameters={}, ambiguous=False, explanation=why)
        here = _where(known, mine) if model is None and isinstance(person_id, str) else None
        if here is not None and found.name in (CHOOSE, ARCHIVE) and not named(message, mine):
            if (aside := await self._following.put_aside(found, message, str(person_id), here)) is not None:
                return aside
            found = await self._of_a_note(found, message, str(person_id), here)
        asked = phrases().without_lead(message)
        if here is not None and (
            said := await self._answers.said(str(person_id), here, asked, found, candidates, as_=read)
        ):
            return said
        if here is not None and (said := await self._answers.apart(known, here, asked, found, candidates)):
            return said
        plain = model is None and isinstance(person_id, str)
        if plain and (other := await self._answers.otherwise(str(person_id), mine, here, asked, found)):
            return other
        found = _told_beside(_rather_changed(found), message, alone=model is None and not mine)
        if here is not None and (anew := await told_anew(self._notes, message, found, str(person_id), here)):
            return anew
        written = [d.id for d in mine if d.name in message]  # "the project Recap is useless. archive it"
        of = written[0] if of is None and len(written) == 1 else of
        if of is not None:
            found = replace(_to(of, found), also=tuple(_to(of, one) for one in found.also))
        called = of is not None or any(one.kind == "name" for one in parts(message, parts_of_names(mine)))
        own = next((one for one in candidates if one.name == found.name and one.authors_own), None)
        if (other := unwished(found, message, names_one=called, own=own)) is not None:
            return other
        if why := ruled_out(found, found.text or message):
            found = await self._instead(found, message, known, why, plain=model is None)
            if here is not None and (
                said := await self._answers.said(str(person_id), here, message, found, candidates, as_=read)
            ):
                return said
        return _renamed(found, name) if name else found

    async def _of_a_note(self, found: Intent, message: str, person_id: str, here: str) -> Intent:
        """No choice of a project where notes speak of what is called, and no project is: "and the window one"."""
        if found.name != CHOOSE or found.confidence >= 1.0:
            return found
        if not await self._notes.about(person_id, here, message, limit=1):
            return found
        why = f"{found.explanation}; notes speak of that, and no project is called so"
        return replace(found, name=GENERAL, parameters={}, ambiguous=False, explanation=why)

    async def _numbers(
        self, message: str, known: Mapping[str, Any], mine: Sequence[ProjectDetail]
    ) -> Sequence[int]:
        """The numbers in a wish for notes that notes of the project have."""
        here, found = _where(known, mine), wishes(message)
        numbers = {n for wish in found.clauses for n in wish.which.numbers if wish.state or wish.negated}
        if here is None or not 0 < len(numbers) <= _MOST_NUMBERS:
            return ()
        notes = [await self._notes.get(known["person_id"], here, number) for number in sorted(numbers)]
        return [note.number for note in notes if note is not None]

    async def _borne_out(
        self, found: Intent | None, known: Mapping[str, Any], mine: Sequence[ProjectDetail]
    ) -> Intent | None:
        """What was found, where notes speak of what it tells of one of them: "the second chapter is dull, rewrite it" means none."""
        here = _where(known, mine)
        for one in (found, *found.also) if found is not None else ():
            told = one.parameters.get("told") if not one.parameters.get("numbers") else None
            if told is None:
                continue
            topic = str(one.parameters.get("about") or told)
            focus = known.get("focus")
            shown = isinstance(focus, Focus) and focus.note is not None
            if not mine or (
                here is not None
                and not shown
                and not await self._notes.about(known["person_id"], here, topic, limit=1)
            ):
                return None
        return _each_where_it_is(found, here) if found is not None and here is not None else found

    async def _searched(
        self, message: str, known: Mapping[str, Any], mine: Sequence[ProjectDetail]
    ) -> Intent | None:
        """A search in so many words, where notes have some of them: "find vet"."""
        here, query = _where(known, mine), phrases().looked_for(message)
        if not phrases().topic(f"about {query}") or named(message, mine):
            return None  # of the project itself more is to be said
        if here is not None and await self._notes.about(known["person_id"], here, query, limit=1):
            return certain(SEARCH, "looks for words that notes have", query=query)
        return None

    async def _retracted(
        self, message: str, candidates: Sequence[IntentDefinition], known: Mapping[str, Any]
    ) -> Intent | None:
        """What is left of a message that takes back what it wished for: "open Muse. ah no, leave it"."""
        split = phrases().retracted(message)
        if split is None or noted(message) is not None:
            return None
        before, after = split
        first = await self.classify(before, candidates, context=known)
        leaves = is_courtesy(first.name)  # "bye now, ah wait, save note 6"
        if first.name not in _DOES and not first.name.startswith("start_") and not leaves:
            return None
        nothing = certain(SAVE, "takes back what it wishes for itself", plan={})
        head, *others = CLAUSES.split(after, maxsplit=1)
        rest = others[0] if others and phrases().only_retracts(head) else after
        if phrases().only_retracts(rest) or language().is_later(rest):
            return nothing
        if phrases().notes.shows_them(rest):
            return replace(certain(PAST, "takes a wish back, and asks for notes"), text=rest)
        then = await self.classify(rest, candidates, context=known)
        if leaves and then.name not in _DOES:
            return None
        if first.name.startswith("start_") and (then.is_talk or then.ambiguous or then.name == ADD):
            return None  # "adopt an animal, a dog, or wait, maybe a cat" still wants one
        if then.name.partition(".")[0] in (GENERAL, ADD) or then.ambiguous:
            return replace(nothing, left_over=rest)
        return replace(then, text=then.text or rest)

    def _alone(
        self,
        candidates: Sequence[IntentDefinition],
        known: Mapping[str, Any],
        name: str | None,
        mine: Sequence[ProjectDetail],
    ) -> Callable[[str], Awaitable[Intent]]:
        """Reads one clause of a message by itself."""

        async def read(clause: str) -> Intent:
            clause = phrases().without_lead(clause)
            said = _UNNAMED.join(_split(clause, name)) if name else clause
            found = await self._inner.classify(said, candidates, context=known)
            found = found if known.get("under_way") else without_process(found)
            if ruled_out(found, clause):  # no act, and nothing told
                return replace(found, name=GENERAL, parameters={}, ambiguous=False)
            here, person_id = _where(known, mine), known.get("person_id")
            if here is not None and (amended := await self._pointed.amended(clause, str(person_id), here)):
                return amended
            files = await self._files(str(person_id), here) if here is not None else None
            if title := asked_for(clause, [file.title for file in files or ()]):
                return _wanted(title)
            if here is not None and (
                told := await self._answers.said(str(person_id), here, clause, found, candidates, as_=said)
            ):
                return told
            if isinstance(person_id, str) and (
                told := await self._answers.otherwise(person_id, mine, here, clause, found)
            ):
                return told
            return _renamed(found, name) if name else found

        return read

    async def _certain(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        known: Mapping[str, Any],
        mine: Sequence[ProjectDetail],
        *,
        plain: bool,
    ) -> Intent | None:
        """The intent that the words leave no doubt about; None when they do."""
        named = {candidate.name for candidate in candidates}
        person_id, session_id = known.get("person_id"), known.get("session_id")
        if ADD in named and (note := await self._noted(message, person_id)) is not None:
            one = _SENTENCES.search(message.strip()) is None
            besides = not one or _ALSO.search(message) is not None or wishes_besides(message, mine)
            if plain and SAVE in named and besides:
                several = await commands(message, mine, named, self._alone(candidates, known, None, ()))
                if several is not None and several.name == ADD and _wishes_besides(several, message, one=one):
                    return _asked_about(several) if one else several
            if one:
                return note
            found = await self._inner.classify(message, candidates, context=known)
            return with_others(note, found, message)
        if plain and OTHER_LANGUAGE in named and (code := language().other(message)):
            return certain(OTHER_LANGUAGE, f"is written in another language ({code})", language=code)
        back = await taken_back(self._notes, message, known) if UNDO in named and person_id else None
        if back is not None:
            return back
        if not (SAVE in named and plain and isinstance(person_id, str) and isinstance(session_id, str)):
            return None
        if (
            offered := await self._of_the_offer(message, person_id, session_id, candidates, known)
        ) is not None:
            return offered
        if is_answer(message):
            spoken = await self._notes.spoken_of(person_id, session_id)
            if (meant := answered(message, spoken)) is not None:
                return meant
            if language().consent(message) == "yes":
                return await self._taken_up(person_id, session_id, candidates, known)
        return None

    async def _of_the_offer(
        self,
        message: str,
        person_id: str,
        session_id: str,
        candidates: Sequence[IntentDefinition],
        known: Mapping[str, Any],
    ) -> Intent | None:
        """What is said of a note that was offered to be kept: "keep that", "ok, note it"; "no, the mayor" has another one offered.

        An offer stands for some turns of talk, for words that can mean nothing but to note what was told.
        """
        notes_it, said = phrases().notes.notes_it(message), phrases().amends_it(message)
        keeps = notes_it or _keeps_it(message)
        if not (keeps or said):
            return None
        offered = await self._notes.suggested(person_id, session_id)
        note = noted(offered) if offered is not None else None
        if note is None and notes_it:
            offered = await self._notes.offered(person_id, session_id, NOTES)
            note = noted(offered) if offered is not None else None
        if offered is None or note is None:
            return None
        if keeps:
            return taken_up(await self.classify(offered, candidates, context=known), offered)
        right = mended(str(note.parameters["knowledge_text"]), said)
        return certain(GENERAL, "puts right what was offered", offers=right) if right is not None else None

    async def _taken_up(
        self,
        person_id: str,
        session_id: str,
        candidates: Sequence[IntentDefinition],
        known: Mapping[str, Any],
    ) -> Intent | None:
        """What the newest reply suggested, where it suggested one thing and a yes is enough for that."""
        phrase = await self._notes.suggested(person_id, session_id)
        if phrase is None:
            return None
        return taken_up(await self.classify(phrase, candidates, context=known), phrase)

    async def _noted(self, message: str, person_id: object) -> Intent | None:
        """A note in so many words, with the project that they name for it."""
        found = phrases().notes.elsewhere(message)
        if found is None or not isinstance(person_id, str):
            return noted(message)
        name, text = found
        here = [d.id for d in await self._projects.details(person_id) if normal(d.name) == normal(name)]
        why = "asks for a note in a project by name"
        if len(here) == 1:
            return certain(ADD, why, knowledge_text=text, project_id=here[0])
        return noted(message) or certain(ADD, "asks for a note", knowledge_text=message.strip())

    async def _instead(
        self, found: Intent, message: str, known: Mapping[str, Any], why: str, *, plain: bool
    ) -> Intent:
        """What a message means that cannot mean what it was read as: a look into the notes, or talk."""
        other = replace(
            found,
            name=GENERAL,
            parameters={},
            ambiguous=False,
            missing=(),
            explanation=f"{found.explanation}; {why}",
        )
        if why in _INSTEAD:
            return replace(other, name=_INSTEAD[why])
        if found.name == ORGANISE.name:
            return replace(other, name=SHOW.name)
        person_id, project_id = known.get("person_id"), known.get("project_id")
        if not (plain and isinstance(person_id, str) and isinstance(project_id, str)):
            return other
        if found.name == SAVE:
            looks = phrases().notes.speaks_of_notes(message) and phrases().notes.asks(message)
            return replace(other, name=PAST) if looks else other
        if not await self._notes.about(person_id, project_id, message, limit=1):
            return other
        return replace(other, name=PAST, parameters={"asked": message})

    async def warm(self, candidates: Sequence[IntentDefinition]) -> None:
        """Load now what the first message would wait for, where the classifier has something to load."""
        if isinstance(self._inner, Warms):
            await self._inner.warm(candidates)

    async def _files(self, person_id: str, project_id: str) -> Sequence[Artifact] | None:
        try:
            return await self._artifacts.list(person_id, project_id)
        except NotFound:
            return None

    async def _state(self, person_id: str, project_id: str, files: Sequence[Artifact]) -> dict[str, Any]:
        """What a model is told of the project, in one line."""
        detail = await self._projects.detail(person_id, project_id)
        if detail is None:
            return {}
        try:
            counts = await self._notes.counts(person_id, project_id)
        except NotFound:  # let go between the reads
            return {}
        specifications = sum(file.type == "specification" for file in files)
        others = len(files) - specifications
        state = (
            f"{detail.name}: {_many(counts.saved, 'saved note')}, {_many(counts.waiting, 'waiting note')}, "
            f"{_many(specifications, 'specification')}, {_many(others, 'other artifact')}"
        )
        return {"state": state}


def _keeps_it(message: str) -> bool:
    """What was spoken of just now is to be kept, and nothing else: "keep that", "save it please"."""
    read = wishes(message)
    return (
        read.sure and len(read.clauses) == 1 and read.clauses[0].state == "saved" and read.clauses[0].which.it
    )


def _told_beside(found: Intent, message: str, *, alone: bool) -> Intent:
    """A note without the words that say that it is told beside something: "btw the hall is full"; with them it is no talk.

    `alone`: there is no project yet, so that it is asked whether to begin one with it.
    """
    beside = language().told_beside(message)
    if beside is None or found.also or found.text:
        return found
    offered = alone and beside.surely and found.is_talk
    if found.name == ADD or offered:
        parameters = {**found.parameters, "knowledge_text": beside.text}
        return replace(found, name=ADD, parameters=parameters, ambiguous=False, missing=())
    only_tells = found.name in TELLING and found.tier != "exemplars"
    if beside.surely and (only_tells or found.name.startswith(f"{GENERAL}.")):
        return replace(found, name=GENERAL, parameters={}, ambiguous=False)
    return found


def _rather_changed(found: Intent) -> Intent:
    """Without what is told beside a wish to change a note: it says what is wrong with that note, and is no other."""
    if found.name != ADD or found.confidence >= 1.0 or not any(one.name == EDIT for one in found.also):
        return found
    first, *others = found.also
    left = " … ".join(text for text in (found.text, found.left_over) if text)
    return replace(first, also=tuple(others), left_over=left)


def _told_of(found: Intent, message: str, mine: Sequence[ProjectDetail]) -> Intent:
    """Looks with the project that the whole message tells of, which a part of it may not name: "the band one! what's in it"."""
    if not (found.also or found.text):
        return found
    there = named(message, mine) if all(one.name in HARMLESS for one in (found, *found.also)) else ()
    where = there[0].id if len(there) == 1 else None
    looks_ = [_in(where if "project_id" not in one.parameters else None, one) for one in (found, *found.also)]
    return replace(looks_[0], also=tuple(looks_[1:]))


def _each_where_it_is(found: Intent, here: str) -> Intent:
    """With the project of the turn for what is done beside a look at another one; gone on with another, that is the one."""
    told = (found, *found.also)
    away = any(one.name in HARMLESS and one.parameters.get("project_id", here) != here for one in told)
    if not away or any(one.name == CHOOSE for one in told):
        return found
    acts = (ADD, SAVE, EDIT)
    each = [
        replace(one, parameters={"project_id": here, **one.parameters}) if one.name in acts else one
        for one in told
    ]
    return replace(each[0], also=tuple(each[1:]), left_over=found.left_over)


def _in(project_id: str | None, look: Intent) -> Intent:
    """The look at that project, where one is named and it is no look at all of them."""
    if project_id is None or look.name == LIST or look.name not in HARMLESS:
        return look
    return replace(look, parameters={**look.parameters, "project_id": project_id})


def _to(project_id: str, wish: Intent) -> Intent:
    """The change of that project, which the message names, if only in another part of it."""
    if wish.name not in CHANGING or wish.name == EDIT:
        return wish
    return replace(wish, parameters={**wish.parameters, "project_id": project_id})


def _all_of(shown: Sequence[Intent]) -> Intent | None:
    """Several looks as the first with the others behind it."""
    return replace(shown[0], also=tuple(shown[1:])) if shown else None


def _wanted(title: str) -> Intent:
    why = "is the title of a file"
    found = Candidate(intent=DOWNLOAD, confidence=1.0)
    parameters = {"artifact_description": title}
    return Intent(
        name=DOWNLOAD,
        confidence=1.0,
        tier="exemplars",
        parameters=parameters,
        candidates=(found,),
        explanation=why,
    )


def _where(known: Mapping[str, Any], mine: Sequence[ProjectDetail]) -> str | None:
    """The project of the turn, the only one there is, or the one last spoken of."""
    if known.get("project_id") is None and len(mine) == 1:
        return mine[0].id
    focus = known.get("focus")
    here = known.get("project_id") or (focus.project if isinstance(focus, Focus) else None)
    return here if here in {project.id for project in mine} else None


def _wishes_besides(note: Intent, message: str, *, one: bool) -> bool:
    """What follows the note are surely wishes of their own, no part of it, and nothing of what was told is lost."""
    goes_on = phrases().notes.goes_on(message)
    if note.parameters.get("kept") and one and goes_on:
        return False  # "remember that we draw water and save it"
    known = bool(note.also or note.parameters.get("kept")) and not note.left_over
    return known and all(
        one.name in ACTING
        or (
            one.name in (*HARMLESS, ORGANISE.name)
            and one.tier == "exemplars"
            and not goes_on
            and (one.confidence >= _SURELY or asks(one.text))
        )
        for one in note.also
    )


def _asked_about(note: Intent) -> Intent:
    """The wishes that share a sentence with the note are asked about where they change something: it may be their author."""
    asked = [
        replace(one, parameters={**one.parameters, "asks": True}) if one.name in ACTING else one
        for one in note.also
    ]
    return replace(note, also=tuple(asked))


def only_named(message: str) -> bool:
    """The message says what a project is called, and not that one is to be begun."""
    begins = any(phrases().opens(part) for part in CLAUSES.split(message[:1000]))
    return _NAMED.search(message[:1000]) is not None and not begins


def _named(details: Sequence[ProjectDetail], message: str) -> str | None:
    """The project a message names: its name says nothing of what is wanted, and would be read as if it did."""
    named = [d.name for d in details if len(_split(message, d.name)) > 1]
    return max(named, key=len, default=None) if _UNNAMED not in message.casefold() else None


def _split(message: str, name: str) -> list[str]:
    """The message at the places where the name stands, whole words of it."""
    return re.split(rf"(?<!\w){re.escape(name)}(?!\w)", message, flags=re.IGNORECASE)


def _renamed(intent: Intent, name: str) -> Intent:
    """The same, with the name where it was taken out."""

    def back(value: Any) -> Any:
        return value.replace(_UNNAMED, name) if isinstance(value, str) else value

    return replace(
        intent,
        parameters={key: back(value) for key, value in intent.parameters.items()},
        target=back(intent.target),
        text=back(intent.text),
        left_over=back(intent.left_over),
        also=tuple(_renamed(other, name) for other in intent.also),
    )


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
