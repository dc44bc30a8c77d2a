"""The words that forms are made with, read once from `english.toml`: phrases by what they do."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, Literal, NamedTuple

from softrail.plans.forms.form import Drawn
from softrail.plans.forms.tokens import stem, tokens

#: The tables of the file whose phrases are looked for anywhere in a request; leads only at its beginning.
_ANYWHERE: Final = (
    "aggregates",
    "extremes",
    "roles",
    "relations",
    "comparing",
    "along",
    "stepwise",
    "rest",
    "order",
    "drawing",
    "quantifiers",
    "moves",
    "checks",
    "grains",
    "relative",
    "filler",
)
Phrase = tuple[str, ...]
_WAYS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "more": {"relations": (">",)},
    "less": {"relations": ("<",)},
    "most": {"extremes": ("most",), "aggregates": ("max",)},
    "least": {"extremes": ("least",), "aggregates": ("min",)},
}


class Adjective(NamedTuple):
    """“Older”, “the hottest”: what it is more or less of, and which way."""

    of: frozenset[str]  #: stems in titles of columns
    adds_up: bool  #: what several rows have of it is their sum
    sense: Mapping[str, tuple[str, ...]]


class Lexicon(NamedTuple):
    """Phrases, each with what it may do: by kind, the values of that kind."""

    leads: Mapping[Phrase, tuple[str, ...]]
    endings: Mapping[str, str]  #: last words that do the same
    senses: Mapping[Phrase, Mapping[str, tuple[str, ...]]]
    longest: int
    months: Mapping[str, int]
    seasons: Mapping[str, int]  #: spring, from March on, is the first
    ordinals: Mapping[str, int]
    ranks: Mapping[str, int]  #: the same, and those that no quarter has
    to_date: Mapping[str, str]  #: short for a time until today: the piece of time that it began with
    numbers: Mapping[str, int]
    synonyms: Mapping[str, frozenset[str]]  #: by stem: the stems of the other words for it
    averaged: frozenset[str]  #: stems in titles of columns that are averaged
    averaged_units: frozenset[str]
    grammar: frozenset[str]  #: words that mean nothing by themselves where data is spoken of
    ids: frozenset[str]
    years: frozenset[str]
    rows: frozenset[str]  #: what the rows of any table are called
    people: frozenset[str]  #: stems in titles of columns that name people
    anyone: frozenset[str]  #: stems of words for people of any kind
    units: Mapping[str, str]  #: of numbers, by the words for them
    currencies: frozenset[str]  #: units of money
    money: frozenset[str]  #: stems of words for money that comes or goes, whatever its column is called
    adjectives: Mapping[Phrase, Adjective]
    durations: Mapping[str, int]  #: how many seconds: “hours”, “min”
    short: Mapping[str, str]  #: how words are cut in titles: the stem of the whole one
    pictures: Mapping[
        str, Drawn
    ]  #: words for a picture of what was found, and how it is to be drawn: "" where they do not say
    files: frozenset[str]  #: words for a file that what was found is taken along in
    beside_pictures: Mapping[str, Drawn]  #: the same of words that may stand beside them


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The English one."""
    read = tomllib.loads(files(__package__).joinpath("english.toml").read_text(encoding="utf-8"))
    senses: dict[Phrase, dict[str, tuple[str, ...]]] = {}
    for kind in _ANYWHERE:
        for value, phrases in read[kind].items():
            for phrase in phrases:
                found = senses.setdefault(_phrase(phrase), {})
                found[kind] = (*found.get(kind, ()), value)
    leads: dict[Phrase, tuple[str, ...]] = {}
    for value, phrases in read["leads"].items():
        for phrase in phrases:
            leads[_phrase(phrase)] = (*leads.get(_phrase(phrase), ()), value)
    return Lexicon(
        leads=leads,
        endings={word: form for form, words in read["endings"].items() for word in words},
        senses=senses,
        longest=max(len(phrase) for phrase in senses),
        months=_numbered(read["months"]["names"]) | _numbered(read["months"]["short"]),
        seasons=_numbered(read["months"]["seasons"]) | _numbered(read["months"]["seasons_too"]),
        ordinals=_numbered(read["months"]["ordinals"]),
        ranks=_numbered(read["months"]["ranks"]) | _numbered(read["months"]["places"]),
        to_date=read["to_date"],
        numbers=_numbered(read["numbers"]["names"]),
        synonyms=_synonyms(read),
        averaged=frozenset(" ".join(stem(one) for one in word.split()) for word in read["averaged"]["words"]),
        averaged_units=frozenset(read["averaged"]["units"]),
        grammar=frozenset(read["grammar"]["words"]),
        ids=frozenset(read["named"]["ids"]),
        years=frozenset(read["named"]["years"]),
        rows=frozenset(read["named"]["rows"]),
        people=frozenset(stem(word) for word in read["named"]["people"]),
        anyone=frozenset(stem(word) for word in read["named"]["anyone"]),
        currencies=frozenset(read["money"]["units"]),
        money=frozenset(stem(word) for word in read["money"]["words"]),
        units={word: unit for unit, words in read["units"].items() for word in words},
        adjectives={phrase: one for table in read["adjectives"] for phrase, one in _adjectives(table)},
        durations={word: int(count) for count, words in read["durations"].items() for word in words},
        short={cut: stem(word) for word, cuts in read["short"].items() for cut in cuts},
        pictures=_drawn(read["pictures"]),
        files=frozenset(read["files"]["words"]),
        beside_pictures=_drawn(read["beside_pictures"]),
    )


def _adjectives(table: Mapping[str, Any]) -> Iterator[tuple[Phrase, Adjective]]:
    of = frozenset(stem(word) for word in table["of"])
    for way, sense in _WAYS.items():
        for phrase in table.get(way, ()):
            yield _phrase(phrase), Adjective(of, table.get("adds_up", False), sense)


def _drawn(words: Mapping[Drawn | Literal["any"], list[str]]) -> Mapping[str, Drawn]:
    return {word: "" if how == "any" else how for how, ones in words.items() for word in ones}


def _phrase(text: str) -> Phrase:
    return tuple(one.word for one in tokens(text)) or (text,)


def _numbered(names: list[str]) -> dict[str, int]:
    return {name: n for n, name in enumerate(names, start=1)}


def _synonyms(read: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for group in read["synonyms"]["groups"]:
        stems = frozenset(stem(word) for word in group)
        for one in stems:
            found[one] = found.get(one, frozenset()) | stems - {one}
    return found
