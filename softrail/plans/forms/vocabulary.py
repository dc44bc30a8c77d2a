"""What words can mean in one table: its columns by name, part, stem and synonym, its values, and itself."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final

from softrail.plans.data.profile import Column, DataTable, Source
from softrail.plans.forms.form import Aggregate, Measure
from softrail.plans.forms.lexicon import Phrase, lexicon
from softrail.plans.forms.tokens import Token, is_several, stem, tokens

NAME, PART, SYNONYM, VALUE, MONEY, TABLE = 1, 2, 3, 4, 5, 6  #: the order in which a word binds
MOST_VALUES: Final = 200  #: of which more different ones are known one by one
LONGEST: Final = 6  #: words of a name or value that is looked for
#: What stands behind a value, and not behind a word such as “in” that leads to something.
_LEAVES_ALONE: Final = frozenset({"by", "and", "with", "beside", "against", "neutral"})
_QUANTITIES: Final = tuple(
    stem(word)
    for word in ("quantity", "revenue", "cost", "amount", "profit", "count", "total", "stock", "net", "gross")
)
_MOST_OF_A_SCALE: Final = 20
_ROWS_OF_A_SCALE: Final = 20  #: of fewer nothing can be said
_SCALE: Final = re.compile(r"\(\s*[01]\s*(?:[-–—]|to|\.\.)\s*\d{1,3}\s*\)|\bout of \d|/\s*(?:5|10|20|100)\b")


@dataclass(frozen=True, slots=True)
class Meaning:
    """One thing that words may stand for: a column, a value in it, or, without a column, the rows of the table."""

    rank: int
    column: Column | None = None
    value: str | None = None

    @property
    def key(self) -> str:
        """The same in a text that can be kept."""
        if self.column is None:
            return "rows"
        return self.column.name if self.value is None else f"{self.column.name}={self.value}"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The meanings of one table, by the stems of the words."""

    source: Source
    table: DataTable
    meanings: Mapping[Phrase, Sequence[Meaning]] = field(repr=False)

    def at(self, words: Sequence[Token], start: int) -> tuple[int, Sequence[Meaning]]:
        """The longest phrase that means something here: how many words, and its meanings, the first rank first."""
        for length in range(min(LONGEST, len(words) - start), 0, -1):
            span = words[start : start + length]
            found = self.meanings.get(tuple(one.stem for one in span), ())
            found = [one for one in found if not _only_sounds_like(one, span)]
            found = _as_it_stands(found, span)
            if length == 1 and _joins(words, start, found):
                continue
            if found:
                return length, found
        return 0, ()


def _only_sounds_like(meaning: Meaning, span: Sequence[Token]) -> bool:
    """“it” is no value “IT”: a word that forms are made with is a value only as it stands there."""
    known = len(span) == 1 and (span[0].word,) in lexicon().senses
    return known and meaning.rank in (PART, VALUE) and (meaning.value or "") != span[0].text


def _as_it_stands(found: Sequence[Meaning], span: Sequence[Token]) -> Sequence[Meaning]:
    """“Open” is the value “open”, and no column “Opened”: a value said to the letter comes before a title that is only like it."""
    said = " ".join(one.word for one in span)
    exact = [one for one in found if (one.value or "").casefold() == said]
    words = {one.word for one in span}
    titles = [one.column for one in found if one.value is None and one.column is not None]
    named = any(words & {one.word for one in _said(column)} for column in titles)
    return exact if exact and not named else found


def _joins(words: Sequence[Token], at: int, found: Sequence[Meaning]) -> bool:
    """“In” is a value “in” where it stands for something, and none where something follows that it leads to: “in March”."""
    there = lexicon().senses.get((words[at].word,), {}).get("roles", ())
    if not there or any(one.value is None for one in found):
        return False
    after = words[at + 1] if at + 1 < len(words) else None
    alone = after is None or bool(
        _LEAVES_ALONE & set(lexicon().senses.get((after.word,), {}).get("roles", ()))
    )
    return not alone


@lru_cache(maxsize=256)
def vocabulary(source: Source, table: DataTable) -> Vocabulary:
    """The vocabulary of a table."""
    found: dict[Phrase, dict[str, Meaning]] = {}
    for phrase, meaning in _meanings(source, table):
        here = found.setdefault(phrase, {})
        if meaning.key not in here or here[meaning.key].rank > meaning.rank:
            here[meaning.key] = meaning
    ordered = {p: tuple(_ordered(here.values())) for p, here in found.items() if p}
    return Vocabulary(source=source, table=table, meanings=ordered)


def _ordered(meanings: Iterable[Meaning]) -> list[Meaning]:
    """The first rank first; a column of money is called “revenue” where no other one is."""
    ordered = sorted(meanings, key=lambda m: m.rank)
    called = ordered[0].value is None and ordered[0].rank < VALUE
    return [one for one in ordered if one.rank != MONEY or not called]


