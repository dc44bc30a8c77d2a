"""Several answers out of one message, when there is a language model to find them."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from softrail.companion.seed import FIELDS
from softrail.companion.stems import stem
from softrail.companion.wall import wall
from softrail.core.errors import ModelUnavailable
from softrail.core.ports import Message, Model, ModelRequest, Prompts

ASSET: Final = "companion/seed_reading"
_ENOUGH: Final = 9  #: words; a shorter message is one answer and nothing is asked about it
_LONG: Final = 5  #: letters of a word that says something
_READ: Final = 6_000


class _Found(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str | None = None
    what: str | None = None
    who: str | None = None
    success: str | None = None
    voice: str | None = None
    constraints: str | None = None
    notes: str | None = None


async def read_answers(
    model: Model, prompts: Prompts, message: str, told: Mapping[str, str], *, asked: str = ""
) -> dict[str, str]:
    """What a message tells of the project, by field; empty without a model, or when it finds nothing usable.

    Only what the message says itself is believed: an answer whose words are not in it was made up. What a model adds
    to it passes the vocabulary wall.
    """
    if model.name == "plain" or len(message.split()) < _ENOUGH:
        return {}
    document = json.dumps(
        {"asked": asked, "told": dict(told), "message": message[:_READ]}, ensure_ascii=False
    )
    request = ModelRequest(
        purpose="seed_conversation",
        system=prompts.render(ASSET),
        messages=[Message(role="user", content=document)],
        max_tokens=800,
        answer_schema=_schema(),
    )
    try:
        answer = await model.answer(request)
        found = _Found.model_validate_json(answer.text) if answer.complete else _Found()
    except (ModelUnavailable, ValidationError):
        return {}
    said = set(_words(message))
    return {
        key: wall().clean(value.strip(), quoting=[message]).text
        for key, value in found.model_dump().items()
        if isinstance(value, str) and _said(value, said) and value.strip() != told.get(key)
    }


def _said(value: str, said: set[str]) -> bool:
    """Every number and every longer word of it was said, and of the others all but one in five."""
    words = [word for word in _words(value) if len(word) > 2 or word.isdigit()]
    unsaid = [word for word in words if word not in said]
    sure = all(len(word) < _LONG and not any(map(str.isdigit, word)) for word in unsaid)
    return bool(words) and sure and len(unsaid) * 5 <= len(words)


def _words(text: str) -> list[str]:
    return [stem(word) for word in re.findall(r"[^\W_]+", text.casefold())]


def _schema() -> Mapping[str, Any]:
    keys = [field.key for field in FIELDS]
    return {
        "type": "object",
        "properties": {key: {"type": ["string", "null"]} for key in keys},
        "required": keys,
        "additionalProperties": False,
    }
