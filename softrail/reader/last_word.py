"""A value that is put right in the same breath: of "Friday. No, Saturday" it is Saturday that is meant, of "an hour, better 90 minutes" the minutes.

What was said first is left out before anything is read. Both must be values of the same answer, and nothing may stand
between the words that put it right and the new value but words that stand around anything.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from softrail.core.reading import Field, Place, Reading, Value
from softrail.language import Language, choose, normal
from softrail.reader.changes.parts import tells_something
from softrail.reader.clauses import clauses
from softrail.reader.fields import RUN, TYPED, Reads, Span, fewest_words, is_the_same

_APART: Final = " \t\n,;:.!-–—…"
_UNCLEAR: Final = object()


def with_the_last_word(message: str, place: Place, language: Language) -> str:
    """The message with what was meant in the place of what was said first; as it is where nothing is surely put right."""
    if place.own or place.offer or not language.puts_right(message):
        return message
    if place.wanted == "bool":
        message = _yes_or_no(message, language)
    for field in place.fields():
        if field.name == place.field or not field.given or place.wanted == "confirm":
            given = [f for f in place.fields() if f.given and f is not field and f.wanted == field.wanted]
            message = _put_right(message, field, given, language, asked=field.name == place.field)
    return message


def with_its_words(reading: Reading, place: Place, last: str) -> Reading:
    """The reading with the last word where it answers and no value was read of it: it is told why, and what was said first is not read for it."""
    given = reading.of("inform", target="")
    if given is None or given.values or place.wanted not in TYPED or place.field is None:
        return reading
    value = Value(field=place.field, text=last, confidence=given.confidence)
    return reading.with_other(given, replace(given, values=(value,)))


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


def _put_right(message: str, field: Field, given: Sequence[Field], language: Language, *, asked: bool) -> str:
    reads: Reads = partial(_gives, field, language=language)
    for start, end in language.puts_right(message):
        before = [(a, b) for a, b in clauses(message[:start])][-1:]
        behind = next(((end + a, end + b) for a, b in clauses(message[end:])), None)
        if not before or behind is None:
            continue
        old, new = (fewest_words(message, span, reads) for span in (before[0], behind))
        if old is not None and new is None and asked and _takes_back(message[start:end], language):
            return message[end:]  # "early March, no, make it mid March": what cannot be read is asked for
        if old is None or new is None or _is_same(message[slice(*old)], message[slice(*new)], reads):
            continue
        was = reads(message[slice(*old)])
        new = field.widened(message, *new)  # "seven and a half"
        behind = (behind[0], max(behind[1], new[1]))
        if _is_denied(message[before[0][0] : old[0]], language):
            continue  # "not before 6 pm, make it 6:30"
        if any(_names_what_was(message, (new[1], behind[1]), one) for one in given):
            continue  # "Sunday. And I meant Friday, not Saturday, for the pick-up"
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


def _is_denied(words: str, language: Language) -> bool:
    return any(map(language.denies, map(normal, words.split())))


def _names_what_was(message: str, span: Span, other: Field) -> bool:
    """The words say what another answer of that type was: it is that one that is put right."""
    if other.parses is None or other.present is None:
        return False
    return any(is_the_same(other.parses(word), other.present) for word in RUN.findall(message[slice(*span)]))


def _takes_back(words: str, language: Language) -> bool:
    """More than a bare no, which may be of something else: "friday, no insurance"."""
    return not language.repaired(words)[0]


def _may_deny(words: str, language: Language) -> bool:
    """A bare no right before an option may leave that out: "inside, no outside"."""
    return "," not in words and not _takes_back(words, language)


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


def _gives(field: Field, words: str, language: Language) -> object:
    """The value that they give; `_UNCLEAR` where they give one, and it is not clear which: "seven"."""
    if field.options:
        return choose(words, field.options, language=language)
    if field.wanted not in TYPED or field.wanted == "file" or field.parses is None:
        return None
    value = field.parses(words)
    if value is not None:
        return value
    return _UNCLEAR if field.may_read(words) else None
