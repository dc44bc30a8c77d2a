"""What was read of a PDF is kept, and what could not be read for want of time or room is tried again soon."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from softrail import Attachment
from softrail.plans.data.faults import LimitReached, SourceUnreadable
from softrail.plans.documents.portable import KEPT_FOR, TRIED_AGAIN, Portable
from softrail.plugin import ConversationError

KEY = ("s", "f")


class Files:
    """One file without a byte."""

    async def pieces(self, file: Attachment) -> AsyncIterator[bytes]:
        yield b""


class Reads:
    """Fails as it is told to."""

    def __init__(self, fault: ConversationError) -> None:
        self.fault = fault
        self.begun = 0

    async def one(self, what: str, job: object, folder: Path, *, parts: object) -> Any:
        self.begun += 1
        raise self.fault


def lease() -> Attachment:
    return Attachment(id="f", name="lease.pdf", media_type="application/pdf", size=1)


async def left_after_two_questions(fault: ConversationError) -> tuple[float, int, str]:
    """Seconds that the answer is kept for after the second question, how often it was read, and what was told."""
    reads = Reads(fault)
    portable = Portable(Files(), reads)  # type: ignore[arg-type] # all of them that is asked for
    for _ in range(2):
        found = await portable.read("s", lease(), patience=30)
    assert found is not None
    end = portable._ends[KEY]
    left = end.when() - end._loop.time()  # type: ignore[attr-defined] # whose clock it is
    portable.only("s", ())
    return left, reads.begun, found.note


async def test_what_took_too_long_is_not_kept_for_long() -> None:
    left, begun, note = await left_after_two_questions(LimitReached("It takes longer than it may."))
    assert left <= TRIED_AGAIN
    assert begun == 1
    assert "lease.pdf is not searched" in note


async def test_what_is_wrong_with_a_file_stays_wrong() -> None:
    left, begun, _ = await left_after_two_questions(SourceUnreadable("It is damaged."))
    assert TRIED_AGAIN < left <= KEPT_FOR
    assert begun == 1
