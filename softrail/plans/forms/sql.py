"""A form's parts as SQL: one SELECT each, with names and values quoted, the same each time from the same data."""

# ruff: noqa: S608 - every name and value is quoted here, and whoever runs a query looks at it first

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from math import floor, log10
from typing import Final

from softrail.plans.data.profile import Column, DataTable
from softrail.plans.forms.form import Filter, Form, Group, Measure, Span
from softrail.plans.forms.periods import shifted, whole

BINS: Final = 12
MOST_GROUPS: Final = 200  #: rows of a grouping that are asked for
MOST_COLUMNS: Final = 40  #: of a row that is shown
MOST_POINTS: Final = 2000  #: of a scatter
REST: Final = "The rest"
_PLACES: Final = 2
_LOSS_FREE: Final = 10  #: places of a difference of two sums, which have no more of their own
_PREFIX: Final = {"mean": "Average ", "median": "Median ", "min": "Smallest ", "max": "Largest "}


def named(name: str) -> str:
    """A name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'


def base(title: str) -> str:
    """A title without what stands in brackets at its end: “Revenue (EUR)”."""
    return title.partition("(")[0].strip() or title


def text(value: str) -> str:
    """A text as SQL has it."""
    return "'" + value.replace("'", "''") + "'"


class Select:
    """The queries of one form over one table."""

    def __init__(self, form: Form, table: DataTable) -> None:
        self._form = form
        self._table = table
        self._columns = {column.name: column for column in table.columns}

    # -- the parts

    def value(self, measure: Measure) -> str:
        """What a measure is computed by."""
        if not measure.column:
            return "count(*)"
        column = named(measure.column)
        if measure.over or measure.aggregate == "mean":
            return f"round({self.exact(measure)}, {self.places(measure)})"
        match measure.aggregate:
            case "count":
                return f"count(DISTINCT {column})"
            case "each":
                return column
        return f"{measure.aggregate}({column})"

    def exact(self, measure: Measure) -> str:
        """The same before it is rounded: what is computed with it is rounded once, at its end."""
        if measure.over:
            return self._quotient(measure)
        if measure.column and measure.aggregate == "mean":
            return f"avg({named(measure.column)})"
        return self.value(measure)

    def places(self, measure: Measure) -> int:
        """How many places after the point it is told with."""
        if measure.over:
            return self._places(measure) + _PLACES
        if measure.aggregate == "mean":
            return self._places(measure) + _PLACES - 1
        column = self._columns.get(measure.column)
        return 0 if column is None or measure.aggregate == "count" else _LOSS_FREE

    def _quotient(self, measure: Measure) -> str:
        """Of the rows that have both; nothing where the second is 0."""
        first, second = named(measure.column), named(measure.over)
        if measure.aggregate != "each":
            both = f"FILTER (WHERE {first} IS NOT NULL AND {second} IS NOT NULL)"
            first, second = f"sum({first}) {both}", f"sum({second}) {both}"
        return f"CAST({first} AS DOUBLE) / nullif({second}, 0)"

    def called(self, measure: Measure) -> str:
        """What its column is called: “Revenue”, “Average price”."""
        if not measure.column:
            return "Rows"
        title = self.titled(measure.column)
        if measure.over:
            return f"{title} per {self.titled(measure.over)}"
        if measure.aggregate == "count":
            return f"Number of {title}"
        return _PREFIX.get(measure.aggregate, "") + title

    def titled(self, name: str) -> str:
        """The title of a column, without its unit where that makes it no other column's."""
        short = base(self._columns[name].title)
        others = [base(one.title).casefold() for one in self._table.columns if one.name != name]
        return self._columns[name].title if short.casefold() in others else short

    def piece(self, group: Group) -> str:
        """What is grouped by."""
        if group.grain is None:
            return named(group.column)
        return f"CAST(date_trunc('{group.grain}', {named(group.column)}) AS DATE)"

    def piece_called(self, group: Group) -> str:
        """What its column is called."""
        return group.grain.capitalize() if group.grain else self.titled(group.column)

    def where(self, *more: Filter, filled: str = "") -> str:
        """The rows that count."""
        conditions = [self.condition(one) for one in (*self._form.where, *more)]
        conditions += [f"{filled} IS NOT NULL"] * bool(filled)
        return f" WHERE {' AND '.join(conditions)}" if conditions else ""

    def condition(self, one: Filter) -> str:
        """One filter."""
        column = named(one.column)
        if one.part:
            found = f"{one.part}({column}) IN ({', '.join(one.values)})"
        elif one.values:
            found = self._among(one, column)
            found = f"{column} IS NULL OR {found}" if one.empty else found
        elif one.empty:
            found = f"{column} IS NULL"
        elif one.spans:
            day = f"CAST({column} AS DATE)" if self._columns[one.column].kind == "time" else column
            spans = [
                " AND ".join(
                    [f"{day} >= DATE '{span.low}'"] * bool(span.low)
                    + [f"{day} <= DATE '{span.high}'"] * bool(span.high)
                )
                for span in one.spans
            ]
            found = " OR ".join(f"({span})" for span in spans)
        else:
            found = " AND ".join(f"{column} {limit.relation} {limit.number}" for limit in one.limits)
        return f"({found}) IS NOT TRUE" if one.excluded else f"({found})"

    def _among(self, one: Filter, column: str) -> str:
        kind = self._columns[one.column].kind
        if kind == "boolean":
            return f"{column} IN ({', '.join(value for value in one.values)})"
        quoted = one.values if kind == "number" else [text(value) for value in one.values]
        return f"{column} IN ({', '.join(quoted)})"

    @property
    def table(self) -> str:
        """The table's name."""
        return named(self._table.name)

    # -- whole queries

    def total(self, measures: Sequence[Measure]) -> str:
        """One row: each measure of all rows that count."""
        values = ", ".join(f"{self.value(one)} AS {named(self.called(one))}" for one in measures)
        return f"SELECT {values} FROM {self.table}{self.where()}"

    def rows(self) -> str:
        """The rows themselves, by their first day, or as their first column has it."""
        shown = self._table.columns[:MOST_COLUMNS]
        names = ", ".join(f"{named(one.name)} AS {named(self.titled(one.name))}" for one in shown)
        first = [one for one in self._table.columns if one.kind in ("date", "time")][:1]
        order = ", ".join(dict.fromkeys(named(one.name) for one in (*first, *shown)))
        return f"SELECT {names} FROM {self.table}{self.where()} ORDER BY {order} LIMIT {MOST_GROUPS}"

    def split(self, measures: Sequence[Measure], by: Sequence[Group]) -> str:
        """One row for each piece: in time their order, else the largest first."""
        pieces = [f"{self.piece(one)} AS {named(self.piece_called(one))}" for one in by]
        values = [f"{self.value(one)} AS {named(self.called(one))}" for one in measures]
        values += self._along(measures[0], by) if self._form.along else []
        numbers = ", ".join(str(n) for n in range(1, len(by) + 1))
        first = len(by) + 1
        order = numbers if self.is_ordered(by[0]) else f"{first} DESC NULLS LAST, {numbers}"
        return (
            f"SELECT {', '.join([*pieces, *values])} FROM {self.table}{self.where()} GROUP BY {numbers} "
            f"ORDER BY {order} LIMIT {MOST_GROUPS}"
        )

    def _along(self, measure: Measure, by: Sequence[Group]) -> list[str]:
        """What pieces of time come to so far, or each beside the one before; of each other piece by itself."""
        others = ", ".join(self.piece(one) for one in by[1:])
        over = f"OVER ({f'PARTITION BY {others} ' if others else ''}ORDER BY {self.piece(by[0])})"
        value, [last, *more] = self.exact(measure), self.along_called(measure)
        if self._form.along == "running":
            return [f"sum({value}) {over} AS {named(last)}"]
        before = f"lag({value}) {over}"
        percent = f"round(100.0 * ({value} - {before}) / nullif(abs({before}), 0), 1)"
        change = f"round({value} - {before}, {self.places(measure)})"
        return [f"{change} AS {named(last)}", f"{percent} AS {named(more[0])}"]

    def along_called(self, measure: Measure) -> list[str]:
        """What these columns are called; none where each piece stands by itself."""
        told = {"running": [f"{self.called(measure)} so far"], "change": ["Change", "Change in percent"]}
        return told.get(self._form.along, [])

    def is_ordered(self, group: Group) -> bool:
        """Its pieces follow each other: times, numbers."""
        return group.grain is not None or self._columns[group.column].kind != "text"

    def top(self, measure: Measure, group: Group) -> str:
        """The first of the pieces, with all that have as much as the last of them; where the rest is wanted, all others as one more."""
        form, piece, value = self._form, self.piece(group), self.value(measure)
        names = f"{named(self.piece_called(group))}, {value} AS {named(self.called(measure))}"
        way, n = "ASC" if form.least else "DESC", form.n or MOST_GROUPS
        skipped = f" OFFSET {form.place - 1}" if form.place > 1 else ""
        # Whoever has as much as the last one is told, too.
        as_much = form.n is not None and form.place == 1 and not form.rest
        among_them = f"QUALIFY rank() OVER (ORDER BY {value} {way}) <= {n} " if as_much else ""
        first = (
            f"FROM {self.table}{self.where(filled=piece)} GROUP BY 1 HAVING {value} IS NOT NULL {among_them}"
            f"ORDER BY {'2' if not form.rest else value} {way}, 1 LIMIT {MOST_GROUPS if as_much else n}{skipped}"
        )
        if not form.rest:
            return f"SELECT {piece} AS {names} {first}"
        among = f"coalesce({piece} IN (SELECT piece FROM best), false)"
        return (
            f"WITH best AS (SELECT {piece} AS piece {first}), told AS (SELECT *, {among} AS among FROM {self.table}{self.where()}) "
            f"SELECT CASE WHEN among THEN CAST({piece} AS VARCHAR) ELSE '{REST}' END AS {names} "
            f"FROM told GROUP BY among, 1 ORDER BY among DESC, 2 {way}, 1"
        )

    def shares(self, measure: Measure, group: Group) -> str:
        """Each piece with its share of the whole, in percent."""
        value = self.value(measure)
        return (
            f"SELECT {self.piece(group)} AS {named(self.piece_called(group))}, {value} AS {named(self.called(measure))}, "
            f'round(100.0 * {value} / nullif(sum({value}) OVER (), 0), 1) AS "Share" '
            f"FROM {self.table}{self.where()} GROUP BY 1 ORDER BY 2 DESC NULLS LAST, 1 LIMIT {MOST_GROUPS}"
        )

    def sides(self, measures: Sequence[Measure], sides: Sequence[Filter], by: Sequence[Group] = ()) -> str:
        """One row for each of the things compared; where it is split, one for each in each piece."""
        pieces = "".join(f"{self.piece(one)} AS {named(self.piece_called(one))}, " for one in by)
        values = ", ".join(f"{self.value(one)} AS {named(self.called(one))}" for one in measures)
        numbers = ", ".join(str(n) for n in range(1, len(by) + 1))
        rows = [
            f"SELECT {pieces}{text(label(side))} AS {named(self.sides_called(sides))}, {values} FROM "
            f"{self.table}{self.where(side)}{f' GROUP BY {numbers}' if by else ''}"
            for side in sides
        ]
        told = " UNION ALL ".join(rows)
        return f"{told} ORDER BY {numbers}, {len(by) + 1} LIMIT {MOST_GROUPS}" if by else told

    def sides_called(self, sides: Sequence[Filter]) -> str:
        """What the column of the things compared is called."""
        return self.titled(sides[0].column)

    def difference(self, measure: Measure, sides: Sequence[Filter]) -> str:
        """One row: by how much the first is more than the second, and that in percent of the second."""
        first, second = (
            f"(SELECT {self.exact(measure)} FROM {self.table}{self.where(side)})" for side in sides[:2]
        )
        return _difference(first, second, self.places(measure))

    def times(self, measure: Measure, sides: Sequence[Filter]) -> str:
        """One row: how many times the second the first is."""
        first, second = (
            f"(SELECT {self.exact(measure)} FROM {self.table}{self.where(side)})" for side in sides[:2]
        )
        return f'SELECT round(CAST({first} AS DOUBLE) / nullif({second}, 0), 2) AS "Times"'

    def two(self, measures: Sequence[Measure]) -> str:
        """The same of two measures."""
        first, second = (
            f"(SELECT {self.exact(one)} FROM {self.table}{self.where()})" for one in measures[:2]
        )
        return _difference(first, second, max(map(self.places, measures[:2])))

    def change(self, measure: Measure, group: Group) -> str:
        """One row: the first and the last piece, and by how much the last is more, in percent."""
        return (
            f"WITH pieces AS (SELECT {self.piece(group)} AS piece, {self.value(measure)} AS value FROM {self.table}"
            f"{self.where(filled=self.piece(group))} GROUP BY 1) "
            f'SELECT min(piece) AS "From", arg_min(value, piece) AS "First", max(piece) AS "To", arg_max(value, piece) AS "Last", '
            f"round(100.0 * (arg_max(value, piece) - arg_min(value, piece)) / nullif(abs(arg_min(value, piece)), 0), 1) "
            f'AS "Change" FROM pieces HAVING count(*) > 1'
        )

    def histogram(self, measure: Measure) -> str:
        """How many rows there are in each of a dozen pieces of the range."""
        column, value = self._columns[measure.column], named(measure.column)
        if column.kind != "number":
            return (
                f'SELECT {value} AS {named(self.titled(measure.column))}, count(*) AS "Rows" FROM {self.table}{self.where()} GROUP BY 1 '
                f"ORDER BY 2 DESC, 1 LIMIT {MOST_GROUPS}"
            )
        width = width_of(column)
        begin = f"floor({value} / {width}) * {width}"
        return (
            f'SELECT {begin} AS {named(self.titled(measure.column))}, count(*) AS "Rows" FROM {self.table}{self.where(filled=value)} '
            "GROUP BY 1 ORDER BY 1"
        )

    def spread(self, measure: Measure, by: Sequence[Group]) -> str:
        """Least, median, average and most; for each piece where it is split."""
        value, places = named(measure.column), self._places(measure) + _PLACES - 1
        pieces = "".join(f"{self.piece(one)} AS {named(self.piece_called(one))}, " for one in by)
        order = ", ".join(str(n) for n in range(1, len(by) + 1))
        return (
            f'SELECT {pieces}count({value}) AS "Rows", min({value}) AS "Smallest", median({value}) AS "Median", '
            f'round(avg({value}), {places}) AS "Average", max({value}) AS "Largest" FROM {self.table}{self.where()}'
            + (f" GROUP BY {order} ORDER BY {order} LIMIT {MOST_GROUPS}" if by else "")
        )

    def points(self, measures: Sequence[Measure]) -> str:
        """Pairs of two columns, as many as can be drawn."""
        first, second = (named(one.column) for one in measures)
        return (
            f"SELECT {first} AS {named(self.titled(measures[0].column))}, {second} AS {named(self.titled(measures[1].column))} FROM {self.table}"
            f"{self.where(filled=first)} AND {second} IS NOT NULL ORDER BY hash({first}, {second}), 1, 2 "
            f"LIMIT {MOST_POINTS}"
        )

    def correlation(self, measures: Sequence[Measure]) -> str:
        """One row: how closely two columns go together, and over how many rows."""
        first, second = (named(one.column) for one in measures)
        return (
            f'SELECT round(corr({first}, {second}), 3) AS "Correlation", '
            f'count(*) FILTER (WHERE {first} IS NOT NULL AND {second} IS NOT NULL) AS "Rows" FROM {self.table}{self.where()}'
        )

    # -- claims

    def claim(self) -> str:
        """The cases of a claim: each row has a column `holds`."""
        form = self._form
        assert form.claim is not None  # noqa: S101 - only forms of the kind “verify” come here
        claim, measure = form.claim, form.measures[0]
        value, called = self.value(measure), named(self.called(measure))
        relation = claim.relation
        match claim.kind:
            case "limit":
                return f"SELECT {value} AS {called}, {value} {relation} {claim.number} AS holds FROM {self.table}{self.where()}"
            case "rows":
                return f"SELECT *, {value} {relation} {claim.number} AS holds FROM {self.table}{self.where()}"
            case "groups":
                piece = form.by[0]
                return (
                    f"SELECT {self.piece(piece)} AS {named(self.piece_called(piece))}, {value} AS {called}, "
                    f"{value} {relation} {claim.number} AS holds FROM {self.table}{self.where()} GROUP BY 1 ORDER BY 1"
                )
            case "sides":
                first, second = (
                    f"(SELECT {value} FROM {self.table}{self.where(side)})" for side in form.sides
                )
                names = [named(label(side)) for side in form.sides]
                return f"SELECT {first} AS {names[0]}, {second} AS {names[1]}, {first} {relation} {second} AS holds"
            case "columns":
                return self._columns_claim()
            case "most":
                return self._most_claim(value, called)
            case "rises":
                return self._rises_claim(value, called)
            case "unique":
                return (
                    f'SELECT {value} AS {named(self.titled(measure.column))}, count(*) AS "How often", count(*) = 1 AS holds '
                    f"FROM {self.table}{self.where(filled=value)} GROUP BY 1 ORDER BY 2 DESC, 1"
                )
        return f"SELECT *, {value} IS NOT NULL AS holds FROM {self.table}{self.where()}"

    def _columns_claim(self) -> str:
        form = self._form
        assert form.claim is not None  # noqa: S101 - as above
        first, second = (self.value(one) for one in form.measures[:2])
        names = [named(self.called(one)) for one in form.measures[:2]]
        pieces = "".join(f"{self.piece(one)} AS {named(self.piece_called(one))}, " for one in form.by)
        grouped = " GROUP BY 1 ORDER BY 1" if form.by else ""
        return (
            f"SELECT {pieces}{first} AS {names[0]}, {second} AS {names[1]}, {first} {form.claim.relation} {second} AS holds "
            f"FROM {self.table}{self.where()}{grouped}"
        )

    def _most_claim(self, value: str, called: str) -> str:
        form = self._form
        assert form.claim is not None  # noqa: S101 - as above
        piece, side = form.by[0], form.sides[0]
        others = self.where(side.model_copy(update={"excluded": True}), filled=self.piece(piece))
        its = f"(SELECT {value} FROM {self.table}{self.where(side)})"
        return (
            f"SELECT {self.piece(piece)} AS {named(self.piece_called(piece))}, {value} AS {called}, {its} AS "
            f"{named(label(side))}, {its} {form.claim.relation} {value} AS holds FROM {self.table}{others} GROUP BY 1 "
            "ORDER BY 2 DESC, 1"
        )

    def _rises_claim(self, value: str, called: str) -> str:
        form = self._form
        assert form.claim is not None  # noqa: S101 - as above
        piece = form.by[0]
        name = named(self.piece_called(piece))
        return (
            f"WITH pieces AS (SELECT {self.piece(piece)} AS piece, {value} AS value FROM {self.table}"
            f"{self.where(filled=self.piece(piece))} GROUP BY 1), pairs AS (SELECT piece, value, "
            "lag(value) OVER (ORDER BY piece) AS before, row_number() OVER (ORDER BY piece) AS n FROM pieces) "
            f'SELECT piece AS {name}, value AS {called}, before AS "Before", value {form.claim.relation} before AS holds '
            "FROM pairs WHERE n > 1 ORDER BY 1"
        )

    def _places(self, measure: Measure) -> int:
        return places_of(self._columns[measure.column])


