"""Readings that the words alone leave no doubt about, and readings that they rule out."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final

from softrail import Intent
from softrail.companion.catalogue import (
    ADD,
    ARCHIVE,
    CHANGES,
    CHOOSE,
    CREATE,
    DELETE_DATA,
    DESCRIBE,
    DOWNLOAD,
    EDIT,
    LEFT_OFF,
    MEMBERS,
    NOT_YET,
    ORGANISE,
    PAST,
    PRIVACY,
    PROCESS_LENGTH,
    PROCESS_USE,
    PROGRESS,
    RENAME,
    SAVE,
    SEARCH,
    SUMMARISE,
    TELLING,
    UNDO,
)
from softrail.companion.memory.values import ProjectDetail, Spoken
from softrail.companion.understanding.phrases import phrases
from softrail.companion.understanding.wish_values import Wishes
from softrail.companion.understanding.wish_words import names_of, parts, parts_of_names
from softrail.companion.understanding.wishes import begins_with_deed, names_notes, wishes, wishes_for
from softrail.plugin import GENERAL, GREETING, Candidate, Focus, corrected, language

MACHINE: Final = f"{GENERAL}.machine"
MANAGING: Final = f"{GENERAL}.manage_members"
SENDING: Final = f"{GENERAL}.sending"
_NUMBER: Final = re.compile(r"\d{1,9}")
_MORE: Final = re.compile(r"[.!?;]\s|\n")  #: another sentence follows
ASKS_HOW: Final = "a question takes nothing back"
UNGROUPS: Final = "groups are to be undone, which nothing here does"
_LOOKS: Final = frozenset([PAST, SEARCH, SUMMARISE, DESCRIBE])
_OF_PROCESS: Final = frozenset([PROCESS_LENGTH, PROCESS_USE])  #: what can be asked of a process under way
_WHO: Final = frozenset([MEMBERS, PRIVACY, PROCESS_USE])
_BOTH: Final = 0.70  #: how sure two readings that are answered alike are together, to be taken
_TORN: Final = 2  #: readings that a message may be torn between
_PARTS: Final = re.compile(r"[,;.!]")
_ENDS: Final = ("and", "end", "mend", "except")  #: what is spoken of does not go on behind these
HARMLESS: Final = frozenset(
    [PAST, PROGRESS, LEFT_OFF, DOWNLOAD, *TELLING, *NOT_YET]
)  #: wishes that change nothing


def certain(name: str, why: str, **parameters: Any) -> Intent:
    """An intent that nobody could doubt."""
    found = Candidate(intent=name, confidence=1.0)
    return Intent(
        name=name,
        confidence=1.0,
        tier="exemplars",
        candidates=(found,),
        parameters=parameters,
        explanation=why,
    )


def noted(message: str) -> Intent | None:
    """A note, when the whole message asks for one; what follows is its text, whatever it holds."""
    text = _plain(corrected(phrases().aside(message) or ""))
    return certain(ADD, "asks for a note in so many words", knowledge_text=text) if text else None


def is_answer(message: str) -> bool:
    """It is a bare yes or no, whatever it answers, or has what was told noted."""
    notes = phrases().notes
    return language().consent(message) in ("yes", "no") or notes.lets_go(message) or notes.notes_it(message)


def answered(message: str, spoken: Spoken | None) -> Intent | None:
    """What a bare yes or no does with the notes that the turn before this one made; None when it is neither."""
    waiting = [note.number for note in spoken.notes if note.state == "waiting"] if spoken else []
    if spoken is None or not (spoken.just and spoken.told and waiting):
        return None
    consent = language().consent(message)
    no, yes = consent == "no" or phrases().notes.lets_go(message), phrases().notes.notes_it(message)
    if any(language().is_later(part) for part in _PARTS.split(message)) or not (
        no or yes or consent == "yes"
    ):
        return None
    state = "withdrawn" if no else "saved"
    why = f"answers whether note {waiting[0]} is to be kept"
    return certain(SAVE, why, numbers=waiting, state=state, project_id=spoken.project_id)


def by_words(message: str, named: Collection[str], there: Collection[int] = ()) -> Intent | None:
    """A wish about notes, or talk, that the whole message says in so many words.

    `named` are the intents there are; `there` are the numbers of notes, which a bare number may mean: "drop 6".
    """
    said = phrases().notes
    if PAST in named and said.shows(message):
        bare = [] if phrases().note_numbers(message) else [int(one) for one in _NUMBER.findall(message)]
        numbers = {"numbers": bare} if bare else {}
        return certain(PAST, "asks for notes by number", **numbers)
    if PAST in named and said.counts(message):
        return certain(PAST, "asks how many notes there are", counts=True)
    if DELETE_DATA in named and said.forgets_person(message):
        return certain(DELETE_DATA, "wants to be forgotten")
    if CREATE in named and phrases().begins_named(message):
        return certain(CREATE, "begins a new project by its name")
    if SENDING in named and phrases().passes_on(message):
        return certain(SENDING, "wants somebody else to be told something")
    if GREETING in named and phrases().introduces(message):
        return certain(GREETING, "greets with a name")
    if PAST in named and phrases().recalls(message):
        return certain(PAST, "asks what was told")
    if said.asks_who(message) and MACHINE in named:
        return certain(MACHINE, "asks who is speaking")
    if said.asks_who(message) or said.lets_go(message):
        return certain(GENERAL, "nothing that can be done here is wished for")
    read = wishes(message)
    if PAST in named and _only_names(read):
        return certain(PAST, "names notes, and nothing that is to become of them")
    several = sum(bool(one.which.numbers) for one in read.acts) > 1  # it is asked about at least
    wish = said.forgets_all(message) or said.rewrites(message) is not None or several
    ours = any(one.of_project or one.state == "edited" or one.which.by_content for one in read.clauses)
    numbered = begins_with_deed(message) and all(one.which.numbers for one in read.clauses)
    wish = wish or (read.sure and (read.explicit or _there(read, there) or numbered) and not ours)
    if wish:
        return certain(SAVE, "is a wish about notes") if SAVE in named else None
    if said.manages_members(message):
        return certain(MANAGING if MANAGING in named else GENERAL, "members are let in and out elsewhere")
    return None


def _there(read: Wishes, there: Collection[int]) -> bool:
    """Something is to become of notes that are there, by their bare numbers."""
    numbers = [number for wish in read.clauses for number in wish.which.numbers]
    return bool(numbers) and all(number in there for number in numbers)


def _only_names(read: Wishes) -> bool:
    """It names notes by number, or the newest, or those that wait, and says nothing that is to become of them."""
    if not (read.sure and read.explicit) or read.acts or read.denied or read.mends:
        return False
    return any(one.which.numbers or one.which.last or one.which.waiting for one in read.clauses)


def by_part_of_name(message: str, mine: Sequence[ProjectDetail], named: Collection[str]) -> Intent | None:
    """A wish for a project that a word of its name stands for: "drop the run", of New Year Run."""
    names = parts_of_names(mine)
    read = wishes(message, names)
    ours = bool(read.acts) and all(wish.which.projects and wish.state != "chosen" for wish in read.acts)
    found = about_projects(message, mine, named, names=names) if ours else None
    return replace(found, parameters={**found.parameters, "asks": True}) if found is not None else None


def about_projects(
    message: str,
    mine: Sequence[ProjectDetail],
    named: Collection[str],
    *,
    names: Mapping[str, str] | None = None,
) -> Intent | None:
    """What is wished for projects, or for notes by what they say, where every word of it is understood."""
    read = wishes(message, names_of(mine) if names is None else names)
    ours = [
        wish for wish in read.clauses if wish.of_project or wish.state == "edited" or wish.which.by_content
    ]
    meant = [wish for wish in ours if wish.state not in (None, "saved") or wish.which.by_content]
    if not read.sure or not meant or ARCHIVE not in named:
        return None
    states = {wish.state for wish in read.acts}
    only = {"chosen": CHOOSE, "renamed": RENAME, "edited": EDIT}
    other = ARCHIVE if any(wish.of_project for wish in ours) else EDIT
    name = only.get(states.pop() or "", other) if len(states) == 1 else other
    if name == CHOOSE and any(not wish.which.projects for wish in read.acts):
        return None
    why = "is a wish about projects or notes, every word of which is known"
    chosen = {one for wish in read.acts for one in wish.which.projects} if name == CHOOSE else set()
    return certain(name, why, **({"project_id": chosen.pop()} if len(chosen) == 1 else {}))


def again(message: str, mine: Sequence[ProjectDetail], focus: Focus) -> Intent | None:
    """The question asked last, now of another project: "what about FarmGuard?", "and Blue Harbor?"."""
    said = [part for part in parts(message, names_of(mine)) if part.kind not in ("filler", "end", "project")]
    kinds = [part.kind for part in said if part.kind != "?"]
    if kinds not in (["again", "name"], ["and", "name"]) or (kinds[0] == "and" and said[-1].kind != "?"):
        return None
    asked = focus.intent if focus.intent in HARMLESS and focus.intent not in NOT_YET else DESCRIBE
    return certain(asked, "asks the same of another project", project_id=said[1].word)


def ruled_out(found: Intent, message: str) -> str:
    """Why a message cannot mean what it was read as; "" when it can."""
    if found.tier == "model":
        return ""  # it may have understood that the question tells something
    if found.name == ADD and phrases().asks(message):
        return "a question tells nothing"
    if found.name == ADD and found.confidence < 1.0 and (phrases().supposes(message) or wishes_for(message)):
        return "what is supposed or wished for is not told"
    if found.name == ADD and found.confidence < 1.0 and names_notes(message.strip().partition(" ")[2]):
        return "it speaks of notes, and tells nothing that is one"
    if found.name == DESCRIBE and phrases().asks_of_any(message):
        return "it asks what a project is, and of none in particular"
    if found.name == CHOOSE and phrases().negates(message):
        return "it says what is not gone on with"
    tail = message.rpartition(", ")[2]
    if (
        found.name == CHOOSE
        and not found.sure
        and tail != message
        and phrases().asks(tail)
        and not phrases().notes.is_polite(tail)
    ):
        return "it asks of what it names"  # "the thesis, when is that due"
    if found.name == SAVE and phrases().notes.asks(message):
        return "a question changes nothing"
    if found.name == UNDO and phrases().notes.asks(message):
        return ASKS_HOW
    if found.name == ORGANISE.name and phrases().asks_how(message):
        return "a question makes no groups"
    if found.name == ORGANISE.name and _takes_apart(message):
        return UNGROUPS
    if found.name == SAVE and found.confidence < CHANGES and not phrases().notes.speaks_of_notes(message):
        return "it speaks of no note"
    if found.name == SAVE and phrases().note_numbers(message) and not _does(message):
        return "it says nothing that can be done with that note"
    return ""


def _takes_apart(message: str) -> bool:
    """No groups are to be made: "ungroup", "delete the groups", "don't group"."""
    said = [part for part in parts(message, {}) if part.kind != "filler"]
    for at, part in enumerate(said):
        if part.word.startswith("un") and _arranges(part.word.removeprefix("un")):
            return True
        if part.kind == "not" and at + 1 < len(said) and said[at + 1].kind == "arranged":
            return True
        object_ = takewhile(lambda one: one.kind not in _ENDS, said[at + 1 :])
        if part.kind in ("withdrawn", "not", "split") and any(_is_groups(one.word) for one in object_):
            return True
    return False


def _is_groups(word: str) -> bool:
    return _arranges(word.removesuffix("s").removesuffix("ing"))


def _arranges(word: str) -> bool:
    return any(part.kind == "arranged" for part in parts(word, {}))


def _does(message: str) -> bool:
    """It has a word for what can become of a note."""
    read = wishes(message)
    return bool(read.acts or read.denied or read.mends)


def torn_between_looks(found: Intent) -> Intent:
    """One of two looks at what the project holds, where it was torn between them: neither is worth a question.

    A look by words finds all that a look at what was told does; who sees what says of members, too, what they see.
    """
    torn = [one.intent for one in found.candidates[:_TORN]]
    both = sum(one.confidence for one in found.candidates[:_TORN])
    shared = not found.sure and _WHO.issuperset(torn) and both >= _BOTH
    if not (found.ambiguous or shared) or not (_LOOKS.issuperset(torn) or _WHO.issuperset(torn)):
        return found
    why = f"{found.explanation}; both only look at what the project holds"
    name = SEARCH if set(torn) == {PAST, SEARCH} else PRIVACY if _WHO.issuperset(torn) else torn[0]
    return replace(found, name=name, confidence=both, ambiguous=False, explanation=why)


def without_process(found: Intent) -> Intent:
    """What is asked where no process is under way: nothing that is asked of one."""
    if found.name not in _OF_PROCESS and not found.ambiguous:
        return found
    left = [one for one in found.candidates if one.intent not in _OF_PROCESS]
    torn = {one.intent for one in found.candidates[:_TORN]} & _OF_PROCESS
    if found.name in _OF_PROCESS and not (found.ambiguous and left):
        return replace(found, name=GENERAL, ambiguous=False)
    if not torn or not left:
        return found
    return replace(
        found, name=left[0].intent, confidence=left[0].confidence, candidates=left, ambiguous=False
    )


def with_others(note: Intent, found: Intent, message: str) -> Intent:
    """The note with what else the message asks, where that is sure and nothing that was told is lost."""
    harmless = all(other.name in HARMLESS for other in found.also)
    sure = found.name == ADD and all(one.tier == "exemplars" for one in (found, *found.also))
    said = [found.text, *(other.text for other in found.also), found.left_over]
    text = corrected(phrases().aside(found.text) or "")
    if not (found.also and sure and harmless and text) or len(" ".join(said).split()) < len(message.split()):
        return note
    parameters = {**note.parameters, "knowledge_text": _plain(text)}
    return replace(note, parameters=parameters, text=found.text, also=found.also, left_over=found.left_over)


def _plain(text: str) -> str:
    """One sentence without its full stop; several as they are."""
    one = _MORE.search(text) is None and not text.endswith("..")
    return text.removesuffix(".") if one else text
