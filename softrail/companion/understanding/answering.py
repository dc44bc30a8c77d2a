"""Questions that notes answer: what they are about stands in a note, word for word, and in nothing else that is asked."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from softrail import Intent, IntentDefinition
from softrail.companion.catalogue import (
    ADD,
    DOWNLOAD,
    EDIT,
    MEMBERS,
    NOT_YET,
    PAST,
    SAVE,
    SEARCH,
    declines_a_deed,
)
from softrail.companion.memory.search import MOST_ASKED, MOST_WORDS
from softrail.companion.memory.service import Notes
from softrail.companion.memory.stems import terms
from softrail.companion.memory.values import Note, ProjectDetail
from softrail.companion.understanding.certain import HARMLESS
from softrail.companion.understanding.phrases import phrases, without_courtesy
from softrail.companion.understanding.wishes import note_named
from softrail.plugin import GENERAL, HUMAN

_MOST: Final = 5  #: notes that answer one question
_MOST_PROJECTS: Final = 8  #: that are looked into besides the one that is spoken of
_TELLING: Final = 2  #: words that a question has at least which is looked up elsewhere
MAY_ANSWER: Final = 0.5  #: of the words of a question that nothing else is known about, in one note
SURE: Final = 0.70  #: of a question that notes answer, whatever else it was nearly read as
_NOTES_ALREADY: Final = frozenset([PAST, SEARCH, DOWNLOAD, *NOT_YET])
_NOTE: Final = frozenset(terms("note notes", MOST_ASKED))
_ACTS: Final = frozenset([EDIT, SAVE])  #: what a note that is only named may be read as
#: What a question to one's notes is taken for: "who is our contact at the bank?" asks for nobody to talk to.
ASKS: Final = (HARMLESS - _NOTES_ALREADY) | {GENERAL, ADD, HUMAN}


async def from_notes(
    notes: Notes,
    person_id: str,
    project_id: str,
    question: str,
    found: Intent,
    candidates: Sequence[IntentDefinition],
    *,
    said: str,
) -> Intent | None:
    """The look into the notes that a question means, whatever else it was read as; None when they do not say it.

    A note says it when it has every word of what is asked about; where nothing else is known to answer the question,
    one with more than half of them may say it. A question in the words of an intent's own examples ("is the project running?")
    means that intent. `said` is the question with "the project" for a project's name.
    """
    primary = found.name.partition(".")[0]
    shown = _shown(question, found)
    if primary == MEMBERS and (of := _of_a_thing(found, said, candidates)):
        some = await notes.about(person_id, project_id, question, limit=_MOST)
        if any(_share(of, note) >= MAY_ANSWER for note in some):
            here: dict[str, object] = {"asked": question, "project_id": project_id}
            return looked_up(found, here, "it asks for a thing that notes speak of")
        why = f"{found.explanation}; it asks for a thing, and for nobody in the project"
        return replace(found, name=GENERAL, parameters={}, ambiguous=False, missing=(), explanation=why)
    if declines_a_deed(found.name) and not (shown or phrases().asks_what(question)):
        return None  # "remind me of the rent every month" asks for nothing that notes say
    if primary not in (*ASKS, *_ACTS) and not (shown and primary in (PAST, SEARCH)):
        return None
    if found.confidence >= 1.0 or found.also:
        return None
    if not shown and (primary in _ACTS or not phrases().asks(question)):
        return None
    asked = set(terms(phrases().asked_of(shown or question), MOST_ASKED)) - _NOTE
    own = [] if primary == GENERAL else [c for c in candidates if c.name == primary]
    if not asked or any(asked <= vocabulary(intent.examples) for intent in own):
        return None
    some = await notes.about(person_id, project_id, question, limit=_MOST)
    numbers = [note.number for note in some if _share(asked, note) == 1.0]
    if numbers:
        where: dict[str, object] = {"numbers": numbers, "project_id": project_id}
        return looked_up(found, where, "notes have every word of what is asked")
    if found.name == GENERAL and any(_share(asked, note) > MAY_ANSWER for note in some):
        return looked_up(found, {"asked": question, "project_id": project_id}, "notes have some of its words")
    return None


def _shown(question: str, found: Intent) -> str:
    """What is asked to be shown or told, or is only named as a note: "the flour note, please"; "" where nothing is."""
    shown = phrases().to_be_shown(question)
    if not shown and found.name in _ACTS:
        question = without_courtesy(question)
        shown = note_named(question).removeprefix("the note about ")
        rest = set(terms(question, MOST_ASKED)) - set(terms(shown, MOST_ASKED))
        shown = shown if rest <= _NOTE else ""  # "I don't want that mirror note" says more
    return shown if set(terms(shown, MOST_ASKED)) - _NOTE else ""


async def answered_elsewhere(
    notes: Notes, person_id: str, projects: Sequence[ProjectDetail], question: str, found: Intent
) -> Intent | None:
    """The look into the one other project whose notes have every word of a question that nothing else answers, but for its name."""
    if found.name != GENERAL or found.confidence >= 1.0 or found.also or not phrases().asks(question):
        return None
    asked = set(terms(phrases().asked_of(question), MOST_ASKED))
    if len(asked) < _TELLING:
        return None
    where: dict[str, list[int]] = {}
    for project in projects[:_MOST_PROJECTS]:
        some = await notes.about(person_id, project.id, question, limit=_MOST)
        of = asked - set(terms(project.name, MOST_ASKED))
        if numbers := [note.number for note in some if of and _share(of, note) == 1.0]:
            where[project.id] = numbers
    if len(where) != 1:
        return None
    project_id, numbers = next(iter(where.items()))
    parameters: dict[str, object] = {"numbers": numbers, "project_id": project_id}
    return looked_up(found, parameters, "notes of another project have every word of what is asked")


def _of_a_thing(found: Intent, question: str, candidates: Sequence[IntentDefinition]) -> set[str]:
    """The words of "who owns the projector?", none of which is one for a project or the people in it; else none."""
    asked = set(terms(question, MOST_ASKED))
    own = next((one.examples for one in candidates if one.name == MEMBERS), ())
    if (
        found.confidence >= 1.0
        or found.also
        or not phrases().asks(question)
        or asked & vocabulary(tuple(own))
    ):
        return set()
    return asked


def _share(asked: set[str], note: Note) -> float:
    """How much of what is asked about the note has."""
    return len(asked & set(terms(note.text, MOST_WORDS))) / len(asked)


def looked_up(found: Intent, parameters: dict[str, object], why: str) -> Intent:
    """The look into the notes, in the place of what a question was read as."""
    return replace(
        found,
        name=PAST,
        confidence=max(found.confidence, SURE),
        parameters=parameters,
        ambiguous=False,
        missing=(),
        explanation=f"{found.explanation}; {why}",
    )


@lru_cache(256)
def vocabulary(examples: tuple[str, ...]) -> frozenset[str]:
    """The words that examples of an intent are made of."""
    return frozenset(word for example in examples for word in terms(example, MOST_WORDS))
