"""What the facts of a form say, as texts: every number in them is a cell of a fact, as it stands there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final

from softrail.plans.data.profile import Source
from softrail.plans.forms.form import Filter, Form
from softrail.plans.forms.periods import pieces_from, shifted
from softrail.plans.forms.sql import base
from softrail.plans.forms.vocabulary import is_amount
from softrail.plans.plan import Plan, PlanStep
from softrail.plans.showing import digits
from softrail.plans.values import Fact

MOST_ROWS: Final = 10  #: of a table that are told
_EMPTY: Final = "(empty)"
_FEW: Final = 50  #: pieces of what is shown as an example
_IN_TIME: Final = frozenset({"analyze", "trend"})  #: forms whose pieces of time are told in their order
_LONG: Final = 190  #: pieces of time: of more there may be some that are not told at all
_NAMED: Final = 6  #: pieces of time without a row that are named one by one
_STRONG, _SOME = Decimal("0.7"), Decimal("0.3")


def conclusions(plan: Plan, facts: Mapping[str, Fact]) -> str:
    """What was found out, in sentences; "" where the plan was made from no form."""
    if plan.form is None:
        return ""
    made = _Conclusions(plan, plan.form, facts)
    return "\n".join(_apart(line for line in made.told() if line))


def _apart(lines: Iterable[str]) -> Iterator[str]:
    """Behind a list comes an empty line: a reader of Markdown takes what follows for its last item."""
    listed = False
    for line in lines:
        item = line.startswith("- ")
        if listed and not item:
            yield ""
        yield line
        listed = item


def listed_in(plan: Plan, facts: Mapping[str, Fact]) -> Sequence[Fact]:
    """The facts whose rows the conclusions of a plan tell line by line, in the order they are told."""
    if plan.form is None:
        return ()
    made = _Conclusions(plan, plan.form, facts)
    list(made.told())
    return made.listed


def told_of(plan: Plan, facts: Mapping[str, Fact], where: Sequence[Filter]) -> Sequence[str]:
    """The rows of what was found that are about certain values or times, each in a line."""
    wanted = {value for one in where for value in one.values}
    wanted |= {str(span.low) for one in where for span in one.spans}
    lines = list[str]()
    for fact in listed_in(plan, facts):
        rows = _Rows(fact.value)
        hits = [n for n, row in enumerate(rows.rows) if wanted & {str(cell) for cell in row}]
        lines += [rows.line(n, 1) for n in hits[:MOST_ROWS]]
    return lines


def used_by(plan: Plan) -> Sequence[str]:
    """The names of the facts that the conclusions of a plan are filled from."""
    return [step.makes for step in plan.steps if step.action not in ("read", "chart")]


class _Rows:
    """A fact that is a table of rows."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        self.columns = [str(one["name"]) for one in value["columns"]]
        self._kinds = [str(one.get("kind", "")) for one in value["columns"]]
        self._units = [str(one.get("unit", "")) for one in value["columns"]]
        self.rows = value["rows"]
        self.method = str(value.get("method", ""))  #: of a forecast

    def cell(self, row: int, column: int) -> str:
        """A cell as it is told, with its unit."""
        value = self.rows[row][column]
        if value is None:
            return _EMPTY
        if isinstance(value, bool):
            return "yes" if value else "no"
        if self._kinds[column] == "number":
            return f"{digits(Decimal(str(value)))} {self._units[column]}".rstrip()
        return piece_told(str(value), self.columns[column]) if self._kinds[column] == "date" else str(value)

    def by(self, name: str, row: int = 0) -> str:
        """A cell by the name of its column."""
        return self.cell(row, self.columns.index(name))

    def number(self, name: str, row: int = 0) -> Decimal | None:
        """The same as a number."""
        value = self.rows[row][self.columns.index(name)]
        return None if value is None else Decimal(str(value))

    def line(self, n: int, least: int) -> str:
        """One row."""
        if len(self.columns) <= least:
            return f"- {self.cell(n, 0)}"
        pieces = ", ".join(self.cell(n, column) for column in range(least))
        several = len(self.columns) - least > 1
        values = [
            f"{self.columns[column]} {self.cell(n, column)}" if several else self.cell(n, column)
            for column in range(least, len(self.columns))
        ]
        return f"- {pieces}: {', '.join(values)}"

    def lines(self, least: int = 1) -> list[str]:
        """Each row in a line: what it is split by, then its values."""
        told = [self.line(n, least) for n in range(min(len(self.rows), MOST_ROWS))]
        if len(self.rows) > MOST_ROWS:
            told.append("- and more, in the fact itself")
        return told


