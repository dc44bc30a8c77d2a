"""What the other clauses of a message change, where one change is sure."""

from collections.abc import Sequence

from softrail.core.reading import Bars, Command, Field, Place, Reading, Value
from softrail.language import language
from softrail.reader.changes.further import with_further
from softrail.reader.learned import ACTS, Joint, Marks, Told
from tests.readers import ChoosesNone

NAME = Field(name="name", label="name", wanted="text", question="Called?", present="Alarm", given=True)
TIME = Field(name="time", label="time", wanted="text", question="When?", present="4 pm", given=True)
PLACE = Place(wanted="confirm", fields=lambda: (NAME, TIME))


class Finds(ChoosesNone):
    """A small model that sees those words as a new value of an answer, as likely as it is told; `seen` is what it read."""

    def __init__(self, words: str, *, likely: float = 0.999) -> None:
        self._words, self._likely = words, likely
        self._acts = {**dict.fromkeys(ACTS, 0.0), "correct": likely}
        self.seen: list[str] = []

    def mark(self, message: str, queries: Sequence[str]) -> list[Marks]:
        start, end = self._place(message)
        return [Marks(acts=self._acts, start=start, end=end, value=self._likely, span=0.99) for _ in queries]

    def joint(self, message: str, queries: Sequence[str]) -> Joint:
        self.seen.append(message)
        start, end = self._place(message)
        likely = self._likely if end else 0.0
        there = Told(given=likely, start=start, end=end, placed=0.99, denied=likely, yes=0.0, no=0.0)
        return Joint(told=(there,) * len(queries), acts=self._acts)

    def _place(self, message: str) -> tuple[int, int]:
        at = message.find(self._words)
        return (at, at + len(self._words)) if at >= 0 else (0, 0)


def changes(message: str, model: Finds, text: str = "Cleaning") -> dict[str, str]:
    value = Value(field="name", text=text, confidence=0.95)
    command = Command(act="correct", confidence=0.95, layer="learned", values=(value,))
    reading = Reading(message=message, commands=(command,))
    found = with_further(reading, PLACE, model, Bars(), language("en"))
    return {v.field: v.text for c in found.commands for v in c.values}


def test_what_another_clause_surely_changes_is_changed_too() -> None:
    model = Finds("5:15")

    found = changes("call it Cleaning, and let's change that to 5:15", model)

    assert found == {"name": "Cleaning", "time": "5:15"}
    assert "Cleaning" not in model.seen[0]


def test_what_is_left_of_a_sentence_is_hardly_a_change() -> None:
    assert changes("call it Cleaning, and let's say 5:15", Finds("5:15", likely=0.9)) == {"name": "Cleaning"}


def test_words_that_were_told_are_told_once() -> None:
    said = changes("call it Cleaning. I do like Cleaning, and so", Finds("Cleaning"))

    assert said == {"name": "Cleaning"}


def test_where_one_clause_is_all_nothing_is_read_again() -> None:
    model = Finds("5:15")

    assert changes("call it Cleaning", model) == {"name": "Cleaning"}
    assert not model.seen
