"""Files as people send them: what is read of each, what is mended and told, and what is refused with its place.

All of them are read in one process, and asked in another.
"""

import io
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from softrail.plans.data.children import Children


@dataclass(frozen=True, kw_only=True)
class Sent:
    """A file, and what is wanted of its first table, or of the refusal."""

    name: str
    content: bytes
    columns: str = ""  #: each with its kind
    rows: Sequence[Sequence[Any]] = ()
    told: Sequence[str] = ()  #: in what it says of repairs
    tables: Sequence[str] = ()  #: their names, where there are several
    units: dict[str, str] = field(default_factory=dict)
    refused: str = ""
    row: int | None = None
    column: str | None = None


def workbook(**sheets: Sequence[Sequence[Any]]) -> bytes:
    """An XLSX file; its parts are those that spreadsheets write."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def database(*statements: str) -> bytes:
    with sqlite3.connect(":memory:") as connection:
        for statement in statements:
            connection.execute(statement)
        return connection.serialize()


def lines(*text: str) -> bytes:
    return "\n".join(text).encode()


FILES = {
    "decimal commas": Sent(
        name="umsatz.csv",
        content=lines("Region;Umsatz", "Nord;1.234,56", "Süd;0,44"),
        columns="region text, umsatz number",
        rows=[["Nord", "1234.56"], ["Süd", "0.44"]],
        told=["“Umsatz” is read with a decimal comma.", "The cells are separated by semicolons."],
    ),
    "thousands and dollars": Sent(
        name="a.csv",
        content=lines("Item,Cost", 'Pen,"$1,200"', 'Ink,"$12.50"', "Cap,($3.00)"),
        columns="item text, cost number",
        rows=[["Pen", "1200.00"], ["Ink", "12.50"], ["Cap", "-3.00"]],
        units={"cost": "USD"},
        told=["“$1,200” in “Cost” is read as a number in USD."],
    ),
    "percent": Sent(
        name="a.csv",
        content=lines("Team;Share", "A;12,5 %", "B;7 %"),
        columns="team text, share number",
        rows=[["A", "12.5"], ["B", "7.0"]],
        units={"share": "%"},
    ),
    "day first": Sent(
        name="a.csv",
        content=lines("Day,N", "13/02/2024,1", "03/02/2024,2"),
        columns="day date, n number",
        rows=[["2024-02-13", "1"], ["2024-02-03", "2"]],
        told=["“13/02/2024” in “Day” is read with the day first."],
    ),
    "month first": Sent(
        name="a.csv",
        content=lines("Day,N", "02/13/2024,1", "02/03/24,2"),
        columns="day date, n number",
        rows=[["2024-02-13", "1"], ["2024-02-03", "2"]],
        told=["with the month first"],
    ),
    "nobody knows which first": Sent(
        name="a.csv",
        content=lines("Day,N", "03/02/2024,1"),
        columns="day date, n number",
        rows=[["2024-02-03", "1"]],
        told=["Nothing tells whether “03/02/2024” in “Day” has the day or the month first"],
    ),
    "days and months in turn": Sent(
        name="a.csv",
        content=lines("Day,N", "13/02/2024,1", "02/13/2024,2"),
        refused="in row 2 has the day first, and “02/13/2024” in row 3 the month first",
        row=3,
        column="Day",
    ),
    "months in words and times": Sent(
        name="a.csv",
        content=lines("Day,At", "5 Mar 2024,2024-03-05T14:30:00Z", '"March 6, 2024",2024-03-05 09:05'),
        columns="day date, at_ time",
        rows=[["2024-03-05", "2024-03-05T14:30:00"], ["2024-03-06", "2024-03-05T09:05:00"]],
    ),
    "years as columns": Sent(
        name="a.csv",
        content=lines("Region,2022,2023", "North,1,2", "South,3,4"),
        columns="region text, year number, value number",
        rows=[["North", "2022", "1"], ["North", "2023", "2"], ["South", "2022", "3"], ["South", "2023", "4"]],
        told=["The columns 2022 to 2023 are turned into rows: “Year” and “Value”."],
    ),
    "sums and blank rows": Sent(
        name="a.csv",
        content=lines("Region,N", "North,1", "", "South,2", ",", "Total,3"),
        columns="region text, n number",
        rows=[["North", "1"], ["South", "2"]],
        told=["Row 6 (“Total”) is left out: it is the sum of rows above.", "2 blank rows are left out."],
    ),
    "subtotals": Sent(
        name="a.csv",
        content=lines("R,N", "a,1", "b,2", "Subtotal,3", "c,4", "Subtotal,4", "Grand total,7"),
        columns="r text, n number",
        rows=[["a", "1"], ["b", "2"], ["c", "4"]],
    ),
    "a sum that is none": Sent(
        name="a.csv",
        content=lines("Region,N", "North,1", "South,2", "Total,5"),
        columns="region text, n number",
        rows=[["North", "1"], ["South", "2"]],
        told=["Row 4 (“Total”) is left out: its numbers are not the sums of the rows above."],
    ),
    "a sum of nothing": Sent(
        name="a.csv",
        content=lines("Day,N", "2024-02-13,1", "2024-02-14,2", "Total,"),
        columns="day date, n number",
        rows=[["2024-02-13", "1"], ["2024-02-14", "2"]],
        told=["Row 4 (“Total”) is left out: nothing stands beside that."],
    ),
    "a company of that name": Sent(
        name="a.csv",
        content=lines("Company,N", "Total,7", "Shell,2", "Total,9", "Eni,1"),
        columns="company text, n number",
        rows=[["Total", "7"], ["Shell", "2"], ["Total", "9"], ["Eni", "1"]],
    ),
    "words above and below": Sent(
        name="a.csv",
        content=lines(
            "Report of 2024", "", "Region,N,M", "North,1,2", "South,3,4", "Source: our own figures,,"
        ),
        columns="region text, n number, m number",
        rows=[["North", "1", "2"], ["South", "3", "4"]],
        told=["1 row above the table is left out.", "1 row of notes below the table is left out."],
    ),
    "no names": Sent(
        name="a.csv",
        content=lines("North,1", "South,2"),
        columns="column_a text, column_b number",
        rows=[["North", "1"], ["South", "2"]],
        told=["There is no row with names, so the columns are called A, B, C and so on."],
    ),
    "names twice and none": Sent(
        name="a.csv",
        content=lines("N,N,,Order", "1,2,3,4"),
        columns="n number, n_2 number, column_c number, order_ number",
        rows=[["1", "2", "3", "4"]],
    ),
    "codes": Sent(
        name="a.csv",
        content=lines("Post code,House,Weight", "01067,12 b,3 kg", "80331,14,2.5 kg"),
        columns="post_code text, house text, weight number",
        rows=[["01067", "12 b", "3.0"], ["80331", "14", "2.5"]],
        units={"weight": "kg"},
    ),
    "missing values": Sent(
        name="a.csv",
        content=lines("R,N", "a,1.5", "b,n/a", "c,-", "d,"),
        columns="r text, n number",
        rows=[["a", "1.5"], ["b", None], ["c", None], ["d", None]],
        told=["2 cells of “N” without a value count as empty."],
    ),
    "old Windows": Sent(
        name="a.csv",
        content="Stadt;N\nKöln;1\n".encode("cp1252"),
        columns="stadt text, n number",
        rows=[["Köln", "1"]],
        told=["The text is no UTF-8; it is read as Windows-1252."],
    ),
    "Excel's own text": Sent(
        name="a.txt",
        content="Stadt\tN\r\nKöln\t1\r\n".encode("utf-16"),
        columns="stadt text, n number",
        rows=[["Köln", "1"]],
        told=["The text is encoded in UTF-16."],
    ),
    "a separator that is named": Sent(
        name="a.csv",
        content=b"\xef\xbb\xbfsep=|\nName|Remark\nAda|one, two; three\n",
        columns="name text, remark text",
        rows=[["Ada", "one, two; three"]],
    ),
    "lines within cells": Sent(
        name="a.csv",
        content=b'Name,Remark\n"Ada, ""A""","one\ntwo"\n',
        columns="name text, remark text",
        rows=[['Ada, "A"', "one\ntwo"]],
    ),
    "another alphabet": Sent(
        name="销售.csv",
        content="地区,销售额\n北,1\n".encode(),
        columns="地区 text, 销售额 number",
        rows=[["北", "1"]],
    ),
    "a cell too many": Sent(
        name="a.csv",
        content=lines("R,N", "a,1", "b,1,5"),
        refused="Row 3 has “5” in column C, and the table has 2 columns.",
        row=3,
        column="C",
    ),
    "a mark that is never closed": Sent(
        name="a.csv",
        content=lines("R,N", "a,1", 'b,"2', "c,3"),
        refused="A quotation mark is opened in row 3",
        row=3,
    ),
    "one that is no amount": Sent(
        name="a.csv",
        content=lines("R,Cost", "a,1.50", "b,2.50", "c,about 12", "d,3.50", "e,4.50", "f,5.50"),
        refused="“about 12” in row 4, column “Cost”, is no number",
        row=4,
        column="Cost",
    ),
    "two currencies": Sent(
        name="a.csv",
        content=lines("R,Cost", "a,$1", "b,€2"),
        refused="has USD in row 2 (“$1”) and EUR in row 3 (“€2”)",
        row=3,
        column="Cost",
    ),
    "a point and a comma": Sent(
        name="a.csv",
        content=lines("R;Cost", "a;1.5", "b;2,5"),
        refused="is written with a decimal point, and “2,5” in row 3 with a decimal comma",
        row=3,
        column="Cost",
    ),
    "nested JSON": Sent(
        name="a.json",
        content=json.dumps(
            {
                "data": [
                    {"id": 7, "who": {"city": "Bonn"}, "lines": [{"n": 1.10}, {"n": 2}]},
                    {"id": 8, "tags": ["a", "b"]},
                ]
            }
        ).encode(),
        columns="row number, id number, who_city text, tags text",
        rows=[["1", "7", "Bonn", None], ["2", "8", None, "a, b"]],
        tables=["a", "a_lines"],
        told=["What is nested is a column each, with a point in its name."],
    ),
    "JSON by lines": Sent(
        name="a.jsonl",
        content=lines('{"a": 0.1, "b": true}', '{"a": 1e2, "b": false}'),
        columns="a number, b boolean",
        rows=[["0.1", True], ["100.0", False]],
    ),
    "JSON that is none": Sent(
        name="a.json", content=lines("{", '"a": 1,', "}"), refused="This is no JSON in line 3", row=3
    ),
    "sheets": Sent(
        name="book.xlsx",
        content=workbook(
            Sales=[
                ["Sales of the year"],
                [],
                ["Region", "Revenue (EUR)", "Day"],
                ["North", 0.1 + 0.2, date(2024, 2, 13)],
                ["South", 12.5, datetime(2024, 2, 14)],  # noqa: DTZ001 - a spreadsheet's own
                ["Total", 12.8, None],
            ],
            Empty=[],
            Staff=[["Name"], ["Ada"]],
        ),
        columns="region text, revenue_eur number, day date",
        rows=[["North", "0.3", "2024-02-13"], ["South", "12.5", "2024-02-14"]],
        units={"revenue_eur": "EUR"},
        tables=["sales", "staff"],
    ),
    "an error in a sheet": Sent(
        name="book.xlsx",
        content=workbook(A=[["N"], [1], ["#DIV/0!"]]),
        refused="Row 3 has the error #DIV/0! of a formula.",
        row=3,
    ),
    "a database": Sent(
        name="shop.sqlite",
        content=database(
            "CREATE TABLE sales (region TEXT, revenue REAL, day TEXT)",
            "INSERT INTO sales VALUES ('North', 1.1, '2024-02-13'), ('South', NULL, '2024-02-14')",
            "CREATE VIEW trap AS SELECT load_extension('x')",
        ),
        columns="region text, revenue number, day date",
        rows=[["North", "1.1", "2024-02-13"], ["South", None, "2024-02-14"]],
    ),
    "a database that is cut off": Sent(
        name="a.db",
        content=database("CREATE TABLE a (n)", "INSERT INTO a VALUES (zeroblob(90000))")[:9000],
        refused="damaged",
    ),
    "a picture": Sent(name="a.csv", content=b"\x89PNG\r\n\x1a\n", refused="This is no file with a table."),
    "a PDF": Sent(
        name="a.pdf", content=b"%PDF-1.7\n", refused="Attached as a document, it answers questions."
    ),
    "nothing": Sent(name="a.csv", content=b" \n", refused="There is nothing in this file."),
    "bytes": Sent(name="a.csv", content=b"\x00\x01\xff\xfe" * 20, refused="no file with a table"),
    "Parquet that is none": Sent(
        name="a.parquet", content=b"PAR1" + b"\0" * 40 + b"PAR1", refused="no Parquet file"
    ),
    "nested too deep": Sent(name="a.json", content=b"[" * 100_000, refused="JSON"),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What comes of each file, and of a query for all of its first table."""
    import asyncio

    return asyncio.run(_read_all(tmp_path_factory.mktemp("files")))


async def _read_all(folder: Path) -> dict[str, Any]:
    children = Children()
    jobs = []
    for n, sent in enumerate(FILES.values()):
        (folder / f"f{n}").write_bytes(sent.content)
        jobs.append({"file": f"f{n}", "name": sent.name})
    read = await children.run("read", jobs, folder)
    tables = [
        {"name": f"t{n}", "file": one["answer"]["tables"][0]["file"]}
        for n, one in enumerate(read)
        if "answer" in one
    ]
    queries = [{"do": "query", "sql": f"FROM {table['name']}"} for table in tables]
    asked = dict(
        zip((t["name"] for t in tables), await children.run("query", queries, folder, tables), strict=True)
    )
    return {name: (read[n], asked.get(f"t{n}")) for n, name in enumerate(FILES)}


@pytest.mark.parametrize("name", [n for n, sent in FILES.items() if not sent.refused])
def test_what_people_send_is_read_and_what_was_mended_is_told(name: str, found: dict[str, Any]) -> None:
    sent, (read, asked) = FILES[name], found[name]
    assert "answer" in read, read
    table = read["answer"]["tables"][0]
    told = " ".join(table["repairs"])

    assert ", ".join(f"{c['name']} {c['kind']}" for c in table["columns"]) == sent.columns
    assert asked["answer"]["rows"] == [list(row) for row in sent.rows]
    assert table["rows"] == len(sent.rows)
    assert [words for words in sent.told if words not in told] == [], told
    assert {c["name"]: c["unit"] for c in table["columns"] if c["unit"]} == sent.units
    if sent.tables:
        assert [one["name"] for one in read["answer"]["tables"]] == list(sent.tables)


@pytest.mark.parametrize("name", [n for n, sent in FILES.items() if sent.refused])
def test_what_cannot_be_meant_is_refused_with_its_place(name: str, found: dict[str, Any]) -> None:
    sent, (read, _) = FILES[name], found[name]
    error = read["error"]
    assert error["code"] == "source_unreadable", error
    assert sent.refused in error["message"]
    assert (error.get("row"), error.get("column")) == (sent.row, sent.column)
