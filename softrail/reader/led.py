"""Values behind the very word that their question begins with: "dead since yesterday", beside "Since which day?"."""

import re
from collections.abc import Collection, Iterator
from typing import Final

from softrail.core.reading import Command, Field
from softrail.reader.clauses import clause_of
from softrail.reader.fields import TYPED, Span
from softrail.reader.heard import Heard, tells_other

LED: Final = 0.9  #: how sure such a value is
_MOST: Final = 5  #: words of it


def is_led(field: Field, start: int, heard: Heard) -> bool:
    """What begins there stands behind the word that its question begins with, as no other question does."""
    head = _head(field, heard)
    return (
        head is not None and re.search(rf"\b{re.escape(head)}\s+$", heard.message[:start], re.I) is not None
    )


def led(told: Collection[str], taken: Collection[Span], heard: Heard) -> Iterator[tuple[Command, Span]]:
    """Each such value of an answer that nobody gave yet, and where it stands; none of words that are `taken`."""
    for field in heard.fields:
        head = _head(field, heard) if field.name not in told else None
        if head is None:
            continue
        for said in re.finditer(rf"\b{re.escape(head)}\b", heard.message, re.IGNORECASE):
            span = _value(field, said.end(), heard.message)
            if span is not None and not any(span[0] < end and start < span[1] for start, end in taken):
                yield tells_other(field, heard.message[slice(*span)], LED), span
                break


def _head(field: Field, heard: Heard) -> str | None:
    """The word that leads to its answer; None where none does, or to that of another question as well."""
    head = _first(field)
    if field.wanted not in TYPED or field.given or not heard.language.leads(head):
        return None
    asked = [*heard.fields, *filter(None, [heard.place.open_field()])]
    return head if sum(_first(other) == head for other in asked) == 1 else None


def _first(field: Field) -> str:
    return field.question.partition(" ")[0].lower()


def _value(field: Field, start: int, message: str) -> Span | None:
    """The first words behind that place which the type of the field reads, within their clause."""
    clause = message[start : clause_of(message, (start, start))[1]]
    for size, word in enumerate(re.finditer(r"\S+", clause), 1):
        if size > _MOST:
            break
        if field.reads(clause[: word.end()]):
            begin = start + len(clause) - len(clause.lstrip())
            return field.widened(message, begin, start + word.end())
    return None
