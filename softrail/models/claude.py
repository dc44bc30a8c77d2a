"""Claude through the Anthropic SDK: the only door to it, opened at the first call."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from softrail.core.errors import DefinitionError, ModelUnavailable
from softrail.core.ports import ModelAnswer, ModelRequest

log = logging.getLogger(__name__)

DEFAULT_MODEL = "claude-sonnet-5-5"
MOST_RETRIES = 2
LONGEST_ANSWER = 200_000  #: characters; what comes after them is not read
_CUT_SHORT = frozenset({"max_tokens", "model_context_window_exceeded", "pause_turn"})


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
    ) -> None:
        """Make one; the SDK is loaded and connects at the first call.

        Args:
            model: The name of the model.
            api_key: Whose account pays; None: `ANTHROPIC_API_KEY`.
            base_url: Where the API is; None: `ANTHROPIC_BASE_URL`, else Anthropic's.
            timeout: Seconds for one answer, retries and all.
            retries: How often to try again, at most `MOST_RETRIES`.

        Raises:
            DefinitionError: The package anthropic is not installed.
        """
        if find_spec("anthropic") is None:
            raise DefinitionError('The model "claude" needs the package anthropic: pip install anthropic.')
        self.name = model
        self._key = api_key
        self._base_url = base_url
        self._timeout = timeout
        self._retries = max(0, min(retries, MOST_RETRIES))
        self._client: Any = None
        self._opening = asyncio.Lock()

    def paid_by(self, api_key: str) -> "AnthropicModel":
        """The same model on another account, such as a person's own."""
        return AnthropicModel(
            model=self.name,
            api_key=api_key,
            base_url=self._base_url,
            timeout=self._timeout,
            retries=self._retries,
        )

    async def aclose(self) -> None:
        """Give connections back."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """The whole answer. Raises ModelUnavailable."""
        try:
            async with asyncio.timeout(self._timeout):
                client = await self._open()
                message = await client.messages.create(**_arguments(self.name, request))
                return _answer(
                    "".join(block.text for block in message.content if block.type == "text"),
                    model=message.model,
                    stop=message.stop_reason,
                    usage=message.usage,
                )
        except (
            Exception
        ) as error:  # whatever the SDK, HTTP or a decoder raises: none of it is ours to pass on
            raise self._unavailable(error, request) from error

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        """Pieces of text as they come, then the ModelAnswer. Raises ModelUnavailable while nothing has come."""
        heard = _Heard(self.name)
        async with aclosing(self._pieces(request, heard)) as pieces:
            try:
                async for piece in pieces:
                    yield piece
            except ModelUnavailable:
                if not heard.text.strip():
                    raise
                log.warning(
                    "A streamed answer of %s broke off after %d characters.", self.name, len(heard.text)
                )
        yield heard.answer()

    async def _pieces(self, request: ModelRequest, heard: "_Heard") -> AsyncGenerator[str, None]:
        # A timeout around a `yield` would also count the time of whoever reads: each wait is limited by itself.
        loop = asyncio.get_running_loop()
        until = loop.time() + self._timeout
        events: Any = None
        try:
            async with asyncio.timeout_at(until):
                client = await self._open()
                events = await client.messages.create(**_arguments(self.name, request), stream=True)
            source = aiter(events)
            while len(heard.text) < LONGEST_ANSWER:
                async with asyncio.timeout_at(until):
                    event = await anext(source, None)
                if event is None:
                    break
                if piece := heard.take(event):
                    yield piece
            if not heard.text.strip():
                raise ModelUnavailable(f"The model {heard.model} said nothing.")
        except GeneratorExit:
            raise
        except Exception as error:  # as in `answer`
            raise self._unavailable(error, request) from error
        finally:
            if events is not None:
                await events.close()

    async def _open(self) -> Any:
        async with self._opening:
            if self._client is None:
                # Importing the SDK takes seconds; other turns go on meanwhile.
                sdk = await asyncio.to_thread(import_module, "anthropic")
                self._client = sdk.AsyncAnthropic(
                    api_key=self._key,
                    base_url=self._base_url,
                    timeout=self._timeout,
                    max_retries=self._retries,
                )
            return self._client

    def _unavailable(self, error: Exception, request: ModelRequest) -> ModelUnavailable:
        if isinstance(error, ModelUnavailable):
            return error
        status = getattr(error, "status_code", None)
        what = "took too long" if isinstance(error, TimeoutError) else f"failed ({type(error).__name__})"
        # Not the error's text: it may quote the request, and with it what a person said.
        log.warning(
            "The model %s %s on %r%s.", self.name, what, request.purpose, f", HTTP {status}" if status else ""
        )
        return ModelUnavailable(f"The model {self.name} {what}.", purpose=request.purpose, status=status)


class _Heard:
    """What a stream has said so far."""

    def __init__(self, model: str) -> None:
        self.text = ""
        self.model = model
        self.stop: str | None = None
        self.usage: dict[str, int] = {}

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
        return ""

    def answer(self) -> ModelAnswer:
        """What was said, which the person has read already: a refusal in the middle leaves it incomplete."""
        stop = None if self.stop == "refusal" else self.stop
        return _answer(self.text, model=self.model, stop=stop, usage=self.usage)

    def _count(self, usage: Any) -> None:
        for name in (
            "input_tokens",
            "output_tokens",
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
        ):
            if (value := getattr(usage, name, None)) is not None:
                self.usage[name] = value


def _arguments(model: str, request: ModelRequest) -> Mapping[str, Any]:
    arguments: dict[str, Any] = {
        "model": model,
        "max_tokens": request.max_tokens,
        "messages": [
            {"role": m.role, "content": _sendable(m.content)} for m in request.messages if m.content.strip()
        ],
    }
    if request.system.strip():
        # The system text is the same from turn to turn: marked, it is read from Anthropic's cache.
        marked = {"type": "text", "text": _sendable(request.system), "cache_control": {"type": "ephemeral"}}
        arguments["system"] = [marked]
    if request.answer_schema is not None:
        arguments["output_config"] = {
            "format": {"type": "json_schema", "schema": dict(request.answer_schema)}
        }
    return arguments


def _sendable(text: str) -> str:
    """A lone surrogate cannot be sent as UTF-8; a question mark stands for it."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _answer(text: str, *, model: str, stop: str | None, usage: Any) -> ModelAnswer:
    if stop == "refusal":
        raise ModelUnavailable(f"The model {model} declined to answer.")
    if not text.strip():
        raise ModelUnavailable(f"The model {model} said nothing.")

    def tokens(*names: str) -> int:
        found: Sequence[Any] = [
            usage.get(n) if isinstance(usage, dict) else getattr(usage, n, None) for n in names
        ]
        return sum(value for value in found if isinstance(value, int))

    cut = stop is None or stop in _CUT_SHORT or len(text) >= LONGEST_ANSWER
    return ModelAnswer(
        text=text[:LONGEST_ANSWER],
        model=model,
        input_tokens=tokens("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"),
        output_tokens=tokens("output_tokens"),
        cached_tokens=tokens("cache_read_input_tokens"),
        complete=not cut,
    )
