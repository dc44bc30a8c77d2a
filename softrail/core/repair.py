"""One more try for an answer of a language model that cannot be used, within the time of the first."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from softrail.core.clock import ticks
from softrail.core.errors import ModelUnavailable
from softrail.core.ports import Message, Model, ModelAnswer, ModelRequest

READING_SECONDS: Final = 5.0  #: all calls that read one message; a person waits for their end
_QUOTED: Final = 2_000  #: characters of an unusable answer that it is shown again

T = TypeVar("T")


async def asked_for(model: Model, request: ModelRequest, read: Callable[[ModelAnswer], T | str]) -> T | str:
    """What `read` makes of the model's answer, or in the end a text: why neither of two answers could be used.

    A text of `read` says what is wrong with an answer. It is quoted in the second request, which is made once, and only
    while the first one's time lasts. Raises ModelUnavailable, where the first call does.
    """
    began = ticks()
    answer = await model.answer(request)
    found = read(answer)
    left = None if request.seconds is None else request.seconds - (ticks() - began)
    if not isinstance(found, str) or not answer.text.strip() or (left is not None and left <= 0):
        return found
    return await _again(model, replace(request, seconds=left), answer.text, found, read)


async def _again(
    model: Model, request: ModelRequest, said: str, wrong: str, read: Callable[[ModelAnswer], T | str]
) -> T | str:
    told = (
        f"This answer cannot be used: {wrong}. Give it once more, in the form that was asked for and with nothing "
        "else around it."
    )
    messages = [
        *request.messages,
        Message(role="assistant", content=said[:_QUOTED]),
        Message(role="user", content=told),
    ]
    try:
        return read(await model.answer(replace(request, messages=messages)))
    except ModelUnavailable as error:
        return f"{wrong}; asked again, {error.message}"
