"""The plan that a form stands for: what is read, asked, computed and drawn, each step with a title people understand."""

import re
from collections.abc import Sequence
from typing import Any, Final

from softrail.plans.data.profile import Column, Source
from softrail.plans.forms.form import RELATIONS, Filter, Form, Group, Measure
from softrail.plans.forms.periods import grain_of
from softrail.plans.forms.sql import REST, Select, label
from softrail.plans.forms.vocabulary import is_date
from softrail.plans.plan import Plan, PlanStep

LARGEST_PIECES: Final = 24  #: of a column that a dashboard splits by
MOST_PIECES: Final = 3  #: columns that it splits by
_ALONG: Final = {"": "", "running": " so far", "change": ", each beside the one before,"}
AHEAD: Final = 6  #: pieces that are predicted where nothing else is said


def plan_of(form: Form, sources: Sequence[Source]) -> Plan:
    """The plan of a form over the sources that it was bound to."""
    return _Steps(form, sources).plan()


class _Steps:
    def __init__(self, form: Form, sources: Sequence[Source]) -> None:
        self._form = form
        self._source = next(one for one in sources if one.name == form.source)
        self._table = next(one for one in self._source.tables if one.name == form.table)
        self._select = Select(form, self._table)
        self._made: list[PlanStep] = []
        self._data = ""

    def plan(self) -> Plan:
        """The plan, its steps in their order."""
        self._data = self._step(
            f"{slug(self._table.name)}_data",
            f"Read {self._source.name}",
            "read",
            {"source": self._source.name, "version": self._source.sha256},
        )
        getattr(self, f"_{self._form.kind}")()
        problem = titled(self._form, self._select)
        return Plan(problem=problem[:200], steps=tuple(self._made), form=self._form)

    # -- the forms

    def _analyze(self) -> None:
        form = self._form
        self._total(form.measures)
        if form.by:
            rows = self._rows_by(form.measures, form.by)
            self._chart(rows, form.by[0], form.measures[0], form.by)

    def _rows(self) -> None:
        self._total(self._form.measures)
        units = {self._select.titled(one.name): one.unit for one in self._table.columns if one.unit}
        self._query(f"{slug(self._table.name)}_rows", "The rows", self._select.rows(), units)

    def _trend(self) -> None:
        form = self._form
        rows = self._rows_by(form.measures, form.by)
        self._changed(form.measures[0], form.by[0])
        self._chart(rows, form.by[0], form.measures[0], form.by)

    def _top(self) -> None:
        form, [measure], group = self._form, self._form.measures[:1], self._form.by[0]
        called, piece = self._called(measure), self._select.piece_called(group)
        which = "bottom" if form.least else "top"
        title = f"{first_of(form)}: {piece} by {called}{f', and {REST.lower()}' if form.rest else ''}"
        name = f"{which}_{slug(group.column)}_by_{self._named(measure)}{'_and_rest' if form.rest else ''}"
        rows = self._query(name, title, self._select.top(measure, group), self._units(measure))
        if form.n != 1:
            self._chart(rows, group, measure, (group,))

    def _share(self) -> None:
        measure, group = self._form.measures[0], self._form.by[0]
        called, piece = self._called(measure), self._select.piece_called(group)
        units = {**self._units(measure), "Share": "%"}
        self._total((measure,))
        rows = self._query(
            f"share_of_{self._named(measure)}_by_{slug(group.column)}",
            f"Share of {called} by {piece}",
            self._select.shares(measure, group),
            units,
        )
        self._draw(rows, "bar", piece, "Share", f"Share of {called} by {piece}")

    def _compare(self) -> None:
        form, measure = self._form, self._form.measures[0]
        called = self._called(measure)
        if not form.sides:
            self._total(form.measures)
            other = self._called(form.measures[1])
            self._query(
                f"difference_{self._named(measure)}",
                f"How much more {called} is than {other}",
                self._select.two(form.measures),
                {"Difference": measure.unit, "In percent": "%"},
            )
            if form.by:
                rows = self._rows_by(form.measures, form.by)
                self._chart(rows, form.by[0], measure, form.by)
            return
        names = " and ".join(label(side) for side in form.sides)
        every = " and ".join(self._called(one) for one in form.measures)
        pieces = " and ".join(self._select.piece_called(one) for one in form.by)
        split = "".join(f"_{one.grain or slug(one.column)}" for one in form.by)
        rows = self._query(
            f"{'_and_'.join(self._named(one) for one in form.measures)}_compared{split}",
            f"{every} of {names}{f' by {pieces}' if pieces else ''}",
            self._select.sides(form.measures, form.sides, form.by),
            {name: unit for one in form.measures for name, unit in self._units(one).items()},
        )
        for one in form.measures if len(form.sides) == 2 else ():
            self._two_sides(one)
        of, title = self._select.sides_called(form.sides), f"{called}: {names}"
        if form.by:
            piece = form.by[0]
            kind = "line" if self._select.is_ordered(piece) else "bar"
            self._draw(rows, kind, self._select.piece_called(piece), called, f"{title} by {pieces}", of)
        else:
            self._draw(rows, "bar", of, called, title)

    def _two_sides(self, measure: Measure) -> None:
        """By how much the first is more than the second, or how many times as much."""
        form, called = self._form, self._called(measure)
        first, second = (label(side) for side in form.sides)
        if form.ratio:
            title = f"{called} of {first} divided by that of {second}"
            self._query(f"times_{self._named(measure)}", title, self._select.times(measure, form.sides), "")
            return
        self._query(
            f"difference_{self._named(measure)}",
            f"How much more {called} of {first} is than of {second}",
            self._select.difference(measure, form.sides),
            {"Difference": measure.unit, "In percent": "%"},
        )

    def _distribution(self) -> None:
        measure, column = self._form.measures[0], self._column(self._form.measures[0])
        called = self._select.titled(measure.column) if column is not None else "Rows"
        if column is None:
            self._total((measure,))
            return
        if column.kind == "number":
            self._query(
                f"spread_of_{slug(measure.column)}",
                f"Smallest, median, average and largest {called}",
                self._select.spread(measure, self._form.by),
                dict.fromkeys(("Smallest", "Median", "Average", "Largest"), measure.unit),
            )
        rows = self._query(
            f"distribution_of_{slug(measure.column)}",
            f"How often each {called} occurs",
            self._select.histogram(measure),
            self._units(measure),
        )
        self._draw(rows, "bar", called, "Rows", f"Distribution of {called}")

    def _against(self) -> None:
        first, second = (self._select.titled(one.column) for one in self._form.measures)
        self._query(
            f"correlation_of_{slug(self._form.measures[0].column)}",
            f"How closely {first} and {second} go together",
            self._select.correlation(self._form.measures),
            "",
        )
        rows = self._query(
            f"{slug(self._form.measures[0].column)}_against",
            f"{first} and {second}, row by row",
            self._select.points(self._form.measures),
            "",
        )
        self._draw(rows, "point", second, first, f"{first} against {second}")

    def _verify(self) -> None:
        self._step(
            "verdict",
            f"Check: {claim_told(self._form, self._select)}",
            "check",
            {"sql": self._select.claim(), "claim": claim_told(self._form, self._select)},
            needs=(self._data,),
        )

    def _what_if(self) -> None:
        measure, percent = self._form.measures[0], self._form.percent or 0
        name, called = self._named(measure), self._called(measure)
        self._total((measure,))
        told = f"{abs(percent)} % {'more' if percent >= 0 else 'less'}"
        self._step(
            f"{name}_then",
            f"{called} with {told}, everything else as it is",
            "compute",
            {"expression": f"round({name} * (1 + {percent} / 100), 2)", "unit": measure.unit},
            needs=(name,),
        )
        self._step(
            f"{name}_change",
            f"By how much {called} changes then",
            "compute",
            {"expression": f"{name}_then - {name}", "unit": measure.unit},
            needs=(name, f"{name}_then"),
        )

    def _predict(self) -> None:
        measure, group = self._form.measures[0], self._form.by[0]
        called, piece = self._called(measure), self._select.piece_called(group)
        rows = self._rows_by((measure,), (group,))
        ahead = self._form.n or AHEAD
        later = self._step(
            f"{self._named(measure)}_ahead",
            f"The next {ahead} of {called}, by {piece.lower()}",
            "forecast",
            {"rows": {"fact": rows}, "x": piece, "y": called, "periods": ahead},
            needs=(rows,),
        )
        self._draw(later, "line", piece, called, f"{called}, predicted")

    def _dashboard(self) -> None:
        form, measure = self._form, self._form.measures[0]
        self._total(form.measures)
        dates = [one for one in self._table.columns if is_date(one)]
        texts = [one for one in self._table.columns if 1 < len(one.values) <= LARGEST_PIECES]
        groups = [Group(column=one.name, title=one.title) for one in texts[:MOST_PIECES]]
        if len(dates) == 1:
            grain = grain_of(dates[0].least, dates[0].most)
            groups.insert(0, Group(column=dates[0].name, title=dates[0].title, grain=grain))
        for group in form.by or tuple(groups):
            rows = self._rows_by((measure,), (group,))
            self._chart(rows, group, measure, (group,))

    # -- steps

    def _total(self, measures: Sequence[Measure]) -> None:
        for measure in measures:
            called = self._called(measure)
            alone = measure.over or measure.aggregate in ("mean", "median", "min", "max")
            title = called if alone else f"{called}, in all"
            self._query(self._named(measure), title, self._select.total((measure,)), measure.unit)

    def _rows_by(self, measures: Sequence[Measure], by: Sequence[Group]) -> str:
        units = {name: unit for one in measures for name, unit in self._units(one).items()}
        pieces = " and ".join(self._select.piece_called(one) for one in by)
        called = " and ".join(self._called(one) for one in measures)
        name = "_and_".join(self._named(one) for one in measures)
        if along := self._form.along:
            last, *percent = self._select.along_called(measures[0])
            units |= {last: measures[0].unit} | dict.fromkeys(percent, "%")
            name, called = f"{name}_{along}", f"{called}{_ALONG[along]}"
        split = "_".join(one.grain or slug(one.column) for one in by)
        return self._query(
            f"{name}_by_{split}", f"{called} by {pieces}", self._select.split(measures, by), units
        )

    def _changed(self, measure: Measure, group: Group) -> None:
        called, unit = self._called(measure), measure.unit
        self._query(
            f"change_of_{self._named(measure)}",
            f"{called} in the first and in the last {self._select.piece_called(group).lower()}",
            self._select.change(measure, group),
            {"First": unit, "Last": unit, "Change": "%"},
        )

    def _chart(self, rows: str, group: Group, measure: Measure, by: Sequence[Group]) -> None:
        kind = "line" if self._select.is_ordered(group) else "bar"
        piece, called = self._select.piece_called(group), self._called(measure)
        pieces = " and ".join(self._select.piece_called(one) for one in by)
        series = self._select.piece_called(by[1]) if len(by) > 1 else ""
        drawn = next(iter(self._select.along_called(measure)), called)
        told = f"{called}{_ALONG[self._form.along]} by {pieces}"
        self._draw(rows, kind, piece, drawn, told, series)

    def _draw(self, rows: str, kind: str, x: str, y: str, title: str, series: str = "") -> None:
        if self._form.drawn == "none":
            return
        told = " and ".join(label_of(one) for one in self._form.where)
        arguments = {
            "rows": {"fact": rows},
            "kind": kind if kind == "point" else self._form.drawn or kind,
            "x": x,
            "y": y,
            "title": f"{title}{', ' if told else ''}{told}"[:200],
        }
        if series:
            arguments["series"] = series
        self._step(f"{rows}_chart", f"{title}, drawn", "chart", arguments, needs=(rows,))

    def _query(self, name: str, title: str, sql: str, unit: Any) -> str:
        arguments: dict[str, Any] = {"sql": sql}
        if unit:
            arguments["unit"] = unit
        told = " and ".join(label_of(one) for one in self._form.where)
        return self._step(
            name, f"{title}{', only ' if told else ''}{told}", "query", arguments, (self._data,)
        )

    def _step(
        self, name: str, title: str, action: str, arguments: dict[str, Any], needs: Sequence[str] = ()
    ) -> str:
        known = {one.id for one in self._made}
        name, n = name[:40].rstrip("_"), 2
        while name in known:
            name, n = f"{name[:37].rstrip('_')}_{n}", n + 1
        self._made.append(
            PlanStep(id=name, title=title[:200], action=action, arguments=arguments, needs=tuple(needs))
        )
        return name

    # -- names

    def _called(self, measure: Measure) -> str:
        return self._select.called(measure)

    def _named(self, measure: Measure) -> str:
        """The name of its fact."""
        return slug(self._select.called(measure))[:20].rstrip("_")

    def _units(self, measure: Measure) -> dict[str, str]:
        return {self._called(measure): measure.unit} if measure.unit else {}

    def _column(self, measure: Measure) -> Column | None:
        return next((one for one in self._table.columns if one.name == measure.column), None)


