"""A wire to PostgreSQL that breaks between COMMIT and its answer, so that nobody knows what happened."""

import asyncio
import contextlib
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, quote, urlsplit

_SOCKET = ".s.PGSQL.5432"


class CuttingProxy:
    """Passes bytes both ways; now and then it passes a COMMIT on and cuts before the answer comes back."""

    def __init__(self, url: str, folder: Path, *, seed: int, share: float) -> None:
        parts = urlsplit(url)
        self.cuts = 0
        self.url = f"{parts.scheme}://{parts.username}@/{parts.path.strip('/')}?host={quote(str(folder))}"
        self._target = f"{parse_qs(parts.query)['host'][0]}/{_SOCKET}"
        self._path = folder / _SOCKET
        self._rng = Random(seed)
        self._share = share
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_unix_server(self._serve, self._path)

    async def stop(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_unix_connection(self._target)
        except OSError:
            writer.close()
            return
        cut = asyncio.Event()
        tasks = [
            asyncio.create_task(self._forward(reader, back, cut)),
            asyncio.create_task(self._answer(there, writer, cut)),
        ]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        for end in (writer, back):
            with contextlib.suppress(OSError):
                end.close()

    async def _forward(
        self, reader: asyncio.StreamReader, back: asyncio.StreamWriter, cut: asyncio.Event
    ) -> None:
        while data := await reader.read(65536):
            if b"COMMIT" in data[:32] and self._rng.random() < self._share:
                cut.set()  # from here on no answer comes back
                self.cuts += 1
                back.write(data)
                await back.drain()
                await asyncio.sleep(0.01 * self._rng.random())  # it may arrive, or the wire breaks first
                return
            back.write(data)
            await back.drain()

    async def _answer(
        self, there: asyncio.StreamReader, writer: asyncio.StreamWriter, cut: asyncio.Event
    ) -> None:
        while data := await there.read(65536):
            if cut.is_set():
                await asyncio.Event().wait()
            writer.write(data)
            await writer.drain()
