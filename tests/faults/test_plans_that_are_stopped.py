"""A plan that is stopped before, in or after a step: nothing of it runs any more, and what was finished stays."""

from pathlib import Path

import pytest

from tests.child_processes import KNOWN
from tests.faults.killed_plans import Looked
from tests.faults.kit import file_url
from tests.faults.stopped_plans import PLACES, stopped_plans

pytestmark = pytest.mark.skipif(not KNOWN, reason="needs /proc to see processes")


@pytest.mark.parametrize("on", [0, 1], ids=["by the worker that carries it out", "by another worker"])
async def test_a_stop_before_in_and_after_a_step_ends_all_that_runs(tmp_path: Path, on: int) -> None:
    looked = Looked()
    async with stopped_plans(file_url(tmp_path)) as plans:
        for place, step in zip(PLACES, "ade", strict=True):
            await plans.stopped(place, step, looked, on=on)
    assert looked == Looked()