def titled(form: Form, select: Select) -> str:
    """What a form asks for, in a line."""
    called = " and ".join(select.called(one) for one in form.measures)
    pieces = " and ".join(select.piece_called(one) for one in form.by)
    plain = " and ".join(select.titled(one.column) for one in form.measures if one.column) or called
    by = f" by {pieces}" if pieces else ""
    told = {
        "trend": f"Trend of {called}{by}",
        "rows": "The rows",
        "top": f"{first_of(form, 'lowest' if form.least else 'highest')}{f' and {REST.lower()}' if form.rest else ''}: {called}{by}",
        "share": f"Share of {called}{by}",
        "compare": f"{called}: {' and '.join(label(one) for one in form.sides)}{by}"
        if form.sides
        else f"{called}{by}",
        "distribution": f"Distribution of {plain}{by}",
        "against": plain.replace(" and ", " against ", 1),
        "verify": f"Is it so? {claim_told(form, select)}" if form.claim else "",
        "what_if": f"{called}, if it changes by {form.percent} %",
        "predict": f"{called}, predicted{by}",
        "dashboard": f"Dashboard: {called}",
    }.get(form.kind, f"{called}{_ALONG[form.along]}{by}")
    only = " and ".join(label_of(one) for one in form.where) if form.kind != "verify" else ""
    return f"{told}{', only ' if only else ''}{only}"


