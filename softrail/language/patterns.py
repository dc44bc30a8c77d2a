"""The word lists of one language, each compiled once."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Final

from softrail.language.phrases import phrase_pattern
from softrail.language.text import CLAUSE, brief, find, normal, readings, squeezed, word_key
from softrail.language.words import pattern_of

Pattern = re.Pattern[str]

#: A longer message is never one of the words for stepping off, consent and the like.
LONGEST_WORDS: Final = 120
#: The lists whose phrases are whole messages, and how often one may be said.
WHOLE: Final[Mapping[str, int]] = {
    "escape": 1,
    "later": 1,
    "yes": 3,
    "no": 3,
    "never": 1,
    "greeting": 4,
    "resume": 1,
    "stays": 1,
    "undo": 1,
    "start_over": 1,
    "skip": 1,
    "skip_all": 1,
    "back": 1,
    "none": 1,
    "done": 2,
    "enough": 1,
    "giving_up": 1,
    "no_option": 1,
}
#: The lists of words around two values in one breath, and in the questions for them.
RANGES: Final = (
    "range_from",
    "range_to",
    "range_and",
    "beginnings",
    "endings",
    "has_been",
    "may_have_been",
    "is_to_be",
    "day_begins",
    "day_ends",
    "day_back",
)
#: The lists of words that are looked for inside a message, and what may stand before them: some need something there.
WITHIN: Final[Mapping[str, str]] = {
    **dict.fromkeys(("deeds", "pointing", "taking_back", "unsaid", "provisos", "ill"), r"(?:\A|(?<= ))"),
    **dict.fromkeys(("conditions", "reserves"), "(?<= )"),
}
_NOT_ALNUM: Final = re.compile(r"[^\w\s']+|_+")
_INNER: Final = re.compile(r"[^\w\s]+|_+")


@lru_cache(maxsize=256)  # one turn reads its message a dozen times
def forms(message: str) -> Sequence[str]:
    """The ways to read a short message as words of a whole-message list; none for a long one.

    Punctuation inside may part words or be noise within one ("ok,stop", "s.t.o.p"), letters may be dragged
    out, and a word said several times counts once.
    """
    text = brief(message, LONGEST_WORDS)
    if not text:
        return ()
    found: dict[str, None] = {}
    for reading in readings(text):
        for spaced in (_NOT_ALNUM.sub(" ", reading), _INNER.sub("", reading)):
            keys = [key for key in map(word_key, spaced.split()) if key]
            once = [key for at, key in enumerate(keys) if at == 0 or keys[at - 1] != key]
            found["".join(f"{key} " for key in once)] = None
    return tuple(found)


class Patterns:
    """What `Language` matches with, of a word file without faults; see the file for what each list is for.

    Each pattern is compiled when it is first asked for: most commands need a few of them, and all take a third of a second.
    """

    def __init__(self, lists: Mapping[str, Sequence[str]]) -> None:
        self.escape_squeezed: Final = frozenset(
            squeezed(normal(word)) for word in lists["escape"] if not set(word) & set("(<[")
        )
        self.signs: Final[Mapping[str, frozenset[str]]] = {
            name: frozenset("".join(lists[f"{name}_signs"])) for name in ("yes", "no", "greeting")
        }
        self.plural_endings: Final[Sequence[str]] = tuple(lists["plural_endings"])
        self.lists: Final = lists
        self._sources: dict[str, str] = {}
        self._words: dict[str, Pattern] = {}
        self._each: dict[str, Sequence[Pattern]] = {}

    def ready(self) -> None:
        """Compile those that nearly every message is read with."""
        for name in ("whole", "exit", "refusal", "exit_named", "polite", "joint"):
            getattr(self, name)

    # -- whole messages

    @cached_property
    def whole(self) -> Pattern:
        """Matches always; the groups that have something are the lists of which a phrase is the whole message."""
        polite = f"(?:{self._of('politeness')}){{0,4}}"
        each = (
            f"(?P<{name}>{polite}(?:{self._of(name)}){{1,{times}}}{polite})"
            for name, times in WHOLE.items()
            if name in self.lists
        )
        return re.compile("".join(rf"(?:(?={one}\Z)|)" for one in each))

    @cached_property
    def exit(self) -> Pattern:
        """Layer 2 of stepping off."""
        after = f"(?:{self._of('politeness')}|{self._of('asides')}){{0,4}}"
        return re.compile(f"(?:{self._of('openers')}){{0,3}}{self._of('exit')}{after}")

    @cached_property
    def for_a_while(self) -> Pattern:
        """The end of an exit that is meant for a time."""
        return re.compile(rf"(?:\A|(?<= )){self._of('for_a_while')}(?:{self._of('politeness')}){{0,2}}\Z")

    @cached_property
    def polite(self) -> Pattern:
        """What may stand around a whole message."""
        return re.compile(f"(?:(?:{self._of('politeness')}|{self._of('asides')})(?:{CLAUSE} )?){{0,4}}")

    # -- the head of a message

    @cached_property
    def refusal(self) -> Pattern:
        """A refusal up to the end of its clause."""
        return self._clause("refusal")

    @cached_property
    def exit_named(self) -> Pattern:
        """An exit that names the process, up to the end of its clause."""
        return self._clause("exit_named")

    @cached_property
    def joint(self) -> Pattern:
        """What parts two clauses."""
        return re.compile(f"(?:{CLAUSE} |{self._of('joints')}){{0,4}}")

    @cached_property
    def question_starts(self) -> Pattern:
        """The beginning of a question."""
        return re.compile(f"(?:{self._of('politeness')}){{0,3}}{self._of('question_starts')}")

    # -- the end of a message

    @cached_property
    def done_end(self) -> Pattern:
        """A done-word with what may stand around it."""
        return re.compile(f"(?:{self._of('politeness')}){{0,2}}{self._of('done')}{self._after_done}")

    @cached_property
    def done_tail(self) -> Pattern:
        """A done-word so clear that no stop is needed before it."""
        return re.compile(f"{self._of('done_tail')}{self._after_done}")

    @property
    def _after_done(self) -> str:
        return f"(?:{self._of('politeness')}|{self._of('asides')}){{0,3}}"

    # -- answers and choices

    def each(self, name: str) -> Sequence[Pattern]:
        """The phrases of a list, each by itself: what corrects, adds or removes, and the ordinals."""
        if name not in self._each:
            self._each[name] = tuple(
                re.compile(phrase_pattern(phrase, self.lists, word_key))
                for phrase in self.lists.get(name, ())
            )
        return self._each[name]

    def words(self, name: str) -> Pattern:
        """A list of words by itself; of `WITHIN` it is found anywhere in a message. One that a language has not is never said."""
        if name not in self._words:
            self._words[name] = re.compile(f"{WITHIN.get(name, '')}{self._of(name)}")
        return self._words[name]

    @cached_property
    def range_words(self) -> Mapping[str, Pattern]:
        """Of each list that two values in one breath are known by; a language may have none."""
        return {name: self.words(name) for name in RANGES if name in self.lists}

    # -- from lists

    def _of(self, name: str) -> str:
        """The pattern of a list; one that a language has not is never said."""
        if name not in self._sources:
            self._sources[name] = pattern_of(name, self.lists) if name in self.lists else "(?!)"
        return self._sources[name]

    def _clause(self, name: str) -> Pattern:
        head = f"(?:{self._of('openers')}(?:{CLAUSE} )?){{0,3}}"
        aside = f"(?:(?:{CLAUSE} )?{self._of('asides')}){{0,3}}"
        return re.compile(
            f"{head}{self._of(name)}{aside}(?={CLAUSE} |{self._of('joints')}|{self._of('reasons')}|\\Z)"
        )


@lru_cache(maxsize=512)
def lists_with(patterns: Patterns, form: str) -> frozenset[str]:
    """The lists that have a phrase which is the whole message in this form."""
    found = patterns.whole.match(form)
    if found is None or found.lastindex is None:
        return frozenset()
    return frozenset(name for name, said in found.groupdict().items() if said is not None)


@lru_cache(maxsize=256)
def said_wholly(patterns: Patterns, message: str) -> Collection[str]:
    """The lists that have a phrase which is the whole message, in any of its forms."""
    return frozenset().union(*(lists_with(patterns, form) for form in forms(message)))


def are_of(patterns: Patterns, name: str, read: Sequence[str]) -> bool:
    """The whole message, in any of its forms, is a phrase of the list."""
    return any(name in lists_with(patterns, form) for form in read)


def named_form(form: str, names: Mapping[str, str]) -> str:
    """A form of a short message with names replaced by what stands for them."""
    if not names:
        return form
    words = form.split()
    for name in reversed(find([squeezed(word) for word in words], names)):
        words[name.start : name.end] = [name.stands_for]
    return "".join([f"{word} " for word in words])


def matches(pattern: Pattern, read: Sequence[str]) -> bool:
    """The whole message, in any of its forms, is what the pattern says."""
    return any(map(pattern.fullmatch, read))
