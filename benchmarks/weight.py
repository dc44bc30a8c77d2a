"""Row 5: how many bytes a turn leaves in the database."""

import os
from pathlib import Path

from benchmarks.figures import Row
from benchmarks.floors import person_statement, raw_sqlite, statements
from benchmarks.sizes import Sizes
from benchmarks.tables import prepare
from benchmarks.talk import SAID, Conversation, application, somebody, sqlite_url
from benchmarks.writes import Recording

GOAL, LOG_GOAL = 8.0, 32.0
WAL_CONVERSATIONS = 4  # fewer pages than SQLite keeps before it checkpoints by itself


async def weight(folder: Path, recording: Recording, sizes: Sizes) -> list[Row]:
    """The file after a checkpoint, less what an empty one has; the floor is the text of the rows themselves."""
    path = folder / "weight.db"
    await prepare(sqlite_url(folder, "weight"))
    empty = _checkpointed(path)
    async with application(sqlite_url(folder, "weight")) as dispatcher:
        for _ in range(WAL_CONVERSATIONS):
            await Conversation(dispatcher, await somebody(dispatcher)).onboarding()
        logged = _bytes(f"{path}-wal") / 1024 / (WAL_CONVERSATIONS * len(SAID))
        for _ in range(max(sizes.conversations, WAL_CONVERSATIONS) - WAL_CONVERSATIONS):
            await Conversation(dispatcher, await somebody(dispatcher)).onboarding()
    turns = max(sizes.conversations, WAL_CONVERSATIONS) * len(SAID)
    kept = (_checkpointed(path) - empty) / 1024 / turns
    return [
        Row(
            name="5 kept for a turn after a checkpoint, SQLite",
            ours=f"{kept:.1f} KB",
            floor=f"{_values(recording):.1f} KB of values",
            ratio=kept,
            unit=" KB",
            at_most=GOAL,
        ),
        Row(
            name="  through the log for a turn",
            ours=f"{logged:.0f} KB",
            floor="",
            ratio=logged,
            unit=" KB",
            at_most=LOG_GOAL,
        ),
    ]


def _checkpointed(path: Path) -> int:
    conn = raw_sqlite(path)
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    conn.close()
    return _bytes(path)


def _bytes(path: Path | str) -> int:
    return os.path.getsize(path)


def _values(recording: Recording) -> float:
    """What a turn's new rows hold, without indexes, pages and headers."""
    new = [w for turn in recording.turns for w in turn if w.new]
    rows = [person_statement(recording), *statements(new)]
    sizes = (len(str(value).encode()) for _, _, values in rows for value in values if value is not None)
    return sum(sizes) / 1024 / len(recording.turns)
