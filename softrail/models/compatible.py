"""Any server that speaks OpenAI's chat completions, through pydantic-ai, which is loaded at the first call."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, aclosing
from importlib.util import find_spec
from typing import Any, Final

from softrail.core.errors import DefinitionError, ModelUnavailable, ModelUnreachable
from softrail.core.keys import Account
from softrail.core.ports import ModelAnswer, ModelRequest
from softrail.models.bounds import LONGEST_ANSWER, MOST_RETRIES, ROOM_TO_THINK, THERE, trouble_of
from softrail.models.compatible_body import calls_of, messages_of, tools_of
from softrail.models.compatible_wire import CompatibleWire, Library, Tries, counting
from softrail.models.prices import Prices, bundled_prices
from softrail.models.waiting import opened, waits_until

log = logging.getLogger(__name__)

_REFUSED: Final = "content_filter"


class OpenAIModel:
    """A `Model` behind an OpenAI-compatible API. Every failure is a ModelUnavailable; the call ends at its time limit.

    Busy and broken servers are asked again, twice at most, within the same limit. Text that has been streamed is
    kept when the stream breaks: the answer then says that it is not complete.
    """

    def __init__(
        self,
        *,
        model: str,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 30.0,
        retries: int = MOST_RETRIES,
        prices: Prices | None = None,
    ) -> None:
        """Make one; the library is loaded and connects at the first call.

        Args:
            model: The name of the model, as the server calls it.
            api_key: Whose account pays; None: the server wants no key.
            base_url: Where the API is, with its `/v1`; None: OpenAI's own.
            timeout: Seconds for one answer, retries and all.
            retries: How often to try again, at most `MOST_RETRIES`.
            prices: What models cost; None: the list that comes with the package.

        Raises:
            DefinitionError: The library is not installed.
        """
        if any(find_spec(name) is None for name in ("pydantic_ai", "openai")):
            raise DefinitionError(
                'The model "openai" needs the package pydantic-ai-slim: pip install "softrail[openai]".'
            )
        self.name = model
        self._key = api_key
        self._account: Account = "system"
        self._timeout = timeout
        self._prices = prices if prices is not None else bundled_prices()
        self._retries = max(0, min(retries, MOST_RETRIES))
        self._wire = CompatibleWire(model=model, base_url=base_url, timeout=timeout, retries=self._retries)

    def __repr__(self) -> str:
        return f"OpenAIModel({self.name!r}, paid by {self._account})"

    def paid_by(self, api_key: str) -> "OpenAIModel":
        """The same model on a person's own account, over the same connections."""
        other = OpenAIModel(
            model=self.name,
            api_key=api_key,
            timeout=self._timeout,
            retries=self._retries,
            prices=self._prices,
        )
        other._account, other._wire = "person", self._wire
        return other

    @property
    def room_to_think(self) -> int:
        """Tokens it may use beside the answer, because it thinks first."""
        price = self._prices.of(self.name)
        return ROOM_TO_THINK if price is not None and price.thinks else 0

    async def warm(self) -> None:
        """Load the library, which takes seconds."""
        await self._wire.model(self._key)

    async def aclose(self) -> None:
        """Give connections back, those of other accounts too."""
        await self._wire.aclose()

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """The whole answer. Raises ModelUnavailable."""
        tries = counting()
        until = asyncio.get_running_loop().time() + self._limit(request)
        waits_until(until)
        try:
            model = await opened(self._wire.model(self._key), self.name)
            async with asyncio.timeout_at(until):
                library = await self._wire.library()
                response = await library.direct.model_request(
                    model, messages_of(library, request), **self._asked(library, request)
                )
                text = "".join(p.content for p in response.parts if p.part_kind == "text")
                return self._answered(request, text, response, tries, whole=True)
        except Exception as error:  # the library's, HTTP's or a decoder's: none of it is ours to pass on
            raise self._unavailable(error, request, tries) from error

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        """Pieces of text as they come, then the ModelAnswer. Raises ModelUnavailable while nothing has come."""
        heard = _Heard()
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
        yield self._answered(request, heard.text, heard.response, heard.tries, whole=heard.ended, seen=True)

    async def _pieces(self, request: ModelRequest, heard: "_Heard") -> AsyncGenerator[str, None]:
        # A timeout around a `yield` would also count the time of whoever reads: each wait is limited by itself.
        loop = asyncio.get_running_loop()
        until = loop.time() + self._limit(request)
        heard.tries = counting()
        waits_until(until)
        try:
            async with AsyncExitStack() as stack:
                model = await opened(self._wire.model(self._key), self.name)
                async with asyncio.timeout_at(until):
                    library = await self._wire.library()
                    events = await stack.enter_async_context(
                        library.direct.model_request_stream(
                            model, messages_of(library, request), **self._asked(library, request)
                        )
                    )
                source = aiter(events)
                while len(heard.text) < LONGEST_ANSWER:
                    async with asyncio.timeout_at(until):
                        event = await anext(source, None)
                    heard.response = events.get()
                    if event is None:
                        heard.ended = "finish_reason" in (heard.response.provider_details or {})
                        break
                    if piece := heard.take(event):
                        yield piece
            if not heard.text.strip() and not calls_of(heard.response, request):
                self._answered(request, "", heard.response, heard.tries, whole=heard.ended)
        except GeneratorExit:
            raise
        except Exception as error:  # as in `answer`
            raise self._unavailable(error, request, heard.tries) from error

    def _limit(self, request: ModelRequest) -> float:
        return self._timeout if request.seconds is None else min(self._timeout, request.seconds)

    def _asked(self, library: Library, request: ModelRequest) -> dict[str, Any]:
        retries = self._retries if request.retries is None else min(self._retries, request.retries)
        settings: dict[str, Any] = {
            "max_tokens": request.max_tokens + self.room_to_think,
            "timeout": self._limit(request),
            "max_retries": retries,
        }
        if self.room_to_think:
            settings["openai_reasoning_effort"] = "low"  # quick words rather than long thoughts
        asked: dict[str, Any] = {"model_settings": settings, "instrument": False}
        if request.tools:
            asked["model_request_parameters"] = library.models.ModelRequestParameters(
                function_tools=tools_of(library, request), allow_text_output=True
            )
        if request.answer_schema is not None:
            form = library.output.OutputObjectDefinition(
                json_schema=dict(request.answer_schema), name="answer"
            )
            asked["model_request_parameters"] = library.models.ModelRequestParameters(
                output_mode="native", output_object=form
            )
        return asked

    def _answered(
        self,
        request: ModelRequest,
        text: str,
        response: Any,
        tries: Tries,
        *,
        whole: bool,
        seen: bool = False,
    ) -> ModelAnswer:
        """What was said; `whole`: the server said that it ended, `seen`: the person has read it already."""
        usage = response.usage if response is not None else None
        stop = response.finish_reason if response is not None else None
        model = (response.model_name if response is not None else None) or self.name
        read = usage.cache_read_tokens if usage is not None else 0
        written = usage.cache_write_tokens if usage is not None else 0
        counted = {
            "input_tokens": usage.input_tokens if usage is not None else 0,
            "output_tokens": usage.output_tokens if usage is not None else 0,
        }
        answer = ModelAnswer(
            text=text[:LONGEST_ANSWER],
            model=model,
            **counted,
            cached_tokens=read,
            cache_write_tokens=written,
            cost_usd=self._prices.cost(model, **counted, read=read, written=written),
            paid_by=self._account,
            retries=tries.again,
            complete=whole and stop in ("stop", "tool_call") and len(text) < LONGEST_ANSWER,
            calls=tuple(calls_of(response, request)) if whole and stop != "length" else (),
        )
        refused = stop == _REFUSED and not seen
        if refused or not (text.strip() or answer.calls):
            what = "declined to answer" if stop == _REFUSED else "said nothing"
            unusable = ModelUnavailable(f"The model {model} {what}.")
            unusable.spent, unusable.trouble = answer, "declined"
            raise unusable
        return answer

    def _unavailable(self, error: Exception, request: ModelRequest, tries: Tries) -> ModelUnavailable:
        if isinstance(error, ModelUnavailable):
            return error
        status = getattr(error, "status_code", None)
        if slow := isinstance(error, TimeoutError) or type(error).__name__ == "ModelTimeoutError":
            what = "took too long"
        else:
            what = f"answered with status {status}" if status else "could not be heard"
        # Not the error's text: it may quote the request, and with it what a person said.
        log.warning("The model %s %s on %r (%s).", self.name, what, request.purpose, type(error).__name__)
        kind = ModelUnavailable if status in THERE else ModelUnreachable
        found = kind(
            f"The model {self.name} {what}.", purpose=request.purpose, status=status, retries=tries.again
        )
        found.trouble = trouble_of(status, slow=slow)
        return found


class _Heard:
    """What a stream has said so far."""

    def __init__(self) -> None:
        self.text = ""
        self.response: Any = None
        self.tries = Tries()
        self.ended = False

    def take(self, event: Any) -> str:
        """The new piece of text in an event; empty when there is none."""
        if event.event_kind == "part_start" and event.part.part_kind == "text":
            piece = event.part.content
        elif event.event_kind == "part_delta" and event.delta.part_delta_kind == "text":
            piece = event.delta.content_delta
        else:
            return ""
        piece = str(piece)[: LONGEST_ANSWER - len(self.text)]
        self.text += piece
        return piece
