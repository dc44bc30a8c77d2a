"""A double of Anthropic's Messages API on a real socket: it says what its script says, and breaks as told."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

MODEL = "claude-double"
_TLS = b"\x16"  #: the first byte of a TLS handshake


@dataclass(frozen=True, kw_only=True, slots=True)
class Say:
    """A message with this text, in one piece or streamed word by word as asked for."""

    text: str = ""
    stop: str = "end_turn"
    content: list[dict[str, Any]] | None = None  #: blocks instead of one text
    cut_after: int | None = None  #: close the connection after so many bytes of the body
    piece: int | None = None  #: send so many bytes at a time, wherever a character ends


@dataclass(frozen=True, kw_only=True, slots=True)
class Fail:
    """An HTTP error as the API words it."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Raw:
    """A body of any bytes, with status 200."""

    body: bytes
    kind: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Silence:
    """No answer at all until the client gives up."""


Line = Say | Fail | Raw | Silence


def looks(*calls: tuple[str, dict[str, Any]], text: str = "") -> Say:
    """A message that wants to look things up: the name of each tool, with its arguments."""
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    for n, (name, given) in enumerate(calls):
        content.append({"type": "tool_use", "id": f"call_{n}", "name": name, "input": given})
    return Say(content=content, stop="tool_use")


class MessagesApi:
    """The running double: `url` to point the SDK at; `requests`, `bodies` and `keys` as they arrived.

    Requests for structured output follow a script of their own where there is one.
    """

    path = ""  #: of the API, behind the host

    def __init__(self, lines: Iterable[Line], *, structured: Iterable[Line] = ()) -> None:
        self.requests: list[dict[str, Any]] = []
        self.bodies: list[bytes] = []
        self.keys: list[str] = []
        self.url = ""
        self.lines = list(lines)
        self.structured = list(structured)
        self._open: set[asyncio.Task[None]] = set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection, as a task that `close` can end."""
        task = asyncio.ensure_future(self.handle(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def close(self) -> None:
        """End what is still open."""
        for task in (tasks := list(self._open)):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request and close; every answer gets a connection of its own."""
        try:
            if (first := await reader.readexactly(1)) == _TLS:
                writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")  # as a server without TLS would
                return
            key, body = await _received(first, reader)
            request = json.loads(body)
            self.requests.append(request)
            self.bodies.append(body)
            self.keys.append(key)
            line = self._next(request)
            if isinstance(line, Silence):
                await reader.read()
                return
            head, body = self._answer(line, streamed=bool(request.get("stream")))
            cut = line.cut_after if isinstance(line, Say) else None
            writer.write(head)
            for piece in _pieces(body if cut is None else body[:cut], line):
                writer.write(piece)
                await writer.drain()
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client left, which is what some tests are about
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    def _next(self, request: dict[str, Any]) -> Line:
        script = self.structured if self.structured and self.wants_structure(request) else self.lines
        return script.pop(0) if len(script) > 1 else script[0]  # the last one repeats

    def wants_structure(self, request: dict[str, Any]) -> bool:
        """Whether a request is for structured output."""
        return "format" in request.get("output_config", {})

    def message(self, line: Say) -> dict[str, Any]:
        """A whole answer."""
        return _message(line)

    def events(self, line: Say) -> bytes:
        """The body of a streamed answer."""
        return events(line)

    def _answer(self, line: Say | Fail | Raw, *, streamed: bool) -> tuple[bytes, bytes]:
        if isinstance(line, Raw):
            return _head(200, line.kind, len(line.body), line.headers), line.body
        if isinstance(line, Fail):
            error = {"type": "error", "error": {"type": "api_error", "message": "as the script says"}}
            body = json.dumps(error).encode()
            return _head(line.status, "application/json", len(body), line.headers), body
        body = self.events(line) if streamed else json.dumps(self.message(line)).encode()
        kind = "text/event-stream" if streamed else "application/json"
        return _head(200, kind, len(body)), body


def messages_api(*lines: Line, structured: Iterable[Line] = ()) -> AbstractAsyncContextManager[MessagesApi]:
    """Within the block the double listens on a free port of this machine."""
    return listening(MessagesApi(lines, structured=structured))


@asynccontextmanager
async def listening(api: MessagesApi) -> AsyncIterator[MessagesApi]:
    """Within the block that double listens."""
    server = await asyncio.start_server(api.accept, "127.0.0.1", 0)
    api.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}{api.path}"
    try:
        yield api
    finally:
        server.close()
        await api.close()


async def _received(first: bytes, reader: asyncio.StreamReader) -> tuple[str, bytes]:
    """Whose key the request carries, and its body."""
    head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    pairs = (row.partition(":") for row in head.splitlines()[1:])
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    key = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
    return key, await reader.readexactly(int(headers["content-length"]))


def _pieces(body: bytes, line: Line) -> Iterator[bytes]:
    size = (line.piece if isinstance(line, Say) else None) or max(1, len(body))
    return (body[at : at + size] for at in range(0, len(body), size))


def _head(status: int, kind: str, length: int, headers: dict[str, str] | None = None) -> bytes:
    rows = [f"HTTP/1.1 {status} x", f"content-type: {kind}", f"content-length: {length}", "connection: close"]
    rows += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return ("\r\n".join(rows) + "\r\n\r\n").encode()


def _message(line: Say) -> dict[str, Any]:
    content = line.content if line.content is not None else [{"type": "text", "text": line.text}]
    usage = {
        "input_tokens": 11,
        "cache_read_input_tokens": 7,
        "cache_creation_input_tokens": 0,
        "output_tokens": 5,
    }
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": content,
        "stop_reason": line.stop,
        "stop_sequence": None,
        "usage": usage,
    }


def events(line: Say) -> bytes:
    """The body of a streamed answer."""
    whole = _message(line)
    usage = whole["usage"]
    begun = {**whole, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}]
    for i, block in enumerate(whole["content"]):
        if block["type"] == "text":
            events.append(
                {"type": "content_block_start", "index": i, "content_block": {"type": "text", "text": ""}}
            )
            words = block["text"].split(" ")
            for n, word in enumerate(words):
                piece = f" {word}" if n else word
                delta = {"type": "text_delta", "text": piece}
                events.append({"type": "content_block_delta", "index": i, "delta": delta})
        else:
            begun = {**block, "input": {}}
            events.append({"type": "content_block_start", "index": i, "content_block": begun})
            given = json.dumps(block["input"])
            for part in (given[: len(given) // 2], given[len(given) // 2 :]):
                delta = {"type": "input_json_delta", "partial_json": part}
                events.append({"type": "content_block_delta", "index": i, "delta": delta})
        events.append({"type": "content_block_stop", "index": i})
    ended = {"stop_reason": line.stop, "stop_sequence": None}
    events.append({"type": "message_delta", "delta": ended, "usage": {"output_tokens": 5}})
    events.append({"type": "message_stop"})
    rows = [f"event: {e['type']}\ndata: {json.dumps(e, ensure_ascii=False)}\n\n" for e in events]
    return "".join(rows).encode()
