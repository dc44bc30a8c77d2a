"""A process that touches data is over when whoever waits for its end is cut off."""

import asyncio
import sys

import pytest

from softrail.plans.data.children import _end


async def test_a_process_is_over_also_for_who_is_cut_off_twice() -> None:
    command = (sys.executable, "-c", "import sys; sys.stdin.read()")
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, start_new_session=True
    )
    ending = asyncio.ensure_future(_end(process))
    for _ in range(2):
        await asyncio.sleep(0)
        ending.cancel()

    with pytest.raises(asyncio.CancelledError):
        await ending
    assert process.returncode is not None
