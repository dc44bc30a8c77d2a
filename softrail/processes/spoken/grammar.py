"""The words of a language as kinds, and patterns over those kinds, put together once.

A message becomes a string with one sign a token, which says of what kinds that token is; a pattern of the grammar is a
regular expression over such strings, written with the names of kinds: `h=hour (?:quarter|half) past` compiles to signs.
"""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache
from typing import Any, Final

from softrail.language.slips import slips
from softrail.processes.words import words

_LEXED: Final = r"""(?P<iso>(?<![\d-])\d{4}([-/.])\d{1,2}\2\d{1,2}(?!\d|-\d)(?:t(?=\d\d:))?)
  |(?P<dmy>(?<![\d/.-])\d{1,2}([/.-])\d{1,2}\4(?:\d{4}|\d{2})(?![\d/-])|(?<![\d/.-])(?:\d{1,2}[.]?[ ]\d{1,2}[.]?[ ]\d{4}|\d\d[ ]\d\d[ ]\d\d)(?![\d/-]|[ ]\d))
  |(?P<phone>(?<![\w.,])(?:\+\d[\d\s().-]{6,}\d|0\d{2,4}[ -]\d{3,}(?:[ -]\d{2,})*|\d{3}-\d{4}(?![\w-])))
  |(?P<day_month>(?<![\d/.])(?:\d{1,2}/\d{1,2}(?![\d/]|\.\d)|\d{1,2}\.\d{1,2}\.(?!\d)))
  |(?P<clock>(?:(?<![\w:.,/-])|(?<=\dt))\d{1,2}(?::[0-5]\d(?::[0-5]\d)?(?![\d:])|h[0-5]?\d(?:m|min)?(?!\w)))
  |(?P<odd>(?<!\w)(?:%s)(?!\w))
  |(?P<feet>(?<![\w.,'’‘“])\d['’](?:\s?(?:1[01]|\d)(?:["”]|''|’’)?)?(?![\w'’]))
  |(?P<code>(?<![\w-])[^\W\d_]{1,4}-(?!(?:19|20)\d\d(?!\d))\d{3,}\w*|(?<!\d)[^\W\d_]+\d\w*|(?<![\w.,])\d+(?!h\d)[^\W\d_]+\d\w*)
  |(?P<grouped>(?<!\d)(?:\d{1,3}(?:[,’'\ ]\d{3})+(?!\d)(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3})+(?!\d)))
  |(?P<apostrophe_year>(?<!\w)['’]\d\d\b)
  |(?P<number>\d+(?:[.,]\d+)?|(?<![\w.,])\.\d+)
  |(?<=\d)['’]s\b
  |(?P<half>(?<![^\W\d_])[ap]\.\s?m\b\.?)
  |(?P<word>[^\W\d_]+(?:['’"][^\W\d_]+)*)
  |(?P<sign>[^\s'’"])"""

#: Of what kinds those tokens are which are no words and no plain numbers.
_LEXED_KINDS: Final = (
    *(
        "iso",
        "dmy",
        "phone",
        "day_month",
        "day_month slashed",
        "clock",
        "feet",
        "code",
        "grouped n",
        "apostrophe_year",
    ),
    *("ordinal", "ordinal spelled"),
)
_GROUP: Final = re.compile(r"([A-Z]+)=\(")
_KEPT: Final = re.compile(r"\b[A-Za-z]=(?=[a-z(])")
_NAME: Final = re.compile(r"(?:(\w+)=)?([a-z]\w*)")
UNITS: Final = ("length", "span", "mass", "distance", "volume", "area")  #: kinds of what is counted in units
_SIGNS: Final = {
    ",": "comma",
    "-": "dash",
    "–": "dash",
    "—": "dash",
    "+": "plus",
    "&": "plus",
    "/": "stroke",
    "−": "less",
    **dict.fromkeys(".;!?…", "stop"),
    **dict.fromkeys("½¼¾", "part_sign"),
}
_FIRST: Final = 0xE000  #: where signs for sets of kinds begin
NOTHING: Final = chr(_FIRST)  #: the sign of what is of no kind that is known
_WEEKDAY: Final = 6  #: letters of the shortest weekday
_LONG_ONE: Final = 8  #: letters; in more of them there may be two slips
_FIGURES: Final = 8  #: of a day in one word, "20260703"; numbers with more are nothing else
#: One of every sort of number there is, as far as the grammar tells them apart.
_SORTS: Final = (*map(str, range(100)), *(f"{n:02}" for n in range(10)))
_LONG: Final = ["100", "199", "1000", "1075", "1930", "1975", "3000", "12345", "12345678", "1.5", "7.45"]


