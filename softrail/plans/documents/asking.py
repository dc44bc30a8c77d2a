"""Reads the texts that are attached to a conversation, as far as the limits go, for what they say about a question."""

import asyncio
import codecs
import logging
from collections.abc import Sequence
from time import monotonic
from typing import Final

from softrail import Attachment, Attachments
from softrail.companion.phrases import phrases
from softrail.companion.search import MOST_ASKED
from softrail.companion.stems import terms
from softrail.plans.documents.passages import Document, Passage, found_in
from softrail.plugin import NotFound

LARGEST: Final = 1_000_000  #: bytes of a document
MOST_BYTES: Final = 2_000_000  #: of all that one question reads
LOOKED_AT: Final = 50  #: files of a conversation, the newest
SECONDS: Final = 2.0  #: that one question may take
_LONGEST_QUESTION: Final = 500
_MARKED: Final = (".md", ".markdown")
_TEXTS: Final = (*_MARKED, ".txt", ".text")

log = logging.getLogger(__name__)


class Documents:
    """What the documents of conversations say. A service: whoever is asked something looks there."""

    def __init__(self, files: Attachments) -> None:
        self._files = files

    async def about(self, person_id: str, session_id: str, question: str) -> Sequence[Passage]:
        """The best passage of each document of the conversation that says something of what is asked, the best first."""
        wanted = phrases().topic(question) or question
        if len(question) > _LONGEST_QUESTION or not terms(wanted, MOST_ASKED):
            return ()
        until = monotonic() + SECONDS
        try:
            async with asyncio.timeout(SECONDS):
                documents = await self._read(person_id, session_id)
                # Beside the event loop: a long text takes a while, and others talk meanwhile.
                return await asyncio.to_thread(found_in, documents, wanted, until=until) if documents else ()
        except TimeoutError:
            log.info("The documents of the session %s could not be read in time.", session_id)
            return ()

    async def _read(self, person_id: str, session_id: str) -> Sequence[Document]:
        """The texts, the newest first; of one name only the newest. What is too large is passed over."""
        stored = await self._files.list(person_id, session_id, before=None, limit=LOOKED_AT)
        found, left = dict[str, Document](), MOST_BYTES
        for one in (each.attachment for each in stored):
            if one.name in found or not is_document(one.name) or one.size > min(LARGEST, left):
                continue
            left -= one.size
            text = await self._text(one)
            if text:
                found[one.name] = Document(one.name, text, marked=is_markdown(one.name))
        return list(found.values())

    async def _text(self, file: Attachment) -> str:
        try:
            return decoded(await self._files.read(file))
        except NotFound:  # it was erased just now
            return ""


def is_document(name: str) -> bool:
    """A file of that name is a text that questions are answered from."""
    return name.casefold().endswith(_TEXTS)


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
