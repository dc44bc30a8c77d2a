"""A hundred messages with several wishes, or that mend what was said: as meant or asked about, and nothing lost."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import Talk, companion_talk
from tests.unit.companion.talk.world import Standing, furnished, standing

FILE = Path(__file__).parents[3] / "data" / "several_wishes.jsonl"
FROZEN = "d2812bcce8eac8f8af48d32499d1b7d7b43f97eaadb89430cbae47d6595869e7"
LINES: list[Mapping[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
AS_MEANT: Final = 0.85
MOST_LOST: Final = (
    1  #: "The pump runs on diesel. What did I tell you about milk?" is read as its question alone
)
MOST_YES: Final = 3  #: questions of one message that are answered with "Yes"


def test_the_hundred_messages_are_those_that_were_frozen() -> None:
    assert sha256(FILE.read_bytes()).hexdigest() == FROZEN
    assert len(LINES) == 100


async def judged(c: Talk, line: Mapping[str, Any]) -> Mapping[str, Any]:
    """What became of one message, and of a "Yes" to what it asks."""
    world = await furnished(c)
    if "first" in line:
        await c.say(line["first"], project_id=world.here)
    before = await standing(c, world)
    said = await c.say(line["message"], project_id=world.here)
    means, told, asked = line["means"], said.text, said.pending == "clarify"
    at_once = await standing(c, world)
    for _ in range(MOST_YES):
        if said.pending != "clarify" or "Yes" not in said.reply.suggested_actions:
            break
        said = await c.say("Yes", project_id=world.here)
        told += "\n" + said.text
    done = await standing(c, world)
    facts = [text for _, text in (done[n] for n in done if n not in before)]
    named = [fact for fact in line.get("facts", ()) if not any(fact in text for text in facts)]
    wanted = world.after(before, means)
    for number, text in means.get("texts", {}).items():
        if text in str(done[number][1]):
            wanted[number] = done[number]
    loaded = await c.talk.dispatcher.store.load(c.talk.person, c.talk.session_id)
    assert loaded.snapshot is not None
    focus = loaded.snapshot.session.memo.focus
    chosen = means.get("chosen")
    return {
        "wrong": _against(before, at_once, wanted),
        "lost": [fact for fact in named if fact not in told],
        "right": (
            all(done[key] == wanted[key] for key in before)
            and not named
            and all(words in told for words in line.get("tells", ()))
            and (chosen is None or focus.project == world.projects[chosen])
        ),
        "asked": at_once == before and asked,
        "told": told,
    }


async def test_of_the_hundred_most_are_as_meant_and_none_against_their_words(frozen: FrozenClock) -> None:
    found = []
    async with companion_talk(frozen) as c:
        for number, line in enumerate(LINES):
            await c.talk.become(f"person{number}@example.org")
            found.append((line["message"], await judged(c, line)))
    assert [said for said, one in found if one["wrong"]] == []
    assert sum(bool(one["lost"]) for _, one in found) <= MOST_LOST
    assert sum(one["right"] or one["asked"] for _, one in found) >= AS_MEANT * len(LINES)


def _against(before: Standing, done: Standing, wanted: Standing) -> list[str]:
    """What was changed and should not have been, or not so."""
    return [key for key in before if done[key] not in (before[key], wanted[key])]
