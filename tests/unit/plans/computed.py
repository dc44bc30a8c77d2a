"""What forms compute, against plain Python, on files drawn at random: `python -m tests.unit.plans.computed 200`."""

import csv
import io
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from statistics import correlation, fmean, median
from typing import TYPE_CHECKING, Any

from softrail.plans.arithmetic import computed
from softrail.plans.data.profile import Column, DataTable, Source
from softrail.plans.forms.form import Form
from softrail.plans.forms.grammar import read
from softrail.plans.forms.steps import plan_of
from softrail.plans.plan import Plan, PlanStep

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TODAY = date(2025, 3, 10)
Row = Mapping[str, Any]
_GROUPS = (("Region", ("Nord", "Sued", "Ost")), ("Team", ("Red", "Blue", "O'Neil")), ("Grade", ("A1", "B2")))
_KINDS = (
    ("Product", ("Tea cup", "Plate", "Jug")),
    ("Outlet", ("Kiosk", "Hall 3")),
    ("Carrier", ("X-1", "Y 2")),
)
_AMOUNTS = ("Revenue (EUR)", "Spend", "Fee (CHF)", "Net amount")
_COUNTS = ("Units", "Clicks", "Days absent")
_DATES = ("Date", "Sold on", "Visit date")


class Drawn:
    """A table drawn at random, with what is known of it."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.group, groups = rng.choice(_GROUPS)
        self.kind, kinds = rng.choice(_KINDS)
        self.amount, self.count, self.day = rng.choice(_AMOUNTS), rng.choice(_COUNTS), rng.choice(_DATES)
        self.rows: list[Row] = [
            {
                "group": rng.choice([*groups, None]) if n > 8 else groups[n % len(groups)],
                "kind": kinds[n % len(kinds)] if n < 8 else rng.choice(kinds),
                "amount": Decimal(rng.randint(-500, 90_000)) / 100 if n < 9 or rng.random() > 0.1 else None,
                "count": rng.randint(0, 60),
                "day": date(2023, 1, 1) + timedelta(days=rng.randint(0, 729)),
            }
            for n in range(rng.randint(20, 60))
        ]
        self.groups, self.kinds = groups, kinds
        self.without = sum(row["group"] is None for row in self.rows)
        self.source = self._source()
        self.rng = rng

    def _source(self) -> Source:
        amounts = [row["amount"] for row in self.rows if row["amount"] is not None]
        days = [row["day"].isoformat() for row in self.rows]
        counts = [row["count"] for row in self.rows]
        columns = (
            Column(title=self.group, name="group", kind="text", values=self.groups, empty=self.without),
            Column(title=self.kind, name="kind", kind="text", values=self.kinds),
            Column(
                title=self.amount,
                name="amount",
                kind="number",
                least=str(min(amounts)),
                most=str(max(amounts)),
            ),
            Column(
                title=self.count,
                name="count",
                kind="number",
                whole=True,
                least=str(min(counts)),
                most=str(max(counts)),
            ),
            Column(title=self.day, name="day", kind="date", least=min(days), most=max(days)),
        )
        table = DataTable(title="drawn", name="drawn", rows=len(self.rows), columns=columns)
        return Source(id="1", name="drawn.csv", format="csv", sha256="ab" * 32, bytes=1, tables=(table,))

    def load(self, connection: "DuckDBPyConnection") -> None:
        """Lay the rows where queries find them."""
        connection.execute(
            'CREATE OR REPLACE TABLE drawn ("group" VARCHAR, kind VARCHAR, amount DECIMAL(18,2), count BIGINT, day DATE)'
        )
        connection.executemany(
            "INSERT INTO drawn VALUES (?, ?, ?, ?, ?)", [list(row.values()) for row in self.rows]
        )

    def sums(self, by: Callable[[Row], Any], what: str = "amount", rows: Sequence[Row] | None = None) -> Any:
        """By piece: the sum; None where nothing is known."""
        found: dict[Any, list[Any]] = defaultdict(list)
        for row in self.rows if rows is None else rows:
            found[by(row)].append(row[what])
        return {key: total(values) for key, values in found.items()}


_NAMES = ("group", "kind", "amount", "count", "day")


class Sent(Drawn):
    """The same table as somebody sends it, in one of several manners of writing, and as it is read of that file."""

    def __init__(self, seed: int, folder: Path) -> None:
        from softrail.plans.child.reading import read as read_file  # late, as below

        super().__init__(seed)
        (folder / "source").write_bytes(self.written(seed))
        with chdir(folder):  # as the process that reads is in the folder of its job
            [told] = read_file(folder, {"file": "source", "name": "drawn.csv"})["tables"]
        self._file = folder / str(told["file"])
        known = {one["title"]: Column.model_validate(one) for one in told["columns"]}
        titles = (self.group, self.kind, self.amount, self.count, self.day)
        self._read = tuple(known[title].name for title in titles)
        # The steps of a plan are called after the columns, and the requests are the same for all tables.
        columns = [known[t].model_copy(update={"name": n}) for t, n in zip(titles, _NAMES, strict=True)]
        rows, repairs = told["rows"], tuple(told["repairs"])
        table = DataTable(title="drawn", name="drawn", rows=rows, columns=tuple(columns), repairs=repairs)
        self.source = self.source.model_copy(update={"tables": (table,)})

    def written(self, seed: int) -> bytes:
        """The file: with commas or semicolons, with points or commas in numbers, and with dates in four orders."""
        separator, comma = ((",", False), (";", True), ("\t", False))[seed % 3]
        day = ("%Y-%m-%d", "%d.%m.%Y", "%d %b %Y", "%Y/%m/%d")[seed % 4]
        out = io.StringIO()
        lines = csv.writer(out, delimiter=separator)
        lines.writerow((self.group, self.kind, self.amount, self.count, self.day))
        for row in self.rows:
            amount = "" if row["amount"] is None else f"{row['amount']:,.2f}" if comma else f"{row['amount']}"
            amount = amount.translate(str.maketrans(",.", ".,")) if comma else amount
            lines.writerow((row["group"], row["kind"], amount, row["count"], row["day"].strftime(day)))
        return out.getvalue().encode()

    def load(self, connection: "DuckDBPyConnection") -> None:
        """Lay what was read of the file where queries find it."""
        named = ", ".join(f'"{there}" AS "{here}"' for there, here in zip(self._read, _NAMES, strict=True))
        connection.execute(
            f"CREATE OR REPLACE TABLE drawn AS SELECT {named} FROM read_parquet(?)",  # noqa: S608 - names of ours
            [str(self._file)],
        )


def connect() -> "DuckDBPyConnection":
    """An empty database in memory."""
    import duckdb  # late: what is imported while tests are collected is never given back, and it complains of that

    return duckdb.connect()


def total(values: Sequence[Any]) -> Any:
    """The sum of what is known; None where nothing is."""
    known = [one for one in values if one is not None]
    return sum(known) if known else None


def faults(seed: int, connection: "DuckDBPyConnection", folder: Path | None = None) -> Iterator[str]:
    """What a form computes otherwise than plain Python, on one table drawn at random, or on a file of it."""
    drawn = Drawn(seed) if folder is None else Sent(seed, folder)
    drawn.load(connection)
    for said, expected in _cases(drawn):
        form = read(said, (drawn.source,), today=TODAY)
        if not isinstance(form, Form):
            yield f"{seed}: {said!r} is no form: {form!r:.200}"
            continue
        plan = plan_of(form, (drawn.source,))
        found = {step.id: _run(step, plan, connection) for step in plan.steps if "sql" in step.arguments}
        wrong = expected(plan, found)
        if wrong:
            yield f"{seed}: {said!r}: {wrong}"


def _run(step: PlanStep, plan: Plan, connection: "DuckDBPyConnection") -> list[tuple[Any, ...]]:
    return connection.execute(step.arguments["sql"]).fetchall()


def _cases(drawn: Drawn) -> Iterator[tuple[str, Callable[[Plan, Mapping[str, Any]], str]]]:
    amount, count, group, kind = drawn.amount.partition(" (")[0], drawn.count, drawn.group, drawn.kind
    one, two = drawn.groups[0], drawn.groups[1]
    year = 2024
    here = [row for row in drawn.rows if row["group"] == one]
    there = [row for row in drawn.rows if row["group"] == two]
    of_year = [row for row in drawn.rows if row["day"].year == year]
    by_month = drawn.sums(lambda row: row["day"].replace(day=1))
    by_group = drawn.sums(lambda row: row["group"])
    known = [row["amount"] for row in drawn.rows if row["amount"] is not None]
    yield f"analyze {amount} by {group}", _rows_are(by_group, 1)
    yield (
        f"analyze {count} by {group} and {kind}",
        _rows_are(drawn.sums(lambda row: (row["group"], row["kind"]), "count"), 2),
    )
    yield f"{amount} per month", _rows_are(by_month, 1)
    yield (
        f"{amount} by {kind} for {year}",
        _rows_are(drawn.sums(lambda row: row["kind"], rows=of_year), 1),
    )
    yield (
        f"{count} by {kind} without {one}",
        _rows_are(
            drawn.sums(lambda r: r["kind"], "count", [row for row in drawn.rows if row["group"] != one]), 1
        ),
    )
    yield (
        f"{amount} by {kind} between 10 and 30 {count}",
        _rows_are(drawn.sums(lambda r: r["kind"], rows=[r for r in drawn.rows if 10 <= r["count"] <= 30]), 1),
    )
    yield (
        f"{amount} by {group} except in {year}",
        _rows_are(drawn.sums(lambda r: r["group"], rows=[r for r in drawn.rows if r["day"].year != year]), 1),
    )
    yield (
        f"{count} by {kind} in the second half of {year}",
        _rows_are(drawn.sums(lambda r: r["kind"], "count", [r for r in of_year if r["day"].month > 6]), 1),
    )
    yield f"smallest and largest {count} by {kind}", _ends_are(drawn)
    yield f"how many rows are there in {one}", _value_is("rows", len(here))
    yield f"average {count} by {group}", _means_are(drawn)
    yield f"{amount} per {count} by {kind}", _quotients_are(drawn)
    yield f"trend of {amount}", _changes(by_month)
    yield f"top 2 {kind} by {count}", _top(drawn.sums(lambda row: row["kind"], "count"), 2)
    yield f"cumulative {count} by month", _so_far(drawn)
    yield f"{count} month over month", _steps(drawn)
    yield f"top 1 {kind} by {count} and the rest", _and_rest(drawn.sums(lambda row: row["kind"], "count"))
    yield f"second best {kind} by {count}", _second(drawn.sums(lambda row: row["kind"], "count"))
    yield (
        f"growth of {count} from 2023 to {year}",
        _difference(
            sum(r["count"] for r in of_year), sum(r["count"] for r in drawn.rows if r not in of_year)
        ),
    )
    yield (
        f"{count} of {one} against the rest",
        _difference(sum(r["count"] for r in here), sum(r["count"] for r in drawn.rows if r not in here)),
    )
    if drawn.without:
        yield f"how many rows are without a {group}", _value_is("rows", drawn.without)
        yield (
            f"how many rows are there where {group} is not empty",
            _value_is("rows", len(drawn.rows) - drawn.without),
        )
    yield f"share of {count} by {kind}", _shares(drawn.sums(lambda row: row["kind"], "count"))
    yield (
        f"compare {one} and {two} on {count}",
        _difference(sum(r["count"] for r in here), sum(r["count"] for r in there)),
    )
    yield f"distribution of {count}", _spread([row["count"] for row in drawn.rows])
    yield f"{amount} against {count}", _correlated(drawn)
    yield (
        f"verify that {count} of {one} is higher than of {two}",
        _holds(sum(r["count"] for r in here) > sum(r["count"] for r in there)),
    )
    yield (
        f"verify that every {kind} has {count} above 100",
        _holds(all(v > 100 for v in drawn.sums(lambda row: row["kind"], "count").values())),
    )
    yield f"verify that no {amount} is below 0", _holds(_never_below(drawn))
    yield f"what if {amount} rises 10 %", _what_if(sum(known))
    yield f"predict {amount}", _rows_are(by_month, 1)
    yield f"dashboard for {amount}", _rows_are(by_group, 1, f"_by_{_step_name(group)}")


def _never_below(drawn: Drawn) -> bool | None:
    if any(row["amount"] is not None and row["amount"] < 0 for row in drawn.rows):
        return False
    return None if any(row["amount"] is None for row in drawn.rows) else True


def _step_name(title: str) -> str:
    return "group" if title else ""


def _last(found: Mapping[str, Any], ending: str = "") -> Any:
    return next(rows for name, rows in reversed(list(found.items())) if name.endswith(ending))


def _rows_are(expected: Mapping[Any, Any], pieces: int, ending: str = "") -> Any:
    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        rows = _last(found, ending)
        there = {row[0] if pieces == 1 else row[:pieces]: row[pieces] for row in rows}
        return "" if there == expected else f"{there} is not {expected}"

    return wrong


def _value_is(name: str, expected: Any) -> Any:
    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        return "" if found[name] == [(expected,)] else f"{found[name]} is not {expected}"

    return wrong


def _ends_are(drawn: Drawn) -> Any:
    counts: dict[Any, list[int]] = defaultdict(list)
    for row in drawn.rows:
        counts[row["kind"]].append(row["count"])

    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        there = {kind: tuple(ends) for kind, *ends in _last(found)}
        expected = {kind: (min(each), max(each)) for kind, each in counts.items()}
        return "" if there == expected else f"{there} is not {expected}"

    return wrong


def _means_are(drawn: Drawn) -> Any:
    counts: dict[Any, list[int]] = defaultdict(list)
    for row in drawn.rows:
        counts[row["group"]].append(row["count"])

    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        there = dict(_last(found))
        far = [k for k, v in counts.items() if abs(fmean(v) - float(there[k])) > 0.01]
        return f"the averages of {far} are others" if far else ""

    return wrong


def _quotients_are(drawn: Drawn) -> Any:
    both = [row for row in drawn.rows if row["amount"] is not None]
    amounts, counts = (drawn.sums(lambda row: row["kind"], what, both) for what in ("amount", "count"))

    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        there = dict(_last(found))
        expected = {kind: float(amounts[kind]) / counts[kind] for kind in counts if counts[kind]}
        far = [kind for kind, one in expected.items() if abs(one - float(there[kind])) > 0.001]
        return f"{far} are divided otherwise" if far else ""

    return wrong


def _changes(by_month: Mapping[date, Any]) -> Any:
    known = {month: value for month, value in by_month.items() if value is not None}
    first, last = min(by_month), max(by_month)

    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        [(begin, low, end, high, change)] = _last(found, "")
        if {first, last} <= known.keys():
            if (begin, low, end, high) != (first, known[first], last, known[last]):
                return f"{(begin, low, end, high)} is not from {first} to {last}"
            percent = 100 * (known[last] - known[first]) / abs(known[first]) if known[first] else None
            if percent is not None and abs(float(percent) - float(change)) > 0.06:
                return f"a change of {change} is not {percent}"
        return ""

    return wrong


def _top(sums: Mapping[str, int], n: int) -> Any:
    ordered = sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))
    best = [one for one in ordered if sum(other > one[1] for other in sums.values()) < n]

    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        return "" if _last(found) == best else f"{_last(found)} is not {best}"

    return wrong


def _so_far(drawn: Drawn) -> Any:
    by_month = drawn.sums(lambda row: row["day"].replace(day=1), "count")
    months = sorted(by_month)
    expected = [(m, by_month[m], sum(by_month[one] for one in months if one <= m)) for m in months]

    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        return "" if _last(found) == expected else f"{_last(found)} is not {expected}"

    return wrong


def _steps(drawn: Drawn) -> Any:
    by_month = drawn.sums(lambda row: row["day"].replace(day=1), "count")
    values = [by_month[month] for month in sorted(by_month)]
    expected = [None, *(after - before for before, after in pairwise(values))]

    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        there = [row[2] for row in _last(found)]
        return "" if there == expected else f"{there} is not {expected}"

    return wrong


def _and_rest(sums: Mapping[str, int]) -> Any:
    best = min(sums, key=lambda kind: (-sums[kind], kind))
    expected = [(best, sums[best])]
    expected += [("The rest", sum(sums.values()) - sums[best])] if len(sums) > 1 else []

    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        return "" if _last(found) == expected else f"{_last(found)} is not {expected}"

    return wrong


def _second(sums: Mapping[str, int]) -> Any:
    ranked = sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))

    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        return "" if _last(found) == ranked[1:2] else f"{_last(found)} is not {ranked[1:2]}"

    return wrong


def _shares(sums: Mapping[str, int]) -> Any:
    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        whole = sum(sums.values())
        far = [row for row in _last(found) if abs(100 * sums[row[0]] / whole - float(row[2])) > 0.051]
        return f"{far} are other shares" if far or len(_last(found)) != len(sums) else ""

    return wrong


def _difference(first: int, second: int) -> Any:
    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        [(difference, percent)] = _last(found)
        expected = 100 * (first - second) / abs(second) if second else None
        near = percent is None if expected is None else abs(expected - float(percent)) < 0.051
        return (
            "" if difference == first - second and near else f"{difference}, {percent} % of {first}, {second}"
        )

    return wrong


def _spread(values: Sequence[int]) -> Any:
    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        [(rows, least, middle, mean, most)] = found["spread_of_count"]
        right = (rows, least, most) == (len(values), min(values), max(values)) and middle == median(values)
        pieces = sum(row[1] for row in found["distribution_of_count"])
        return "" if right and abs(float(mean) - fmean(values)) < 0.01 and pieces == rows else f"{found}"

    return wrong


def _correlated(drawn: Drawn) -> Any:
    pairs = [(float(r["amount"]), float(r["count"])) for r in drawn.rows if r["amount"] is not None]

    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        expected = correlation([a for a, _ in pairs], [b for _, b in pairs])
        [(value, rows)] = found["correlation_of_amount"]
        right = abs(value - expected) < 0.001 and rows == len(pairs)
        return "" if right and len(found["amount_against"]) == len(pairs) else f"{value} is not {expected}"

    return wrong


def _holds(expected: bool | None) -> Any:
    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        verdicts = [row[-1] for row in found["verdict"]]
        told = False if False in verdicts else None if None in verdicts or not verdicts else True
        return "" if told is expected else f"{told} is not {expected}"

    return wrong


def _what_if(expected: Decimal) -> Any:
    def wrong(plan: Plan, found: Mapping[str, Any]) -> str:
        facts = {name: rows[0][0] for name, rows in found.items()}
        for step in plan.steps:
            if step.action == "compute":
                facts[step.makes] = computed(step.arguments["expression"], facts)
        then = facts[plan.steps[-2].makes]
        return "" if then == round(expected * Decimal("1.1"), 2) else f"{then} is not 1.1 times {expected}"

    return wrong


def main() -> None:
    """Print how many files were read and computed, and every fault."""
    count, found = int(sys.argv[1]) if len(sys.argv) > 1 else 200, list[str]()
    for seed in range(count):
        with tempfile.TemporaryDirectory() as folder:
            found += faults(seed, connect(), Path(folder))
    print("\n".join(found[:40]))
    print(f"{count} files, {len(list(_cases(Drawn(0))))} requests each, {len(found)} computed otherwise")


if __name__ == "__main__":
    main()
