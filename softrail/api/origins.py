"""From which pages a browser may change something here, and what a browser is told to make of the answers."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from softrail.core.errors import Forbidden
from softrail.core.hosts import host_of, is_loopback

_READING: Final = ("GET", "HEAD", "OPTIONS")
_SAFE: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
_OPENER: Final = (b"cross-origin-opener-policy", b"same-origin")
#: Parts of pages: a browser asks the page what they may do, and many small answers are better without words for nobody.
_PARTS: Final = (b"text/javascript", b"text/css")
_POLICY: Final = b"content-security-policy"
_FRAMED: Final = b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_OF_A_PAGE: Final = (*_SAFE, _OPENER, (_POLICY, _FRAMED))
_OF_ANYTHING: Final = (*_SAFE, _OPENER, (_POLICY, b"default-src 'none'; " + _FRAMED))


class Origins:
    """The pages that may ask: those of this host, and those `listed`.

    With `tokens` a request that brings an `Authorization` of its own is not asked where it comes from: no browser adds
    that by itself, and whose application this is answers for CORS.
    """

    def __init__(self, listed: Sequence[str] = (), *, tokens: bool = False) -> None:
        self._listed = frozenset(listed)
        self._tokens = tokens

    def check(self, request: Request) -> None:
        """Raises Forbidden for a change that a page of somebody else's wants to make."""
        headers = request.headers
        if request.method in _READING or (self._tokens and "authorization" in headers):
            return
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin in self._listed or site in ("same-origin", "none"):
            return
        if site == "cross-site" or (origin is not None and not _is_here(origin, headers.get("host", ""))):
            raise Forbidden(
                "A page of another origin may not change anything here. SOFTRAIL_ALLOWED_ORIGINS lists those that may."
            )


def _is_here(origin: str, host: str) -> bool:
    try:
        there = urlsplit(origin).hostname or ""
    except ValueError:
        return False
    here = host_of(host)
    return bool(there) and (there == here or (is_loopback(there) and is_loopback(here)))


def make_safe(headers: MutableHeaders) -> None:
    """Adds to an answer what keeps a browser from guessing its kind, framing it, or telling others of it.

    Headers that it has already stay.
    """
    given = dict(headers.raw)
    kind = given.get(b"content-type", b"").partition(b";")[0]
    wanted = _SAFE if kind in _PARTS else _OF_A_PAGE if kind == b"text/html" else _OF_ANYTHING
    headers.raw.extend(header for header in wanted if header[0] not in given)


class SafeHeaders:
    """Makes every answer of an application safe, also those that no route of ours gives."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application's answer with its headers."""

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                make_safe(MutableHeaders(scope=message))
            await send(message)

        await self._app(scope, receive, sent if scope["type"] == "http" else send)
