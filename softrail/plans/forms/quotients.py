"""“Cost per unit”: the sum of one column divided by the sum of another, where an amount stands after “per”."""

from typing import Final

from softrail.plans.data.profile import Column
from softrail.plans.forms.form import Choice, Measure, Question, Read
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.scanning import Item
from softrail.plans.forms.slots import Slots
from softrail.plans.forms.tokens import is_several, stem, tokens
from softrail.plans.forms.vocabulary import Vocabulary, as_word, is_amount, parts_of, usual

PER: Final = frozenset({"per", "each", "every", "divided"})  #: what stands before a thing that is counted
EACH_ROW: Final = Choice(label="The average of all rows", key="rows")
_KEY: Final = "/"  #: before the name of a column: it is divided by
_TIMES: Final = frozenset({"hour", "minute", "weekday"})  #: and the grains
_COUNTED: Final = "quantity"  #: it and its synonyms say that a column counts things


def divisor(item: Item, known: Vocabulary, chosen: str | None) -> Column | Question | None:
    """The column that “per” this word divides by; a question where it may as well be split by; None: it is."""
    if chosen is not None:
        name = chosen.removeprefix(_KEY)
        there = [one for one in known.table.columns if one.name == name]
        return there[0] if chosen.startswith(_KEY) and there else None
    found = _amounts(item)
    if not found or (len(found) == 1 and _is_time(found[0])):
        return None
    [only] = found if len(found) == 1 else [None]
    if only is not None and _counts(only) and not _is_an_event(item, only):
        return only
    choices = [Choice(label=f"Divided by {one.title}", key=f"{_KEY}{one.name}") for one in found]
    choices += [Choice(label=f"Each {one.title} by itself", key=one.name) for one in found if one.whole]
    if only is not None and _is_an_event(item, only):
        choices.append(EACH_ROW)
    return Question(
        about=as_word(item.said), said=item.said, why="several", what="group", choices=tuple(choices)
    )


def divide(slots: Slots, said: str, by: Column, known: Vocabulary) -> bool:
    """Make the last measure one per this column; False: it is no sum, and divided it would mean nothing."""
    before = slots.measures[-1]
    column = next((one for one in known.table.columns if one.name == before.column), None)
    if column is None or column == by or usual(column) != "sum" or before.aggregate not in ("sum", "mean"):
        return False
    unit = f"{column.unit}/{by.unit}" if column.unit and by.unit else column.unit
    new = Measure(
        column=column.name, title=column.title, aggregate="sum", unit=unit, over=by.name, over_title=by.title
    )
    named = [one.said for one in slots.reads if one.means == before.told()]
    slots.measures[-1] = new
    slots.reads = [one for one in slots.reads if one.means != before.told()]
    slots.reads.append(Read(said=f"{named[-1]} per {said}" if named else f"per {said}", means=new.told()))
    return True


def _amounts(item: Item) -> list[Column]:
    """The sums that a word may stand for, where it is the name of nothing else."""
    named = [m for m in item.meanings if m.column is not None and m.value is None]
    best = min((m.rank for m in named), default=0)
    found = {m.column.name: m.column for m in named if m.rank == best and m.column is not None}
    return list(found.values()) if all(is_amount(c) and usual(c) == "sum" for c in found.values()) else []


def _is_an_event(item: Item, column: Column) -> bool:
    """“Per sale”, where there is a column of revenue: a sale is what a row may stand for, and no amount of money."""
    called = parts_of(column) & {stem(word) for word in item.words}
    return not called and not column.whole and not item.words[-1].endswith("s")


def _is_time(column: Column) -> bool:
    """“Hour”, “Month”: numbers that say when, by which people split."""
    words = tokens(column.title.replace("_", " "))
    return bool(words) and column.whole and (words[-1].word in _TIMES or _is_grain(words[-1].word))


def _is_grain(word: str) -> bool:
    return (
        "grains" in lexicon().senses.get((word,), {})
        and stem(word) == stem(word + "s")
        and not word.endswith("s")
    )


def _counts(column: Column) -> bool:
    """“Units”, “Hours worked”, 12.5 kg: so much of something, and no name of a piece."""
    words = tokens(column.title.partition("(")[0].replace("_", " "))
    counted = {stem(_COUNTED), *lexicon().synonyms.get(stem(_COUNTED), ())}
    several = any(is_several(one.word) for one in words)
    return not column.whole or several or any(one.stem in counted for one in words)