class _Conclusions:
    def __init__(self, plan: Plan, form: Form, facts: Mapping[str, Fact]) -> None:
        self._plan = plan
        self._form = form
        self._facts = facts
        self.listed: list[Fact] = []  #: those that were told line by line

    def told(self) -> Iterator[str]:
        """Line by line."""
        if self._form.kind == "verify":
            yield from self._verdict()
            return
        for step in self._plan.in_order():
            fact = self._facts.get(step.makes)
            if fact is None or step.action == "read":
                continue
            if step.action == "chart":
                yield f"Drawn: {fact.shown}"
                continue
            rows = _rows(fact)
            yield from self._of_rows(step, rows) if rows is not None else [self._of_value(step, fact)]
        if self._form.kind == "what_if":
            yield "This assumes that everything else stays as it is."
        if self._form.kind == "against":
            yield "That two things go together says nothing about why."

    def _of_value(self, step: PlanStep, fact: Fact) -> str:
        return f"{step.called}: {fact.shown}."

    def _of_rows(self, step: PlanStep, rows: _Rows) -> Iterator[str]:
        if not rows.rows:
            yield f"{step.called}: there is nothing."
        elif rows.columns[:2] == ["From", "First"]:
            grain = (self._form.by[0].grain or "").capitalize()
            first, last = (piece_told(str(rows.by(name)), grain) for name in ("From", "To"))
            yield (
                f"From {rows.by('First')} ({first}) to {rows.by('Last')} ({last}): "
                f"a change of {rows.by('Change')}."
            )
        elif "In percent" in rows.columns:
            yield f"{step.called}: {rows.by('Difference')}, that is {rows.by('In percent')}."
        elif rows.columns == ["Times"]:
            yield f"{step.called}: {rows.by('Times')}."
        elif "Correlation" in rows.columns:
            yield f"{_together(rows.number('Correlation'))} (correlation {rows.by('Correlation')}, {rows.by('Rows')} rows)."
        elif step.id.startswith("spread_of_"):
            yield from self._spread(step, rows)
        elif not step.id.endswith("_against"):
            yield f"{step.called}:"
            yield from self._lines(step, rows, self._pieces(step, rows))
            yield f"This is {rows.method}." if rows.method else ""
            yield self._as_much(rows)
            yield self._nothing_in(rows)

    def _as_much(self, rows: _Rows) -> str:
        """That more pieces are told than were asked for, as the last ones have the same."""
        form, count = self._form, len(rows.rows)
        if form.kind != "top" or form.n is None or form.rest or form.place > 1 or count <= form.n:
            return ""
        same = sum(row[1] == rows.rows[-1][1] for row in rows.rows)
        return f"These {count} have the same." if same == count else f"The last {same} have the same."

    def _nothing_in(self, rows: _Rows) -> str:
        """The pieces of time between the first and the last of which there is no row: they are in no list."""
        form = self._form
        grain = form.by[0].grain if len(form.by) == 1 and form.kind in _IN_TIME and not form.sides else None
        if grain is None or rows.columns[0] != grain.capitalize():
            return ""
        there = {str(row[0]) for row in rows.rows if row[0] is not None}
        if not there or len(there) > _LONG:
            return ""
        first, last = date.fromisoformat(min(there)), date.fromisoformat(max(there))
        count = pieces_from(first, last, grain) - len(there)
        if count > _NAMED:
            return f"There is nothing in {count} {grain}s in between."
        days, day = list[date](), first
        while len(days) < count:
            day = shifted(day, grain, 1)
            days += [day] * (day.isoformat() not in there)
        if not days:
            return ""
        return (
            f"There is nothing in {', '.join(piece_told(day.isoformat(), rows.columns[0]) for day in days)}."
        )

    def _spread(self, step: PlanStep, rows: _Rows) -> Iterator[str]:
        if rows.columns[0] != "Rows":
            yield f"{step.called}:"
            yield from self._lines(step, rows)
            return
        told = [f"{name.lower()} {rows.by(name)}" for name in rows.columns if name != "Rows"]
        yield f"{step.called.rpartition(' ')[2]}: {', '.join(told)}."

    def _lines(self, step: PlanStep, rows: _Rows, least: int = 1) -> list[str]:
        self.listed.append(self._facts[step.makes])
        return rows.lines(least)

    def _pieces(self, step: PlanStep, rows: _Rows) -> int:
        """How many columns a row is split by."""
        if self._form.kind == "compare" and self._form.sides:
            return len(self._form.by) + 1
        split = len(self._form.by) if step.id.find("_by_") >= 0 and self._form.kind != "dashboard" else 1
        return min(max(split, 1), len(rows.columns) - 1)

    def _verdict(self) -> Iterator[str]:
        """It holds, it does not, or it cannot be told; with what speaks against it."""
        fact = next(
            (
                self._facts[s.makes]
                for s in self._plan.steps
                if s.makes in self._facts and s.action == "check"
            ),
            None,
        )
        if fact is None or not isinstance(fact.value, dict):
            return
        value = fact.value
        rows = _Rows(value)
        many = int(value["cases"]) > 1
        verdict = {
            "holds": f"It holds: {value['claim']}"
            + (f" ({value['cases']} of {value['cases']} cases)." if many else "."),
            "does not hold": f"It does not hold: {value['claim']}."
            + (f" {value['against']} of {value['cases']} cases speak against it." if many else ""),
        }.get(
            str(value["verdict"]),
            f"It cannot be told whether {value['claim']}: what it would need is not in the data.",
        )
        yield verdict
        if rows.rows and (value["verdict"] != "holds" or not many):
            told = [f"{name} {rows.by(name)}" for name in rows.columns]
            yield f"{'For instance: ' if many else ''}{', '.join(told[:8])}."


