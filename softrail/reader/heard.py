"""One message over a form: what was read of all of it, and what is known of one other answer in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from softrail.core.reading import Bars, Field, Place, Value, mean
from softrail.language import Language, normal
from softrail.reader.clauses import are_of_one
from softrail.reader.fields import Span, meets
from softrail.reader.learned import Joint, Marker, Marks, Told

SAYS_SO: Final = 0.6  #: from here on the message tells or changes something, and the question is which field
#: Behind a point that may end no clause: "no. 12", "Birkenstr. 40".
_NUMBER: Final = re.compile(r"(?: [Nn][or])?\. ?\d+[a-z]?\b(?![.,:]?\d)")
TOLD: Final = 0.6  #: from here on a value for an answer that nobody asked for is kept, and read back


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """The message in its place, with both readings of all of it."""

    message: str
    place: Place
    fields: Sequence[Field]  #: all but the one that is asked for
    joint: Joint
    marks: Marks  #: what it does as an answer to the open question
    reading: bool  #: it has a value for that
    marker: Marker
    bars: Bars
    language: Language

    @property
    def here(self) -> Told:
        """What the joint reading finds for the open question, with the number behind a point in it: "Birkenstr. 40"."""
        here = self.joint.told[0]
        number = _NUMBER.match(self.message, here.end) if self.place.wanted in ("text", "list") else None
        if number is None or not are_of_one(self.message, (here.end - 1, number.end())):
            return here
        return replace(here, end=number.end())

    @property
    def tells(self) -> float:
        """How likely it tells something that nobody asked for, by both readings."""
        return self._does("inform_other")

    @property
    def changes(self) -> float:
        """How likely it changes something, by both readings."""
        return self._does("correct")

    @property
    def says_no(self) -> bool:
        """It has a word of no."""
        return says_no(self.message, self.language)

    @property
    def adds(self) -> bool:
        """It begins as what is told besides does: "oh and …", "also …"."""
        return self.language.tells_more(self.message)

    @property
    def following(self) -> str | None:
        """The field that is asked for after the open one: people tell things in order."""
        fields = self.place.fields()
        at = next((n for n, f in enumerate(fields) if f.name == self.place.field), len(fields))
        return next((f.name for f in fields[at + 1 :] if not f.given), None)

    def _does(self, act: str) -> float:
        return mean(self.marks.acts.get(act, 0.0), self.joint.acts.get(act, 0.0))


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """A value for another answer than the open one, and where it stands."""

    field: Field
    told: Told
    named: bool  #: the words beside it call the field
    value: Value
    start: int
    end: int

    @property
    def likely(self) -> float:
        """How likely it is."""
        return self.value.confidence

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.start, self.end

    def touches(self, other: Span) -> bool:
        """Some of its words are of that span."""
        return meets(self.span, [other])


def said_again(field: Field, told: Told, message: str) -> bool:
    """The value that there is: "no no, Friday is right"."""
    words = normal(message[told.start : told.end])
    return field.given and bool(words) and words == normal(field.present or "")


def says_no(text: str, language: Language) -> bool:
    """A word of it says no, or turns something round."""
    return any(language.negates(word) or language.consent(word) == "no" for word in normal(text).split())