def _meanings(source: Source, table: DataTable) -> Iterator[tuple[Phrase, Meaning]]:
    for name in {table.title, table.name, source.name.rpartition(".")[0], *lexicon().rows}:
        yield _stems(name), Meaning(TABLE)
    for column in table.columns:
        yield from ((phrase, Meaning(NAME, column)) for phrase in _names(column))
        parts = parts_of(column)
        for part in parts:
            yield (part,), Meaning(PART, column)
            for other in lexicon().synonyms.get(part, ()):
                if other not in parts:
                    yield (other,), Meaning(SYNONYM, column)
        for value in column.values:
            yield _stems(value), Meaning(VALUE, column, value)
        if column.unit in lexicon().currencies:
            yield from (((word,), Meaning(MONEY, column)) for word in lexicon().money)
        if parts & lexicon().people and column.kind in ("text", "number") and not is_amount(column):
            yield from (((word,), Meaning(SYNONYM, column)) for word in lexicon().anyone)


def _names(column: Column) -> set[Phrase]:
    base, _, _ = column.title.partition("(")
    return {_stems(column.title), _stems(base), _stems(column.name)}


def parts_of(column: Column) -> set[str]:
    """The stems of a title's words, but for those that forms are made with, and for numbers: 5 is no “Score (1-5)”."""
    words = _said(column) + tokens(column.name.replace("_", " "))
    known = {"roles", "filler"}
    words = [one for one in words if not one.word.isdecimal()]
    found = {one.stem for one in words if not known & set(lexicon().senses.get((one.word,), ()))}
    return found | {lexicon().short[one.word] for one in words if one.word in lexicon().short}


def _stems(text: str) -> Phrase:
    return tuple(one.stem for one in tokens(text.replace("_", " ")))


# -- what a column is good for


def is_year(column: Column) -> bool:
    """Its numbers are years."""
    named = any(one.word in lexicon().years for one in _said(column))
    return named and column.kind == "number" and column.whole and 1500 <= _int(column.least) <= 2200


def is_named(column: Column) -> bool:
    """Its numbers name something: they are not summed up."""
    last = _said(column)[-1:]
    named = bool(last) and last[0].word in lexicon().ids
    return column.kind == "number" and (named or (column.numbering and not _means_more(column)))


def _means_more(column: Column) -> bool:
    """Its title or its unit says that its numbers are so much of something, however they follow each other."""
    several = any(is_several(one.word) for one in _said(column))
    quantities = {one for word in _QUANTITIES for one in (word, *lexicon().synonyms.get(word, ()))}
    counted = several or takes(column) is not None or bool(parts_of(column) & quantities)
    return bool(column.unit) or counted or _is_averaged(column)


def may_be_a_scale(column: Column, table: DataTable) -> bool:
    """Small whole numbers of which nothing says what they are: “Table”, “Priority”. Their sum may mean nothing."""
    if table.rows < _ROWS_OF_A_SCALE or not (is_amount(column) and column.whole) or _means_more(column):
        return False
    return _int(column.least) >= 0 and 1 < _int(column.most) <= _MOST_OF_A_SCALE


def is_amount(column: Column) -> bool:
    """It has numbers that can be summed up or averaged."""
    return column.kind == "number" and not is_year(column) and not is_named(column)


def is_key(column: Column, table: DataTable) -> bool:
    """Each row, or nearly each, has another one: “tickets” are the rows, and a ticket is one of them."""
    if column.kind == "number":
        return column.numbering and is_named(column)
    named = not column.values and bool({one.word for one in tokens(column.title)} & lexicon().ids)
    many = named or (not column.values and MOST_VALUES < table.rows <= 2 * MOST_VALUES)
    return column.kind == "text" and not column.empty and (many or len(column.values) == table.rows)


def is_date(column: Column) -> bool:
    """It has days, or times of days."""
    return column.kind in ("date", "time")


def takes(column: Column) -> int | None:
    """How many seconds one is in a column that says how long something takes; None: it does not say that."""
    said = tokens(f"{column.title} {column.unit}".replace("_", " "))
    found = {lexicon().durations[one.word] for one in said if one.word in lexicon().durations}
    return found.pop() if len(found) == 1 else None


def usual(column: Column) -> Aggregate:
    """How its numbers are summed up where nothing else is said."""
    if not is_amount(column):
        return "count"
    return "mean" if _is_averaged(column) else "sum"


def _said(column: Column) -> list[Token]:
    return tokens(column.title.replace("_", " "))


def _is_averaged(column: Column) -> bool:
    """Its sum means nothing: marks, temperatures, prices, what lies on a scale."""
    said = [one.stem for one in _said(column)]
    words = {*said, *(f"{one} {other}" for one, other in pairwise(said)), *parts_of(column)}
    unit = column.unit.casefold() in lexicon().averaged_units
    return bool(words & lexicon().averaged) or unit or _SCALE.search(column.title) is not None


def measured(column: Column | None, aggregate: Aggregate | None = None) -> Measure:
    """The measure of a column; the number of rows without one."""
    if column is None:
        return Measure()
    how = aggregate or usual(column)
    if how == "count" and is_amount(column):
        how = usual(column)  # “how many units” are all of them together
    if how not in ("count", "each") and not is_amount(column):
        how = "count"
    return Measure(
        column=column.name, title=column.title, aggregate=how, unit="" if how == "count" else column.unit
    )


def _int(text: str | None) -> int:
    try:
        return int(float(text or ""))
    except ValueError:
        return 0


def as_word(text: str) -> str:
    """A word in the form in which choices are kept."""
    return " ".join(stem(one.word) for one in tokens(text))
