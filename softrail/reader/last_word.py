"""A value that is put right in the same breath: of "Friday. No, Saturday" it is Saturday that is meant, of "an hour, better 90 minutes" the minutes.

What was said first is left out before anything is read. Both must be values of the same answer, and nothing may stand
between the words that put it right and the new value but words that stand around anything.
"""

import re
from datetime import date
from functools import partial
from typing import Final

from softrail.core.reading import Field, Place
from softrail.language import Language, choose, normal
from softrail.processes.fitting_part import fitting_part
from softrail.reader.changes.numbers import is_number
from softrail.reader.changes.parts import tells_something
from softrail.reader.clauses import clauses
from softrail.reader.fields import RUN, TYPED, Reads, Span, fewest_words, is_the_same

_APART: Final = " \t\n,;:.!-–—…"
_UNCLEAR: Final = object()


def with_the_last_word(message: str, place: Place, language: Language) -> str:
    """The message with what was meant in the place of what was said first; as it is where nothing is surely put right."""
    if place.own or place.offer:
        return message
    if place.wanted == "bool":
        message = _yes_or_no(message, language)
    for field in place.fields():
        if field.name == place.field or not field.given or place.wanted == "confirm":
            message = _put_right(message, field, language, asked=field.name == place.field)
    asked = place.open_field()
    return _said_at_last(message, asked, language) if asked is not None else message


def _said_at_last(message: str, field: Field, language: Language) -> str:
    """The last clause, where it says one of several values once more: "5 or 6... 6", "four. five downstairs, so five"."""
    said, reads = list(clauses(message)), partial(_gives, field, formed=False, language=language)
    if len(said) < 2:
        return message
    start, end = said[-1]
    value, at = reads(message[start:end]), fewest_words(message, said[-1], reads)
    before = message[:start]
    if value in (None, _UNCLEAR) or at is None or reads(message) not in (None, _UNCLEAR, value):
        return message
    if value not in (reads(word) for word in RUN.findall(before)):
        return message
    head, tail = (normal(message[slice(*one)]).split() for one in ((start, at[0]), (at[1], end)))
    open_before = any(language.joins(word) and not language.adds(word) for word in normal(before).split())
    links = open_before and bool(tail) and language.links(tail[0])  # "2 or 3, 2 is enough"
    told = [word for word in (*head, *(tail if not links else ())) if not language.is_choosing_word(word)]
    if not all(language.opens(word) or language.follows(word) for word in told):
        return message
    days = (old for clause in said[:-1] if (old := fewest_words(message, clause, reads)) is not None)
    whole = next((whole for old in days if (whole := _of_its_month(message, old, at, reads))), "")
    return whole or message[start:]


def _yes_or_no(message: str, language: Language) -> str:
    """What is said behind "wait" where it is a no, and a yes was before it; or the other way round."""
    first = _consent(message, language)
    for start, end in language.puts_right(message):
        words = [start + word.start() for word in RUN.finditer(message[start:end])][1:]
        for at in (*words, end) if start or words else ():
            if {first, _consent(message[at:], language)} == {"yes", "no"}:
                return message[at:]
    return message


def _consent(words: str, language: Language) -> str:
    said = language.consent(words)
    return said if said in ("yes", "no") else language.consent_and_more(words)[0]


def _put_right(message: str, field: Field, language: Language, *, asked: bool) -> str:
    reads: Reads = partial(_gives, field, formed=_is_formed(field, message), language=language)
    for start, end in language.puts_right(message, anywhere=True):
        before = [(a, b) for a, b in clauses(message[:start])][-1:]
        behind = next(((end + a, end + b) for a, b in clauses(message[end:])), None)
        if not before or behind is None:
            continue
        old, new = fewest_words(message, before[0], reads), _first(message, behind, reads, language)
        if old is not None and new is None and (whole := _completed(message, old, behind, reads, language)):
            return f"{message[: old[0]]}{whole}{message[behind[1] :]}"
        if old is not None and new is None and asked and _takes_back(message[start:end], language):
            return message[end:]  # "early March, no, make it mid March": what cannot be read is asked for
        if old is None or new is None or _is_same(message[slice(*old)], message[slice(*new)], reads):
            continue
        if field.given and is_the_same(reads(message[slice(*new)]), field.present or ""):
            continue  # "30, no 32", where it is 32: what there was is denied
        if whole := _of_its_month(message, old, new, reads):
            return f"{message[: old[0]]}{whole}{message[new[1] :]}"
        was = reads(message[slice(*old)])
        new = field.widened(message, *new)  # "seven and a half"
        behind = (behind[0], max(behind[1], new[1]))
        if _is_denied(message[before[0][0] : old[0]], language):
            continue  # "not before 6 pm, make it 6:30"
        if field.options and new[0] == end and _may_deny(message[start:end], language):
            continue
        if not _is_all(message, end, new, behind[1], field, before[0], language):
            continue
        if _comes_back(message[behind[1] :], was, reads, language):
            continue
        left = f"{message[new[1] : behind[1]]}{_without(message[behind[1] :], was, reads)}"
        left = left if tells_something(left, language) else ""
        said = f"{message[: old[0]]}{message[slice(*new)]}{message[old[1] : start].rstrip(_APART)}"
        return f"{said}{', ' if left.strip(_APART) else ''}{left.lstrip(_APART)}"
    return message


