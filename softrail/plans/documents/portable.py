"""The texts of PDFs: each is read once, in a process of its own, and kept in memory as long as it may be asked again."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from softrail import Attachment, Attachments
from softrail.plans.data.children import Children, own_folder
from softrail.plans.data.faults import DataNotInstalled, LimitReached, TookTooLong
from softrail.plans.documents.passages import PAGE_END
from softrail.plugin import ConversationError, NotFound

LARGEST: Final = 20_000_000  #: bytes of a file
SECONDS: Final = 20.0  #: that the process which reads one may take
MEGABYTES: Final = 256  #: of memory that it may take
AT_ONCE: Final = 2  #: that a worker reads
MOST_KEPT: Final = 8_000_000  #: characters that a worker keeps, of all conversations

KEPT_FOR: Final = 600.0  #: seconds after it was used last
TRIED_AGAIN: Final = (
    60.0  #: seconds after which one is read once more that could not be read for want of time or room
)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Text:
    """What was read of a document, its pages with form feeds between; `note` says what was not, and why."""

    text: str = ""
    note: str = ""
    pages: int = 0  #: of a document that has them
    lasts: bool = True  #: it will be so the next time, too


class Portable:
    """Reads PDFs. Whoever asks waits as long as they want to; reading goes on all the same."""

    def __init__(self, files: Attachments, children: Children) -> None:
        self._files = files
        self.children = children
        self.kept: OrderedDict[tuple[str, str], Text] = OrderedDict()
        self._reading: dict[tuple[str, str], asyncio.Task[Text]] = {}
        self._room = asyncio.Semaphore(AT_ONCE)
        self._ends: dict[tuple[str, str], asyncio.TimerHandle] = {}

    async def read(self, session_id: str, file: Attachment, *, patience: float) -> Text | None:
        """The text of a file of a conversation; None: it is still being read."""
        key = (session_id, file.id)
        if (known := self.kept.get(key)) is not None:
            if known.lasts:
                self._keep(key, known)
            return known
        if key not in self._reading:
            self._reading[key] = asyncio.create_task(self._read(key, file))
        task = self._reading[key]
        done, _ = await asyncio.wait({task}, timeout=patience)  # which leaves the task alone
        return task.result() if done and not task.cancelled() else None

    def only(self, session_id: str, ids: Collection[str]) -> None:
        """Forget what was read of other files of a conversation: they were erased, or are not looked at any more."""
        for key in [one for one in self.kept if one[0] == session_id and one[1] not in ids]:
            self._forget(key)

    async def _read(self, key: tuple[str, str], file: Attachment) -> Text:
        try:
            found = await self._text(file)
        except NotFound:  # it was erased just now
            return Text()
        except (LimitReached, DataNotInstalled) as error:  # on another day it may be read
            found = Text(note=f"{file.name} is not searched. {error.message}", lasts=False)
        except ConversationError as error:
            found = Text(note=f"{file.name} is not searched. {error.message}")
        except Exception as error:
            log.warning("A document could not be read: %s", type(error).__name__)
            return Text(note=f"{file.name} could not be read just now.", lasts=False)
        finally:
            self._reading.pop(key, None)
        self._keep(key, found)
        return found

    def _keep(self, key: tuple[str, str], text: Text) -> None:
        """Keep it from now on for its time, in place of what was used longest ago."""
        self._forget(key)
        self.kept[key] = text
        seconds = KEPT_FOR if text.lasts else TRIED_AGAIN
        self._ends[key] = asyncio.get_running_loop().call_later(seconds, self._forget, key)
        while sum(len(one.text) for one in self.kept.values()) > MOST_KEPT:
            self._forget(next(iter(self.kept)))

    def _forget(self, key: tuple[str, str]) -> None:
        self.kept.pop(key, None)
        if (end := self._ends.pop(key, None)) is not None:
            end.cancel()

    async def _text(self, file: Attachment) -> Text:
        async with self._room, own_folder() as folder:  # no more of them on the disk than are read
            path = folder / "document"
            async for piece in self._files.pieces(file):
                await asyncio.to_thread(_add, path, piece)
            told = list[Mapping[str, Any]]()
            try:
                await self.children.one("pages", {"file": path.name}, folder, parts=told)
            except LimitReached as error:
                found = _read_of(file.name, told, error)
                if found.text.strip(PAGE_END):
                    return found  # one page does not take those before it along
                raise
        return _read_of(file.name, told)


def _read_of(name: str, told: Sequence[Mapping[str, Any]], end: LimitReached | None = None) -> Text:
    """What was read of a PDF, page by page; `end`: what put an end to it."""
    count = next((int(one["count"]) for one in told if "count" in one), 0)
    pages = [one for one in told if "page" in one]
    notes, read = [], len(pages)
    if end is not None and read < count:
        first = "page 1" if read == 1 else f"pages 1 to {read}"
        why = "took too long" if isinstance(end, TookTooLong) else "takes more than may be used for one"
        notes.append(f"Of {name} only {first} of {count} can be searched: page {read + 1} {why}.")
    elif read < count:
        notes.append(f"Of {name} only the first {read} of {count} pages are searched.")
    if damaged := [str(number) for number, one in enumerate(pages, start=1) if one["damaged"]]:
        which = f"Page {damaged[0]}" if len(damaged) == 1 else f"Pages {', '.join(damaged)}"
        notes.append(f"{which} of {name} could not be read.")
    text = PAGE_END.join(str(one["page"]) for one in pages)
    return Text(text, " ".join(notes), count, lasts=end is None)


def _add(path: Path, piece: bytes) -> None:
    with path.open("ab") as file:
        file.write(piece)
