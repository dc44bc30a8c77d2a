"""Lets a language model look things up while it answers: bounded in number, time and length, and it only reads."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from softrail.core.errors import ConversationError, ModelUnavailable
from softrail.core.forms import form
from softrail.core.ports import Message, Model, ModelAnswer, ModelRequest
from softrail.core.streams import closing
from softrail.core.tools import ModelTool, ToolCall, ToolResult

MOST_ROUNDS: Final = 2  #: times that one answer may look something up
MOST_CALLS: Final = 6  #: of one answer, over all rounds
SECONDS: Final = 5.0  #: for what one call looks up
LONGEST: Final = 4_000  #: characters that one call finds
_NO_MORE: Final = "Nothing more can be looked up for this answer. Answer now, from what there is."
_NOT_TAKEN: Final = frozenset({400, 422, 501})  #: how a server says that its model knows no tools

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Tool:
    """One thing that may be looked up: a name, what it finds, its arguments, and what finds it.

    `look` is given arguments that have been checked, and gives text. What it raises for a person (a
    ConversationError) is told the model in its own words; of anything else it is told only that it failed.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    look: Callable[[Any], Awaitable[str]]

    @property
    def told(self) -> ModelTool:
        """The same as a model is told of it."""
        return ModelTool(name=self.name, description=self.description, parameters=form(self.arguments))


class Looks:
    """Asks models that may look things up first. It remembers models whose servers take no tools."""

    def __init__(self) -> None:
        self._bare: set[str] = set()

    async def ask(
        self, model: Model, request: ModelRequest, tools: Sequence[Tool], *, streamed: bool
    ) -> AsyncGenerator[str | ModelAnswer]:
        """Pieces of the answer as they come, then the last ModelAnswer. Raises ModelUnavailable.

        Not streamed, the text of each call comes in one piece. What was said before something was looked up stands
        in a paragraph of its own.
        """
        known = {} if model.name in self._bare else {tool.name: tool for tool in tools}
        request = replace(request, tools=[tool.told for tool in known.values()])
        left, said = MOST_CALLS, False
        for last in (*[False] * MOST_ROUNDS, True):
            answer, between = None, said
            async for piece in self._heard(model, request, streamed):
                if isinstance(piece, ModelAnswer):
                    answer = piece
                elif piece:
                    yield f"\n\n{piece}" if between else piece
                    said, between = True, False
            if answer is None or last or not answer.calls:
                break
            results = [await _found(known, call) for call in answer.calls[:left]]
            results += [_result(call, _NO_MORE) for call in answer.calls[left:]]
            left = max(0, left - len(answer.calls))
            request = replace(request, messages=[*request.messages, *_told(answer, results)])
        if answer is not None:
            yield answer

    async def _heard(
        self, model: Model, request: ModelRequest, streamed: bool
    ) -> AsyncIterator[str | ModelAnswer]:
        """One call; where a server will not have tools, the same without them."""
        begun = False
        try:
            async with closing(_asked(model, request, streamed)) as pieces:
                async for piece in pieces:
                    begun = True
                    yield piece
        except ModelUnavailable as error:
            if begun or not request.tools or error.details.get("status") not in _NOT_TAKEN:
                raise
            async with closing(_asked(model, replace(request, tools=()), streamed)) as pieces:
                async for piece in pieces:
                    yield piece
            log.warning("The model %s takes no tools: it is asked without them from now on.", model.name)
            self._bare.add(model.name)


async def _asked(model: Model, request: ModelRequest, streamed: bool) -> AsyncIterator[str | ModelAnswer]:
    if streamed:
        async with closing(model.stream(request)) as pieces:
            async for piece in pieces:
                yield piece
        return
    answer = await model.answer(request)
    yield answer.text
    yield answer


async def _found(known: Mapping[str, Tool], call: ToolCall) -> ToolResult:
    tool = known.get(call.name)
    if tool is None:
        return _result(call, "There is no such tool.")
    try:
        arguments = tool.arguments.model_validate(dict(call.arguments))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        return _result(call, f"{'.'.join(map(str, first['loc'])) or 'arguments'}: {first['msg']}.")
    try:
        async with asyncio.timeout(SECONDS):
            return _result(call, await tool.look(arguments))
    except ConversationError as error:
        return _result(call, error.message)
    except Exception as error:  # whatever looks things up may raise anything; the person still gets an answer
        log.warning("The tool %s failed (%s).", call.name, type(error).__name__)
        return _result(call, "This cannot be looked up just now.")


def _result(call: ToolCall, text: str) -> ToolResult:
    return ToolResult(id=call.id, name=call.name, text=text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def _told(answer: ModelAnswer, results: Sequence[ToolResult]) -> list[Message]:
    return [
        Message(role="assistant", content=answer.text, calls=answer.calls),
        Message(role="user", content="", results=results),
    ]