def _is_formed(field: Field, message: str) -> bool:
    """It is a text of a form of its own, which not any words have."""
    return field.wanted == "text" and field.fits is not None and not field.fits(message)


def _first(message: str, span: Span, reads: Reads, language: Language) -> Span | None:
    """Where the fewest words stand that give what all of it gives, or else what its head does: "three with the cellar one"."""
    found = fewest_words(message, span, reads)
    if found is None or reads(message[slice(*found)]) is not _UNCLEAR:
        return found
    ends = [span[0] + word.end() for word in RUN.finditer(message[slice(*span)])]
    clear = [end for end in ends if reads(message[span[0] : end]) not in (None, _UNCLEAR)]
    if not clear:
        return found
    head = fewest_words(message, (span[0], clear[-1]), reads)
    beside = message[head[1] : span[1]] if head is not None else ""
    words = [normal(word) for word in RUN.findall(beside)]
    parted = any(language.joins(word) or language.range_word(word) for word in words)
    return head if tells_something(beside, language) and not parted else found


def _of_its_month(message: str, old: Span, new: Span, reads: Reads) -> str:
    """The day before with another number, where that alone is told: "20th of January" of "the 13th of January, or no, the 20th"."""
    words, said = RUN.findall(message[slice(*old)]), RUN.findall(message[slice(*new)])
    day = reads(message[slice(*new)])
    if not isinstance(day, date) or len(words) < 2 or not said:
        return ""
    wholes = (" ".join((*words[:at], said[-1], *words[at + 1 :])) for at in range(len(words)))
    for whole in wholes:
        found = reads(whole)
        if isinstance(found, date) and found != day and found.day == day.day:
            return whole
    return ""


def _completed(message: str, old: Span, behind: Span, reads: Reads, language: Language) -> str:
    """What was said first with a part of it put right: "day before" behind "yesterday", "thirty" behind "20 minutes", the last figures of a code."""
    was, said = message[slice(*old)], message[slice(*behind)]
    number = next((word for word in RUN.findall(said) if is_number(word, language)), "")
    code, words = re.sub(r"\W", "", was), RUN.findall(was)
    wholes = [f"{said} {was}"]
    if number and not tells_something(said.partition(number)[0], language):
        ends = code[-len(number) :].isdecimal() and number.isdecimal()
        wholes = [f"{code[: -len(number)]}{number}"] if ends else []
        wholes += [" ".join((*words[:at], number, *words[at + 1 :])) for at in range(len(words))]
    return next((one for one in wholes if reads(one) not in (None, _UNCLEAR, reads(was))), "")


def _is_denied(words: str, language: Language) -> bool:
    return any(map(language.denies, map(normal, words.split())))


def _takes_back(words: str, language: Language) -> bool:
    """More than a bare no, which may be of something else: "friday, no insurance"."""
    return not language.repaired(words)[0]


def _may_deny(words: str, language: Language) -> bool:
    """A bare no right before an option may leave that out: "inside, no outside"."""
    return "," not in words and language.consent(words) == "no"


def _is_same(one: str, other: str, reads: Reads) -> bool:
    value = reads(one)
    return value == reads(other) and (value is not _UNCLEAR or normal(one) == normal(other))


def _is_all(
    message: str, end: int, new: Span, until: int, field: Field, before: Span, language: Language
) -> bool:
    """Only words that stand around anything are between, and a number counts what the first one did: "2 adults, no, 3 kids" are both."""
    if tells_something(message[end : new[0]], language):
        return False
    counted = [word.group() for word in RUN.finditer(message[new[1] : until])][:1]
    said = normal(message[slice(*before)]).split()
    return (
        field.wanted != "number"
        or not counted
        or not (tells_something(counted[0], language) and normal(counted[0]) not in said)
    )


def _comes_back(rest: str, old: object, reads: Reads, language: Language) -> bool:
    """The first value is said once more, and not told to be something else: "no, the 7th. ah, leave it at the 8th"."""
    again = (rest[a:b] for a, b in clauses(rest) if reads(rest[a:b]) == old)
    return any(not any(map(language.links, normal(clause).split())) for clause in again)


def _without(rest: str, old: object, reads: Reads) -> str:
    """The rest, without what tells why it is not the first: "Friday is football"."""
    kept = [rest[a:b] for a, b in clauses(rest) if reads(rest[a:b]) != old]
    return rest if len(kept) == len(list(clauses(rest))) else "".join(f", {one}" for one in kept)


def _gives(field: Field, words: str, *, formed: bool, language: Language) -> object:
    """The value that they give; `_UNCLEAR` where they give one, and it is not clear which: "seven"."""
    if field.options:
        return choose(words, field.options, language=language)
    if formed and field.fits is not None:
        return words.strip() if field.fits(words.strip()) else fitting_part(words, field.fits)
    if field.wanted not in TYPED or field.wanted == "file" or field.parses is None:
        return None
    value = field.parses(words)
    if value is not None:
        return value
    return _UNCLEAR if field.may_read(words) else None
