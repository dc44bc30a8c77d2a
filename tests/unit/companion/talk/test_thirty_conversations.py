"""Thirty conversations without a language model: nobody is told one thing over and over, and few get the last resort."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import companion_talk

FILE = Path(__file__).parents[3] / "data" / "free_talk.jsonl"
CONVERSATIONS: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
LAST_RESORT = "replies/general_conversation"


async def test_no_reply_is_given_more_than_three_times_and_the_last_resort_to_one_turn_in_ten(
    frozen: FrozenClock,
) -> None:
    free = 0
    last: list[str] = []
    repeated: list[Any] = []
    for one in CONVERSATIONS:
        async with companion_talk(frozen) as c:
            project = await c.project() if one["project"] else None
            if project and one.get("file"):
                await c.file(project, one["file"])
            said = [await c.say(message, project_id=project) for message in one["says"]]
        often = Counter(turn.text for turn in said).most_common(1)[0]
        repeated += [(one["title"], often)] if often[1] > 3 else []
        for message, turn in zip(one["says"], said, strict=True):
            free += turn.intent is not None
            if any(ref.startswith(LAST_RESORT) for ref in turn.decision.prompts):
                last.append(message)

    assert len(CONVERSATIONS) == 30
    assert repeated == []
    assert len(last) <= free / 10, last
