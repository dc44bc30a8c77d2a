"""The black box against the real server, and against servers broken on purpose (rows A1 and M3)."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.faults.blackbox import once
from tests.faults.client import Client
from tests.faults.findings import Findings
from tests.faults.hot import add, hot_session
from tests.faults.kit import file_url
from tests.faults.server import Server

#: A dead worker is given up sooner than by default, so that the runs are short.
BRISK = {"SOFTRAIL_BEAT_INTERVAL": "0.25", "SOFTRAIL_DEAD_AFTER": "1.0"}


def mutant(kind: str, folder: Path) -> Server:
    return Server(folder, file_url(folder), module=("tests.faults.mutants", kind), environment=BRISK)


@pytest.mark.parametrize("accept_after", ["0.05", "0"], ids=["committed at once", "accepted first"])
async def test_nothing_acknowledged_is_lost_and_nothing_happens_twice(
    accept_after: str, tmp_path: Path
) -> None:
    server = Server(
        tmp_path, file_url(tmp_path), environment={**BRISK, "SOFTRAIL_ACCEPT_AFTER": accept_after}
    )

    report = await once([server], seed=200, turns=200, kills=5)  # the long run has thousands

    assert report.findings == Findings(), report
    assert report.kills == 5
    assert report.turns >= 200
    assert report.effects >= 20
    assert len(report.recoveries) == 5, (
        report
    )  # how soon is no matter of a test; the long run holds it to 3 seconds


async def hammered(servers: list[Server], *, rounds: int = 3, at_once: int = 16) -> Findings:
    """What two hot sessions over all servers show."""
    client = Client(servers, Random(7))
    try:
        for server in servers:
            await server.start()
        found = [
            await hot_session(
                client, person=f"hot{n}", rounds=rounds, at_once=at_once, opens="let's do my standup"
            )
            for n in range(2)
        ]
        return add(*found)
    finally:
        await client.close()
        for server in servers:
            server.kill()


async def test_the_black_box_catches_a_server_that_answers_before_it_commits(tmp_path: Path) -> None:
    report = await once([mutant("early", tmp_path)], seed=2, turns=80, kills=2)
    assert report.findings.lost_acked
    assert not report.findings.leaks


async def test_the_black_box_catches_a_server_without_turn_ids(tmp_path: Path) -> None:
    report = await once([mutant("forgetful", tmp_path)], seed=3, turns=120, kills=1, mischief=0.2)
    assert report.findings.dup_turns
    assert report.findings.reply_changed


async def test_the_black_box_catches_a_server_that_shows_a_traceback(tmp_path: Path) -> None:
    report = await once([mutant("leaky", tmp_path)], seed=4, turns=60, kills=0, mischief=0.3)
    assert report.findings == Findings(leaks=report.findings.leaks)
    assert report.findings.leaks


async def test_the_black_box_catches_two_workers_without_a_fence(tmp_path: Path) -> None:
    fenceless = [mutant("fenceless", tmp_path) for _ in range(2)]
    found = await asyncio.wait_for(hammered(fenceless, rounds=1, at_once=6), 300)
    assert found.order_violation or found.lost_acked


async def test_two_real_workers_on_one_file_keep_a_hot_session_in_order(tmp_path: Path) -> None:
    found = await asyncio.wait_for(hammered([Server(tmp_path, file_url(tmp_path)) for _ in range(2)]), 300)
    assert found == Findings()
