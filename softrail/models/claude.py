"""Claude through the Anthropic SDK, which is loaded at the first call."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping, Sequence
from contextlib import aclosing
from importlib.util import find_spec
from typing import Any, Final

from softrail.core.errors import DefinitionError, ModelUnavailable, ModelUnreachable
from softrail.core.keys import Account
from softrail.core.ports import ModelAnswer, ModelRequest
from softrail.core.tools import ToolCall
from softrail.models.bounds import (
    LONGEST_ANSWER,
    MOST_RETRIES,
    ROOM_TO_THINK,
    THERE,
    called,
    offered,
    trouble_of,
)
from softrail.models.claude_body import body_of
from softrail.models.prices import Prices, bundled_prices
from softrail.models.waiting import opened, waits_until
from softrail.models.wire import Wire

log = logging.getLogger(__name__)

DEFAULT_MODEL: Final = "claude-sonnet-5-5"
_CUT_SHORT: Final = frozenset({"max_tokens", "model_context_window_exceeded", "pause_turn"})


class AnthropicModel:
    """A `Model` that asks Claude. Every failure is a ModelUnavailable; the whole call ends at its time limit.

    Busy and broken servers are asked again, twice at most, with the waits the SDK chooses and within the same limit.
    Text that has been streamed is kept when the stream breaks: the answer then says that it is not complete.
    """

    def __init__(
        self,
        *,
        model: str = DEFAULT_MODEL,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 30.0,
        retries: int = MOST_RETRIES,
        prices: Prices | None = None,
    ) -> None:
        """Make one; the SDK is loaded and connects at the first call.

        Args:
            model: The name of the model.
            api_key: Whose account pays; None: `ANTHROPIC_API_KEY`.
            base_url: Where the API is; None: `ANTHROPIC_BASE_URL`, else Anthropic's.
            timeout: Seconds for one answer, retries and all.
            retries: How often to try again, at most `MOST_RETRIES`.
            prices: What models cost; None: the list that comes with the package.

        Raises:
            DefinitionError: The package anthropic is not installed.
        """
        if find_spec("anthropic") is None:
            raise DefinitionError('The model "claude" needs the package anthropic: pip install anthropic.')
        self.name = model
        self._key = api_key
        self._account: Account = "system"
        self._timeout = timeout
        self._prices = prices if prices is not None else bundled_prices()
        self._wire = Wire(base_url=base_url, timeout=timeout, retries=max(0, min(retries, MOST_RETRIES)))

    def __repr__(self) -> str:
        return f"AnthropicModel({self.name!r}, paid by {self._account})"

    def paid_by(self, api_key: str) -> "AnthropicModel":
        """The same model on a person's own account, over the same connections."""
        other = AnthropicModel(model=self.name, api_key=api_key, timeout=self._timeout, prices=self._prices)
        other._account, other._wire = "person", self._wire
        return other

    @property
    def room_to_think(self) -> int:
        """Tokens it may use beside the answer, because it thinks first."""
        price = self._prices.of(self.name)
        return ROOM_TO_THINK if price is not None and price.thinks else 0

    async def warm(self) -> None:
        """Load the SDK, which takes seconds."""
        await self._wire.client(self._key)

    async def aclose(self) -> None:
        """Give connections back, those of other accounts too."""
        await self._wire.aclose()

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """The whole answer. Raises ModelUnavailable."""
        until = asyncio.get_running_loop().time() + self._limit(request)
        waits_until(until)
        try:
            client = await self._client(request)
            async with asyncio.timeout_at(until):
                raw = await client.messages.with_raw_response.create(**self._arguments(request))
                message = await raw.parse()
                return self._answered(
                    "".join(block.text for block in message.content if block.type == "text"),
                    calls=[
                        called(block.id, block.name, block.input)
                        for block in message.content
                        if block.type == "tool_use" and block.name in offered(request)
                    ],
                    model=message.model,
                    stop=message.stop_reason,
                    usage=message.usage,
                    retries=raw.retries_taken,
                )
        except Exception as error:  # the SDK's, HTTP's or a decoder's: none of it is ours to pass on
            raise self._unavailable(error, request) from error

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        """Pieces of text as they come, then the ModelAnswer. Raises ModelUnavailable while nothing has come."""
        heard = _Heard(self.name, offered(request))
        async with aclosing(self._pieces(request, heard)) as pieces:
            try:
                async for piece in pieces:
                    yield piece
            except ModelUnavailable:
                if not heard.text.strip():
                    raise
                heard.drop_calls()  # what it wanted to look up may be half of it
                log.warning(
                    "A streamed answer of %s broke off after %d characters.", self.name, len(heard.text)
                )
        # What the person has read already stays: a refusal in the middle leaves it incomplete.
        stop = None if heard.stop == "refusal" else heard.stop
        yield self._answered(
            heard.text,
            calls=heard.calls,
            model=heard.model,
            stop=stop,
            usage=heard.usage,
            retries=heard.retries,
        )

    async def _pieces(self, request: ModelRequest, heard: "_Heard") -> AsyncGenerator[str, None]:
        # A timeout around a `yield` would also count the time of whoever reads: each wait is limited by itself.
        loop = asyncio.get_running_loop()
        until = loop.time() + self._limit(request)
        waits_until(until)
        events: Any = None
        try:
            client = await self._client(request)
            async with asyncio.timeout_at(until):
                raw = await client.messages.with_raw_response.create(**self._arguments(request), stream=True)
                heard.retries, events = raw.retries_taken, await raw.parse()
            source = aiter(events)
            while len(heard.text) < LONGEST_ANSWER:
                async with asyncio.timeout_at(until):
                    event = await anext(source, None)
                if event is None:
                    break
                if piece := heard.take(event):
                    yield piece
            if not heard.text.strip() and not heard.calls:
                self._answered(
                    "", calls=(), model=heard.model, stop=heard.stop, usage=heard.usage, retries=heard.retries
                )
        except GeneratorExit:
            raise
        except Exception as error:  # as in `answer`
            raise self._unavailable(error, request) from error
        finally:
            if events is not None:
                await events.close()

    async def _client(self, request: ModelRequest) -> Any:
        client = await opened(self._wire.client(self._key), self.name)
        if request.retries is None or request.retries >= client.max_retries:
            return client
        return client.with_options(max_retries=request.retries)

    def _limit(self, request: ModelRequest) -> float:
        return self._timeout if request.seconds is None else min(self._timeout, request.seconds)

    def _arguments(self, request: ModelRequest) -> Mapping[str, Any]:
        price = self._prices.of(self.name)
        return body_of(
            request,
            model=self.name,
            room=self.room_to_think,
            cache_from=price.cache_from if price is not None else 0,
        )

    def _answered(
        self,
        text: str,
        *,
        calls: Sequence[ToolCall],
        model: str,
        stop: str | None,
        usage: Any,
        retries: int,
    ) -> ModelAnswer:
        def tokens(*names: str) -> int:
            found: Sequence[Any] = [
                usage.get(n) if isinstance(usage, dict) else getattr(usage, n, None) for n in names
            ]
            return sum(value for value in found if isinstance(value, int))

        read, written = tokens("cache_read_input_tokens"), tokens("cache_creation_input_tokens")
        counted = {
            "input_tokens": tokens("input_tokens") + read + written,
            "output_tokens": tokens("output_tokens"),
        }
        answer = ModelAnswer(
            text=text[:LONGEST_ANSWER],
            model=model,
            **counted,
            cached_tokens=read,
            cache_write_tokens=written,
            cost_usd=self._prices.cost(model, **counted, read=read, written=written),
            paid_by=self._account,
            retries=retries,
            complete=stop is not None and stop not in _CUT_SHORT and len(text) < LONGEST_ANSWER,
            calls=() if stop in _CUT_SHORT else tuple(calls),
        )
        if stop == "refusal" or not (text.strip() or answer.calls):
            what = "declined to answer" if stop == "refusal" else "said nothing"
            unusable = ModelUnavailable(f"The model {model} {what}.")
            unusable.spent, unusable.trouble = answer, "declined"
            raise unusable
        return answer

    def _unavailable(self, error: Exception, request: ModelRequest) -> ModelUnavailable:
        if isinstance(error, ModelUnavailable):
            return error
        status = getattr(error, "status_code", None)
        if slow := isinstance(error, TimeoutError) or type(error).__name__ == "APITimeoutError":
            what = "took too long"
        else:
            what = f"answered with status {status}" if status else "could not be heard"
        # Not the error's text: it may quote the request, and with it what a person said.
        log.warning("The model %s %s on %r (%s).", self.name, what, request.purpose, type(error).__name__)
        kind = ModelUnavailable if status in THERE else ModelUnreachable
        found = kind(
            f"The model {self.name} {what}.", purpose=request.purpose, status=status, retries=_tried(error)
        )
        found.trouble = trouble_of(status, slow=slow)
        return found


