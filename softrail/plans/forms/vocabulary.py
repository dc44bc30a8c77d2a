"""What words can mean in one table: its columns by name, part, stem and synonym, its values, and itself."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final

from softrail.plans.data.profile import Column, DataTable, Source
from softrail.plans.forms.form import Aggregate, Measure
from softrail.plans.forms.lexicon import Phrase, lexicon
from softrail.plans.forms.tokens import Token, stem, tokens

NAME, PART, SYNONYM, VALUE, TABLE = 1, 2, 3, 4, 5  #: the order in which a word binds
MOST_VALUES: Final = 200  #: of which more different ones are known one by one
LONGEST: Final = 6  #: words of a name or value that is looked for


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
            if found:
                return length, found
        return 0, ()


def _only_sounds_like(meaning: Meaning, span: Sequence[Token]) -> bool:
    """“it” is no value “IT”: a word that forms are made with is a value only as it stands there."""
    known = len(span) == 1 and (span[0].word,) in lexicon().senses
    return known and meaning.rank in (PART, VALUE) and (meaning.value or "") != span[0].text


@lru_cache(maxsize=256)
def vocabulary(source: Source, table: DataTable) -> Vocabulary:
    """The vocabulary of a table."""
    found: dict[Phrase, dict[str, Meaning]] = {}
    for phrase, meaning in _meanings(source, table):
        here = found.setdefault(phrase, {})
        if meaning.key not in here or here[meaning.key].rank > meaning.rank:
            here[meaning.key] = meaning
    ordered = {p: tuple(sorted(here.values(), key=lambda m: m.rank)) for p, here in found.items() if p}
    return Vocabulary(source=source, table=table, meanings=ordered)


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


def _names(column: Column) -> set[Phrase]:
    base, _, _ = column.title.partition("(")
    return {_stems(column.title), _stems(base), _stems(column.name)}


def parts_of(column: Column) -> set[str]:
    """The stems of a title's words, but for those that forms are made with."""
    words = tokens(column.title.replace("_", " ")) + tokens(column.name.replace("_", " "))
    known = {"roles", "filler"}
    found = {one.stem for one in words if not known & set(lexicon().senses.get((one.word,), ()))}
    return found | {lexicon().short[one.word] for one in words if one.word in lexicon().short}


def _stems(text: str) -> Phrase:
    return tuple(one.stem for one in tokens(text.replace("_", " ")))


# -- what a column is good for


def is_year(column: Column) -> bool:
    """Its numbers are years."""
    named = any(one.word in lexicon().years for one in tokens(column.title.replace("_", " ")))
    return named and column.kind == "number" and column.whole and 1500 <= _int(column.least) <= 2200


def is_named(column: Column) -> bool:
    """Its numbers name something: they are not summed up."""
    last = tokens(column.title.replace("_", " "))[-1:]
    return column.kind == "number" and bool(last) and last[0].word in lexicon().ids


def is_amount(column: Column) -> bool:
    """It has numbers that can be summed up or averaged."""
    return column.kind == "number" and not is_year(column) and not is_named(column)


def is_key(column: Column, table: DataTable) -> bool:
    """Each row, or nearly each, has another one: “tickets” are the rows, and a ticket is one of them."""
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
    said = [one.stem for one in tokens(column.title.replace("_", " "))]
    words = {*said, *(f"{one} {other}" for one, other in pairwise(said))}
    averaged = words & lexicon().averaged or column.unit.casefold() in lexicon().averaged_units
    return "mean" if averaged else "sum"


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
