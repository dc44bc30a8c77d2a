"""“Verify that …”: what is said to be so, as a form, or what has to be asked first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from softrail.plans.forms.binder import bind
from softrail.plans.forms.choices import by_key, choice_of, choices_for
from softrail.plans.forms.comparing import rest_of
from softrail.plans.forms.form import OPPOSITES, Claim, Filter, Group, Measure, Question, Relation
from softrail.plans.forms.periods import Period
from softrail.plans.forms.placing import placed
from softrail.plans.forms.scanning import Item
from softrail.plans.forms.slots import Slots
from softrail.plans.forms.state import State
from softrail.plans.forms.times import date_column
from softrail.plans.forms.vocabulary import Vocabulary, as_word, is_date, is_year, measured


@dataclass(frozen=True, slots=True)
class Claimed:
    """What was found of a claim: parts of a form, or what there is to ask."""

    parts: Mapping[str, Any] | None
    slots: Slots


def claimed(known: Vocabulary, items: Sequence[Item], chosen: Mapping[str, str]) -> Claimed:
    """The claim in the items of a request."""
    return _Claims(known, items, chosen).read()


class _Claims:
    def __init__(self, known: Vocabulary, items: Sequence[Item], chosen: Mapping[str, str]) -> None:
        self._known = known
        self._chosen = chosen
        self._every = [one for one in items if "quantifiers" in one.senses]
        self._denied = any(one.does("quantifiers", "none") for one in self._every)
        self._entity = self._named_after_every(items)
        self._items = [one for one in items if one not in self._every]

    def read(self) -> Claimed:
        for n, item in enumerate(self._items):
            before, after = self._items[:n], self._items[n + 1 :]
            if item.sense("checks"):
                return self._checked(item.sense("checks"), [*before, *after])
            if item.sense("moves"):
                if _denied(before):  # “did not fall” is not “rose”
                    break
                return self._moved(item.sense("moves") == "up", before, after)
            if item.sense("relations"):
                relation: Relation = item.sense("relations")  # type: ignore[assignment] # one of them
                if denied := _denied(before):
                    before.remove(denied)
                opposite = self._denied != bool(denied)
                return self._related(OPPOSITES[relation] if opposite else relation, before, after)
        for n, item in enumerate(self._items):
            if "extremes" in item.senses and not _denied(self._items[:n]):
                return self._most(item.sense("extremes") == "least", self._items[:n], self._items[n + 1 :])
        slots = self._bound(self._items)
        slots.questions = slots.questions or [_missing(self._known)]
        return Claimed(None, slots)

    # -- kinds of claims

    def _checked(self, kind: Any, items: Sequence[Item]) -> Claimed:
        """A column has no value twice, or none that is missing."""
        named = [one for one in items if not one.is_filler and "roles" not in one.senses]
        columns = {m.key: m for one in named[:1] for m in one.meanings if m.column and m.value is None}
        key = self._chosen.get(as_word(named[0].said)) if named else None
        columns = {k: m for k, m in columns.items() if key in (None, k)}
        slots = Slots(bound=bool(columns))
        if len(columns) != 1 or len(named) != 1:
            slots.questions = [_which_column(self._known, named, [*columns.values()])]
            return Claimed(None, slots)
        column = next(iter(columns.values())).column
        assert column is not None  # noqa: S101 - chosen so above
        measure = Measure(column=column.name, title=column.title, aggregate="each")
        return Claimed({"measures": (measure,), "claim": Claim(kind=kind)}, slots)

    def _moved(self, up: bool, before: Sequence[Item], after: Sequence[Item]) -> Claimed:
        """It rises: from one time to another, or from piece to piece."""
        ends = next((one.period.ends for one in after if one.period and one.period.ends), None)
        rest = [one for one in (*before, *after) if not (one.period and one.period.ends)]
        slots = self._bound(rest)
        relation: Relation = ">" if up else "<"
        if ends is not None:
            sides = self._sides(slots, (ends[1], ends[0]))
            return self._done(slots, Claim(kind="sides", relation=relation), sides=sides)
        if not slots.by and not slots.questions:
            column = date_column(State(self._known, self._chosen))
            if column is not None:
                slots.by.append(Group(column=column.name, title=column.title, grain="month"))
        if not slots.by and not slots.questions:
            slots.questions.append(_missing(self._known, "date"))
        return self._done(slots, Claim(kind="rises", relation=relation), by=tuple(slots.by[:1]))

    def _sides(self, slots: Slots, ends: tuple[Period, Period]) -> tuple[Filter, ...]:
        years = [one for one in self._known.table.columns if is_year(one)]
        if len(years) == 1 and all(one.unit == "year" for one in ends):
            base = Filter(column=years[0].name, title=years[0].title)
            return tuple(base.model_copy(update={"values": (str(one.year),)}) for one in ends)
        state = State(self._known, self._chosen)
        column = date_column(state, ends[0].said)
        slots.questions += state.slots.questions or (
            [_missing(self._known, "date")] if column is None else []
        )
        if column is None:
            return ()
        found = [placed(one, column, mode="free", chosen=self._chosen) for one in ends]
        slots.questions += [one for one in found if isinstance(one, Question)]
        return tuple(one for one in found if isinstance(one, Filter))

    def _related(self, relation: Relation, before: Sequence[Item], after: Sequence[Item]) -> Claimed:
        """One thing is more than another, or than a number."""
        rest = [one for one in (*before, *after) if one is not self._entity]
        entity = self._entity if self._has_measure(rest) else None
        left = self._bound([one for one in before if one is not entity])
        right = self._bound([one for one in after if one is not entity])
        slots = _joined(left, right)
        if right.aggregate and not right.measures and right.aggregate != left.aggregate:
            slots.questions.append(
                _missing(self._known, "measure")
            )  # “the average of A above the median of B”
        numbers = [number for number, _ in right.numbers or left.numbers]
        group = self._group_of(entity)
        if len(numbers) == 1:
            kind: Any = "groups" if group else "rows" if self._every else "limit"
            claim = Claim(kind=kind, relation=relation, number=Decimal(numbers[0]))
            return self._done(slots, claim, rows=kind == "rows", by=(group,) if group else ())
        if len(left.where) == 1 and len(right.where) == 1 and _split(left.where[0], right.where[0]):
            slots.measures = [one for one in slots.measures if one.aggregate != "count"] or slots.measures
            return self._done(
                slots, Claim(kind="sides", relation=relation), sides=(*left.where, *right.where)
            )
        both = right.where[0].apart if len(right.where) == 1 and not left.where else ()
        if len(both) == 2:  # “is higher in the north than in the south”
            slots.where = []
            return self._done(slots, Claim(kind="sides", relation=relation), sides=both)
        alone = rest_of([*left.where, *right.where]) if not numbers and slots.measures else ()
        if alone and alone[0].values and not (left.where and right.where):  # “is higher in the north”
            slots.where = []
            return self._done(slots, Claim(kind="sides", relation=relation), sides=alone)
        if left.measures and right.measures and left.measures[0] != right.measures[0]:
            by = (group,) if group else tuple(slots.by[:1])
            return self._done(slots, Claim(kind="columns", relation=relation), by=by, most=2)
        slots.questions.append(_missing(self._known, "number"))
        return Claimed(None, slots)

    def _most(self, least: bool, before: Sequence[Item], after: Sequence[Item]) -> Claimed:
        """One of a column's values has the most."""
        slots = self._bound([*before, *after])
        named = [one for one in slots.where if len(one.values) == 1 and not (one.part or one.excluded)]
        if len(named) == 1 and not slots.questions:
            side = named[0]
            slots.measures = [
                one for one in slots.measures if one.column != side.column
            ]  # “our biggest account”
            key = self._chosen.get("?measure", "")
            if not slots.measures and (meaning := by_key(self._known, key)) is not None:
                slots.measures.append(measured(meaning.column, slots.aggregate))
            slots.reads = [one for one in slots.reads if one.means != _counted(side)]
            by = (Group(column=side.column, title=side.title),)
            relation: Relation = "<" if least else ">"
            return self._done(slots, Claim(kind="most", relation=relation), sides=(side,), by=by)
        slots.questions = slots.questions or [_missing(self._known, "filter")]
        return Claimed(None, slots)

    def _done(
        self,
        slots: Slots,
        claim: Claim,
        *,
        sides: tuple[Filter, ...] = (),
        by: tuple[Group, ...] = (),
        rows: bool = False,
        most: int = 1,
    ) -> Claimed:
        if slots.questions or (not slots.measures and not slots.questions):
            slots.questions = slots.questions or [_missing(self._known, "measure")]
            return Claimed(None, slots)
        if len(slots.measures) > most:
            slots.questions.append(_missing(self._known, "measure"))
            return Claimed(None, slots)
        measures = [replace_each(one) if rows else one for one in slots.measures]
        where = tuple(one for one in slots.where if one not in sides)
        parts = {"measures": tuple(measures), "claim": claim, "sides": sides, "by": by, "where": where}
        return Claimed(parts, slots)

    # -- parts

    def _bound(self, items: Sequence[Item]) -> Slots:
        plain = [replace(one, senses={}) if one.meanings else one for one in items]
        ranked = [one for one in plain if "extremes" not in one.senses]
        return bind(State(self._known, self._chosen), ranked)

    def _named_after_every(self, items: Sequence[Item]) -> Item | None:
        """What “every” stands before."""
        for n, item in enumerate(items):
            if "quantifiers" in item.senses:
                return next((one for one in items[n + 1 : n + 2] if one.meanings), None)
        return None

    def _has_measure(self, items: Sequence[Item]) -> bool:
        return bool(self._bound([one for one in items if not one.sense("relations")]).measures)

    def _group_of(self, entity: Item | None) -> Group | None:
        """“every region”: a column of which all values are known."""
        if entity is None:
            return None
        found = [m.column for m in entity.meanings if m.column is not None and m.value is None]
        valued = [one for one in found if one.values and not is_date(one)]
        return Group(column=valued[0].name, title=valued[0].title) if valued else None


