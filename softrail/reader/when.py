"""Whether a question for words asks for a day or a time, found out by asking the small model what would answer it.

A date that is kept as words is a question for words like any other, and "the 19th" looks like no name. What kind of
answer a question wants is in its words: whoever would take "on Friday" for an answer asks for a day.
"""

from collections.abc import Callable
from datetime import date
from typing import Any, Final, Protocol

from softrail.reader.learned import Marks, query

#: What would answer such a question, and nothing else.
_WOULD_ANSWER: Final = {"date": "on Friday", "time": "at 6 pm"}
_TAKES: Final = 0.3  #: a question for something else takes them at a tenth of that


class Reads(Protocol):
    """The small model, for one query."""

    def __call__(self, message: str, asked: str) -> Marks:
        """What the message does and gives."""
        ...


def as_a_day_or_time(message: str, question: str, marks: Marks, read: Reads) -> Marks:
    """The message as an answer to a question for a day or a time, where that is what is asked and it answers better.

    Each question is tried once: the model keeps its last readings.
    """
    for kind, answer in _WOULD_ANSWER.items():
        if read(answer, query("text", question)).acts.get("inform", 0.0) >= _TAKES:
            found = read(message, query(kind, question))
            if found.acts.get("inform", 0.0) > marks.acts.get("inform", 0.0):
                marks = found
    return marks


def with_its_month(message: str, start: int, end: int, parses: Callable[[str], Any]) -> str:
    """The words there, with all before them where those name the month of that day: "it started in october, on the 9th"."""
    said, head = parses(message[start:end]), parses(message[:end])
    both = isinstance(said, date) and isinstance(head, date)
    return message[:end] if both and said != head and said.day == head.day else message[start:end]
