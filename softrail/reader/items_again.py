"""Items that are taken back in the breath that told them: "pens, paper and a ruler, no not the ruler", "roof box. no sorry, ski rack".

What stands before such a clause is a list, and the clause is read for what it makes of that, as a change of a list that
was told before is. Where a clause denies what it only points at, it is asked whether the item before it counts: "and the
shed, but that's not ours". What the last clause says once more is all that is meant: "…, so just the guinea pigs".
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from softrail.core.reading import Bars, Command, Reading, at_most
from softrail.language import Language, enumerated, normal
from softrail.reader.changes.besides import telling
from softrail.reader.changes.of_lists import ALL
from softrail.reader.changes.outcome import outcome
from softrail.reader.changes.parts import keys
from softrail.reader.clauses import clauses
from softrail.reader.fields import question_query
from softrail.reader.hearing import Hearing

_LETTERS: Final = re.compile(r"[^\W\d_]+")
_Items = Callable[[str], Sequence[str]]


def with_items_put_right(reading: Reading, hearing: Hearing, items: _Items) -> Reading:
    """The reading with the list as it is after that; asked about where it is not sure. `items` reads a part as all of it."""
    place, bars, language = hearing.place, hearing.bars, hearing.language
    given, field = reading.of("inform", target=""), place.open_field()
    if place.wanted != "list" or not place.of_a_form or field is None or given is None or not given.values:
        return reading
    if given.confidence < bars.inform:
        return reading
    message, query = reading.message, question_query(field)
    if (again := _said_once_more(message, given.values[0].text, items, language)) is not None:
        return _told(reading, given, again, None)
    for start, end in list(clauses(message))[1:]:
        if not _denies(tail := message[start:end], language):
            continue
        there = _before(message[:start], given.values[0].text, items, language)
        if len(there) > 1 and not _speaks(tail, there, language):
            return _told(reading, given, there[:-1], bars, there)
    for start, rest in _again(message, language):
        there, tail = _before(message[:start], given.values[0].text, items, language), message[start:]
        read = (
            hearing.marker.edited(tail, query, there, ALL)
            if there and _speaks(tail, there, language)
            else None
        )
        then = outcome(tail, there, read) if read is not None else None
        if then is not None and set(then.stay) < set(there) and then.items:
            return _told(reading, given, then.items, None if then.is_sure else bars)
        if there and rest and then is None and (new := items(rest)):
            return _told(reading, given, [*there[:-1], *new], None)
    for start, end in language.puts_right(message, anywhere=True):
        words, within = message[start:end].strip(), any(a < start < b for a, b in clauses(message))
        if not within or not language.opens(words) or language.consent(words) == "no":
            continue
        there = _before(message[:start], given.values[0].text, items, language)
        if there and (new := items(message[end:])):
            return _told(reading, given, [*there[:-1], *new], bars, [*there, *new])  # "hip sorry knee"
    return reading


def _before(head: str, told: str, items: _Items, language: Language) -> list[str]:
    """The items that were told there, as many as were found: in all of the message, in the head alone, or with all that "and" joins apart."""
    whole = told.split("\n")
    within = [item for item in whole if item in head]
    alone = list(items(head))
    each = [part for item in alone for part in enumerated(item, language)]
    return max((within, alone, each), key=len)


def _again(message: str, language: Language) -> Sequence[tuple[int, str]]:
    """Where each clause begins that may take back what is before it, and what stands behind words that surely do."""
    heads = dict(language.puts_right(message))
    found = list[tuple[int, str]]()
    for start, end in list(clauses(message))[1:]:
        behind = heads.get(start)
        surely = behind is not None and not language.repaired(message[start:behind])[0]
        words = [normal(word) for word in message[start:end].split()]
        first = next((word for word in words if language.negates(word) or not language.opens(word)), "")
        if behind is not None or language.negates(first):
            found.append((start, message[behind:] if surely else ""))
    return found


def _speaks(tail: str, items: Sequence[str], language: Language) -> bool:
    said = telling(tail, language)
    return any(said & telling(item, language) for item in items)


def _denies(tail: str, language: Language) -> bool:
    """It says of what was just told that it is not so: "that's not ours"."""
    head = _LETTERS.match(tail)
    return head is not None and language.points(head[0]) and any(map(language.negates, keys(tail)))


def _said_once_more(message: str, told: str, items: _Items, language: Language) -> Sequence[str] | None:
    """The items that the last clause calls once more behind words for what follows; None where it calls none, or all."""
    *before, (start, end) = clauses(message)
    words = message[start:end].split()
    limited = False
    while words and (
        _leads(words[0], language) or language.opens(words[0]) or language.consent(words[0]) == "yes"
    ):
        limited = limited or _leads(words[0], language)
        words = words[1:]
    rest = " ".join(words)
    if not before or not limited or not rest:
        return None
    there = _before(message[:start], told, items, language)
    stay = [item for item in there if _speaks(rest, [item], language)]
    most = sum(len(telling(item, language)) for item in stay)
    return stay if 0 < len(stay) < len(there) and len(telling(rest, language)) <= most else None


def _leads(word: str, language: Language) -> bool:
    return language.follows(word) or language.limits(word)


def _told(
    reading: Reading, given: Command, items: Sequence[str], unsure: Bars | None, others: Sequence[str] = ()
) -> Reading:
    """The reading with those items, or with the question whether it is those, or the others."""
    value = replace(given.values[0], text="\n".join(dict.fromkeys(items)))
    if unsure is None:
        return reading.with_other(given, replace(given, values=(value,)))
    hardly = replace(at_most(given, unsure.doubt), values=())
    other = replace(value, text="\n".join(dict.fromkeys(others)))
    return reading.with_other(given, hardly).evolve(maybe=(value, other) if others else (value,), beside=())
