"""By which names the server answers, on every route: a name that somebody else chose is none of ours."""

from collections.abc import Awaitable, Callable, Sequence

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from softrail.api.failures import WrongHost, response_to
from softrail.core.errors import StoreUnavailable
from softrail.core.hosts import host_of, is_listed, is_loopback, is_one_label


class KnownHosts:
    """Answers 421 to a request whose `Host` is none of those `listed`, nor this machine's own.

    Without a list every address, and every name with a dot in it, will do once access keys are needed (`keyed`);
    until then the server answers its own machine alone.
    """

    def __init__(self, app: ASGIApp, *, listed: Sequence[str], keyed: Callable[[], Awaitable[bool]]) -> None:
        self._app = app
        self._listed = listed
        self._keyed = keyed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application's answer, or the refusal."""
        if scope["type"] == "http" and not await self._known(Headers(scope=scope).getlist("host")):
            refusal = WrongHost(
                "This server does not answer by that name. SOFTRAIL_HOSTS lists those it does."
            )
            await response_to(refusal)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    async def _known(self, given: list[str]) -> bool:
        if len(given) != 1:
            return False
        host = host_of(given[0])
        if is_loopback(host) or is_listed(host, self._listed):
            return True
        if self._listed or is_one_label(host):
            return False
        try:
            return await self._keyed()
        except StoreUnavailable:
            return True  # there is nothing to be had, and the reason may be told
