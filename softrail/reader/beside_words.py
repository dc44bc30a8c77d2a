"""What is told behind the words that were found of an answer, and is of it: "a lift, a balcony. and I won't live next to a school".

The small model finds one part of an answer, and an answer may have several. A clause is one more item of a list where it
would surely answer alone; of two names it is asked which is meant.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from softrail.core.reading import Bars, Command, Field, Place, Reading, Value, at_most
from softrail.language import Language, choose, normal
from softrail.reader.changes.parts import tells_something
from softrail.reader.clauses import clauses
from softrail.reader.fields import WORD, is_for_a_name, name_said_last, open_query, places_of
from softrail.reader.hearing import Hearing
from softrail.reader.learned import Marker, Marks

_MAY_BE: Final = frozenset(
    {"inform", "inform_other", "correct"}
)  #: what an item does that is hardly known as one
_LIST: Final = 2  #: items, and words of one
_SURELY: Final = 0.9  #: how likely a clause must answer alone what is asked, to be more of the answer


def with_what_is_of_it(reading: Reading, hearing: Hearing) -> Reading:
    """The reading with the clauses that are of the text or the list that was asked for, and of nothing else."""
    place, bars, language = hearing.place, hearing.bars, hearing.language
    given, field, message = reading.of("inform", target=""), place.open_field(), reading.message
    if not place.of_a_form or place.begins or field is None or given is None or not given.values:
        return reading
    if field.formed is not None:
        return reading  # a code ends where it ends
    if given.layer == "exact" or given.confidence < bars.inform or reading.maybe:
        return reading
    here, said = given.values[0], _Clauses(reading, place, hearing.marker, bars, language)
    if place.wanted == "list":
        here = replace(here, text="\n".join([here.text, *said.further(here.text.splitlines())]))
        return reading.with_other(given, replace(given, values=(here,)))
    at = message.find(here.text)
    if place.wanted != "text" or at < 0:
        return reading
    if language.puts_right(message) or language.repaired(message[at:])[1]:
        return reading
    if is_for_a_name(field, language) or name_said_last(message, language) != message:
        return _or_another(reading, given, said, bars)
    return reading


def _or_another(reading: Reading, given: Command, said: "_Clauses", bars: Bars) -> Reading:
    """The reading in which it is asked which name it is, of "Pedal Pool maybe? or Street Wheels"."""
    names = said.alternatives()
    if not names:
        return reading
    values = tuple(replace(given.values[0], text=name) for name in names)
    hardly = replace(at_most(given, bars.doubt), values=())
    return reading.with_other(given, hardly).evolve(maybe=values, beside=())


class _Clauses:
    """The clauses of a message, and what each of them does."""

    def __init__(
        self, reading: Reading, place: Place, marker: Marker, bars: Bars, language: Language
    ) -> None:
        self._message, self._language, self._bars = reading.message, language, bars
        self._marker, self._query = marker, open_query(place)
        fields = {field.name: field for field in place.fields() if field.name != place.field}
        told = (*bars.sure_values(reading), *reading.beside)
        self._others = [(fields[v.field], v) for v in told if v.field in fields and v.text]

    def further(self, items: Sequence[str]) -> list[str]:
        """The clauses behind two items or more of which no word is of one, and that may be one: "and I won't live next to a school"."""
        places = places_of(items, self._message)
        if len(places) < max(len(items), _LIST):
            return []
        behind = max(end for _, end in places)
        return [
            _without_joint(self._message[a:b], self._language)
            for a, b in clauses(self._message)
            if a >= behind and self._is_an_item(self._message[a:b], led=self._is_led(a))
        ]

    def _is_led(self, start: int) -> bool:
        """The clause there is a sentence that comes to the others: "… . and I won't live next to a school"."""
        before, [first, *_] = self._message[:start].split(), self._message[start:].split()
        joined = self._language.adds(first)
        if before and self._language.adds(before[-1]):
            joined, before = True, before[:-1]
        return joined and bool(before) and before[-1][-1] in ".!"

    def _is_an_item(self, part: str, *, led: bool) -> bool:
        if len([w for w in WORD.findall(part) if not self._language.is_choosing_word(normal(w))]) < _LIST:
            return False
        if self._language.is_question(part) or self._language.points(part):
            return False  # "but that's not ours" speaks of an item
        if self._is_anothers(part):
            return False
        read = self._read(part)
        others = (likely for act, likely in read.acts.items() if act not in _MAY_BE)
        return _likely(read) >= _SURELY or (led and max(others, default=0.0) < self._bars.doubt)

    def alternatives(self) -> list[str]:
        """The value of each of two clauses, where the second begins with "or"; none where not each has one."""
        found, is_or = list[str](), False
        for first, last in clauses(self._message):
            head, _, rest = (part := self._message[first:last]).partition(" ")
            if found and self._language.joins(head) and not self._language.adds(head):
                is_or, part = True, rest
            if tells_something(part, self._language) and self._is_given(read := self._read(part)):
                found.append(part[read.start : read.end])
        return found if is_or and len({*found}) > 1 else []

    def _read(self, words: str) -> Marks:
        return self._marker.mark(words, [self._query])[0]

    def _is_given(self, read: Marks) -> bool:
        return _likely(read) >= self._bars.inform

    def _is_anothers(self, part: str) -> bool:
        return any(_takes(field, value, part, self._language) for field, value in self._others)


def _likely(read: Marks) -> float:
    """How likely those words are an answer, and have a value."""
    return min(read.value, read.acts.get("inform", 0.0))


def _without_joint(part: str, language: Language) -> str:
    """A clause without the words before it that join it to the others."""
    words = part.strip(" .,;!").split()
    while len(words) > 1 and language.adds(words[0]):
        words = words[1:]
    return " ".join(words)


def _takes(field: Field, value: Value, part: str, language: Language) -> bool:
    """The other answer is told in that clause."""
    if any(line in part or part in line for line in value.text.splitlines()):
        return True
    if field.options:
        chosen = choose(part, field.options, language=language)
        return chosen is not None and chosen.means == value.text
    return field.parses is not None and field.parses(part) is not None
