"""A turn as its events, whatever protocol tells them: from its beginning, or the whole where it was answered before."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

from pydantic_core import from_json

from softrail.core.errors import SoftrailError
from softrail.turns.running import RunningTurn

COMMITTED: Final = "turn.committed"
FAILED: Final = "error"
PROGRESS: Final = "process.progress"


@dataclass(frozen=True, slots=True)
class Told:
    """One event of a turn."""

    name: str
    data: dict[str, Any]


async def told(run: RunningTurn) -> AsyncIterator[Told]:
    """Every event of a turn as it comes; the last is the whole reply, or what went wrong."""
    committed = False
    async for event in run.log.after(0):
        committed = event.name == COMMITTED
        yield Told(event.name, event.data)
    if committed:
        return
    try:
        reply = await run.result()
    except SoftrailError as error:
        yield Told(FAILED, {"code": error.code, "message": error.message, "details": error.details})
    else:
        yield Told(COMMITTED, from_json(reply))


def effect_id(turn_id: str, n: int) -> str:
    """The id of something that a turn did, as a message of its own."""
    return f"{turn_id}/effect/{n}"


def reply_id(turn_id: str, attempt: int = 1) -> str:
    """The id of a turn's words; one that was superseded is told under another."""
    return f"{turn_id}/reply" if attempt == 1 else f"{turn_id}/reply/{attempt}"


def plain_id(message_id: str) -> str:
    """A message's id as a transcript has it, whichever attempt it was told in."""
    turn, _, attempt = message_id.rpartition("/reply/")
    return f"{turn}/reply" if turn and attempt.isdigit() else message_id


def is_same(shown: str, words: str) -> bool:
    """The words that were shown piece by piece are those of the reply, but for space around them."""
    return shown.split() == words.split()
