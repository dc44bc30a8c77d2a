"""The only door to pydantic-ai and the OpenAI SDK: it is opened at the first call, and limits what may come back."""

import asyncio
import logging
from collections import OrderedDict
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from softrail.models.loading import Loading
from softrail.models.waiting import patient
from softrail.models.wire import MOST_CLIENTS, limited

OPENAI: Final = "https://api.openai.com/v1"
_NO_KEY: Final = "none"  #: sent to a server that wants no key; the SDK insists on one


@dataclass(frozen=True, kw_only=True, slots=True)
class Library:
    """The modules of pydantic-ai that are used here."""

    direct: ModuleType
    messages: ModuleType
    models: ModuleType
    output: ModuleType
    openai: ModuleType
    provider: ModuleType
    sdk: ModuleType
    tools: ModuleType


@dataclass(slots=True)
class Tries:
    """How often the call in progress was tried again."""

    again: int = 0


_tries: ContextVar[Tries | None] = ContextVar("softrail_tries", default=None)


class CompatibleWire:
    """The connections of one process to one server; every account uses the same.

    Answers come from outside: a redirect is not followed, a compressed body is refused (nobody asked for one), and
    a body ends at `MOST_BYTES`.
    """

    def __init__(self, *, model: str, base_url: str | None, timeout: float, retries: int) -> None:
        self._model = model
        self._base_url = base_url or OPENAI
        self._timeout = timeout
        self._retries = retries
        self._http: Any = None
        self._models: OrderedDict[str | None, Any] = OrderedDict()
        self._opening = asyncio.Lock()
        self._library: Loading[Library] = Loading(_library)

    async def library(self) -> Library:
        """The library, imported in a thread: it takes seconds, and other turns go on meanwhile."""
        return await self._library.done()

    async def model(self, api_key: str | None) -> Any:
        """The library's model on that account; None: the server wants no key."""
        if api_key in self._models:
            self._models.move_to_end(api_key)
            return self._models[api_key]
        async with self._opening:
            library = await self.library()
            if self._http is None:
                self._http = library.sdk.DefaultAsyncHttpxClient(
                    timeout=self._timeout,
                    follow_redirects=False,
                    headers={"Accept-Encoding": "identity"},
                    event_hooks={"request": [_counted], "response": [limited, patient]},
                )
            client = library.sdk.AsyncOpenAI(
                api_key=api_key or _NO_KEY,
                base_url=self._base_url,
                timeout=self._timeout,
                max_retries=self._retries,
                http_client=self._http,
            )
            self._models[api_key] = library.openai.OpenAIChatModel(
                self._model, provider=self._provider(library, client)
            )
            while len(self._models) > MOST_CLIENTS:
                self._models.popitem(last=False)  # the connections are everybody's and stay open
            return self._models[api_key]

    def _provider(self, library: Library, client: Any) -> Any:
        # Every server here takes a schema or refuses it by itself; only OpenAI's own knows the newer name of the limit.
        own = self._base_url.startswith(OPENAI)
        profile = {"supports_json_schema_output": True, "openai_chat_supports_max_completion_tokens": own}
        return library.provider.OpenAICompatibleProvider(
            "openai-compatible", openai_client=client, profile=profile
        )

    async def aclose(self) -> None:
        """Give the connections back; the next call opens new ones."""
        http, self._http = self._http, None
        self._models.clear()
        if http is not None:
            await http.aclose()


def counting() -> Tries:
    """From now on this task's calls are counted in what is returned."""
    tries = Tries()
    _tries.set(tries)
    return tries


async def _counted(request: Any) -> None:
    """Note the try that the SDK writes into what it sends."""
    tries = _tries.get()
    if tries is not None:
        tries.again = int(request.headers.get("x-stainless-retry-count", 0))


def _library() -> Library:
    library = Library(
        direct=import_module("pydantic_ai.direct"),
        messages=import_module("pydantic_ai.messages"),
        models=import_module("pydantic_ai.models"),
        output=import_module("pydantic_ai.output"),
        openai=import_module("pydantic_ai.models.openai"),
        provider=import_module("pydantic_ai.providers.openai_compatible"),
        sdk=import_module("openai"),
        tools=import_module("pydantic_ai.tools"),
    )
    logging.getLogger("openai").setLevel(
        logging.INFO
    )  # at DEBUG, which it may have chosen, it tells what people say
    return library
