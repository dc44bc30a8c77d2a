"""The only door to Anthropic's SDK: it is opened at the first call, and limits what may come back."""

import asyncio
import logging
from collections import OrderedDict
from importlib import import_module
from typing import Any, Final

from softrail.models.loading import Loading
from softrail.models.waiting import patient

MOST_BYTES: Final = 10 * 1024 * 1024  #: of one response; what is longer is no answer
MOST_CLIENTS: Final = 64  #: of accounts whose clients are kept


class Wire:
    """The connections of one process; every account uses the same.

    Answers come from outside: a redirect is not followed, a compressed body is refused (nobody asked for one), and
    a body ends at `MOST_BYTES`.
    """

    def __init__(self, *, base_url: str | None, timeout: float, retries: int) -> None:
        self._base_url = base_url
        self._timeout = timeout
        self._retries = retries
        self._http: Any = None
        self._clients: OrderedDict[str | None, Any] = OrderedDict()
        self._opening = asyncio.Lock()
        self._sdk: Loading[Any] = Loading(lambda: import_module("anthropic"))

    async def client(self, api_key: str | None) -> Any:
        """A client of the SDK on that account; None: what the environment says."""
        if api_key in self._clients:
            self._clients.move_to_end(api_key)
            return self._clients[api_key]
        async with self._opening:
            sdk = await self._sdk.done()
            log = logging.getLogger("anthropic")
            if log.getEffectiveLevel() < logging.INFO:  # at DEBUG it writes down what people say
                log.setLevel(logging.INFO)
            if self._http is None:
                self._http = sdk.DefaultAsyncHttpxClient(
                    timeout=self._timeout,
                    follow_redirects=False,
                    headers={"Accept-Encoding": "identity"},
                    event_hooks={"response": [limited, patient]},
                )
            self._clients[api_key] = sdk.AsyncAnthropic(
                api_key=api_key,
                base_url=self._base_url,
                timeout=self._timeout,
                max_retries=self._retries,
                http_client=self._http,
            )
            while len(self._clients) > MOST_CLIENTS:
                self._clients.popitem(last=False)  # the connections are everybody's and stay open
            return self._clients[api_key]

    async def aclose(self) -> None:
        """Give the connections back; the next call opens new ones."""
        http, self._http = self._http, None
        self._clients.clear()
        if http is not None:
            await http.aclose()


async def limited(response: Any) -> None:
    """Refuse what is compressed, and count what comes."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise ValueError("the response is compressed, which was not asked for")
    counted: type[Any] = import_module("softrail.models.counted").Counted
    response.stream = counted(response.stream, MOST_BYTES)
