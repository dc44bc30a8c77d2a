"""Binds the items of a request to one table, from left to right."""

import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Final, Literal

from softrail.plans.data.profile import Column
from softrail.plans.forms.choices import (
    AS_SAID,
    Role,
    average_of_what,
    by_key,
    choice_of,
    choices_for,
    left_out,
)
from softrail.plans.forms.form import (
    OPPOSITES,
    Aggregate,
    Choice,
    Filter,
    Grain,
    Group,
    Limit,
    Measure,
    Question,
    Read,
    Relation,
)
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.periods import Period, grain_of
from softrail.plans.forms.placing import placed, within
from softrail.plans.forms.quotients import PER, divide, divisor
from softrail.plans.forms.scanning import Item
from softrail.plans.forms.slots import (
    Slots,
    amount,
    columns,
    compares,
    is_year_of,
    length_of,
    range_in,
)
from softrail.plans.forms.vocabulary import (
    PART,
    Meaning,
    Vocabulary,
    as_word,
    is_amount,
    is_date,
    is_year,
    measured,
    parts_of,
    takes,
    usual,
)

_EACH: Final = ("each", "every")  #: before what the data is split by
_APART: Final = frozenset(",:;–—-")  #: marks behind which something else may begin
LIMITED: Final = "?limit"  #: which numbers are not more than so much
Mode = Literal["free", "by", "neutral", "only", "not", "since", "after", "until", "before", "between"]
_WAITS: Final = frozenset(
    {"not", "since", "after", "until", "before", "between"}
)  #: what has to come to something
_DATES: Final = frozenset({"date", "dates", "day", "days"})
_ONWARDS: Final = frozenset({"onwards", "onward", "forward"})