def claim_told(form: Form, select: Select) -> str:
    """A claim as a sentence."""
    assert form.claim is not None  # noqa: S101 - only forms of the kind “verify” come here
    claim, called = form.claim, select.called(form.measures[0])
    relation, sides = RELATIONS[claim.relation], [label(one) for one in form.sides]
    more = "higher" if claim.relation in (">", ">=") else "lower"
    only = " and ".join(label_of(one) for one in form.where)
    told = {
        "limit": f"{called} is {relation} {claim.number}",
        "rows": f"{called} is {relation} {claim.number} in every row",
        "groups": f"{called} is {relation} {claim.number} for every {select.piece_called(form.by[0]) if form.by else ''}",
        "sides": f"{called} of {' is {more} than of '.join(sides)}".replace("{more}", more),
        "columns": f"{called} is {relation} {select.called(form.measures[-1])}"
        + (f" for every {select.piece_called(form.by[0])}" if form.by else ""),
        "most": f"{sides[0] if sides else ''} has the {'highest' if more == 'higher' else 'lowest'} {called}",
        "rises": f"{called} {'rises' if more == 'higher' else 'falls'} from each {form.by[0].grain if form.by else ''} to the next",
        "unique": f"no {called} is there twice",
        "filled": f"{called} is never empty",
    }[claim.kind]
    return f"{told}{', only ' if only else ''}{only}"


def label_of(one: Filter) -> str:
    """A filter in a word or two."""
    if one.limits:
        return f"{one.title} {' and '.join(f'{limit.relation} {limit.number}' for limit in one.limits)}"
    if one.empty:
        return f"{one.title} {'not ' if one.excluded else ''}{' or '.join(('empty', *one.values))}"
    plain = one.model_copy(update={"excluded": False})
    told = label(plain) if not one.part else f"{one.part} {', '.join(one.values)} of every year"
    return f"not {told}" if one.excluded else told


def first_of(form: Form, last: str = "") -> str:
    """Which of the pieces are told: all of them, the one in a place, so many."""
    way = last or f"with the {'least' if form.least else 'most'}"
    if form.place > 1:
        return f"Number {form.place} from the {'lowest' if form.least else 'highest'}"
    if form.n is None:
        return f"From the {'lowest to the highest' if form.least else 'highest to the lowest'}"
    return f"The {('' if last else 'one ') if form.n == 1 else f'{form.n} '}{way}"


def slug(text: str) -> str:
    """A name of a step or fact."""
    plain = re.sub(r"[^a-z0-9]+", "_", text.casefold()).strip("_")
    return plain if plain[:1].isalpha() else f"x_{plain}".rstrip("_")