class Grammar:
    """A language's words, each with its kinds, and what it stands for as one of them."""

    def __init__(self, locale: str) -> None:
        table, self.locale = words(locale), locale
        self.values: Mapping[str, Mapping[str, Any]] = table["values"]
        self._kinds: dict[str, set[str]] = {sign: {kind} for sign, kind in _SIGNS.items()}
        self.phrases: dict[str, list[tuple[str, ...]]] = {}
        for kind, known in (*table["values"].items(), *table["kinds"].items()):
            for word in known:
                self._kinds.setdefault(word, set()).add(kind)
                if len(parts := tuple(word.split())) > 1:
                    self.phrases.setdefault(parts[-1], []).append(parts)
        for unit in (*table["values"]["length"], *table["values"]["span"]):
            if len(unit) > 2:  # "m" may be metres
                self._kinds[unit].add("lasting")
        for longest_first in self.phrases.values():
            longest_first.sort(key=len, reverse=True)
        self._chars: dict[frozenset[str], str] = {frozenset(): chr(_FIRST)}
        self.signs = {word: self._char(frozenset(kinds)) for word, kinds in self._kinds.items()}
        self._numbers: dict[tuple[str, bool], str] = {}
        for text in (*_SORTS, *_LONG):
            for spelled in (False, True):
                self._numbers[text, spelled] = self._char(number_kinds(text, spelled=spelled))
        for kinds in _LEXED_KINDS:
            self._char(frozenset(kinds.split()))
        self.worth = _worths(table)
        another = table["kinds"]["another"][0]
        self.another = another, self.signs[another]  #: a word for what comes to a number, and its sign
        self.glued, self.ones, self.quarters = (
            frozenset(table["kinds"][kind]) for kind in ("glued", "a", "quarter")
        )
        self.asking: Mapping[str, list[str]] = table["asking"]
        odd = sorted((w for w in self._kinds if w[:1].isdecimal()), key=len, reverse=True)
        self.tokens = re.compile(_LEXED % "|".join(map(re.escape, odd)), re.VERBOSE)
        self._patterns: dict[tuple[str, ...], re.Pattern[str]] = {}

    def _char(self, kinds: frozenset[str]) -> str:
        return self._chars.setdefault(kinds, chr(_FIRST + len(self._chars)))

    def sign(self, *kinds: str) -> str:
        """The sign of a token that is of these kinds."""
        return self._chars[frozenset(kinds)] if kinds else NOTHING

    def number(self, text: str, *, spelled: bool = False) -> str:
        """The sign of a number."""
        if (text, spelled) not in self._numbers:
            return self._chars[number_kinds(text, spelled=spelled)]
        return self._numbers[text, spelled]

    def is_a(self, sign: str, kind: str) -> bool:
        """A token with that sign is of that kind."""
        return sign in self._class(kind)

    @cache  # noqa: B019 - a grammar lives as long as its process
    def _class(self, kind: str) -> str:
        found = "".join(char for kinds, char in self._chars.items() if kind in kinds)
        if not found:
            raise KeyError(kind)
        return found

    def pattern(self, *told: str) -> re.Pattern[str]:
        """The pattern that is told in names of kinds, any of several; names with `=` are kept to be asked for."""
        if (found := self._patterns.get(told)) is None:
            named = _GROUP.sub(r"(?P<\1>", "|".join(f"(?:{one})" for one in told))
            found = self._patterns[told] = re.compile("".join(_NAME.sub(self._part, named).split()))
        return found

    def read(self, rules: tuple[str, ...], signs: str, at: int) -> tuple[int, re.Match[str]] | None:
        """The next place of any of the rules from that sign on, and which of them is the first that fits there."""
        found = self._any_of(rules).search(signs, at)
        if found is None or found.lastgroup is None:
            return None
        rule = int(found.lastgroup[1:])
        match = self.pattern(rules[rule]).match(signs, found.start())
        return (rule, match) if match is not None else None

    @cache  # noqa: B019 - a grammar lives as long as its process
    def misspelt(self, word: str) -> str | None:
        """The weekday that a word is which is nothing that is known: "wensday"; None where it is none, or may be two."""
        if len(word) < _WEEKDAY - 1 or word[-1] != "y" or word in self._kinds:
            return None
        names = [name for name in self.values["weekday"] if len(name) >= _WEEKDAY and name[-1] == "y"]
        near = {
            self.values["weekday"][name]: name
            for name in names
            if name[0] == word[0] and slips(word, name, 2) <= 1 + (len(name) > _LONG_ONE)
        }
        return next(iter(near.values())) if len(near) == 1 else None

    @cache  # noqa: B019 - the rules are constants
    def _any_of(self, rules: tuple[str, ...]) -> re.Pattern[str]:
        """One pattern for all of them, which keeps nothing but which of them it is."""
        told = (_KEPT.sub("", _GROUP.sub("(?:", rule)) for rule in rules)
        each = (f"(?P<R{n}>{_NAME.sub(self._part, rule)})" for n, rule in enumerate(told))
        return re.compile("".join("|".join(each).split()))

    def _part(self, told: re.Match[str]) -> str:
        kind = f"[{self._class(told[2])}]"
        return f"(?P<{told[1]}>{kind})" if told[1] else kind


