"""`softrail archive` on a real database file."""

import asyncio
import json
from datetime import timedelta
from pathlib import Path

import pytest
from freezegun import freeze_time
from typer.testing import CliRunner, Result

from softrail.cli import app
from softrail.store import SqliteStore
from softrail.testing.contracts.archive import talked
from softrail.testing.contracts.values import AT, contents, someone


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOFTRAIL_DURABILITY", "normal")
    return tmp_path


def softrail(*words: str, days: int, code: int = 0) -> Result:
    with freeze_time(AT + timedelta(days=days)):
        result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, f"{result.output}\n{result.stderr}\n{result.exception!r}"
    return result


def kept(*, talk: int = 0) -> list[int]:
    """The numbers of the items in the file; before, so many turns are said, one a day."""

    async def look() -> list[int]:
        store = SqliteStore("softrail.db", durability="normal")
        await store.start()
        ada = await someone(store)
        if talk:
            await talked(store, ada, turns=talk)
        found = contents(await store.items(ada.id, session_id="s1", limit=200))
        await store.close()
        return [seq for seq, _, _ in found]

    return asyncio.run(look())


def test_old_turns_are_packed_and_read_as_before() -> None:
    before = kept(talk=5)

    first = json.loads(softrail("archive", "--older-than", "7", "--json", days=10).stdout)
    again = softrail("archive", "--older-than", "7", days=10).stdout

    assert first["turns"] == 3
    assert first["packed"] < first["bytes"]
    assert again.startswith("0 turns packed")
    assert kept() == before


def test_what_is_older_still_is_forgotten_if_asked() -> None:
    kept(talk=5)

    softrail("archive", "--older-than", "7", days=8)
    told = softrail("archive", "--older-than", "7", "--forget-after", "9", days=11)

    assert "older than 9 days that were erased: 1." in told.stdout
    assert kept() == [3, 4, 5, 6, 7, 8, 9, 10]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--older-than", "6"), "at least 7 days"),
        (("--older-than", "90", "--forget-after", "30"), "at least --older-than"),
    ],
)
def test_a_time_that_is_too_short_is_refused(words: tuple[str, ...], why: str) -> None:
    told = softrail("archive", *words, days=0, code=2)
    assert why in told.stderr
