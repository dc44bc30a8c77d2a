"""A turn leaves nothing in circles: what is looked for garbage all the time costs every turn a tenth of its processor time."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from softrail.processes.builtin.onboarding import Onboarding
from softrail.processes.builtin.standup import Standup
from tests.faults.kit import file_url, person_of, say, worker


@contextmanager
def left_over() -> Iterator[list[str]]:
    """The kinds of things of ours that only a collector of garbage finds after the block."""
    found: list[str] = []
    gc.collect()
    was_on = gc.isenabled()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield found
        gc.collect()
        found += sorted({type(one).__qualname__ for one in gc.garbage if _is_ours(one)})
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        if was_on:
            gc.enable()


def _is_ours(one: object) -> bool:
    return type(one).__module__.partition(".")[0] == "softrail"


@pytest.mark.parametrize(
    "said",
    [
        ("set up my projects", "My main project is called Piper Morgan", "back", "Atlas", "skip all", "stop"),
        ("let's do my standup", "fixed the login page", "more of it", "nothing", "yes"),
    ],
    ids=["steps of its own", "answers of a form"],
)
async def test_turns_leave_nothing_that_holds_itself(tmp_path: Path, said: tuple[str, ...]) -> None:
    async with worker(file_url(tmp_path), Onboarding, Standup) as dispatcher:
        person = await person_of(dispatcher)
        session = (await say(dispatcher, person, "hello")).session_id
        for message in said:  # what is made once is made now
            await say(dispatcher, person, message, session_id=session)
        with left_over() as found:
            for number, message in enumerate(said):
                await say(dispatcher, person, message, session_id=session, turn_id=f"again-{number}")

        assert found == []
