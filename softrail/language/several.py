"""Choosing several of a few options, or all of them but some: "sorting and cooking", "any day but Friday"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from softrail.core.questions import Option
from softrail.language.choices import choose, items
from softrail.language.language import Language
from softrail.language.text import READ_AT_MOST, normal, spoken, squeezed

_LEAD: Final = 5  #: words before "everything" that say nothing of the options: "I'd be happy with"
_LONGEST: Final = 5  #: words of a phrase for all of them

_Kind = Literal["option", "all", "rest", "around", "other", "not", "but", "except", "and", "or", "to", "stop"]
_PARTING: Final = frozenset({"not", "but", "except", "and", "or", "to", "stop"})
_SLASH: Final = re.compile(r"(?<=\w)/(?=\w)")
_DASH: Final = re.compile(r"\s[-–—]+\s")  #: between two: all from one to the other, or no more than both


def choose_several(
    message: str, options: Sequence[Option], *, language: Language, asks: str = ""
) -> tuple[Option, ...] | None:
    """The options a message chooses, in the order said; where it leaves some out, all others in their own order.

    None where it chooses none, says what is no option, or may be read otherwise. `asks` is the question, whose words may stand
    for all of them: "any task but driving".
    """
    if len(message) > READ_AT_MOST:
        return None
    text = ", ".join(items(message, language))
    alone = choose(text, options, language=language, alone=True)
    if alone is not None:
        return (alone,)
    said = language.done_with(text)
    text = text if said is None else said
    if not any("/" in option.label for option in options):
        text = _SLASH.sub(", ", text)
    if not text or text.rstrip().endswith("?") or language.consent(text) in ("yes", "no"):
        return None
    if language.speaks_ill(text) or _DASH.search(text):
        return None
    choice = _Choice(options, language, asks)
    return choice.all if all(map(choice.take, _parts(text, options, language))) else None


def change_options(
    message: str, options: Sequence[Option], there: Sequence[Option], *, language: Language
) -> tuple[Option, ...] | None:
    """The options that are meant where some were chosen before: "also cooking", "not driving"; None where the message says them anew."""
    if (
        not there
        or len(message) > READ_AT_MOST
        or message.rstrip().endswith("?")
        or language.speaks_ill(message)
    ):
        return None
    first, _, _ = normal(message).partition(" ")
    if language.is_more(first) or language.adds(first) or language.without_too(message):
        more = choose_several(message, options, language=language)
        return tuple(dict.fromkeys((*there, *more))) if more is not None else None
    choice, parts = _Choice(options, language, ""), list(_parts(message, options, language))
    begins = parts[0].tokens or [part.behind for part in parts[1:2]] != ["not"]
    if begins or not all(map(choice.take, parts)) or choice.waits or choice.base or choice.rest:
        return None
    if not choice.out or any(one not in there for one in choice.out):
        return None
    left = (one for one in there if one not in choice.out)
    return tuple(dict.fromkeys((*left, *choice.chosen))) or None


@dataclass(frozen=True, slots=True)
class Token:
    """A word, an option or a phrase for all of them; or what parts two of these."""

    kind: _Kind
    text: str
    option: Option | None = None


@dataclass(frozen=True, slots=True)
class _Part:
    """What stands between two words that part, and the one before it."""

    behind: _Kind
    tokens: Sequence[Token]

    def of(self, *kinds: _Kind) -> list[Token]:
        return [token for token in self.tokens if token.kind in kinds]


def _parts(text: str, options: Sequence[Option], language: Language) -> Iterator[_Part]:
    behind: _Kind = "stop"
    part: list[Token] = []
    for token in (*tokens(text, options, language), Token("stop", "")):
        if token.kind not in _PARTING:
            part.append(token)
            continue
        yield _Part(behind, part)
        behind, part = token.kind, []
    yield _Part("stop", [])


def tokens(text: str, options: Sequence[Option], language: Language) -> Iterator[Token]:
    """The words, each with what it is for a choice, names of options and other phrases whole."""
    said = spoken(text)
    keys = [word.key for word in said.words]
    named = {one.start: one for one in said.named(_names(options, language))}
    at = 0
    while at < len(keys):
        if at in named:
            end = named[at].end
            yield Token("option", said.since(at, end), options[int(named[at].stands_for)])
        else:
            kind, size = _kind_of(keys[at : at + _LONGEST], language)
            end = at + next((n for n in range(1, size) if at + n in named), size)
            yield Token(kind, said.since(at, end))
        if said.words[end - 1].closes:
            yield Token("stop", "")
        at = end


def _names(options: Sequence[Option], language: Language) -> dict[str, str]:
    """By what it is called: the place of each option."""
    names = {squeezed(normal(option.label)): str(n) for n, option in enumerate(options)}
    for n, option in enumerate(options):
        for name in map(normal, (option.value or "", *option.words)):
            if len(name) > 1 and not language.is_choosing_word(name):
                names.setdefault(squeezed(name), str(n))
    names.pop("", None)
    return names


def _kind_of(keys: Sequence[str], language: Language) -> tuple[_Kind, int]:
    """What the words at this place are, and how many of them are it."""
    for size in range(len(keys), 0, -1):
        words = " ".join(keys[:size])
        if language.is_the_rest(words):
            return "rest", size
        if language.is_everything(words) or language.is_any(words):
            return "all", size
        if size > 1 and language.denies(words):
            return "not", size
        if language.stops(words) and not language.negates(words):
            return "other", size  # what stands before it may be put right
    word = keys[0]
    if language.range_word(word) == "range_to":
        return "to", 1
    if language.adds(word):
        return "and", 1
    if language.joins(word):
        return "or", 1
    if language.denies(word) or language.says_not(word) or language.negates(word):
        return "not", 1
    if language.excludes(word) and language.follows(word):
        return "but", 1
    if language.excludes(word) and not language.ends(word):
        return "except", 1
    around = (
        language.is_choosing_word,
        language.determines,
        language.parts_from,
        language.ends,
        language.goes_on,
        language.links,
        language.takes_up,
    )
    return ("around" if any(is_one(word) for is_one in around) else "other"), 1


@dataclass(slots=True)
class _Choice:
    """What was chosen and left out so far, part by part."""

    options: Sequence[Option]
    language: Language
    asks: str
    chosen: list[Option] = field(default_factory=list)
    out: list[Option] = field(default_factory=list)
    base: list[Option] = field(default_factory=list)  #: those of which some are left out
    rest: bool = False  #: all that are not named
    leaves_out: bool = False
    waits: bool = False  #: nothing is named yet behind a word that leaves out
    unclear: bool = False  #: of an option behind it nobody can say whether it is left out

    @property
    def all(self) -> tuple[Option, ...] | None:
        """The options that are meant; None where that is not clear."""
        if self.waits or (self.base and self.chosen) or any(one in self.out for one in self.chosen):
            return None
        base = self.base or (list(self.options) if self.rest else self.chosen)
        return tuple(dict.fromkeys(one for one in base if one not in self.out)) or None

    def take(self, part: _Part) -> bool:
        """Note what a part says; False where that is not clear."""
        if not self._turned(part.behind):
            return False
        if part.of("rest"):
            self.rest, self.leaves_out, self.unclear = True, False, False
            return not (self.waits or part.of("option", "all")) and self._is_rest(part)
        if (whole := self._whole(part)) is not None:
            return whole
        named = self._named(part)
        if named is None or (named and self.unclear):
            return False
        if part.behind == "to" and not (named := self._up_to(named)):
            return False
        if named:
            (self.out if self.leaves_out else self.chosen).extend(named)
            self.waits = False
        return True

    def _turned(self, sign: _Kind) -> bool:
        """Whether what stands behind a sign is left out; False where one that leaves out has nothing behind it."""
        if sign == "except" and not self.base:
            return False  # nobody said of what
        if sign == "not" or (sign in ("but", "except") and self.base and not self.out):
            self.leaves_out = self.waits = True
            self.unclear = False
        elif sign == "and" and self.leaves_out and not self.base:
            self.unclear = not self.waits  # "no driving and cooking"
        elif sign in ("stop", "but") and not self.base:
            if self.waits and sign == "stop":
                return False
            if not self.waits:
                self.leaves_out = self.unclear = False
        return True

    def _is_rest(self, part: _Part) -> bool:
        """It is all that is left of the options: "the others", "the other days"."""
        nouns = [token.text for token in part.of("other")]
        last = normal(part.of("rest")[0].text).rpartition(" ")[2]
        wants_a_noun = self.language.is_another(last) and not self._are_many(last)
        return bool(self._called(nouns)) and (bool(nouns) or not wants_a_noun)

    def _up_to(self, named: Sequence[Option]) -> list[Option]:
        """The options from behind the last one said to this one; none where it stands before it."""
        before = (self.out if self.leaves_out else self.chosen)[-1:]
        if len(named) != 1 or not before:
            return []
        return list(self.options[self.options.index(before[0]) + 1 : self.options.index(named[0]) + 1])

    def _whole(self, part: _Part) -> bool | None:
        """All of them are meant: whether that is clear; None where the part says nothing of all."""
        words = part.of("all")
        if not words or part.of("option"):
            return None
        if self.language.consent(" ".join(token.text for token in part.tokens)) in ("yes", "no"):
            return True  # "all good"
        both = self.language.wants_both(words[0].text.partition(" ")[0])
        if both and len(self.options) > 2:
            return None
        at = part.tokens.index(words[0])
        lead = [token for token in part.tokens[:at] if token.kind == "other"]
        nouns = [token.text for token in part.tokens[at + 1 :] if token.kind == "other"]
        if self.leaves_out or self.base or len(words) > 1 or len(lead) > _LEAD:
            return False
        if nouns and not self.language.is_any(words[0].text) and not self._are_many(nouns[-1]):
            return False  # "all day"
        self.base = self._called(nouns)
        return bool(self.base)

    def _called(self, nouns: Sequence[str]) -> list[Option]:
        """The options that a noun behind "any" stands for; none where it is not known to stand for them."""
        language = self.language
        if not nouns:
            return list(self.options)
        if len(nouns) > 1:
            return []
        noun = normal(nouns[0])
        if language.figure(noun) == str(len(self.options)):
            return list(self.options)
        if language.is_working_day(noun):
            return [one for one in self.options if not language.is_weekend(one.label)]
        asked = [word.key for word in spoken(self.asks).words]
        known = any(language.is_plural(noun, word) or language.is_plural(word, noun) for word in asked)
        return list(self.options) if known or language.names_kind(noun, "date") else []

    def _are_many(self, noun: str) -> bool:
        """The noun is a plural, or a number."""
        return self.language.figure(noun) != noun or any(
            self.language.is_plural(noun, noun[:-n]) for n in (1, 2) if len(noun) > n
        )

    def _named(self, part: _Part) -> list[Option] | None:
        """The options that a part names; None where it says something else."""
        named = [token.option for token in part.of("option") if token.option is not None]
        others = part.of("other")
        if part.of("option") and part.of("all"):
            at = part.tokens.index(part.of("all")[0])
            directly = [token.kind for token in part.tokens[at + 1 : at + 2]] == ["option"]
            if not directly and not self.language.wants_both(part.tokens[at].text):
                return None  # "all day on Monday"
        excepts = self.waits and bool(self.base) and part.behind in ("but", "except")
        if named and excepts and self._tells_of_itself(part):
            return None  # "everything, but I prefer driving"
        if named:
            own = {
                word.key
                for option in named
                for name in (option.label, *option.words)
                for word in spoken(name).words
            }
            return named if all(normal(token.text) in own for token in others) else None
        words = [token.text for token in others or part.tokens]
        if not others and (len(words) != 1 or len(words[0]) > 1):
            return []
        if len(others) == 1 and (days := self._days(normal(others[0].text))):
            return days
        chosen = self._one(" ".join(words))
        return [chosen] if chosen is not None else [] if not others else None

    def _one(self, words: str) -> Option | None:
        """The option that is called so, and nothing besides; in the plural, too: "mondays"."""
        language = self.language
        if (chosen := choose(words, self.options, language=language, alone=True)) is not None:
            return chosen
        chosen = choose(words, self.options, language=language)
        if chosen is None:
            return None
        own = [word.key for word in spoken(chosen.label).words]
        said = [word.key for word in spoken(words).words if not language.is_choosing_word(word.key)]
        return chosen if all(any(language.is_plural(word, name) for name in own) for word in said) else None

    def _days(self, noun: str) -> list[Option]:
        """The options that are days of that kind: "weekdays", "weekends"."""
        language, off = self.language, [one for one in self.options if self.language.is_weekend(one.label)]
        if language.is_working_day(noun) and off:
            return [one for one in self.options if one not in off]
        return off if language.is_weekend(noun) and not any(noun in normal(one.label) for one in off) else []

    def _tells_of_itself(self, part: _Part) -> bool:
        """Between the word that leaves out and the option are others than those that stand before any name."""
        at = next(n for n, token in enumerate(part.tokens) if token.kind == "option")
        language = self.language
        before = (language.determines, language.goes_on, language.parts_from)
        return not all(any(is_one(token.text.lower()) for is_one in before) for token in part.tokens[:at])
