"""Near copies: two messages that are the same but for a word or an ending."""

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import cached_property

from softrail.classifier.text import form

SHARED = 0.8  #: of the words of both messages together, in both
#: Of the letters of both messages, in the same order in both. Copies with another ending, number, article or word of
#: politeness share 0.81 or more; of the 100,000 pairs of bundled examples of different intents one does.
ALIKE = 0.80


class Asked:
    """Messages that tests ask about, ready to be compared with examples."""

    def __init__(self, messages: Iterable[str]) -> None:
        self._messages = list(dict.fromkeys(messages))

    def near(self, example: str) -> Iterator[str]:
        """Those of which the example is a copy or nearly one."""
        said = form(example)
        return (message for message, asked in self._forms if said and _nearly(said, asked))

    @cached_property
    def _forms(self) -> list[tuple[str, str]]:
        return [(message, form(message)) for message in self._messages]


def nearly(one: str, other: str) -> bool:
    """Two messages have nearly the same words, in any order, or nearly the same letters, in the same order."""
    return bool(form(one)) and _nearly(form(one), form(other))


def _nearly(one: str, other: str) -> bool:
    a, b = set(one.split()), set(other.split())
    if len(a & b) >= SHARED * len(a | b):
        return True
    if 2 * min(len(one), len(other)) < ALIKE * (len(one) + len(other)):
        return False
    letters = SequenceMatcher(None, one, other, autojunk=False)
    return letters.quick_ratio() >= ALIKE and letters.ratio() >= ALIKE
