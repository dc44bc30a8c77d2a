"""Numbers in an answer of words: "500 is too low, say 600" changes the one that it has."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from softrail.core.reading import APART, Command, Field, Value
from softrail.language import Language
from softrail.processes.spoken import in_digits
from softrail.reader.changes.parts import keys, runs, tells
from softrail.reader.clauses import clause_of, clauses
from softrail.reader.fields import Span, meets, open_query
from softrail.reader.form import joint
from softrail.reader.hearing import Hearing
from softrail.reader.ranges import Parted

WORDS: Final = re.compile(r"[\w'’.:/-]*\w")
_LONGEST: Final = 6  #: words of a number


class Held(NamedTuple):
    """A number in an answer of words."""

    field: Field
    item: str  #: all of the answer, or the item of a list
    place: Span  #: in the item
    figure: str

    def with_number(self, new: str) -> str:
        """The answer with that number in its place."""
        return self.with_item(f"{self.item[: self.place[0]]}{new}{self.item[self.place[1] :]}")

    def with_item(self, new: str) -> str:
        """The answer with those words for the item; a list one item a line."""
        items = self.field.items if self.field.wanted == "list" else [self.item]
        return "\n".join(new if one == self.item else one for one in items)


def is_number(text: str, language: Language) -> bool:
    """All of it is one number, in figures or in words: "forty"."""
    return in_digits(text, language.code).isdecimal()


def numbers(message: str, language: Language) -> Iterator[Span]:
    """Where numbers stand, each as long as it is: "a hundred and five"."""
    at = 0
    while (first := WORDS.search(message, at)) is not None:
        run = [first.end(), *(word.end() for word in WORDS.finditer(message, first.end()))][:_LONGEST]
        ends = [end for end in run if is_number(message[first.start() : end], language)]
        at = ends[-1] if ends else first.end()
        if ends:
            yield first.start(), at


def held(field: Field, language: Language) -> Iterator[Held]:
    """The numbers in an answer that was given."""
    if not field.present:
        return
    for item in field.items if field.wanted == "list" else [field.present]:
        for start, end in numbers(item, language):
            yield Held(field, item, (start, end), in_digits(item[start:end], language.code))


def other_number(message: str, hearing: Hearing) -> Parted | None:
    """The change of a number that is said once more, and surely called wrong; None where it may be of several answers.

    How sure that is the joint reading knows: to a summary all that is said sounds like a change.
    """
    place, marker, language = hearing.place, hearing.marker, hearing.language
    if place.own or place.offer:
        return None
    said = list(numbers(message, language))
    figures = [in_digits(message[a:b], language.code) for a, b in said]
    if len({*figures}) != 2 or len(said) != 2:
        return None
    found = [one for f in place.fields() if f.given for one in held(f, language) if one.figure in figures]
    if len(found) != 1 or found[0].field.wanted not in ("text", "list"):
        return None
    [old] = found
    was, new = said if figures[0] == old.figure else reversed(said)
    one = len(list(numbers(old.item, language))) == 1 and message[said[0][1] : said[1][0]].strip()
    if not one or not _is_said(message[slice(*was)], old):
        return None  # "07700 900456" is one number, and "one person" no 1st of March
    changes = marker.mark(message, [open_query(place)])[0].acts.get("correct", 0.0)
    likely = min(changes, joint(message, place, marker).acts.get("correct", 0.0))
    if likely < hearing.bars.agreed or counted_otherwise(message, new, old.item, language) is not None:
        return None
    value = Value(field=old.field.name, text=old.with_number(message[slice(*new)]), confidence=likely)
    told = Command(act="correct", confidence=likely, layer="learned", target=APART, values=(value,))
    parts = [one for one in clauses(message) if meets(one, [was, new])]
    left = f"{message[: min(a for a, _ in parts)]} {message[max(b for _, b in parts) :]}"
    return Parted(message=left.strip(" \t\n,;.!?-–—"), told=(told,), fields=frozenset({old.field.name}))


def _is_said(words: str, old: Held) -> bool:
    """It is that number, and not one that is only as great."""
    there = old.item[slice(*old.place)]
    return there.isdecimal() or there.casefold() == words.casefold()


def counted_otherwise(message: str, new: Span, item: str, language: Language) -> str | None:
    """What is counted behind a number and is none of the item's: "dollars" for euros; "" where more is said of it.

    None: nothing is, and it is counted as the other one was.
    """
    _, until = clause_of(message, new)
    behind = [run for run in runs(message[new[1] : max(until, new[1])]) if tells(run, language)]
    if not behind or behind[0].key in keys(item):
        return None
    return message[new[1] : until].strip() if len(behind) == 1 else ""


def with_its_number(message: str, field: Field, language: Language) -> Sequence[str]:
    """The answer with the one number that the message has and it has not, in place of the only one it has; the likeliest first."""
    there = list(held(field, language))
    said = [(in_digits(message[a:b], language.code), (a, b)) for a, b in numbers(message, language)]
    new = [span for figure, span in said if figure not in [one.figure for one in there]]
    if len(there) != 1 or len(new) != 1:
        return ()
    [old], [span] = there, new
    figure, behind = message[slice(*span)], counted_otherwise(message, span, old.item, language)
    return (old.with_number(figure), *((old.with_item(f"{figure} {behind}"),) if behind else ()))
