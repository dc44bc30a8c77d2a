"""Near copies: two messages that are the same but for a word or an ending."""

from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import cached_property
from typing import TYPE_CHECKING, Any

from softrail.classifier.text import form

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
        if not said or not self._messages:
            return
        words = set(said.split())
        for place, few in enumerate(self._letters.differ(said)):
            message, asked, others = self._forms[place]
            if _same_words(words, others) or (not few and _same_letters(said, asked)):
                yield message

    @cached_property
    def _forms(self) -> list[tuple[str, str, set[str]]]:
        forms = [(message, form(message)) for message in self._messages]
        return [(message, said, set(said.split())) for message, said in forms]

    @cached_property
    def _letters(self) -> "_Letters":
        return _Letters([said for _, said, _ in self._forms])


class _Letters:
    """How often each letter is in each of many messages: what differs in that differs in any order."""

    def __init__(self, messages: list[str]) -> None:
        self._columns = {letter: at for at, letter in enumerate(sorted(set("".join(messages))))}
        self._counts = self._counted(messages)
        self._lengths = [len(message) for message in messages]

    def differ(self, said: str) -> "NDArray[Any]":
        """For each message, whether it and what is said have too few letters in common, in whatever order."""
        import numpy as np  # most who import this room compare nothing

        common = np.minimum(self._counts, self._counted([said])).sum(axis=1)
        return np.asarray(2.0 * common / (np.array(self._lengths) + len(said)) < ALIKE)

    def _counted(self, messages: list[str]) -> "NDArray[Any]":
        import numpy as np  # as above

        counts = np.zeros((len(messages), len(self._columns)), dtype=np.int32)
        for row, message in zip(counts, messages, strict=True):
            for letter, often in Counter(message).items():
                if letter in self._columns:
                    row[self._columns[letter]] = often
        return counts


def nearly(one: str, other: str) -> bool:
    """Two messages have nearly the same words, in any order, or nearly the same letters, in the same order."""
    return any(Asked([other]).near(one)) if form(other) else False


def _same_words(one: set[str], other: set[str]) -> bool:
    return len(one & other) >= SHARED * len(one | other)


def _same_letters(one: str, other: str) -> bool:
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= ALIKE
