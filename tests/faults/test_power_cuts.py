"""What somebody was told is there when the power comes back, with SQLite as it is by default (row A6)."""

from pathlib import Path
from random import Random

import pytest

from tests.faults.disk import unreachable
from tests.faults.power import goes_on, missing, moments, talked

reachable = pytest.mark.skipif(bool(unreachable()), reason=unreachable() or "it is")


@reachable
@pytest.mark.parametrize("durability", ["full", "normal"])
async def test_what_was_told_is_there_after_a_power_cut_unless_it_was_not_to_be_synced(
    tmp_path: Path, durability: str
) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    after.mkdir()
    rng = Random(1)
    disk = await talked(before, people=2, turns=4, durability=durability)
    found = [(missing(after, left), left.told) for left in disk.left(moments(disk, 30, rng), rng)]
    lost = [fault for faults, _ in found for fault in faults]
    if durability == "full":
        assert lost == []
        assert await goes_on(after, list(found[-1][1]), rng) == []
    else:  # the test can tell
        assert lost
        assert all(fault.endswith("is lost") for fault in lost)
