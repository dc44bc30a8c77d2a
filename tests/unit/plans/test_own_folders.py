"""The folder of a step that reads data is gone with the step, whenever that is cut off."""

import asyncio
import tempfile
from pathlib import Path

import pytest

from softrail.plans.data.children import own_folder
from softrail.testing.contracts.counting import until


async def test_a_step_that_is_cut_off_at_any_moment_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    seen = set[Path]()

    async def work() -> None:
        async with own_folder() as folder:
            seen.add(folder)
            await asyncio.Event().wait()

    for moments in range(8):
        task = asyncio.create_task(work())
        for _ in range(moments):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})

    async def gone() -> bool:
        return not any(tmp_path.iterdir())  # noqa: ASYNC240 - nothing else waits

    await until(gone, 10)
    assert seen
