"""What the small model marks becomes commands: whose the words are when two fields want them."""

from collections.abc import Mapping, Sequence

from softrail.core.questions import Option, Question
from softrail.core.reading import Bars, Command, Field, Place, Reading, Wanted
from softrail.reader.learned import ACTS, Joint, Marker, Marks
from softrail.reader.marking import marked
from tests.readers import ChoosesNone, hearing, joint


class Scripted(ChoosesNone):
    """Marks by a word of the query: how likely a value is, its words, and the acts of the open question."""

    def __init__(self, marks: Mapping[str, tuple[float, str]], **acts: float) -> None:
        self._marks = marks
        self._acts = dict.fromkeys(ACTS, 0.0) | acts

    def mark(self, message: str, queries: Sequence[str]) -> list[Marks]:
        return [self._one(message, query) for query in queries]

    def joint(self, message: str, queries: Sequence[str]) -> Joint:
        return joint(self.mark(message, queries), queries)

    def _one(self, message: str, query: str) -> Marks:
        value, words = next((m for word, m in self._marks.items() if word in query), (0.0, ""))
        if words not in message:  # another one than the test is about
            return Marks(acts=dict.fromkeys(ACTS, 0.0), start=0, end=0, value=0.0, span=0.0)
        start = message.index(words)
        return Marks(acts=self._acts, start=start, end=start + len(words), value=value, span=0.9)


def read(
    message: str,
    marker: Marker,
    *fields: Field,
    wanted: Wanted = "text",
    options: Sequence[str] = (),
    own: bool = False,
) -> tuple[Command, ...]:
    asked = Field(name="name", wanted=wanted, question="What is it called?")
    question = Question(prompt=asked.question, options=tuple(Option(label=o) for o in options))
    place = Place(question=question, wanted=wanted, field="name", fields=lambda: (asked, *fields), own=own)
    return read_in(place, message, marker).commands


def read_in(place: Place, message: str, marker: Marker) -> Reading:
    """As the reader has it read: the open answer first, then what stands beside it."""
    return marked(Reading(message=message), hearing(place, marker))


def told(commands: Sequence[Command]) -> dict[str, str]:
    return {v.field: v.text for c in commands if c.confidence >= 0.5 for v in c.values}


ABOUT = Field(name="about", wanted="text", question="What does it do?")


def test_a_value_that_only_contains_another_stays_whole() -> None:
    marker = Scripted({"called": (0.95, "Rungs of old ladders"), "do?": (0.8, "old ladders")}, inform=0.98)
    assert told(read("Rungs of old ladders", marker, ABOUT)) == {"name": "Rungs of old ladders"}


def test_of_two_options_that_are_named_neither_is_acted_on() -> None:
    marker = Scripted({"called": (0.9, "Cedar")}, inform=0.95)
    sure = read("Cedar", marker, wanted="choice", options=("Amber Foods", "Cedar Design"), own=True)
    both = read("Amber and Cedar", marker, wanted="choice", options=("Amber Foods", "Cedar Design"), own=True)
    assert [(c.target, c.values[0].text) for c in (*sure, *both) if c.values] == [
        ("", "Cedar Design"),
        ("likely", "Cedar Design"),
    ]


def test_what_may_change_is_seen_before_a_yes_lets_anything_be_done() -> None:
    marker = Scripted({"do?": (0.9, "a map")}, affirm=0.95, correct=0.2)
    commands = read("great, and make sure that it is a map", marker, GIVEN, wanted="confirm")
    assert [c.values[0].text for c in commands if c.act == "correct" and c.values] == ["a map"]


SEAT = Field(
    name="seat", wanted="choice", question="Where?", options=(Option(label="inside"), Option(label="terrace"))
)


def test_what_may_be_an_item_keeps_the_whole_message() -> None:
    marker = Lines({"no nuts, and we like high chairs": "no nuts"}, inform=0.6)
    [given] = read("no nuts, and we like high chairs", marker, wanted="list")
    assert given.values[0].text == "no nuts, and we like high chairs"


def test_what_only_closes_a_list_is_no_item() -> None:
    marker = Lines({"the keys, that would be all": "the keys"}, inform=0.6, none=0.9)
    [given] = [c for c in read("the keys, that would be all", marker, wanted="list") if c.values]
    assert given.values[0].text == "the keys"


GIVEN = Field(name="about", wanted="text", question="What does it do?", present="an app", given=True)


class Lines(ChoosesNone):
    """Marks those words in those messages, and in any other no value but these acts."""

    def __init__(self, values: Mapping[str, str], **acts: float) -> None:
        self._values = values
        self._acts = acts

    def mark(self, message: str, queries: Sequence[str]) -> list[Marks]:
        return [self._one(message) for _ in queries]

    def joint(self, message: str, queries: Sequence[str]) -> Joint:
        return joint(self.mark(message, queries), queries)

    def _one(self, message: str) -> Marks:
        words = self._values.get(message, "")
        acts = {"inform": 0.98} if words else self._acts
        start = message.index(words)
        value = 0.95 if words else 0.1
        return Marks(
            acts=dict.fromkeys(ACTS, 0.0) | acts, start=start, end=start + len(words), value=value, span=0.9
        )


def test_an_answer_changes_nothing_that_was_given_where_nothing_says_so() -> None:
    marks = {"called": (0.99, "small bakeries"), "do?": (0.99, "It is intended for small bakeries")}
    message = "It is intended for small bakeries."
    assert told(read(message, Scripted(marks, inform=0.98, correct=0.01), GIVEN)) == {
        "name": "small bakeries"
    }
    assert told(read(message, Scripted(marks, inform=0.4, correct=0.9), GIVEN)) == {
        "about": "It is intended for small bakeries"
    }


def test_what_is_to_be_done_is_no_sure_yes_to_a_question_about_something_else() -> None:
    [yes] = read("save it", Scripted({}, affirm=0.96), wanted="bool")
    assert yes.act == "affirm"
    assert Bars().doubt <= yes.confidence < Bars().other
