"""What the words of a message that changes a list are to other answers: no word counts twice."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from softrail.core.reading import Field, Value
from softrail.language import Language
from softrail.reader.changes.outcome import Outcome
from softrail.reader.changes.parts import runs, tells
from softrail.reader.clauses import clause_of
from softrail.reader.fields import Span, is_named, meets, names_of, places_of, spaced
from softrail.reader.items import Marked


class Besides(NamedTuple):
    """What the words of a message are to other answers: no word counts twice."""

    message: str
    known: Sequence[Value]  #: what is surely told of them
    fields: Sequence[Field]
    language: Language

    def without(self, name: str, then: Outcome) -> Outcome:
        """The list without what comes in words that are another answer's, as it is told or as it was, or its name."""
        if not then.come:
            return then
        places = places_of([one.text for one in self.known], self.message)
        others = [field for field in self.fields if field.name != name]
        names = {called for field in self.fields for called in names_of(field)}
        were = [telling(field.present, self.language) for field in others if field.present]
        gone = [*self._gone()]

        def is_anothers(one: Marked) -> bool:
            """Also of "inventory in hall C", of which only "hall C" was said."""
            words = telling(one.text, self.language)
            return (
                meets(one.span, places)
                or any(one.text in value.text for value in self.known)
                or self._bare(one.text) in names
                or any(words <= was for was in were)
                or any(item and item <= words for item in gone)
            )

        return then._replace(come=tuple(one for one in then.come if not is_anothers(one)))

    def _bare(self, text: str) -> str:
        """Its words without the article before a name: of "the audience", "audience"."""
        return " ".join(word for word in spaced(text).split() if not self.language.determines(word))

    def without_what_comes_elsewhere(self, name: str, then: Mapping[str, Outcome]) -> Outcome:
        """What comes in a clause that calls another list, to which it comes as well, comes to that: "and yesterday I called Bob"."""
        theirs = [
            one.span for other in then if other != name for one in then[other].come if self._calls(other, one)
        ]
        one = then[name]
        come = tuple(new for new in one.come if self._calls(name, new) or not meets(new.span, theirs))
        return one if len(come) == len(one.come) else one._replace(come=come)

    def _calls(self, name: str, new: Marked) -> bool:
        """The clause in which it stands calls that list by its name."""
        return name in _called_in(self.message, new.span, self.fields)

    def without_what_goes_elsewhere(self, name: str, then: Mapping[str, Outcome]) -> Outcome:
        """Nothing goes from a list that is not called for words by which something goes from another one that is, or surely does.

        "I finished the report, so drop that from today": the report of yesterday stays.
        """
        one = then[name]
        if name in self.called:
            return one
        said = telling(self.message, self.language)
        elsewhere = {word for words in self._gone() for word in words & said}
        elsewhere |= {word for other in self.called & {*then} for word in self._gone_from(then[other])}
        stay = [item for item in one.there if item in one.stay or telling(item, self.language) & elsewhere]
        if len(stay) == len(one.stay):
            return one
        come = one.come if len(stay) < len(one.there) else ()  # it came for what stays
        return one._replace(stay=tuple(stay), come=come)

    def torn(self, then: Mapping[str, Outcome]) -> Sequence[str]:
        """Lists of which something goes for the same words, and none is called: which of them is meant is not said."""
        gone = {name: self._gone_from(one) for name, one in then.items() if name not in self.called}
        return [
            name
            for name, words in gone.items()
            if any(words & gone[other] for other in gone if other != name)
        ]

    @property
    def called(self) -> Set[str]:
        """The lists that the message calls by their names."""
        return {field.name for field in self.fields if is_named(field, self.message)}

    def _gone_from(self, then: Outcome) -> set[str]:
        """The words of the message for which something goes from a list, and nothing comes for it."""
        said = telling(self.message, self.language)
        items = [item for item in then.there if item not in then.stay]
        return {word for item in items for word in telling(item, self.language) & said}

    def _gone(self) -> Iterator[set[str]]:
        """The words of lists that surely go from them: "scrap the paperwork" comes to no list where it goes from one."""
        lists = {field.name: field.items for field in self.fields if field.wanted == "list" and field.present}
        for value in self.known:
            if not value.adds:
                left = telling(value.text, self.language)
                yield from (telling(item, self.language) - left for item in lists.get(value.field, ()))


def telling(text: str, language: Language) -> set[str]:
    """Its words but for those that stand around anything."""
    return {run.key for run in runs(text) if tells(run, language)}


def told_astray(message: str, known: Sequence[Value], fields: Sequence[Field]) -> Set[str]:
    """Lists to which something was read that stands in a clause that calls another list, and not this one."""
    lists = [field for field in fields if field.wanted == "list" and field.present]
    found = [(value.field, places_of([value.text], message)) for value in known if value.adds]
    return {
        name
        for name, spans in found
        for span in spans
        if {name}.isdisjoint(called := _called_in(message, span, lists)) and called
    }


def _called_in(message: str, span: Span, fields: Sequence[Field]) -> Set[str]:
    """The fields that the clause in which it stands calls by their names."""
    start, end = clause_of(message, span)
    return {field.name for field in fields if is_named(field, message[start:end])}
