"""A talk of fourteen turns about a project with twenty notes: what a provider's cache keeps of it, counted by the double."""

import json

import pytest

from softrail.models.prices import bundled_prices
from tests.integration.claude_server import TALK, App
from tests.integration.companion_server import person
from tests.integration.model_server import asking
from tests.messages_api import Say
from tests.prompt_cache import Counted, counted
from tests.providers import PROVIDERS, Provider

pytest.importorskip("anthropic")
pytest.importorskip("openai")

ANSWER = (
    "The barns in the north flood first, so the sensors there should be checked before the ones on the hill. I would "
    "begin with the three that reported late last week, and compare them with what the growers wrote down. Which of "
    "them can you reach before Thursday, and who goes along?"
)
NOTE = "The grower at farm {n} checks the lower barn every morning before seven and writes the level into the green book"
TALKED = (
    "what would you look at first when a barn floods",
    "and what would you do about a broken sensor",
    "who should decide that",
    "what did I tell you about the lower barn",
    "how is the project going",
    "what would you do against false alarms at night",
    "what if a grower is away for a week",
    "is there a usual way to test such sensors",
    "what do you know about farm 7",
    "remember that the growers want a paper copy too",
    "what else may go wrong in winter",
    "how often should we calibrate",
    "what did I say about the paper copy",
    "give me three questions for the growers",
)
#: Tokens of the same talk, by the same ruler, before the request was put in this order; none of them could be kept.
BEFORE = 38_370
READ_AS_TALK = json.dumps({"intent": TALK, "confidence": 0.9, "parameters": None, "alternative": None})


async def talked(app: App) -> list[str]:
    """The talk; what each turn was read as."""
    project, ada = await app.project(), await person(app.store, "ada")
    for n in range(1, 21):
        await app.companion.notes.add(ada.id, project, NOTE.format(n=n))
    session: dict[str, str] = {}
    read = []
    for line in TALKED:
        reply = await app.say(line, None, project_id=project, **session)
        session = {"session_id": reply["session_id"]}
        read.append(reply["classified_intent"])
    return read


def share(calls: list[Counted], part: str) -> float:
    return float(sum(getattr(call, part) for call in calls)) / sum(call.whole for call in calls)


@pytest.mark.parametrize("provider", PROVIDERS, ids=[p.name for p in PROVIDERS])
async def test_three_quarters_of_what_a_talk_sends_is_kept_and_read_again(provider: Provider) -> None:
    async with asking(provider, Say(text=ANSWER), structured=[Say(text=READ_AS_TALK)]) as app:
        await talked(app)
        calls = counted(app.api.requests, marked=provider.name == "claude")
    answers = [call for call in calls if call.form == "respond"]
    paid = sum(call.fresh + 0.1 * call.read for call in calls)
    print(f"{provider.name}: {len(calls)} calls, {sum(c.whole for c in calls)} tokens,", end=" ")
    print(f"cacheable {share(calls, 'cacheable'):.3f}, read {share(calls, 'read'):.3f}, paid for {paid:.0f}")
    print(f"answers: cacheable {share(answers, 'cacheable'):.3f}, read {share(answers, 'read'):.3f}")

    assert len(answers) == len(TALKED)
    assert share(calls, "cacheable") >= 0.75
    assert share(calls, "read") >= 0.6
    assert paid <= 0.7 * BEFORE


@pytest.mark.parametrize("provider", PROVIDERS, ids=[p.name for p in PROVIDERS])
async def test_what_is_the_same_for_everybody_comes_first_and_is_long_enough_for_every_model(
    provider: Provider,
) -> None:
    async with asking(provider, Say(text="Well.")) as app:
        await app.say("first words", TALK)
        await app.say("words of somebody else", TALK, who="bob")
        _, second = counted(app.api.requests, marked=provider.name == "claude", fewest=1)

    longest = max(price.cache_from for name in CURRENT if (price := bundled_prices().of(name)) is not None)
    assert second.read >= longest == 1_024


CURRENT = (
    "claude-fable-5-1",
    "claude-opus-5-5",
    "claude-sonnet-5-5",
    "claude-haiku-5-5",
    "claude-sonnet-4-5",
)
