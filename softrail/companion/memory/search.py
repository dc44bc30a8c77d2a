"""Finds notes by their words: an index of words beside the notes, written in the same transaction.

What a question costs does not depend on how many notes there are: of each word asked for the newest notes that
have it are looked at, and a note found by a rare word is asked for the frequent ones too.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import String, bindparam, delete, insert, select, union_all

from softrail.companion.memory.rights import Database
from softrail.companion.memory.stems import terms
from softrail.companion.memory.tables import note_words as table

MOST_WORDS: Final = 1_000  #: of one note; further ones do not find it
MOST_ASKED: Final = 8  #: words of a question
LOOKED_AT: Final = 500  #: notes of each word, the newest
_INSERT: Final = insert(table)


def add(db: Database, project_id: str, number: int, text: str) -> None:
    """Have a note found by the words of its text."""
    found = terms(text, MOST_WORDS)
    if found:
        db.execute(_INSERT, [_row(project_id, word, number) for word in found])


def remove(db: Database, project_id: str, number: int, text: str) -> None:
    """Have a note found no more; `text` is what it was added with."""
    here = (table.c.project_id == project_id) & (table.c.number == number)
    db.execute(delete(table).where(here, table.c.word.in_(terms(text, MOST_WORDS))))


def best(db: Database, project_id: str, question: str, *, notes: int, limit: int) -> Sequence[int]:
    """The numbers of notes that say most of what is asked for, the newest of equals first.

    A word that few of the project's `notes` have counts for more than one that many have.
    """
    asked = terms(question, MOST_ASKED)
    if not asked:
        return []
    newest: dict[str, list[int]] = {word: [] for word in asked}
    given = {"of_project": project_id, **{f"word_{at}": word for at, word in enumerate(asked)}}
    for word, number in db.execute(_newest(len(asked)), given):
        newest[word].append(number)
    weights = {word: _weight(newest[word], notes) for word in asked}
    scores: dict[int, float] = {}
    for word in asked:
        for number in newest[word]:
            scores[number] = scores.get(number, 0.0) + weights[word]
    best = ranked(scores, LOOKED_AT)
    for word, number in _older(db, project_id, newest, best):
        scores[number] += weights[word]
    return ranked({number: scores[number] for number in best}, limit)


def weight(having: int, texts: int) -> float:
    """How much a word tells that so many of the texts have: the fewer, the more."""
    return math.log(1 + max(texts, 1) / max(having, 1))


def ranked(scores: Mapping[int, float], limit: int) -> list[int]:
    """The numbers with the highest scores, the highest of equals first."""
    # Rounded: sums of the same weights in another order are the same.
    return sorted(scores, key=lambda number: (-round(scores[number], 6), -number))[:limit]


@cache
def _newest(words: int) -> Any:
    """The newest notes with each of so many words; made once, as it takes longer to compose than to run."""
    return union_all(*(_newest_of(f"word_{at}") for at in range(words)))


def _newest_of(word: str) -> Any:
    query = select(table.c.number).where(
        table.c.project_id == bindparam("of_project"), table.c.word == bindparam(word)
    )
    found = query.order_by(table.c.number.desc()).limit(LOOKED_AT).subquery()
    return select(bindparam(word, type_=String), found.c.number)


def _older(
    db: Database, project_id: str, newest: dict[str, list[int]], numbers: Sequence[int]
) -> Sequence[tuple[str, int]]:
    """Which of these notes have a frequent word further back than it was looked for."""
    frequent = {word: min(found) for word, found in newest.items() if len(found) == LOOKED_AT}
    before = [number for number in numbers if any(number < oldest for oldest in frequent.values())]
    if not before:
        return []
    query = select(table.c.word, table.c.number).where(
        table.c.project_id == project_id, table.c.word.in_(list(frequent)), table.c.number.in_(before)
    )
    return [(row.word, row.number) for row in db.execute(query) if row.number < frequent[row.word]]


def _weight(found: Sequence[int], notes: int) -> float:
    """How much a word tells: the fewer notes have it, the more. Beyond what was looked at it is estimated."""
    having = len(found)
    if having == LOOKED_AT:
        having = round(having * max(notes, 1) / (max(found) - min(found) + 1))
    return weight(having, notes)


def _row(project_id: str, word: str, number: int) -> dict[str, object]:
    return {"project_id": project_id, "word": word, "number": number}
