"""Parquet with what is nested in it, and a workbook that would unpack to more than there is room for."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from softrail.plans.data.children import Children
from softrail.plans.data.faults import SourceUnreadable

PARQUET = """
import os, sys, duckdb
duckdb.execute("COPY (SELECT * FROM (VALUES "
    "(1, 0.1::DOUBLE, {'city': 'Bonn', 'at': TIMESTAMP '2024-02-13 14:30:00'}, ['a', 'b'], 1.50::DECIMAL(9, 2)), "
    "(2, NULL, NULL, NULL, NULL)) AS t(id, share, place, tags, price)) TO '" + sys.argv[1] + "' (FORMAT parquet)")
os._exit(0)
"""


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    """A folder with a Parquet file, written by another process."""
    subprocess.run([sys.executable, "-c", PARQUET, str(tmp_path / "source")], check=True)
    return tmp_path


async def test_parquet_has_its_types_and_what_is_nested_is_columns(parquet: Path) -> None:
    children = Children()
    told = await children.one("read", {"file": "source", "name": "shop.parquet"}, parquet)
    [table] = told["tables"]
    asked = {"do": "query", "sql": "FROM shop"}
    answer = await children.one("query", asked, parquet, [{"name": "shop", "file": table["file"]}])

    assert [(c["title"], c["kind"]) for c in table["columns"]] == [
        ("id", "number"),
        ("share", "number"),
        ("place.city", "text"),
        ("place.at", "time"),
        ("tags", "text"),
        ("price", "number"),
    ]
    assert answer["rows"][0] == ["1", "0.1", "Bonn", "2024-02-13T14:30:00", "[a, b]", "1.50"]
    assert answer["rows"][1] == ["2", None, None, None, None, None]


async def test_a_workbook_that_unpacks_to_more_than_there_is_room_for_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "source", "w") as parts:
        parts.writestr("xl/workbook.xml", "")
        parts.infolist()[0].file_size = 1_100_000_000  # as the list of its parts says
    with pytest.raises(SourceUnreadable, match="1100 MB when it is unpacked"):
        await Children().one("read", {"file": "source", "name": "bomb.xlsx"}, tmp_path)
