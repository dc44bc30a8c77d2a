"""Reads a file that people sent into tables of typed columns, and tells what it mended."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from softrail.plans.child.faults import unreadable
from softrail.plans.child.reading import copies
from softrail.plans.child.reading.columns import decided
from softrail.plans.child.reading.evidence import Evidence
from softrail.plans.child.reading.shaping import shaped
from softrail.plans.child.reading.sheets import Sheet, is_blank
from softrail.plans.child.reading.writing import named, written

MOST_COLUMNS: Final = 1000

Read = Callable[[Path, str], list[Sheet]]


def read(folder: Path, job: Mapping[str, Any]) -> Mapping[str, Any]:
    """The tables of a file, each with what is known of it and the file that it was written to. Raises Refused."""
    path, name = folder / str(job["file"]), str(job["name"])
    if job.get("copied") and _begins(path, copies.MARK):
        kind, found = copies.read_copy(path)
        return {"format": kind, "tables": found}
    kind, how = _reader(path, name)
    title = name.rpartition(".")[0] or name
    tables: list[Mapping[str, Any]] = []
    for sheet in how(path, title):
        table = _table(sheet, folder / f"{job['file']}-{len(tables)}")
        if table is not None:
            tables.append(table)
    if not tables:
        raise unreadable("There is nothing in this file.")
    return {"format": kind, "tables": tables}


def _begins(path: Path, mark: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(mark)) == mark


def _table(sheet: Sheet, place: Path) -> Mapping[str, Any] | None:
    shape = shaped(sheet)
    if shape is None:
        return None
    if len(shape.titles) > MOST_COLUMNS:
        raise unreadable(f"There are {len(shape.titles)} columns; at most {MOST_COLUMNS} are read.")
    evidence = [Evidence() for _ in shape.titles]
    for number, cells in shape.rows():
        for one, cell in zip(evidence, cells, strict=True):
            if not is_blank(cell):
                one.add(cell, number)
    columns = decided(shape.titles, evidence, sheet.comma)
    made = written(shape.rows(), columns, place)
    return {
        **made,
        "title": sheet.title,
        "name": named(sheet.title),
        "repairs": [*shape.repairs, *made["repairs"]],
    }


def _reader(path: Path, name: str) -> tuple[str, Read]:
    """What reads a file, by what it begins with; its name only tells JSON from text."""
    with path.open("rb") as file:
        start = file.read(64)
    if not start.strip():
        raise unreadable("There is nothing in this file.")
    if start.startswith(b"PAR1"):
        from softrail.plans.child.reading import columnar

        return "parquet", columnar.sheets
    if start.startswith(b"PK\x03\x04"):
        from softrail.plans.child.reading import workbooks

        return "xlsx", workbooks.sheets
    if start.startswith(b"SQLite format 3\0"):
        from softrail.plans.child.reading import databases

        return "sqlite", databases.sheets
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        raise unreadable("This is a workbook of an old kind. Save it as XLSX.")
    if start.startswith(b"%PDF"):
        raise unreadable("A PDF has no table that can be read. Attached as a document, it answers questions.")
    if start.startswith((b"\x89PNG", b"\xff\xd8\xff", b"\x1f\x8b", b"GIF8")):
        raise unreadable("This is no file with a table. Send CSV, JSON, Parquet, XLSX or SQLite.")
    if name.casefold().endswith((".json", ".jsonl", ".ndjson")) or start.lstrip(b"\xef\xbb\xbf \t\r\n")[
        :1
    ] in (b"{", b"["):
        from softrail.plans.child.reading import documents

        return "json", documents.sheets
    from softrail.plans.child.reading import delimited

    return "csv", delimited.sheets
