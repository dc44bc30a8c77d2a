"""Every row of the benchmark table can be measured, and its floor writes what Softrail writes. No times here."""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from math import isfinite
from pathlib import Path

import pytest
from onnxruntime import InferenceSession

import benchmarks.http
from benchmarks.archiving import archiving
from benchmarks.companion import companion_growth
from benchmarks.fairness import fairness
from benchmarks.figures import Row, Samples, table
from benchmarks.floors import GroupWriter, person_statement, raw_sqlite, sqlite_conversation, statements
from benchmarks.free_turn import free_turns
from benchmarks.growth import growth
from benchmarks.http import SERVE, over_http, with_pages
from benchmarks.in_process import alone_on_postgres, alone_on_sqlite, together
from benchmarks.pages import first_content
from benchmarks.peers.pace import on_raw, on_softrail
from benchmarks.peers.pace.__main__ import pythons
from benchmarks.peers.pace.stage import Opened
from benchmarks.peers.pace.stage import together as paced
from benchmarks.plans import plans
from benchmarks.reader import reading
from benchmarks.sizes import TINY
from benchmarks.speaking import speaking
from benchmarks.starting import starting
from benchmarks.streams import streams
from benchmarks.tables import TABLES, prepare
from benchmarks.talk import SAID, Conversation, application, somebody, sqlite_url
from benchmarks.waiting import waiting
from benchmarks.wakes import wakes
from benchmarks.weight import weight
from benchmarks.writes import Recording, record
from softrail.store.tables import turns, workers
from tests.forked import COMMAND_LINE, Process, begun

COMPUTES = InferenceSession.run


@pytest.fixture(scope="module")
def recording() -> Recording:
    return record()


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that fit nothing after their start: they are ended before they are done with it."""
    monkeypatch.setenv("SOFTRAIL_BUNDLED", "onboarding")
    monkeypatch.setenv("SOFTRAIL_ENCODER", "none")


@pytest.fixture
def quick_starts(light: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such servers and what asks them, begun where all is imported; how one starts by itself is seen in the row of starts."""

    def forked(
        command: Sequence[str], env: Mapping[str, str], folder: Path, errors: int, said: int = 1
    ) -> Process:
        served = tuple(command[:4]) == SERVE[:4]
        module, *words = (COMMAND_LINE, *command[3:]) if served else command[2:]
        return begun(module, *words, cwd=folder, env=env, stdout=said, stderr=errors)

    monkeypatch.setattr(benchmarks.http, "_begun", forked)


#: How long a step took, and what held the event loop on a busy machine, in a decision record.
_TOOK = re.compile(r'"stalls":\[[^\]]*\],|"(?:milliseconds|ms)":[^,}]*')


def contents(path: Path) -> dict[str, list[list[int | None]]]:
    """How long every value of every row is; ids, times and secrets differ, their sizes do not.

    By whom a turn was begun is left out: it is written with its acceptance only where the lease of the turn
    before has been given back by then, which is a matter of time.
    """
    found = {}
    with closing(sqlite3.connect(path)) as conn:
        for stored in TABLES.values():
            if stored is not workers:
                names = ", ".join(column.name for column in stored.columns if column is not turns.c.begun_by)
                rows = conn.execute(f"SELECT {names} FROM {stored.name}").fetchall()  # noqa: S608 - a constant
                found[stored.name] = sorted(
                    [None if value is None else len(_TOOK.sub("", str(value))) for value in row]
                    for row in rows
                )
    return found


def told(rows: list[Row]) -> list[str]:
    text = table(rows)
    for row in rows:
        assert isfinite(row.ratio)
        assert row.ratio > 0
        assert row.name in text
    return [row.name for row in rows]


async def test_the_floor_leaves_the_rows_that_softrail_leaves(tmp_path: Path, recording: Recording) -> None:
    async with application(sqlite_url(tmp_path, "ours")) as dispatcher:
        await Conversation(dispatcher, await somebody(dispatcher)).onboarding()
    for name in ("alone", "grouped"):
        await prepare(sqlite_url(tmp_path, name))
    with closing(raw_sqlite(tmp_path / "alone.db")) as conn:
        sqlite_conversation(conn, recording.copy(), samples := Samples())
    writer, copy = GroupWriter(tmp_path / "grouped.db"), recording.copy()
    await writer.commit([person_statement(copy)])
    for writes in copy.turns:
        await writer.commit(statements(writes))
    writer.close()

    ours = contents(tmp_path / "ours.db")
    for name in ("alone", "grouped"):
        floor = contents(tmp_path / f"{name}.db")
        del floor["persons"]  # a floor's address is another one
        assert floor == {name: rows for name, rows in ours.items() if name != "persons"}
    assert len(samples.seconds) == len(SAID) == len(ours["turns"])


async def test_a_group_that_the_floor_cannot_write_is_not_passed_over(
    tmp_path: Path, recording: Recording
) -> None:
    await prepare(sqlite_url(tmp_path, "floor"))
    writer = GroupWriter(tmp_path / "floor.db")
    with pytest.raises(sqlite3.IntegrityError):
        await writer.commit(statements(recording.turns[0]))  # its person is not there
    writer.close()


async def test_the_rows_in_process_are_measured(tmp_path: Path, recording: Recording) -> None:
    alone = await alone_on_sqlite(tmp_path, recording, TINY)
    assert len(told(alone)) == 1
    assert len(told(await together(tmp_path, recording, TINY))) == 2