def piece_told(day: str, grain: str) -> str:
    """The first day of a piece of time as what it stands for: 2024-03, 2024 Q1, 2024."""
    match grain:
        case "Month":
            return day[:7]
        case "Quarter":
            return f"{day[:4]} Q{(int(day[5:7]) + 2) // 3}"
        case "Year":
            return day[:4]
    return day


def _rows(fact: Fact) -> _Rows | None:
    value = fact.value
    table = (
        isinstance(value, dict)
        and isinstance(value.get("columns"), list)
        and isinstance(value.get("rows"), list)
    )
    return _Rows(value) if table else None


def _together(correlation: Decimal | None) -> str:
    if correlation is None:
        return "Whether they go together cannot be told"
    if abs(correlation) < _SOME:
        return "They hardly go together"
    strongly = "closely" if abs(correlation) >= _STRONG else "somewhat"
    return f"They go together {strongly}, {'one rising with the other' if correlation > 0 else 'one rising as the other falls'}"


def example_of(sources: Sequence[Source]) -> str:
    """A request that can be made of the first table; "" where there is none to show."""
    for table in (one for source in sources for one in source.tables):
        amounts = [c for c in table.columns if is_amount(c)]
        pieces = [c for c in table.columns if c.kind == "text" and 1 < len(c.values) <= _FEW]
        if amounts and pieces:
            return f"analyze {base(amounts[-1].title)} by {base(pieces[0].title)}"
    return ""


def overview(sources: Sequence[Source]) -> str:
    """What there is to ask about: each table with its columns."""
    lines = []
    for source in sources:
        for table in source.tables:
            columns = ", ".join(column.title for column in table.columns[:20])
            name = source.name if len(source.tables) == 1 else f"{table.title} in {source.name}"
            lines.append(f"- {name}, {table.rows} rows: {columns}")
    return "\n".join(lines)