class Binder:
    """Goes through the items once. What fits nothing, or two things, becomes a question; nothing is left out."""

    def __init__(
        self,
        known: Vocabulary,
        *,
        chosen: Mapping[str, str],
        group_first: bool = False,
        which: bool = False,
        several: bool = False,
        surely: bool = False,
    ) -> None:
        self.known = known
        self.chosen = chosen
        self.slots = Slots()
        self._group_first = group_first  #: “top 3 products by revenue”: what is split by comes first
        self._which = (
            which  #: “which product has the highest revenue”: so does it here, and the rest follows freely
        )
        self._several = several  #: more than one measure may follow each other
        self._surely = surely  #: it is a request, whatever its words
        self._left_out = left_out(chosen)
        self._mode: Mode = "free"
        self._once = False  #: the mode is that of the next word alone: “did each region earn”
        self._per = False  #: what is split by may be what is divided by: “cost per unit”
        self._after_per = False
        self._joined = False
        self._instead_of = False
        self._distinct = False  #: how many different ones are wanted
        self._apart = False  #: a mark stands before the word: “without returns: units”
        self._last: Role | None = None  #: what was bound last
        self._named: frozenset[str] = frozenset()  #: the columns that the request calls by their names
        self._waits = ""  #: a word such as “not”, as long as nothing came of it
        self._or = False
        self._to = False  #: “to” stands before the word: “Q1 to Q3”
        self._each = ""  #: “in each”, before what the data is split by
        self._hows: list[Aggregate] = []  #: how what comes next is summed up: “the smallest and the largest”
        self._mean = ""  #: “average”, as it was said
        self._often: tuple[str, str] | None = (
            None  #: “daily”, “per month”: and the piece of time, which has a total
        )

    def bind(self, items: Sequence[Item]) -> Slots:
        """Bind all items."""
        at = 0
        named = [m for one in items for m in one.meanings if m.rank <= PART and m.value is None]
        self._named = frozenset(one.column.name for one in named if one.column is not None)
        while at < len(items):
            at += self._take(items, at)
        self._came_of_it()
        left = [how for how in self._hows if any(one.aggregate != how for one in self.slots.measures)]
        if left:
            self._unbound(left[0], "measure")
        self._mean_of_what()
        self.slots.hows = tuple(self._hows)
        return self.slots

    def _came_of_it(self) -> None:
        """Something has to come of “not”, “since” and their like: what they turn round is not looked at as it is."""
        if self._waits:
            self._open(self._waits)
        self._waits = ""

    def _mean_of_what(self) -> None:
        """“Average daily revenue”: of what adds up each day has a total, and each row is so much."""
        sums = {one.name for one in self.known.table.columns if usual(one) == "sum"}
        adds_up = any(one.aggregate == "mean" and one.column in sums for one in self.slots.measures)
        if self._mean and self._often and adds_up and self.chosen.get(as_word(self._mean)) != AS_SAID:
            self.slots.questions.append(average_of_what(self._mean, *self._often))

    # -- one item

    def _take(self, items: Sequence[Item], at: int) -> int:
        """Take the item there, and those that belong to it; how many."""
        item, after = items[at], items[at + 1 :]
        if as_word(item.said) in self._left_out:
            self.slots.reads.append(Read(said=item.said, means="left out"))
            return 1
        if (more := self._pair(item, after)) or (more := self._limit(item, after)):
            return more
        if item.meanings or self.chosen.get(as_word(item.said), AS_SAID) != AS_SAID:
            if self._mode == "by" and self._joined and self._is_measured_again(item, after):
                self._mode = "free"
            used = self._grain_of_column(item)
            if not used:
                self._word(item)
            return 1
        if item.period is not None:
            onwards = self._is_onwards(after)
            self._mode = "since" if onwards else self._mode
            self._period(item.period)
            return 1 + onwards
        if item.number is not None:
            self.slots.numbers.append((item.number, item.percent))
            return 1
        if item.sense("relative") == "next":
            return self._ahead(after)
        if item.sense("grains"):
            return self._grain(item, after)
        if item.senses:
            self._sense(item)
            return 1
        if not (self._surely and set(item.words) <= lexicon().grammar):
            self._unbound(item.said)
        return 1

    def _is_measured_again(self, item: Item, after: Sequence[Item]) -> bool:
        """“Revenue by region and units by region”: another number, which is split once more."""
        return (
            bool(self.slots.measures)
            and amount(item) is not None
            and any(one.sense("roles") == "by" for one in after)
        )

    def _sense(self, item: Item) -> None:
        """A word that forms are made with."""
        if "aggregates" in item.senses or "extremes" in item.senses:
            if (self._group_first or self._which) and "extremes" in item.senses:
                self.slots.extreme = item.sense("extremes")
                self._mode, self._group_first = "free", False
            elif "aggregates" in item.senses and self._mode == "not":
                self._waits = ""  # “the average, not the sum”
            elif item.sense("aggregates") == "distinct":
                self._summed_up("count", item)
                self._distinct = True
            elif "aggregates" in item.senses:
                self._summed_up(item.sense("aggregates"), item)  # type: ignore[arg-type] # one of them
            else:
                self.slots.extreme = item.sense("extremes")
            return
        if "drawing" in item.senses:
            self.slots.drawn = item.sense("drawing")
            return
        roles = item.senses.get("roles", ())
        for role in ("also", "use", "instead", "against", "beside", "unfiltered"):
            if role in roles:
                self.slots.does.add(role)
        if "excluded" in roles:
            self._excluded(item.said)
            return
        if "instead" in roles and item.words[-1] in ("of", "than"):
            self._instead_of = True
        self._or = self._or or item.words == ("or",)
        self._to = item.words in (("to",), ("through",), ("until",))
        if item.does("moves", "up", "down") and (self.slots.measures or self.slots.by or self.slots.where):
            self._unbound(item.said)  # “visits drop from …”, where “drop the shop” leaves something out
            return
        modes = ("by", "only", "not", "since", "after", "until", "before", "between", "neutral")
        mode = next((one for one in modes if one in roles), None)
        if {"and", "with", "beside"} & set(roles) or item.words == (",",):
            self._joined = True
        if mode is None and item.words[-1] in _EACH:
            mode, self._once = "by", True
        if mode is not None:
            self._per = mode == "by" and bool(PER & set(item.words))
            self._after_per = self._after_per and mode == "by" and "and" in roles
        if mode == "neutral" and self._waits:
            return  # “not in the north”
        if mode is not None and "and" not in roles:
            self._came_of_it()
            self._mode = mode  # type: ignore[assignment] # one of them
            self._waits = item.said if mode in _WAITS else ""
            self._each = item.said if mode == "by" and PER & set(item.words) else ""
            if (
                mode == "by" and self._group_first and not self._each
            ):  # “the best product per region” is one of each
                self._mode, self._group_first = "free", False
        if not roles and "filler" not in item.senses and "comparing" not in item.senses and mode is None:
            self._unbound(item.said)

    def _summed_up(self, how: Aggregate, item: Item) -> None:
        """How what comes next is summed up; of two that are not joined only a total may stand beside the other."""
        several = bool(self._hows) and (self._joined or item.mark == ",")
        both = {how, *self._hows[-1:]}
        if len(both) > 1 and not several and self._hows[-1] != "sum" and both != {"sum", "count"}:
            self._open(item.said)
        self._hows = [*self._hows, how] if several and how not in self._hows else [how]
        self.slots.aggregate = how
        self._mean = item.said if how == "mean" else self._mean

    # -- words that mean something in the table

    def _word(self, item: Item) -> None:
        if self._per and self._mode == "by" and (self._of_a_row(item) or self._divided(item)):
            return
        if not self._joined and columns(item) & {one.over for one in self.slots.measures if one.over}:
            return  # “per unit sold”
        if self._joined and self._after_per and columns(item) and amount(item) is None:
            self._mode = "by"  # “per click and channel”
        self._apart = bool(_APART & set(item.mark))
        roles = self._roles()
        found = self._meant(item, roles)
        if isinstance(found, Question):
            self.slots.questions.append(found)
            self._joined = False
            return
        if self._once:
            self._mode, self._once = "free", False
        if found is None:
            if roles[0] == "group" or not (self._again(item.meanings) or self._is_done_then(item)):
                self._unbound(item.said, roles[0])
            return
        role, meaning = found
        self._last = role
        self.slots.bound += 1
        if role == "measure":
            self._measure(item.said, meaning)
        elif role == "group":
            self._group(item.said, meaning.column)
            self._group_first = self._group_first and not self._which
        else:
            self._filter(item.said, meaning)
        self._joined = self._or = False

    def _roles(self) -> tuple[Role, ...]:
        match self._mode:
            case "by":
                if not self.slots.by or (self._joined and self._last == "group"):
                    return ("group",)
                return ("group", "filter") if self.slots.measures else ("group", "filter", "measure")
            case "free":
                if self._group_first:
                    return ("group", "filter")
                room = not self.slots.measures or self._several or self._joined or self._instead_of
                return ("measure", "filter") if room else ("filter", "measure")
            case "neutral":
                if not self.slots.measures:
                    return ("measure", "filter")
                return ("filter", "measure") if self._joined and self._last == "measure" else ("filter",)
            case _:
                open_ = not self.slots.measures and (self._mode == "only" or self._apart)
                return ("filter", "measure") if open_ else ("filter",)

    def _meant(self, item: Item, roles: Sequence[Role]) -> tuple[Role, Meaning] | Question | None:
        """What it means in one of these roles; a question where that is two things."""
        key = self.chosen.get(as_word(item.said))
        if key is not None:
            meaning = by_key(self.known, key)
            role = next((one for one in roles if meaning and self._fits(meaning, one)), None)
            return (role, meaning) if role is not None and meaning is not None else None
        fitting = [(role, m) for m in item.meanings for role in roles if self._fits(m, role)]
        if not fitting:
            return None
        best = min(self._order(one) for one in fitting)
        first = {m.key: (role, m) for role, m in fitting if self._order((role, m)) == best}
        if len(first) == 1:
            return next(iter(first.values()))
        role = next(iter(first.values()))[0]
        meant = [meaning for _, meaning in first.values()]
        again = self._again(meant) or self._of(meant, self._named)
        if role == "measure" and again is not None:  # “how many units did we sell”
            return role, again
        choices = tuple(choice_of(m, self.known) for _, m in first.values())
        return Question(about=as_word(item.said), said=item.said, why="several", what=role, choices=choices)

    def _again(self, meanings: Sequence[Meaning]) -> Meaning | None:
        """What is said of a measure once more, where that is one of these alone."""
        return self._of(meanings, {one.column for one in self.slots.measures})

    def _is_done_then(self, item: Item) -> bool:
        """“Units shipped to Spain”, where days are those of “Shipped on”: it says what the numbers are of."""
        columns_ = [one.column for one in item.meanings if one.value is None and one.rank <= PART]
        there = self.slots.measures and columns_ and not self._waits
        return bool(there) and all(c is not None and is_date(c) for c in columns_)

    def _of(self, meanings: Sequence[Meaning], named: Collection[str]) -> Meaning | None:
        """The one of these that is among the named columns."""
        found = [one for one in meanings if one.value is None and one.column and one.column.name in named]
        return found[0] if len(found) == 1 else None

    def _order(self, one: tuple[Role, Meaning]) -> tuple[int, int]:
        role, meaning = one
        column = meaning.column
        if role != "measure" or column is None:
            return meaning.rank, 0
        return meaning.rank, 0 if is_amount(column) else 2 if is_date(column) else 1

    def _fits(self, meaning: Meaning, role: Role) -> bool:
        column, how = meaning.column, self.slots.aggregate
        if role == "filter":
            named = column is not None and column.kind == "boolean" and _names_it(column, meaning)
            return meaning.value is not None or named
        if meaning.value is not None:
            return False
        if role == "group":
            return column is not None and (column.kind != "number" or column.whole)
        if column is not None and column.kind == "boolean":  # two answers are no number of anything
            return False
        if column is None or not is_amount(column):
            return how in (None, "count") and not (column is not None and is_year(column))
        return True

    def _measure(self, said: str, meaning: Meaning) -> None:
        column, how = meaning.column, self.slots.aggregate
        if column is not None and is_date(column):
            self.chosen = {"?date": column.name, **self.chosen}
            column = None
        made = [measured(column, how) for how in self._hows or (how,)]
        self._hows = []
        if self._distinct and column is not None:  # “how many different prices” are no sum of them
            made = [Measure(column=column.name, title=column.title)]
        if self._instead_of:  # “instead of revenue”
            return
        if made[0] not in self.slots.measures:
            if self.slots.measures and not (self._several or self._joined):
                self._unbound(said, "measure")
                return
            self.slots.measures += dict.fromkeys(made)
        self.slots.reads += [Read(said=said, means=one.told()) for one in made]
        if self.slots.over is not None:  # “per unit cost”
            (per, by), self.slots.over = self.slots.over, None
            self._divide(per, by)

    def _of_a_row(self, item: Item) -> bool:
        """“Revenue per sale”, where a row is a sale: an average."""
        rows = any(one.column is None for one in item.meanings)
        named = [m for m in item.meanings if self._fits(m, "group")]
        others = [m for m in named if m.rank < PART or (m.column is not None and not is_date(m.column))]
        if others or len(self.slots.measures) != 1:
            return False
        if not rows and named and not set(item.words) & _DATES:  # “per visit” is not by the date of it
            self._unbound(item.said, "group")
            return True
        if not rows:
            return False
        column = next(
            (one for one in self.known.table.columns if one.name == self.slots.measures[0].column), None
        )
        if column is None or not is_amount(column) or self.slots.measures[0].over:
            return False
        before, mean = self.slots.measures[0], measured(column, "mean")
        self.slots.measures = [mean]
        self.slots.reads = [one for one in self.slots.reads if one.means != before.told()]
        self.slots.reads.append(Read(said=f"{before.title} per {item.said}", means=mean.told()))
        self.slots.bound += 1
        self._mode, self._per, self._each, self._after_per = "free", False, "", True
        return before.aggregate in ("sum", "mean")

    def _divided(self, item: Item) -> bool:
        """Whether a word after “per” is an amount, and no name of pieces."""
        found = divisor(item, self.known, self.chosen.get(as_word(item.said)))
        if found is None:
            return False
        self._per, self._joined = False, False
        if isinstance(found, Question):
            self.slots.questions.append(found)
            return True
        self.slots.bound += 1
        self._mode, self._once, self._after_per = "free", False, True
        if self.slots.measures:
            self._divide(item.said, found)
        else:
            self.slots.over = (item.said, found)
        return True

    def _divide(self, said: str, by: Column) -> None:
        if self.slots.measures[-1].over or not divide(self.slots, said, by, self.known):
            self._unbound(said, "group")  # what is divided already is not divided once more

    def _group(self, said: str, column: Column | None, grain: Grain | None = None) -> None:
        if column is None:
            return
        if is_date(column) and grain is None:
            grain = grain_of(column.least, column.most)
        group = Group(column=column.name, title=column.title, grain=grain)
        if self._instead_of:
            return
        if group not in self.slots.by:
            self.slots.each = group if self._each else self.slots.each
            if self._each and is_year(column):
                self._often = f"{self._each} {said}", "year"
            self.slots.by.append(group)
            self.slots.reads.append(Read(said=said, means=group.told()))

    def _filter(self, said: str, meaning: Meaning) -> None:
        column = meaning.column
        if column is None:
            return
        value = meaning.value if meaning.value is not None else "true"
        excluded = self._mode == "not"
        self._filtered(
            said, Filter(column=column.name, title=column.title, values=(value,), excluded=excluded)
        )

    def _excluded(self, said: str) -> None:
        """“Returns left out”: the last thing that was named, where it is one."""
        last = self.slots.where[-1] if self.slots.where and self._last == "filter" else None
        self._waits = ""
        if last is None or last.excluded or len(last.values) + len(last.spans) != 1:
            self._unbound(said, "filter")
            return
        self.slots.where[-1] = last.model_copy(update={"excluded": True})
        before = self.slots.reads.pop()
        self.slots.reads.append(Read(said=f"{before.said} {said}", means=self.slots.where[-1].told()))

    def _filtered(self, said: str, new: Filter) -> None:
        """Add a filter; another value of the same column is one more that counts, a time within one is all that does."""
        self._alternative(new)
        if new.excluded and self._mode == "not" and not (self._waits or self._joined or self._apart):
            before = self.slots.where[-1]
            if before.excluded and before.column != new.column:
                self._open(said)  # “without online espresso” is less than without both
        self._waits = ""
        for n, one in enumerate(self.slots.where):
            if (one.column, one.excluded, one.part) == (
                new.column,
                new.excluded,
                new.part,
            ) and not new.limits:
                values = tuple(dict.fromkeys((*one.values, *self._up_to(one, new), *new.values)))
                apart = tuple(dict.fromkeys((*one.spans, *new.spans)))
                spans = apart if self._joined else within(one.spans, new.spans) or apart
                self.slots.where[n] = one.model_copy(update={"values": values, "spans": spans})
                break
        else:
            self.slots.where.append(new)
        self.slots.reads.append(Read(said=said, means=new.told()))

    def _up_to(self, first: Filter, last: Filter) -> Sequence[str]:
        """“Q1 to Q3”: what is between two values that are counted."""
        column = next(one for one in self.known.table.columns if one.name == first.column)
        ends = [_numbered(one) for one in (*first.values[-1:], *last.values)]
        if not (self._to and len(ends) == 2) or self._several:
            return ()
        if not ends[0][0] == ends[1][0] != ("", ""):
            self._open("to")  # “7a to 8b”
        between = range(ends[0][1] + 1, ends[1][1])
        return [
            one for one in column.values if _numbered(one)[0] == ends[0][0] and _numbered(one)[1] in between
        ]

    # -- words that belong together

    def _pair(self, item: Item, after: Sequence[Item]) -> int:
        """“the spring term”, “doctor Abel”: a value beside the name of its column."""
        skipped = next((n for n, one in enumerate(after) if not one.is_filler), None)
        if skipped is None or self._mode == "by" or self._group_first or not item.meanings:
            return 0
        other = after[skipped]
        if is_year_of(item, other):
            year = next(m.column for m in item.meanings if m.column is not None and is_year(m.column))
            self._year_is(year, other)
            return skipped + 2
        named, others = columns(item), columns(other)
        valued = [m for m in other.meanings if m.value is not None and m.column and m.column.name in named]
        valued = valued or [
            m for m in item.meanings if m.value is not None and m.column and m.column.name in others
        ]
        if len(valued) != 1:
            return 0
        self._filter(f"{item.said} {other.said}", valued[0])
        self.slots.bound += 2
        return skipped + 2

    def _range(self, item: Item, after: Sequence[Item]) -> int:
        """“Between 10 and 20 units”, “scores from 50 to 70”."""
        row = [(n, one) for n, one in enumerate((item, *after), start=1) if not one.is_filler][:6]
        own = amount(item)
        found = range_in([one for _, one in row[own is not None :]])
        if found is None or self._is_a_time(found.low) or self._is_a_time(found.high):
            return 0
        length = found.length + (own is not None)
        used = row[length - 1][0]
        behind = amount(row[length][1]) if length < len(row) else None
        if own is not None and behind is not None:
            return 0  # “revenue between 10 and 20 units”
        used = row[length][0] if behind is not None else used
        column = own or behind or self._limited_alone(found.high, after[used - 1 :])
        if column is None:
            return used
        said = " ".join(one.said for one in (item, *after)[:used])
        low, _ = self._measured_in(column, found.low, after[used - 1 :])
        high, more = self._measured_in(column, found.high, after[used - 1 :])
        if self._mode == "not" or low > high:
            self._open(said)
        limits = (Limit(relation=">=", number=low), Limit(relation="<=", number=high))
        self._within(Filter(column=column.name, title=column.title, limits=limits), said)
        return used + more

    def _measured_in(self, column: Column, item: Item, rest: Sequence[Item]) -> tuple[Decimal, int]:
        """A number in the unit of a column: “2 days” of one in hours are 48; and how many words said the unit."""
        number, word = item.number or Decimal(0), rest[0].words[0] if rest and len(rest[0].words) == 1 else ""
        if column.unit and column.unit in (lexicon().units.get(word), word):
            return number, 1
        said, own = lexicon().durations.get(word), takes(column)
        if said is None or own is None:
            return number, 0
        exact = number * said / own
        if exact * own != number * said:
            self._open(f"{item.said} {word}")
        return (exact.quantize(Decimal(1)) if exact == exact.to_integral_value() else exact), 1

    def _limit(self, item: Item, after: Sequence[Item]) -> int:
        """“units above 10”, “more than 10 units”."""
        if more := self._range(item, after):
            return more
        row = [one for one in (item, *after) if not one.is_filler][:3]
        length = length_of(item, after, len(row))
        for one, relation, number in ((0, 1, 2), (2, 0, 1)):
            if len(row) == 3 and row[relation].sense("relations") and row[number].number is not None:
                column = amount(row[one])
                given = row[number].number
                if column is None or given is None or self._is_a_time(row[number]):  # “units over 2024”
                    continue
                rest = after[length - 1 :] if number == 2 else ()
                given, more = self._measured_in(column, row[number], rest)
                self._limited(column, " ".join(part.said for part in row), compares(row[relation]), given)
                return length + more
        return self._limit_alone(item, after, row)

    def _limit_alone(self, item: Item, after: Sequence[Item], row: Sequence[Item]) -> int:
        """“over 2000 euros”, “below 100”: of the one column that has such numbers, else it is asked."""
        relation = item.sense("relations")
        if not relation or len(row) < 2 or row[1].number is None:
            return 0
        used = length_of(item, after, 2)
        rest = after[used - 1 :]
        unit = rest and len(rest[0].words) == 1 and rest[0].words[0] in lexicon().units
        if not (unit or row[1].percent) and self._is_a_time(row[1]):
            return 0  # “over 2024”
        column = self._limited_alone(row[1], rest)
        if column is None:
            return used + bool(unit and not row[1].percent)
        number, more = self._measured_in(column, row[1], rest)
        used += more
        self._limited(column, " ".join(one.said for one in (item, *after)[:used]), compares(item), number)
        return used

    def _limited_alone(self, number: Item, rest: Sequence[Item]) -> Column | None:
        """The one column that has such numbers; a question where there are several, or none."""
        word = rest[0].words[0] if rest and len(rest[0].words) == 1 else ""
        unit = "%" if number.percent else lexicon().units.get(word)
        fit = [one for one in self.known.table.columns if is_amount(one)]
        if unit:
            fit = [one for one in fit if one.unit == unit]
        elif word in lexicon().durations:
            fit = [one for one in fit if takes(one)]
        fit = [one for one in fit if self.chosen.get(LIMITED) in (None, one.name)]
        if len(fit) == 1:
            return fit[0]
        choices = tuple(one for one in choices_for(self.known, "measure") if one.key != "rows")
        self.slots.questions.append(Question(about=LIMITED, why="missing", what="measure", choices=choices))
        return None

    def _limited(self, column: Column, said: str, relation: Relation, number: Decimal) -> None:
        """Add a limit; “without those above 10” are those that are not."""
        if self._mode == "not":
            relation = OPPOSITES[relation]
            if not self._waits:
                self._open(said)  # “without espresso above 10” is less than without espresso
        new = Filter(
            column=column.name, title=column.title, limits=(Limit(relation=relation, number=number),)
        )
        before = [one for one in self.slots.where if one.column == column.name and one.limits]
        if any(one.limits[0].relation[0] == relation[0] for one in before):
            self._open(said)  # one for each of two things
        self._within(new, said, again=bool(before))

    def _within(self, new: Filter, said: str, *, again: bool = False) -> None:
        self._alternative(new, limited=again)
        self._waits = ""
        self.slots.where.append(new)
        self.slots.reads.append(Read(said=said, means=new.told()))
        self.slots.bound += 1

    def _alternative(self, new: Filter, *, limited: bool = False) -> None:
        """“In the north or above 10”: rows that count for one of two reasons are not found by any form."""
        if self._or and self.slots.where and (limited or self.slots.where[-1].column != new.column):
            self._open("or")
        self._or = False

    def _is_a_time(self, item: Item) -> bool:
        """A number that could be a year is one where the data has such times."""
        if item.period is None:
            return False
        dates = [one for one in self.known.table.columns if is_date(one)]
        return any((one.least or "")[:4] <= item.words[0] <= (one.most or "9")[:4] for one in dates)

    def _grain_of_column(self, item: Item) -> bool:
        """“by day” where a column of dates has that very name."""
        grain = item.sense("grains")
        column = next((m.column for m in item.meanings if m.column is not None and is_date(m.column)), None)
        if not grain or grain == "default" or column is None or self._mode not in ("by", "free"):
            return False
        self.slots.bound += 1
        self._piece(item, grain)
        self._group(item.said, column, grain)  # type: ignore[arg-type] # a grain
        return True

    # -- times

    def _grain(self, item: Item, after: Sequence[Item]) -> int:
        """“by month”, “monthly”, “by week of created at”."""
        grain = item.sense("grains")
        if item.words == ("time",) and self._mode != "by":  # “time on page”, “time to close”: how much of it
            self._unbound(item.said, "measure")
            return 1
        of = [one for one in after if not one.is_filler][:1]
        named = [m.column for one in after[:2] for m in one.meanings if m.column and is_date(m.column)]
        used = 1
        if after and after[0].words in (("of",), ("on",)) and len({c.name for c in named}) == 1 and of:
            column: Column | None = named[0]
            used = 3
        else:
            column = self.date_column(item.said)
        if column is None:
            if not self._asked("date"):
                self._unbound(item.said, "group")
            return used
        self.slots.bound += 1
        self._piece(item, grain)
        self._group(item.said, column, None if grain == "default" else grain)  # type: ignore[arg-type] # a grain
        return used

    def _piece(self, item: Item, grain: str) -> None:
        """“Per day”, “daily”: how often, where “by day” is what something is split by."""
        if grain != "default" and (self._each or self._mode != "by"):
            self._often = f"{self._each} {item.said}".strip(), grain

    def _is_onwards(self, after: Sequence[Item]) -> bool:
        """“From March 2024 on”."""
        if not after:
            return False
        one, *more = after
        ends = not more or more[0].sense("roles") == "by" or bool(more[0].mark)
        return set(one.words) <= _ONWARDS if one.words != ("on",) else ends

    def _ahead(self, after: Sequence[Item]) -> int:
        number = after[0].number if after else None
        grain = after[1].sense("grains") if number is not None and len(after) > 1 else ""
        if number is None or grain in ("", "default") or not 1 <= number <= 120:
            self._unbound("next")
            return 1
        self.slots.ahead = (int(number), grain)  # type: ignore[assignment] # a grain
        return 3

    def date_column(self, said: str = "") -> Column | None:
        """The column that times are of; a question where there are several."""
        dates = [column for column in self.known.table.columns if is_date(column)]
        chosen = self.chosen.get("?date") or next(
            (g.column for g in self.slots.by if any(c.name == g.column for c in dates)), None
        )
        if chosen is not None:
            return next((column for column in dates if column.name == chosen), None)
        if len(dates) > 1 and not self._asked("date"):
            choices = tuple(Choice(label=one.title, key=one.name) for one in dates)
            self.slots.questions.append(
                Question(about="?date", said=said, why="several", what="date", choices=choices)
            )
        return dates[0] if len(dates) == 1 else None

    def _asked(self, what: str) -> bool:
        return any(one.what == what for one in self.slots.questions)

    def _year_is(self, column: Column, item: Item) -> None:
        self.slots.bound += 1
        self._filtered(
            item.said,
            Filter(
                column=column.name,
                title=column.title,
                values=(item.words[0],),
                excluded=self._mode == "not",
            ),
        )

    def _period(self, period: Period) -> None:
        years = [column for column in self.known.table.columns if is_year(column)]
        if (
            period.unit == "year"
            and len(years) == 1
            and self._mode in ("free", "neutral", "only", "not", "by")
        ):
            self._year_is(years[0], Item(period.said, (str(period.year),)))
            return
        column = self.date_column(period.said)
        if column is None:
            if not self._asked("date"):
                self._unbound(period.said, "filter")
            return
        found = placed(period, column, mode=self._mode, chosen=self.chosen)
        if isinstance(found, Question):
            self.slots.questions.append(found)
            return
        self.slots.bound += 1
        self._last = "filter"
        if found is not None:
            self._filtered(period.said, found)
        self._joined = False

    # -- what fits nothing

    def _open(self, said: str) -> None:
        """Ask what is meant by a word that forms are made with."""
        self.slots.questions.append(
            Question(about=as_word(said), said=said, why="no_use", what="filter", choices=())
        )

    def _unbound(self, said: str, role: Role | None = None) -> None:
        self.slots.unbound.append(said)
        role = role or self._roles()[0]
        # The first question alone is asked: looking through all values for each further word takes seconds.
        choices = choices_for(self.known, role, said) if not self.slots.questions else ()
        self.slots.questions.append(
            Question(about=as_word(said), said=said, why="no_fit", what=role, choices=choices)
        )


def _numbered(value: str) -> tuple[tuple[str, str], int]:
    """What stands around the number in “Q3”, and the number."""
    found = re.fullmatch(r"(\D*)(\d{1,9})(\D*)", value)
    return ((found[1], found[3]), int(found[2])) if found else (("", ""), 0)


def _names_it(column: Column, meaning: Meaning) -> bool:
    """A yes or no is named by its whole name: “members” are not those that are new."""
    return meaning.rank < PART or (meaning.rank == PART and len(parts_of(column)) == 1)
