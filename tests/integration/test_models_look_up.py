"""Tools over real HTTP: every provider is told what may be looked up, asks for it, and is told what was found."""

import pytest

from softrail.core.errors import ModelUnavailable
from softrail.core.ports import Message, ModelAnswer, ModelRequest
from softrail.core.tools import ModelTool, ToolCall, ToolResult
from tests.messages_api import Say, looks
from tests.providers import PROVIDERS, Provider
from tests.structured_output import accepted

NOTES = ModelTool(
    name="notes",
    description="Finds notes.",
    parameters={
        "type": "object",
        "properties": {"about": {"type": "string"}},
        "required": ["about"],
        "additionalProperties": False,
    },
)
ASKED = ModelRequest(
    purpose="respond",
    system="You help.",
    messages=[Message(role="user", content="what about sheep?")],
    tools=[NOTES],
)
WANTED = (ToolCall(id="call_0", name="notes", arguments={"about": "sheep"}),)

pytestmark = pytest.mark.parametrize("provider", PROVIDERS, ids=[p.name for p in PROVIDERS])


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
async def test_a_model_asks_for_what_it_wants_to_look_up(provider: Provider, streamed: bool) -> None:
    async with provider.api(looks(("notes", {"about": "sheep"}), text="One moment.")) as api:
        model = provider.model(api_key="key", base_url=api.url)
        if streamed:
            *pieces, answer = [piece async for piece in model.stream(ASKED)]
            assert "".join(map(str, pieces)) == "One moment."
        else:
            answer = await model.answer(ASKED)
        await model.aclose()

    assert isinstance(answer, ModelAnswer)
    assert (answer.text, answer.calls, answer.complete) == ("One moment.", WANTED, True)
    assert provider.tools(api.requests[0]) == {"notes": NOTES.parameters}
    assert accepted(NOTES.parameters) == []


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
async def test_a_wish_without_words_is_an_answer_too(provider: Provider, streamed: bool) -> None:
    async with provider.api(looks(("notes", {"about": "sheep"}))) as api:
        model = provider.model(api_key="key", base_url=api.url)
        if streamed:
            [answer] = [piece async for piece in model.stream(ASKED)]
        else:
            answer = await model.answer(ASKED)
        await model.aclose()

    assert isinstance(answer, ModelAnswer)
    assert (answer.text, answer.calls) == ("", WANTED)


async def test_what_was_found_is_sent_with_the_wish_it_answers(provider: Provider) -> None:
    found = ToolResult(id="call_0", name="notes", text="#4: sheep need shade")
    messages = [
        *ASKED.messages,
        Message(role="assistant", content="One moment.", calls=WANTED),
        Message(role="user", content="", results=[found]),
    ]
    request = ModelRequest(purpose="respond", system="You help.", messages=messages, tools=[NOTES])
    async with provider.api(Say(text="They need shade.")) as api:
        model = provider.model(api_key="key", base_url=api.url)
        answer = await model.answer(request)
        await model.aclose()

    assert answer.text == "They need shade."
    said = provider.said(api.requests[0])
    assert said[1] == ("user", "what about sheep?")
    assert said[-1][1] == "#4: sheep need shade"
    assert b"call_0" in api.bodies[0]


async def test_a_wish_that_was_cut_off_is_none(provider: Provider) -> None:
    cut = Say(content=looks(("notes", {"about": "sheep"})).content, stop="max_tokens")
    async with provider.api(cut) as api:
        model = provider.model(api_key="key", base_url=api.url)
        with pytest.raises(ModelUnavailable, match="said nothing"):
            await model.answer(ASKED)
        await model.aclose()