class _Heard:
    """What a stream has said so far."""

    def __init__(self, model: str, offered: Collection[str]) -> None:
        self.text = ""
        self._offered = offered
        self.model = model
        self.stop: str | None = None
        self.retries = 0
        self.usage: dict[str, int] = {}
        self._begun: list[
            tuple[str, str, list[str]]
        ] = []  #: id, name and pieces of the arguments of each call

    @property
    def calls(self) -> Sequence[ToolCall]:
        """What it wants to look up."""
        return [
            called(ref, name, "".join(parts)) for ref, name, parts in self._begun if name in self._offered
        ]

    def drop_calls(self) -> None:
        """Forget what it wanted to look up."""
        self._begun.clear()

    def take(self, event: Any) -> str:
        """The new piece of text in an event; empty when there is none."""
        if event.type == "message_start":
            self.model = event.message.model
            self._count(event.message.usage)
        elif event.type == "message_delta":
            self.stop = event.delta.stop_reason
            self._count(event.usage)
        elif event.type == "content_block_delta" and event.delta.type == "text_delta":
            piece = str(event.delta.text)[: LONGEST_ANSWER - len(self.text)]
            self.text += piece
            return piece
        elif event.type == "content_block_start" and event.content_block.type == "tool_use":
            self._begun.append((event.content_block.id, event.content_block.name, []))
        elif event.type == "content_block_delta" and event.delta.type == "input_json_delta" and self._begun:
            self._begun[-1][2].append(event.delta.partial_json)
        return ""

    def _count(self, usage: Any) -> None:
        for name in (
            "input_tokens",
            "output_tokens",
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
        ):
            if (value := getattr(usage, name, None)) is not None:
                self.usage[name] = value


def _tried(error: Exception) -> int:
    """How often the SDK tried again before it gave up: it says so in the request it sent last."""
    sent = getattr(error, "request", None)
    return int(sent.headers.get("x-stainless-retry-count", 0)) if sent is not None else 0
