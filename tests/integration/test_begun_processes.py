"""A process is begun beside the event loop; it has nothing of ours, and nothing of it is left."""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from softrail.plans.data.beginning import Process, begun
from softrail.plans.data.children import _end
from softrail.testing.contracts.counting import until
from tests.child_processes import KNOWN

ECHO = "import sys; print(sys.stdin.readline().upper(), end='', flush=True)"
WAITS = "import sys; print('here', flush=True); sys.stdin.read()"


async def beginning(code: str, folder: Path, done: list[int], program: str = sys.executable) -> Process:
    command: Sequence[str] = (program, "-I", "-c", code)
    return await begun(command, folder=str(folder), environment={"ONLY": "this"}, after=done.append)


def is_there(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


async def test_it_is_told_what_to_do_answers_and_says_how_it_ended(tmp_path: Path) -> None:
    done = list[int]()
    process = await beginning(ECHO, tmp_path, done)
    assert done == [process.pid]
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"north\n")

    assert await process.stdout.read() == b"NORTH\n"
    assert await process.wait() == 0
    assert process.returncode == 0
    await _end(process)


@pytest.mark.skipif(not KNOWN, reason="the system does not list processes")
async def test_it_has_three_files_one_variable_its_own_folder_and_a_session_of_its_own(
    tmp_path: Path,
) -> None:
    with (tmp_path / "ours").open("wb") as ours:
        os.set_inheritable(ours.fileno(), True)  # as a library may have left it
        process = await beginning(WAITS, tmp_path, [])
        assert process.stdout is not None
        assert await process.stdout.readline() == b"here\n"  # until then it has open what it loads
        here = Path(f"/proc/{process.pid}")
        assert {one.name for one in (here / "fd").iterdir()} == {"0", "1", "2"}
        assert (here / "environ").read_bytes() == b"ONLY=this\0"
        assert (here / "cwd").readlink() == tmp_path
        assert os.getsid(process.pid) == process.pid
        await _end(process)

    assert process.returncode == -9
    assert not is_there(process.pid)


async def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        await beginning(WAITS, tmp_path, [], program=str(tmp_path / "nothing"))


@pytest.mark.skipif(not KNOWN, reason="the system does not list processes")
async def test_of_one_that_is_begun_while_its_caller_is_cut_off_nothing_is_left(tmp_path: Path) -> None:
    done = list[int]()
    beginning_it = asyncio.ensure_future(beginning(WAITS, tmp_path, done))
    await asyncio.sleep(0)
    beginning_it.cancel()
    with pytest.raises(asyncio.CancelledError):
        await beginning_it

    async def over() -> bool:
        return bool(done) and not is_there(done[0])

    await until(over, 60)
