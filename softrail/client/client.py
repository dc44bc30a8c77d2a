"""`Client`: say something, watch it being answered, look at what was said."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from secrets import token_hex
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import quote

import httpx2

from softrail.api.schemas import AttachmentView, Cancelled, Page, SessionDetail, SessionView, TurnItem
from softrail.client.events import Event, events
from softrail.client.failures import Refused
from softrail.client.tries import FAILURES, Tries
from softrail.core.turns import Reply

TIMEOUT: Final = 90.0  #: seconds without a word; a turn may wait a minute for its place in its session
Token = Callable[[], Awaitable[str]]


class Client:
    """Conversations of one person over HTTP, as the one whose key it has or whom a token speaks for.

    Args:
        url: Where the server is; with the prefix where an application of yours has one.
        key: An access key; omitted: nothing, as local mode wants it.
        token: In place of a key: gives a token, and another one when that has expired.
        headers: Sent with every request.
        tries: How often a request is sent before it is given up.
        wait: Seconds before the second try; each further one waits twice as long, 30 at most.
        timeout: Seconds without a word from the server after which a try is given up.
        transport: In place of the network, for tests.
    """

    def __init__(
        self,
        url: str,
        *,
        key: str = "",
        token: Token | None = None,
        headers: Mapping[str, str] | None = None,
        tries: int = 8,
        wait: float = 0.3,
        timeout: float = TIMEOUT,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._http = httpx2.AsyncClient(
            base_url=f"{url.rstrip('/')}/",
            headers=dict(headers or {}),
            timeout=httpx2.Timeout(timeout, connect=min(10.0, timeout)),
            transport=transport,
        )
        self._given = key  # what says who asks
        self._token = token
        self._tries = tries
        self._wait = wait

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close its connections."""
        await self._http.aclose()

    async def say(self, message: str | None = None, **fields: Any) -> Reply:
        """Say it, once; the reply. `fields` are those of `POST /converse`: `session_id`, `turn_id`, `answers`, `value`.

        Raises:
            Refused: The server does not take it, or not now.
            NoAnswer: It is not known what became of it; said again with the error's `turn_id`, it is said once.
        """
        turn = _turn(message, fields)
        answer = await self._ask("POST", "converse", json=turn, turn_id=turn["turn_id"])
        return Reply.model_validate_json(answer.content)

    async def stream(self, message: str | None = None, **fields: Any) -> AsyncIterator[Event]:
        """The same, as it happens; the last event is `turn.committed`, with the whole reply.

        What breaks off is gone on with. Where the worker that began it is gone, the pieces are not told again: the whole
        comes at the end.
        """
        turn = _turn(message, fields)
        tries = Tries(self._tries, self._wait, turn_id=turn["turn_id"])
        last = ""
        while True:
            more = {"Last-Event-ID": last} if last else {}
            try:
                told = self._listen("POST", "converse/stream", json=turn, headers=more)
                async with aclosing(told):
                    async for event in told:
                        if event.name == "error":
                            raise _refusal(503, event.data)
                        last = event.id
                        tries.began()
                        yield event
                        if event.name == "turn.committed":
                            return
                raise httpx2.RemoteProtocolError("The stream ended before the turn was answered.")
            except FAILURES as error:
                await tries.after(error)

    async def cancel(self, session_id: str) -> bool:
        """Interrupt what is answered there now, and what waits before it. Whether there was something."""
        answer = await self._ask("POST", f"sessions/{_part(session_id)}/cancel")
        return Cancelled.model_validate_json(answer.content).cancelled

    async def sessions(self, *, before: str = "", limit: int = 20) -> Page[SessionView]:
        """The person's conversations, newest first; `next` is the `before` of what comes after."""
        asked = {"limit": limit, **({"before": before} if before else {})}
        answer = await self._ask("GET", "sessions", params=asked)
        return Page[SessionView].model_validate_json(answer.content)

    async def session(self, session_id: str) -> SessionDetail:
        """How one stands: who holds it, what is asked, what works now."""
        answer = await self._ask("GET", f"sessions/{_part(session_id)}")
        return SessionDetail.model_validate_json(answer.content)

    async def turns(
        self, session_id: str, *, after: int = 0, before: int | None = None, limit: int = 50
    ) -> Page[TurnItem]:
        """What was said in it, in order: from its beginning, after an item, or the last ones before one."""
        asked = {"limit": limit, **({"after": after} if before is None else {"before": before})}
        answer = await self._ask("GET", f"sessions/{_part(session_id)}/turns", params=asked)
        return Page[TurnItem].model_validate_json(answer.content)

    async def erase(self, session_id: str) -> None:
        """Erase it with everything said in it."""
        left, again = Tries(self._tries, self._wait), False
        while True:
            try:
                await (await self._send("DELETE", f"sessions/{_part(session_id)}")).aread()
                return
            except FAILURES as error:
                if again and isinstance(error, Refused) and error.status == 404:
                    return  # the first try did it, and its answer was lost
                await left.after(error)
                again = True

    async def attach(self, session_id: str, name: str, content: bytes) -> AttachmentView:
        """Send a file into a session; `attachments=[its id]` of a turn brings it."""
        path = f"sessions/{_part(session_id)}/attachments"
        answer = await self._ask("POST", path, tries=1, files={"file": (name, content)})
        return AttachmentView.model_validate_json(answer.content)

    async def follow(self, session_id: str, *, after: int = 0) -> AsyncIterator[Event]:
        """What happens in a session, whoever says it, from item `after` on; it goes on until you leave it."""
        tries = Tries(self._tries, self._wait)
        while True:
            path = f"sessions/{_part(session_id)}/events"
            try:
                told = self._listen("GET", path, alive=tries.began, params={"after": after})
                async with aclosing(told):
                    async for event in told:
                        if event.name == "error":
                            if self._token is not None:
                                tries.began()  # it was let in until now, and gets another token
                            break  # this access is over: the next request says it, or has another token
                        tries.began()
                        if event.name == "item":
                            after = int(event.data["seq"])
                        yield event
                raise httpx2.RemoteProtocolError("The stream ended.")
            except FAILURES as error:
                await tries.after(error)

    # -- requests

    async def _ask(
        self, method: str, path: str, *, turn_id: str | None = None, tries: int | None = None, **sent: Any
    ) -> httpx2.Response:
        """The answer; what fails for now is sent again."""
        left = Tries(tries or self._tries, self._wait, turn_id=turn_id)
        while True:
            try:
                answer = await self._send(method, path, **sent)
                await answer.aread()
                return answer
            except FAILURES as error:
                await left.after(error)

    async def _listen(
        self, method: str, path: str, *, alive: Callable[[], None] | None = None, **sent: Any
    ) -> AsyncGenerator[Event, None]:
        answer = await self._send(method, path, **sent)
        try:
            async for event in events(_lines(answer.aiter_text()), alive):
                yield event
        finally:
            await answer.aclose()

    async def _send(self, method: str, path: str, **sent: Any) -> httpx2.Response:
        """The answer, not read yet, with another token where one has expired. Raises Refused where it is none."""
        headers = sent.pop("headers", {})
        for renewed in (False, True):
            if self._token is not None and (renewed or not self._given):
                self._given = await self._token()
            who = {"Authorization": f"Bearer {self._given}"} if self._given else {}
            request = self._http.build_request(method, path, headers={**headers, **who}, **sent)
            answer = await self._http.send(request, stream=True)
            if answer.is_success:
                return answer
            await answer.aread()
            if answer.status_code != 401 or self._token is None or renewed:
                break
        raise _refusal(answer.status_code, _told(answer), answer.headers.get("Retry-After", ""))


def _turn(message: str | None, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a turn: it has its id before it is first sent."""
    said = {} if message is None else {"message": message}
    return {**said, "turn_id": token_hex(16), **fields}


async def _lines(text: AsyncIterator[str]) -> AsyncIterator[str]:
    """Lines as a stream of events has them: other signs that end a line, U+2028 say, are part of what is said."""
    rest = ""
    async for piece in text:
        *whole, rest = (rest + piece).split("\n")
        for line in whole:
            yield line.removesuffix("\r")
    if rest:
        yield rest


def _part(name: str) -> str:
    return quote(name, safe="")


def _told(answer: httpx2.Response) -> Any:
    try:
        return answer.json()
    except ValueError:
        return None  # something between here and the server answered, in words of its own


def _refusal(status: int, body: Any, retry_after: str = "") -> Refused:
    told = body.get("error") if isinstance(body, dict) else None
    error = told if isinstance(told, dict) else {}
    wait = float(retry_after) if retry_after.isdigit() else 0.0
    return Refused(
        status,
        str(error.get("code", "")),
        str(error.get("message", "")),
        details=error.get("details"),
        retry_after=wait,
    )