def _worths(table: Mapping[str, Any]) -> dict[str, tuple[str, Decimal]]:
    """What a word does to a number: it is added, it multiplies, it is a part, it begins what is behind the point."""
    worth: dict[str, tuple[str, Decimal]] = {}
    for how, kinds in (("size", ("hundred", "big", "pack")), ("add", ("nought", "unit", "teen", "ten"))):
        for kind in kinds:
            worth |= {word: (how, Decimal(value)) for word, value in table["values"][kind].items()}
    for kind, how, value in (
        ("couple", "add", "2"),
        ("half", "part", "0.5"),
        ("quarter", "part", "0.25"),
        ("point", "point", "0"),
    ):
        worth |= {word: (how, Decimal(value)) for word in table["kinds"][kind]}
    return worth


def number_kinds(text: str, *, spelled: bool) -> frozenset[str]:
    """What a number may be by its figures: an hour, minutes, a day of a month, a year."""
    kinds = {"n", "spelled" if spelled else "figure"}
    if not text.isdecimal():
        return frozenset({*kinds, "point_two" if re.fullmatch(r"\d{1,2}\.\d\d", text) else "broken"})
    kinds.add("int")
    if (size := len(text)) > _FIGURES:
        return frozenset(kinds)
    value = int(text)
    tests: Iterable[tuple[str, bool]] = (
        ("one", text == "1"),
        ("hour", size <= 2 and value <= 24),
        ("minute", size == 2 and value < 60),
        ("late_minute", size == 2 and 25 <= value < 60),
        ("minutes", size <= 2 and 0 < value < 60),
        ("day", size <= 2 and 1 <= value <= 31),
        ("two", size == 2),
        ("century", text in ("18", "19", "20")),
        ("year", size == 4 and text[:2] in ("17", "18", "19", "20")),
        ("four", size == 4),
        ("eight", size == 8),
        ("hmm", size == 3 and value % 100 < 60),
        ("hhmm", size == 4 and value < 2400 and value % 100 < 60),
    )
    return frozenset({*kinds, *(kind for kind, true in tests if true)})


@cache
def grammar(locale: str) -> Grammar:
    """The grammar of a locale's language, put together once."""
    return Grammar(locale)
