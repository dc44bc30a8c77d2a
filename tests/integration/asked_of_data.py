"""A list of requests about data, played through whole conversations: `python -m tests.integration.asked_of_data [further|third|fourth] [-v]`."""

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

from benchmarks.forms import files, lines, means_it, schemas
from softrail.replay.clock import FrozenClock
from tests.integration.plan_server import Nobody, planned
from tests.integration.test_data_of_plans import attach


async def played(name: str) -> AsyncIterator[tuple[str, dict[str, Any], str]]:
    """Each line as the first thing that is said of its file: what became of it, and how it was answered."""
    attached = files()
    async with planned(engine=Nobody(), bundled=("plans", "companion", "standup")) as ada:
        for line in lines(f"{name}.jsonl"):
            ada.session_id = None
            await attach(ada, *attached[line["on"]])
            reply = await ada.say(line["said"])
            plan = (await ada.standing()).plan
            if plan is not None:
                yield means_it(line, plan.form), line, plan.problem
            elif reply.process is not None or reply.pending is not None:
                yield "wrong" if line["means"] == "no" else "asked", line, reply.companion_message
            else:
                yield means_it(line, None), line, reply.companion_message


async def main() -> None:
    """Print what became of them; with `-v` each line that is not right."""
    found = Counter[str]()
    name = next((one for one in ("further", "third", "fourth") if one in sys.argv), "fresh")
    async for judgement, line, told in played(name):
        found[judgement] += 1
        if "-v" in sys.argv and judgement != "right":
            print(f"{judgement:8} {line['on']}: {line['said']}\n         {told.partition(chr(10))[0]}")
    shown = ", ".join(f"{found[name]} {name}" for name in ("right", "asked", "unheard", "wrong"))
    print(f"{shown} of {found.total()}")


if __name__ == "__main__":
    _, today = schemas()
    with FrozenClock(datetime(today.year, today.month, today.day, 9, tzinfo=UTC)).installed():
        asyncio.run(main())
