"""Reads the documents that are attached to a conversation, as far as the limits go, for what they say about a question."""

import asyncio
import codecs
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final

from softrail import Attachment, Attachments
from softrail.companion.memory.search import MOST_ASKED
from softrail.companion.memory.stems import terms
from softrail.companion.understanding.phrases import phrases
from softrail.plans.documents import portable
from softrail.plans.documents.passages import Document, Passage, found_in
from softrail.plans.documents.portable import Portable, Text
from softrail.plugin import NotFound

LARGEST: Final = 1_000_000  #: bytes of a text
MOST_BYTES: Final = 2_000_000  #: of all texts that one question reads
LOOKED_AT: Final = 50  #: files of a conversation, the newest
SECONDS: Final = 2.0  #: that one question may take, besides waiting for PDFs to be read
PATIENCE: Final = 4.0  #: seconds that it waits for those
_KEPT_FOR: Final = 60.0  #: seconds that a worker knows what it found
_LONGEST_QUESTION: Final = 500
_MARKED: Final = (".md", ".markdown")
_PORTABLE: Final = ".pdf"
_TEXTS: Final = (*_MARKED, ".txt", ".text")
_PDF: Final = b"%PDF-"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Note:
    """Of a document something is not searched."""

    document: str
    told: str  #: what, and why, in a sentence
    lasts: bool = True  #: it will be so the next time, too


@dataclass(frozen=True, slots=True)
class Found:
    """What the documents of a conversation say of a question."""

    passages: Sequence[Passage] = ()  #: the best of each document, the best first
    notes: Sequence[Note] = ()


class Documents:
    """What the documents of conversations say. A service: whoever is asked something looks there."""

    def __init__(self, files: Attachments, reader: Portable) -> None:
        self._files = files
        self.reader = reader
        self._known: dict[tuple[str, str, tuple[str, ...]], Found] = {}
        self.searched = 0  #: so often texts were looked through

    async def about(self, person_id: str, session_id: str, question: str) -> Found:
        """The best passages, and what could not be looked into. The same asked of the same files is searched once.

        Who hears a question and who answers it ask alike; a file that was erased or added makes them others.
        """
        wanted = phrases().topic(question) or phrases().asked_of(question)
        if len(question) > _LONGEST_QUESTION or not terms(wanted, MOST_ASKED):
            return Found()
        try:
            async with asyncio.timeout(SECONDS + PATIENCE):
                files = await self._listed(person_id, session_id)
                key = (session_id, wanted, tuple(one.id for one in files))
                if key in self._known:
                    return self._known[key]
                found = await self._searched(session_id, files, wanted)
                if all(note.lasts for note in found.notes):
                    self._known[key] = found
                    asyncio.get_running_loop().call_later(_KEPT_FOR, self._known.pop, key, None)
                return found
        except TimeoutError:
            log.info("The documents of the session %s could not be read in time.", session_id)
            return Found()

    async def read(self, session_id: str, file: Attachment) -> Text:
        """A PDF that was attached just now, read to its end. Whoever attaches it is told what is wrong with it."""
        found = await self.reader.read(session_id, file, patience=portable.SECONDS * 2)
        return found or _still_read(file)

    async def _listed(self, person_id: str, session_id: str) -> Sequence[Attachment]:
        """The documents of a conversation, the newest first; of one name only the newest."""
        stored = await self._files.list(person_id, session_id, before=None, limit=LOOKED_AT)
        found = dict[str, Attachment]()
        for one in (each.attachment for each in stored):
            if is_document(one.name):
                found.setdefault(one.name, one)
        self.reader.only(session_id, {one.id for one in found.values()})
        return list(found.values())

    async def _searched(self, session_id: str, files: Sequence[Attachment], wanted: str) -> Found:
        until, left, reading, notes = monotonic() + PATIENCE, MOST_BYTES, list[Attachment](), list[Note]()
        for one in files:
            largest = portable.LARGEST if is_portable(one.name) else LARGEST
            if one.size > largest:
                told = f"{one.name} is not searched. It is larger than {largest // 1_000_000} MB."
                notes.append(Note(one.name, told))
            elif is_portable(one.name):
                reading.append(one)
            elif one.size <= left:
                left -= one.size
                reading.append(one)
        read = await asyncio.gather(*(self._text(session_id, one, until) for one in reading))
        texts = list(zip(reading, read, strict=True))
        notes += [Note(one.name, text.note, text.lasts) for one, text in texts if text.note]
        documents = [
            Document(one.name, text.text, marked=is_markdown(one.name), paged=text.pages > 0)
            for one, text in texts
            if text.text
        ]
        if not documents:
            return Found((), notes)
        self.searched += 1
        # Beside the event loop: a long text takes a while, and others talk meanwhile.
        passages = await asyncio.to_thread(found_in, documents, wanted, until=monotonic() + SECONDS)
        return Found(passages, notes)

    async def _text(self, session_id: str, file: Attachment, until: float) -> Text:
        """What a document says; what begins as a PDF is one, whatever it is called."""
        if not is_portable(file.name):
            try:
                content = await self._files.read(file)
            except NotFound:  # it was erased just now
                return Text()
            if not content.startswith(_PDF):
                return Text(decoded(content))
        patience = max(0.0, until - monotonic())
        return await self.reader.read(session_id, file, patience=patience) or _still_read(file)


def _still_read(file: Attachment) -> Text:
    return Text(note=f"{file.name} is still being read. Ask again in a moment.", lasts=False)


def is_document(name: str) -> bool:
    """A file of that name is one that questions are answered from."""
    return name.casefold().endswith((*_TEXTS, _PORTABLE))


def is_portable(name: str) -> bool:
    """A file of that name has pages."""
    return name.casefold().endswith(_PORTABLE)


def is_markdown(name: str) -> bool:
    """A text of that name has headings."""
    return name.casefold().endswith(_MARKED)


def decoded(content: bytes) -> str:
    """The text in a file: UTF-8, UTF-16 that says so, else Windows-1252; "" where it is none."""
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return text if "\0" not in text else ""
    return ""