def _difference(first: str, second: str, places: int) -> str:
    return (
        f'SELECT round({first} - {second}, {places}) AS "Difference", '
        f'round(100.0 * ({first} - {second}) / nullif(abs({second}), 0), 1) AS "In percent"'
    )


def label(side: Filter) -> str:
    """A thing compared, in a word or two."""
    if side.excluded:
        return f"all but {label(side.model_copy(update={'excluded': False}))}"
    if side.empty:
        return f"{side.title} {' or '.join(('empty', *side.values))}"
    if side.values in (("true",), ("false",)):  # “only Returned?”
        return side.title if side.values == ("true",) else f"not {side.title}"
    if side.values:
        return ", ".join(side.values)
    return " or ".join(map(_span_called, side.spans))


def _span_called(span: Span) -> str:
    """A time, as its year, quarter or month where it is one."""
    if span.low and span.high and span.low.endswith("-01"):
        begin, end = span.low, span.high
        if begin[5:] == "01-01" and end[5:] == "12-31" and begin[:4] == end[:4]:
            return begin[:4]
        if begin[:7] == end[:7] and _is_month(begin, end):
            return begin[:7]
        quarter = whole(date.fromisoformat(begin), date.fromisoformat(end))
        if quarter.unit == "quarter":
            return f"Q{quarter.n} {quarter.year}"
    return span.told()


def _is_month(low: str, high: str) -> bool:
    return shifted(date.fromisoformat(low), "month", 1) - timedelta(days=1) == date.fromisoformat(high)


def places_of(column: Column) -> int:
    """How many places after the point its numbers have, as far as the smallest and the largest tell."""
    if column.whole:
        return 1
    ends = [Decimal(one) for one in (column.least, column.most) if one]
    return max([1, *(max(0, -int(one.as_tuple().exponent)) for one in ends)])


def width_of(column: Column) -> Decimal:
    """How wide each of about a dozen pieces of its range is: 1, 2 or 5 times a power of ten."""
    low, high = Decimal(column.least or "0"), Decimal(column.most or "0")
    rough = (high - low) / BINS
    if rough <= 0:
        return Decimal(1)
    power = Decimal(10) ** floor(log10(rough))
    width = next(times * power for times in (1, 2, 5, 10) if times * power >= rough)
    return max(width, Decimal(1)) if column.whole else width