async def test_the_row_on_postgresql_is_measured(empty_postgres_url: str, recording: Recording) -> None:
    rows = await alone_on_postgres(empty_postgres_url, empty_postgres_url, recording, TINY)
    assert len(told(rows)) == 1


async def test_growth_and_weight_are_measured(tmp_path: Path, recording: Recording) -> None:
    assert len(told(await growth(tmp_path, recording, TINY))) == 3
    kept, logged = await weight(tmp_path, recording, TINY)
    assert 1 < kept.ratio < 1000
    assert kept.goal == "<= 8 KB"
    assert kept.ratio < logged.ratio < 1000
    assert logged.goal == "<= 32 KB"


async def test_the_row_of_the_archive_is_measured(tmp_path: Path, recording: Recording) -> None:
    [row] = await archiving(tmp_path, recording, TINY)
    assert 0 < row.ratio < 1
    assert "35 archived" in row.name


async def test_the_rows_of_the_companion_are_measured(tmp_path: Path) -> None:
    rows = await companion_growth(tmp_path, TINY)
    assert len(told(rows)) == 6
    assert {row.unit for row in rows} == {"x", " ms"}


async def test_the_rows_of_the_companion_on_postgresql_are_measured(
    tmp_path: Path, empty_postgres_url: str
) -> None:
    assert len(told(await companion_growth(tmp_path, TINY, empty_postgres_url))) == 6


async def test_the_rows_beside_the_double_are_measured(tmp_path: Path) -> None:
    assert len(told(await speaking(tmp_path, TINY))) == 3


async def test_the_row_of_free_turns_is_measured_and_what_the_small_models_computed_is_counted(
    tmp_path: Path,
) -> None:
    rows = await free_turns(tmp_path, TINY)
    assert len(told(rows)) == 1
    runs = re.search(r"([\d.]+) runs of a small model a turn", rows[0].ours)
    assert runs is not None
    assert 0 < float(runs[1]) < 1.5
    assert InferenceSession.run is COMPUTES


async def test_the_rows_of_the_reader_are_measured(tmp_path: Path) -> None:
    assert len(told(await reading(tmp_path, TINY))) == 2


async def test_the_rows_of_waiting_are_measured(tmp_path: Path) -> None:
    assert len(told(await waiting(tmp_path, TINY))) == 4


async def test_the_row_beside_a_hot_session_is_measured(tmp_path: Path) -> None:
    assert len(told(await fairness(tmp_path, TINY))) == 1


@pytest.mark.usefixtures("quick_starts")
async def test_the_rows_of_open_connections_are_measured(tmp_path: Path) -> None:
    assert len(told(await streams(tmp_path, TINY))) == 2


@pytest.mark.usefixtures("quick_starts")
def test_the_row_over_http_is_measured(tmp_path: Path) -> None:
    assert len(told(over_http(tmp_path, TINY))) == 1


@pytest.mark.usefixtures("light")
def test_the_row_of_starts_is_measured(tmp_path: Path) -> None:
    assert len(told(starting(tmp_path, TINY))) == 1


@pytest.mark.usefixtures("quick_starts")
def test_the_row_without_the_pages_is_measured(tmp_path: Path) -> None:
    assert len(told(with_pages(tmp_path, TINY))) == 2


@pytest.mark.usefixtures("quick_starts")
def test_when_the_pages_show_something_is_measured(tmp_path: Path) -> None:
    for row in first_content(tmp_path, TINY):
        assert told([row])
        assert row.ratio > 0.3, (
            "Two requests, one after the other, take longer than that on the slow network."
        )


@pytest.mark.parametrize("opened", [on_softrail.opened, on_raw.opened])
async def test_the_turns_that_peers_are_compared_by_are_answered_as_planned(
    tmp_path: Path, opened: Opened
) -> None:
    measured = await paced(opened, tmp_path, sessions=2, laps=1)

    assert measured["turns"] == 12
    assert measured["wall"] > 0


def test_peers_are_run_by_the_interpreter_that_is_named_from_wherever_they_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PEER_BURR_PYTHON", raising=False)

    assert pythons({}, "peers/bin/python")["burr"] == str(tmp_path / "peers" / "bin" / "python")


def test_a_row_says_whether_its_goal_is_met() -> None:
    row = Row(name="a", ours="", floor="", ratio=2.0, at_most=2.0)
    assert (row.met, row.goal) == (True, "<= 2x")
    row = Row(name="a", ours="", floor="", ratio=0.2, at_least=0.35)
    assert (row.met, row.goal) == (False, ">= 0.35x")
    assert "MISSED" in table([row])
    assert Row(name="a", ours="", floor="", ratio=1.0).met is None


async def test_the_rows_of_wakes_are_measured(url_without_wakes: str) -> None:
    assert len(told(await wakes(url_without_wakes, url_without_wakes, TINY))) == 2


@pytest.mark.usefixtures("quick_data")
async def test_plans_can_be_measured(tmp_path: Path) -> None:
    assert told(await plans(tmp_path, TINY)) == [
        "14 a step of a plan",
        f"14 “analyze revenue by region” on {TINY.rows:,} rows",
        "14 turns while 4 plans run",
        f"14 turns while {TINY.bombs} queries take all they may",
        "14 the worker's memory after them",
        f"14 {TINY.many_plans:,} plans of one step, all carried out",
        f"14 a plan is read, beside {TINY.many_facts:,} facts",
    ]
