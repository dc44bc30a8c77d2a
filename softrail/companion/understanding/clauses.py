"""A message as a list of commands, clause by clause, in the order said.

Clauses whose every word is known are wishes about notes and projects. The others are read by the classifier, each by
itself. A wish that shares its sentence with something that is not understood may depend on it ("if nobody needs it,
…"): it is asked about, and what nobody acts on is named.
"""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from softrail import Intent
from softrail.companion.catalogue import (
    ACTING,
    ADD,
    ARCHIVE,
    CREATE,
    EDIT,
    PAST,
    SAVE,
    SEARCH,
    UNDO,
    declines_a_deed,
    is_courtesy,
)
from softrail.companion.memory.values import ProjectDetail
from softrail.companion.understanding.certain import (
    HARMLESS,
    about_projects,
    by_part_of_name,
    by_words,
    certain,
    noted,
)
from softrail.companion.understanding.looks import ANYTHING, looks
from softrail.companion.understanding.phrases import phrases
from softrail.companion.understanding.wish_values import Which, Wish, Wishes
from softrail.companion.understanding.wish_words import Part, names_of, parts, parts_of_names, standing_in
from softrail.companion.understanding.wishes import note_named, wishes
from softrail.plugin import GENERAL, GREETING, language

MOST: Final = 8  #: clauses of one message; of a longer one only the rest as a whole is read
_READ: Final = 2_000  #: characters of a message that are looked at
_KEPT: Final = 256  #: messages whose clauses are known still: one turn asks for them again and again
COMPLAINT: Final = f"{GENERAL}.complaint"  #: what follows may depend on it
_ROW: Final = re.compile(r",\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_ANNOUNCING: Final = 8  #: words that only say that wishes follow
_TOLD: Final = 3  #: words that a fact has at least
_OBJECTS: Final = (
    "the ",
    "my ",
    "our ",
    "who ",
    "what ",
    "which ",
    "how ",
)  #: what is to be shown begins with one of these
_JOINS: Final = ("and", "end", "?")
_ASKING: Final = ("another", "arranged")  #: what is asked for begins with these

Read = Callable[[str], Awaitable[Intent]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Clause:
    """One part of a message that is read by itself."""

    text: str
    sentence: int  #: which one of the message it stands in
    wish: Wishes | None = None  #: where every word of it is understood
    asks: bool = False  #: it begins as what is asked for does: "show …", "what …"


def clauses(message: str, names: Mapping[str, str]) -> Sequence[Clause]:
    """The clauses of a message; those that belong to one wish are one: "save all, and not 6"."""
    return _clauses(message, standing_in(message, names))


@lru_cache(_KEPT)
def _clauses(message: str, standing: Sequence[tuple[str, str]]) -> Sequence[Clause]:
    names = dict(standing)
    pieces = _pieces(message[:_READ], names)
    found: list[Clause] = []
    begins: list[int] = []  #: the piece that each begins with
    at = 0
    while at < len(pieces):
        if found and _goes_on(found[-1], _wish(message, pieces[at : at + 1], names), pieces[at][2]):
            at += 1
            found[-1] = replace(found[-1], text=_span(message, pieces[begins[-1] : at]))
            continue
        begins.append(at)
        end = next((e for e in range(len(pieces), at, -1) if _wish(message, pieces[at:e], names)), 0)
        if end:
            wish = _wish(message, pieces[at:end], names)
            text = _wished(message, pieces[at:end])
            found.append(Clause(text=text, sentence=pieces[end - 1][2], wish=wish))
            at = end
            continue
        begin = at
        at += 1
        while (
            at < len(pieces) and pieces[at][2] == pieces[begin][2] and not _begins(message, pieces, at, names)
        ):
            at += 1
        text = _span(message, pieces[begin:at])
        if (wished := _announced(text, names)) is not None:
            found.append(Clause(text=wished[0], sentence=pieces[begin][2], wish=wished[1]))
            continue
        found.append(Clause(text=text, sentence=pieces[begin][2], asks=_asks(text, names)))
    return tuple(found)


def _announced(text: str, names: Mapping[str, str]) -> tuple[str, Wishes] | None:
    """The wish that a clause only announces: "let me take that in order: save 5"."""
    head, _, tail = text.partition(": ")
    if (
        not tail
        or len(head.split()) > _ANNOUNCING
        or noted(text) is not None
        or any(c.isdigit() for c in head)
    ):
        return None
    if any(part.kind in ("note", "edited", "renamed", "name") for part in parts(head, names)):
        return None
    read = wishes(tail, names)
    does = read.sure and (read.acts or read.denied) and (read.explicit or _named(read))
    return (tail, read) if does else None


def _goes_on(note: Clause, wish: Wishes | None, sentence: int) -> bool:
    """It is still what is to be noted, of which it speaks: "note that the poster is torn and replace it"."""
    if note.wish is not None or wish is None or note.sentence != sentence or len(wish.clauses) > 1:
        return False
    told = phrases().notes.elsewhere(note.text) is not None or noted(note.text) is not None
    return told and wish.clauses[0].state != "saved" and _is_it(wish.clauses[0])


def wishes_besides(message: str, mine: Sequence[ProjectDetail]) -> bool:
    """After its first clause something is wished for: "note that the roof leaks and show me my notes"."""
    return any(clause.asks or clause.wish for clause in clauses(message, names_of(mine))[1:])


def goes_beyond_notes(message: str, mine: Sequence[ProjectDetail]) -> bool:
    """Beside a wish that is understood it says something else: "save 3, drop 4 and start my standup"."""
    found = [clause.wish is not None for clause in clauses(message, names_of(mine))]
    return any(found) and not all(found)


def asks(text: str) -> bool:
    """It begins as what is asked for does: "show …", "list …"."""
    return _asks(text, {})


def _begins(message: str, pieces: Sequence[tuple[int, int, int]], at: int, names: Mapping[str, str]) -> bool:
    """A wish that is understood begins with that piece, or something else that is asked for."""
    if looks(_span(message, pieces[at : at + 1]), ANYTHING):
        return True  # "show the price list and my projects"
    return _asks(_span(message, pieces[at:]), names) or any(
        _wish(message, pieces[at:end], names) for end in range(at + 1, len(pieces) + 1)
    )


def _asks(text: str, names: Mapping[str, str]) -> bool:
    first = next((part for part in parts(text, names) if part.kind not in ("filler", "and", "ask")), None)
    return first is not None and first.kind in _ASKING


def _wish(message: str, pieces: Sequence[tuple[int, int, int]], names: Mapping[str, str]) -> Wishes | None:
    read = wishes(_wished(message, pieces), names)
    does = read.sure and (read.acts or read.denied) and (read.explicit or _named(read))
    return read if does else None


def _named(read: Wishes) -> bool:
    return any(wish.of_project or wish.which.numbers or wish.which.by_content for wish in read.clauses)


def _wished(message: str, pieces: Sequence[tuple[int, int, int]]) -> str:
    """The words of a wish, without the mark of a question that is one by courtesy alone."""
    text = _span(message, pieces)
    return text.rstrip("? ") if phrases().notes.is_polite(message) else text


def _span(message: str, pieces: Sequence[tuple[int, int, int]]) -> str:
    return message[pieces[0][0] : pieces[-1][1]].strip(" ,;:")


def _pieces(message: str, names: Mapping[str, str]) -> Sequence[tuple[int, int, int]]:
    """Where each piece between two joining words begins and ends, and in which sentence it stands."""
    found: list[tuple[int, int, int]] = []
    begin, sentence = 0, 0
    said = list(parts(message, names))
    for at, part in enumerate(said):
        joins = part.kind in _JOINS or (part.word == "but" and _deed_follows(said, at + 1))
        if not joins or len(found) + 1 >= MOST:
            continue
        stops = _stops(message, part)
        if part.word == ":" or (part.kind not in ("and", "except") and not stops):
            continue
        if message[begin : part.start].strip(" ,;"):
            kept = part.end if part.kind == "?" else part.start
            found.append((begin, kept, sentence))
        begin = part.end
        sentence += stops
    if message[begin:].strip(" ,;.!?"):
        found.append((begin, len(message), sentence))
    return found


def _deed_follows(said: Sequence[Part], at: int) -> bool:
    """What is to be done with a note comes next: "but first keep the window note"."""
    while at < len(said) and (said[at].kind in ("filler", "ask") or said[at].word == "first"):
        at += 1
    return at < len(said) and said[at].kind in ("saved", "withdrawn", "edited")


def _stops(message: str, part: Part) -> bool:
    """A sentence ends there: "90.5" does not end at its point."""
    return part.kind in ("end", "?") and not message[part.end : part.end + 1].strip()


async def commands(
    message: str,
    mine: Sequence[ProjectDetail],
    named: Collection[str],
    read: Read,
    *,
    there: Collection[int] = (),
) -> Intent | None:
    """The intents of a message of several clauses, of which at least one is a wish that is understood; else None.

    `there` are the numbers of notes, which a bare number may mean.
    """
    found = clauses(message, names_of(mine))
    if len(found) < 2 or not any(clause.wish or clause.asks or looks(clause.text, named) for clause in found):
        return None
    intents: list[tuple[Clause, Intent | None]] = []
    for clause in found:
        if clause.wish is not None:
            wish = about_projects(clause.text, mine, named) or by_words(clause.text, named, there)
            intents.append((clause, wish))
        elif shown := looks(clause.text, named):
            intents += [(replace(clause, text=one.text or clause.text), one) for one in shown]
        elif language().is_undo(clause.text):
            intents.append((clause, certain(UNDO, "takes back what was just done")))
        else:
            if intents and (both := _likewise(intents[-1][0], clause)) is not None:
                intents[-1] = (both, by_words(both.text, named, there))
                continue
            told = (
                noted(clause.text)
                or by_words(clause.text, named)
                or by_part_of_name(clause.text, mine, named)
                or await read(_with_verb(intents, clause))
            )
            intents.append((clause, told))
    intents = _of_the_project(_named_at_once(intents), parts_of_names(mine))
    intents = _of_the_note(_bound(intents, mine, named))
    if not any(clause.wish for clause in found) and not _told_apart([intent for _, intent in intents]):
        return None
    return _listed(_taken_back(intents))


def _with_verb(before: Sequence[tuple[Clause, Intent | None]], clause: Clause) -> str:
    """The clause with the verb that it shares with what was asked to be shown before it: "my projects and the people in here"."""
    looked = before[-1][1] if before else None
    object_ = clause.text.casefold().startswith(_OBJECTS)
    return (
        f"show me {clause.text}"
        if object_ and looked is not None and looked.name in HARMLESS
        else clause.text
    )


def _likewise(before: Clause, clause: Clause) -> Clause | None:
    """Both as one, where the second wishes the same for other notes, or not for them: "note 3 save, note 4 also, note 5 not"."""
    first = before.wish
    act = first.acts[-1] if first is not None and first.acts else None
    if act is None or act.state not in ("saved", "withdrawn"):
        return None
    too: list[int] = []
    for piece in _ROW.split(clause.text):
        bare = piece.removesuffix(" not")
        named = wishes(bare)
        numbers = [n for one in named.clauses for n in one.which.numbers]
        if not named.sure or not numbers or named.acts or named.denied:
            return None
        if bare == piece and not phrases().notes.likewise(piece):
            return None
        too += numbers if bare == piece else []
    if not too:
        return before
    text = f"{before.text} and {act.verb} {' and '.join(f'note {number}' for number in too)}"
    both = wishes(text)
    return replace(before, text=text, wish=both) if both.sure else None


def _told_with(before: tuple[Clause, Intent | None], wish: Wishes) -> Intent | None:
    """The wish for a note that the clause before says which, or what is wrong in it: "the vet moved away, delete that note"."""
    clause, told = before
    plain = len(wish.clauses) == 1 and not wish.clauses[0].negated
    if not plain or clause.wish is not None or clause.asks or (told is not None and told.confidence >= 1.0):
        return None
    if told is not None and told.name in ACTING:
        return None
    one = wish.clauses[0]
    why = "is a wish for the note that was told of"
    if one.state == "edited" and not one.text:
        numbers, topics = list(one.which.numbers), one.which.about
        if len(numbers) + len(topics) + one.which.it == 1:
            return certain(EDIT, why, told=clause.text, numbers=numbers, about=topics[0] if topics else "")
    if _is_it(one) and (one.state == "withdrawn" or (one.state == "saved" and phrases().judges(clause.text))):
        return certain(EDIT, why, told=clause.text, state=one.state)
    return None


def _bound(
    found: Sequence[tuple[Clause, Intent | None]], mine: Sequence[ProjectDetail], named: Collection[str]
) -> list[tuple[Clause, Intent | None]]:
    """With "it" standing for what the clause before looks for: "find the milk note and delete it"; it is asked about."""
    bound: list[tuple[Clause, Intent | None]] = []
    for clause, intent in found:
        looks = bound[-1][1] if bound else None
        if (
            clause.wish is not None
            and bound
            and _of_it(clause.wish)
            and (which := _spoken_of(bound[-1][0], looks))
        ):
            if bound[-1][0].wish is None and not (looks is not None and looks.name in (SEARCH, PAST)):
                before = bound.pop()[0]  # it only says of which note, and why; a fact beside it is named
                fact = before.text if looks is not None and looks.name == ADD else _told_beside(before.text)
                bound += [(replace(before, text=fact), None)] if fact else []
            text = f"{clause.wish.clauses[0].verb} {which}"
            intent = about_projects(text, mine, named) or by_words(text, named)
            intent = intent or certain(EDIT, "is a wish for what was looked for")
            intent = replace(intent, parameters={**intent.parameters, "asks": True})
            clause = replace(clause, text=text)
        elif (
            clause.wish is not None and bound and (of_told := _told_with(bound[-1], clause.wish)) is not None
        ):
            bound.pop()
            intent = of_told
        bound.append((clause, intent))
    return bound


def _named_at_once(found: Sequence[tuple[Clause, Intent | None]]) -> list[tuple[Clause, Intent | None]]:
    """With the name of what is begun in the same message: "a project for the roof, and call it Roof Garden"."""
    bound: list[tuple[Clause, Intent | None]] = []
    for clause, intent in found:
        begun = bound[-1][1] if bound else None
        wish = clause.wish.clauses[0] if clause.wish is not None and len(clause.wish.clauses) == 1 else None
        calls = wish is not None and wish.state == "renamed" and wish.which.it and not wish.negated
        if wish is not None and calls and wish.text and begun is not None and begun.name == CREATE:
            before = bound[-1][0]
            bound[-1] = (replace(before, text=f"{before.text} called {wish.text}"), begun)
            continue
        bound.append((clause, intent))
    return bound


def _of_the_project(
    found: Sequence[tuple[Clause, Intent | None]], names: Mapping[str, str]
) -> list[tuple[Clause, Intent | None]]:
    """With "it" standing for the project that a clause before only speaks of, if by a word of its name: "we are done with Muse, archive it"."""
    bound: list[tuple[Clause, Intent | None]] = []
    for clause, intent in found:
        before = bound[-1][0] if bound else None
        spoken = [p.word for p in parts(before.text, names) if p.kind == "name"] if before else []
        of_it = clause.wish is not None and any(w.which.it and w.of_project for w in clause.wish.clauses)
        if (
            intent is not None
            and of_it
            and before is not None
            and before.wish is None
            and len(set(spoken)) == 1
        ):
            bound.pop()  # it only says of which, and why
            intent = replace(intent, parameters={**intent.parameters, "project_id": spoken[0], "asks": True})
        bound.append((clause, intent))
    return bound


def _spoken_of(clause: Clause, looks: Intent | None) -> str:
    """The note that a clause before speaks of, in words that name it; "" where it names none.

    "Nobody needs note 6, remove it", "that mirror note, get rid of it", "find the milk note and drop it".
    """
    if looks is not None and looks.name in (SEARCH, PAST):
        return _looked_for(clause.text)
    if clause.wish is not None or (looks is not None and looks.name == ADD and looks.confidence >= 1.0):
        return ""
    return note_named(clause.text)


def _told_beside(text: str) -> str:
    """What it tells beside the note it speaks of: "the milk note is wrong, the shop closes at six"; "" when nothing."""
    apart: list[str] = []
    for piece in _pieces(text, {}):
        words = _span(text, [piece])
        if len(words.split()) >= _TOLD and not any(part.kind in ("it", "note") for part in parts(words, {})):
            apart.append(words)
    return ", ".join(apart)


def _of_the_note(found: Sequence[tuple[Clause, Intent | None]]) -> list[tuple[Clause, Intent | None]]:
    """With "it" standing for the note of the clause before: after "note that the roof leaks" comes "save it".

    The note is kept at once; what else is to become of it is asked about, for it is not there yet.
    """
    bound: list[tuple[Clause, Intent | None]] = []
    for clause, intent in found:
        before, note = bound[-1] if bound else (None, None)
        told = note is not None and note.name == ADD and before is not None and before.wish is None
        if told and intent is not None and clause.wish is not None and _of_it(clause.wish):
            if clause.wish.clauses[0].state == "saved":
                bound[-1] = (bound[-1][0], _with(note, kept=True))
                continue
            intent = _with(intent, asks=True)
        bound.append((clause, intent))
    return bound


def _with(intent: Intent | None, **parameters: bool) -> Intent | None:
    return replace(intent, parameters={**intent.parameters, **parameters}) if intent is not None else None


def _of_it(wish: Wishes) -> bool:
    """It changes what was spoken of just before, and nothing else."""
    alone = len(wish.clauses) == 1 and wish.clauses[0].state in ("saved", "withdrawn")
    return alone and not wish.clauses[0].negated and _is_it(wish.clauses[0])


def _is_it(wish: Wish) -> bool:
    """It names nothing but what was spoken of just before."""
    return wish.which.it and replace(wish.which, it=False, of="") == Which()


def _looked_for(text: str) -> str:
    """What is looked for, without the words that only say so: "find the milk note"."""
    first = next((part for part in parts(text, {}) if part.kind not in (*_ASKING, "filler", "and")), None)
    return text[first.start :] if first is not None else text


def _taken_back(found: Sequence[tuple[Clause, Intent | None]]) -> Sequence[tuple[Clause, Intent | None]]:
    """Without a wish that the message itself takes back: "save note 4; undo that"."""
    kept: list[tuple[Clause, Intent | None]] = []
    for clause, intent in found:
        if intent is not None and intent.name == UNDO and kept and kept[-1][0].wish is not None:
            kept.pop()
            continue
        kept.append((clause, intent))
    return kept


def _listed(found: Sequence[tuple[Clause, Intent | None]]) -> Intent | None:
    doubted = {
        clause.sentence
        for clause, intent in found
        if clause.wish is None and (intent is None or not _stands_alone(intent))
    }
    spared = {clause.sentence for clause, intent in found if clause.wish is None and _spares(clause.text)}
    reasons = {
        clause.sentence
        for clause, _ in found
        if clause.wish is not None and any(one.of_project for one in clause.wish.acts)
    }
    wished = {clause.sentence for clause, _ in found if clause.wish is not None}
    wanted: list[Intent] = []
    courtesies: list[Intent] = []
    left: list[str] = []
    for clause, intent in found:
        if intent is not None and is_courtesy(intent.name) and intent.name != COMPLAINT and len(found) > 1:
            courtesies.append(replace(intent, text=clause.text, also=(), left_over=""))
            continue  # a word of thanks beside a wish carries none
        if intent is None or intent.name == GENERAL or intent.ambiguous:
            if not (language().is_greeting(clause.text) or _is_courtesy(clause.text)):
                left.append(clause.text)
            continue
        if clause.wish is not None and clause.sentence in spared:
            left.append(clause.text)  # whom it spares is not understood
            continue
        if clause.wish is not None and clause.sentence in doubted:
            intent = replace(intent, parameters={**intent.parameters, "asks": True})
        elif (
            clause.wish is None and intent.name in ACTING and not {"told", "asks"} & intent.parameters.keys()
        ):
            left.append(clause.text)  # it may report or suppose: it is named, and nobody acts on it
            continue
        tells = intent.name == ADD or (
            intent.name.startswith(f"{GENERAL}.") and not declines_a_deed(intent.name)
        )
        why = clause.sentence in reasons or (clause.sentence in wished and phrases().points(clause.text))
        if clause.wish is None and tells and intent.confidence < 1.0 and why:
            left.append(clause.text)  # it says why: it is named, and kept where that is said
            continue
        wanted.append(replace(intent, text=clause.text, also=(), left_over=""))
    if any(_asked_first(one) for one in wanted):  # nothing is shown any more once it is asked
        wanted.sort(key=lambda one: not (one.name in HARMLESS or _surely_told(one)))
    wanted.sort(key=lambda one: one.name.startswith(f"{GENERAL}."))  # what is served comes before what is not
    if not wanted and not left and courtesies:
        return courtesies[-1]
    if not wanted and not any(clause.wish for clause, _ in found):
        return None  # nothing was wished for that could be taken back
    if not wanted:
        nothing = certain(SAVE, "takes back what it says itself, or only reports it", plan={})
        return replace(nothing, left_over=" … ".join(left))
    return replace(wanted[0], also=tuple(wanted[1:]), left_over=" … ".join(left))


def _surely_told(wish: Intent) -> bool:
    """It is a note in so many words, which waits, and is asked about no more."""
    return wish.name == ADD and wish.confidence >= 1.0


def _asked_first(wish: Intent) -> bool:
    """It is shown first and asked about: it takes something away, changes several things, or is not sure."""
    acts = wishes(wish.text).acts if wish.name in (SAVE, EDIT) else ()
    many = sum(len(one.which.numbers) or 1 for one in acts) if wish.name == SAVE else 0
    many += 2 * any(one.which.by_content for one in acts)
    return many > 1 or wish.name == ARCHIVE or bool(wish.parameters.get("asks") or "told" in wish.parameters)


def _spares(text: str) -> bool:
    """It begins as an exception does: "only not this with the lamp"."""
    first = next((part for part in parts(text, {}) if part.kind not in ("filler", "and", "ask")), None)
    return first is not None and first.kind == "except" and first.word not in ("but", "but the")


def _told_apart(found: Sequence[Intent | None]) -> bool:
    """Each is read surely, or is nothing that can be done, and different things are wished for."""
    wished = [
        (one.name, str(one.parameters.get("numbers")))
        for one in found
        if one is not None
        and (
            one.tier == "exemplars"
            or one.name in (ADD, *ACTING)  # nobody acts on what is read like that, and it is named
            or one.is_talk
            or one.parameters.get("numbers")
        )
    ]
    return len(wished) == len(found) and len(set(wished)) > 1


def _stands_alone(intent: Intent) -> bool:
    """What it was read as changes nothing, and surely: a wish beside it does not depend on it."""
    if intent.name in (UNDO, GREETING) or (intent.name == ADD and intent.confidence == 1.0):
        return True  # a note in so many words is one whatever is wished beside it
    return intent.name in HARMLESS and intent.tier == "exemplars"


def _is_courtesy(text: str) -> bool:
    return phrases().thanks(text) or language().consent(text) == "yes"
