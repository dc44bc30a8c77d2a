"""People talk over a disk whose power may go at any moment, and what is left is compared with what they were told."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.core.outcomes import Outcome
from softrail.core.people import Person
from softrail.core.turns import Reply, Request
from softrail.turns.dispatcher import Dispatcher
from tests.faults.disk import Disk, Left
from tests.faults.kit import file_url, person_of, say, worker


class Diary(Process, name="diary"):
    """Keeps a line."""

    starts_on = ("write it down",)

    class Answers(BaseModel):
        line: str = ask("What?")

    async def complete(self, answers: Answers, turn: Turn) -> Outcome:
        return Done("Written.", effects=[Record("line", {"is": answers.line})])


class Told(NamedTuple):
    """What somebody was told of a turn: that it is accepted, or its reply."""

    turn_id: str
    message: str
    reply: str | None = None


async def talked(folder: Path, *, people: int, turns: int, durability: str) -> Disk:
    """The record of two servers, one after the other: one person alone, then all at once, and one who is erased."""
    url, disk = file_url(folder), Disk(folder)
    with disk.recording():
        for server in "ab":
            async with worker(url, Diary, changed={"durability": durability}) as one:
                await talk(one, disk, f"{server}-alone", turns, streaming=False)
                gone = await person_of(one, "gone")
                await say(one, gone, "write it down")
                await one.erase_person(gone.id)
                names = [f"{server}{n}" for n in range(people)]
                await asyncio.gather(
                    *(talk(one, disk, name, turns, streaming=n % 2 == 1) for n, name in enumerate(names))
                )
    return disk


async def talk(one: Dispatcher, disk: Disk, name: str, turns: int, *, streaming: bool) -> None:
    """Somebody writes lines into the diary, and it is kept what they were told."""
    person, session = await person_of(one, name), None
    for n in range(turns):
        message = f"{name} has line {n}" if n % 2 else "write it down"
        request = Request(message=message, turn_id=f"{name}.{n}", session_id=session)
        run = one.submit(request, person, streaming=streaming)
        if streaming:
            async for event in run.log.after():
                if event.name == "turn.accepted":
                    disk.told(Told(run.turn_id, message))
        reply = await run.result()
        disk.told(Told(run.turn_id, message, reply))
        session = Reply.model_validate_json(reply).session_id


def moments(disk: Disk, count: int, rng: Random) -> list[int]:
    """That many moments of a record: half of them right after somebody was told something."""
    acts = range(1, len(disk.acts) + 1)
    after = [n for n in acts if disk.acts[n - 1].kind == "told"]
    chosen = {*rng.sample(after, min(count // 2, len(after))), *rng.sample(acts, min(count // 2, len(acts)))}
    return sorted(chosen)


def missing(folder: Path, left: Left) -> list[str]:
    """What is not so on a disk of which that is left, a line each."""
    left.put(folder)
    with closing(sqlite3.connect(folder / "softrail.db")) as raw:
        checked = raw.execute("PRAGMA integrity_check").fetchone()
        if checked != ("ok",):
            return [f"the file is damaged: {checked}"]
        rows = raw.execute("SELECT turn_id, request, reply, session_id, seq FROM turns").fetchall()
        applied = set(raw.execute("SELECT session_id, seq FROM effects"))
    kept = {turn: (json.loads(request)["message"], reply) for turn, request, reply, *_ in rows}
    faults = [f"{one.turn_id} is lost" for one in left.told if not _is_there(one, kept)]
    wanted = {tuple(row[3:]) for row in rows if row[2] and json.loads(row[2])["side_effects"]}
    return faults + [f"effects: {applied ^ wanted}"] * (applied != wanted)


def _is_there(one: Told, kept: dict[str, tuple[str, str | None]]) -> bool:
    message, reply = kept.get(one.turn_id, (None, None))
    return message == one.message and one.reply in (None, reply)


async def goes_on(folder: Path, told: list[Told], rng: Random) -> list[str]:
    """A server that is started on what is left gives the same replies again, and takes new turns; else what is wrong."""
    answered = [one for one in told if one.reply is not None]
    async with worker(f"sqlite:///{folder}/softrail.db", Diary) as one:
        faults = list[str]()
        for old in rng.sample(answered, min(3, len(answered))):
            person: Person = await person_of(one, old.turn_id.partition(".")[0])
            assert old.reply is not None
            session = Reply.model_validate_json(old.reply).session_id
            first = old.turn_id.endswith(".0")
            request = Request(message=old.message, turn_id=old.turn_id, session_id=None if first else session)
            if await one.converse(request, person) != old.reply:
                faults.append(f"{old.turn_id} gets another reply")
        new = await say(one, await person_of(one, "new"), "write it down")
        return faults + ["no new turn is taken"] * (new.companion_message != "What?")
