"""Turns, reminders, background deliveries and edits of one session at the same moment (row B9)."""

from pathlib import Path

from softrail.testing import FrozenClock
from tests.faults.events import faults_of
from tests.faults.kit import file_url


async def test_turns_reminders_deliveries_and_edits_at_once_lose_nothing_and_keep_their_order(
    tmp_path: Path,
) -> None:
    with FrozenClock().installed() as clock:
        assert await faults_of(file_url(tmp_path), clock, count=12) == []
