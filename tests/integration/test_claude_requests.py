"""What only Anthropic's API is asked for, and that its double speaks as it does."""

import json

from softrail.core.ports import Message, ModelRequest
from softrail.models.claude import AnthropicModel
from tests.messages_api import MODEL, Say, events, messages_api


async def test_what_stays_the_same_is_marked_for_the_cache() -> None:
    async with messages_api(Say(text="Good day.")) as api:
        model = AnthropicModel(model=MODEL, api_key="key", base_url=api.url)
        await model.answer(
            ModelRequest(purpose="respond", system="You help.", messages=[Message(role="user", content="hi")])
        )
        await model.aclose()

    assert api.requests[0]["system"][0]["cache_control"] == {"type": "ephemeral"}


def test_the_double_speaks_the_format_of_the_api() -> None:
    rows = [r for r in events(Say(text="a b")).decode().splitlines() if r.startswith("data: ")]

    assert [json.loads(row[6:])["type"] for row in rows] == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