def _denied(before: Sequence[Item]) -> Item | None:
    """The “not” right before a word."""
    last = next((one for one in reversed(before) if not one.is_filler), None)
    return last if last is not None and last.sense("roles") == "not" and not last.meanings else None


def _counted(side: Filter) -> str:
    """How the number of its values is told."""
    return Measure(column=side.column, title=side.title).told()


def replace_each(measure: Measure) -> Measure:
    """The same, of every row by itself."""
    return measure.model_copy(update={"aggregate": "each"})


def _split(left: Filter, right: Filter) -> bool:
    return left.column == right.column and left != right


def _joined(left: Slots, right: Slots) -> Slots:
    measures = [*left.measures, *(one for one in right.measures if one not in left.measures)]
    return Slots(
        measures=measures,
        by=[*left.by, *right.by],
        where=[*left.where, *right.where],
        questions=[*left.questions, *right.questions],
        unbound=[*left.unbound, *right.unbound],
        reads=[*left.reads, *right.reads],
        bound=left.bound + right.bound,
    )


def _which_column(known: Vocabulary, named: Sequence[Item], found: Sequence[Any]) -> Question:
    said = named[0].said if named else ""
    choices = tuple(choice_of(one, known) for one in found) or choices_for(known, "group", said)
    return Question(
        about=as_word(said), said=said, why="several" if found else "no_fit", what="group", choices=choices
    )


def _missing(known: Vocabulary, what: Any = "number") -> Question:
    choices = choices_for(known, "measure") if what == "measure" else ()
    return Question(about=f"?{what}", why="missing", what=what, choices=choices)
