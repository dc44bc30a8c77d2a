"""The files of a proof, read anew: what plans ask of a conversation, asked of these files instead."""

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any

from softrail import Attempt
from softrail.plans.data.asking import Asker, Queries
from softrail.plans.data.children import Children, own_folder
from softrail.plans.data.profile import DataTable, Source
from softrail.plans.proofs.proof import ProofSource


class Laid:
    """Files that were read anew, with their tables laid out in folders of their own."""

    def __init__(self, children: Children, folders: AsyncExitStack) -> None:
        self._children = children
        self._folders = folders
        self._read: dict[str, tuple[Source, Mapping[str, Path]]] = {}

    async def read(self, wanted: ProofSource, path: Path) -> Source:
        """Read a file as the proof's source; its tables have the names that the proof has for them.

        Raises:
            SourceUnreadable: It is no table any more.
            LimitReached: It takes more than may be used.
            DataNotInstalled: What reads files is missing here.
        """
        folder = await self._folders.enter_async_context(own_folder())
        await asyncio.to_thread(shutil.copyfile, path, folder / "source")
        job = {"file": "source", "name": wanted.name, "copied": True}  # its bytes are those of the proof
        told = await self._children.one("read", job, folder)
        tables, files = list[DataTable](), dict[str, Path]()
        for n, one in enumerate(told["tables"]):
            known = {name: value for name, value in one.items() if name != "file"}
            name = wanted.tables[n].name if n < len(wanted.tables) else known["name"]
            tables.append(DataTable.model_validate({**known, "name": name}))
            files[name] = folder / str(one["file"])
        source = Source(
            id=wanted.sha256[:16],
            name=wanted.name,
            format=told["format"],
            sha256=wanted.sha256,
            bytes=wanted.bytes,
            tables=tuple(tables),
        )
        self._read[wanted.name] = source, files
        return source

    async def of(self, session_id: str) -> tuple[Source, ...]:
        """All of them."""
        return tuple(source for source, _ in self._read.values())

    async def laid_out(self, source: Source, table: DataTable, folder: Path) -> Mapping[str, str]:
        """One table, where a query finds it."""
        path = self._read[source.name][1][table.name]
        name = f"{source.id}-{source.tables.index(table)}.parquet"
        await asyncio.to_thread(shutil.copyfile, path, folder / name)
        return {"name": table.name, "file": name}


@dataclass(frozen=True, slots=True)
class _Checking:
    session_id: str = "proof"
    mode: str = "exploratory"  # what is compared with the proof is found out once


class Again(Queries):
    """The data of a proof, for actions that are done again: nothing is kept of what they make."""

    async def _run(self, attempt: Attempt) -> Asker:
        return _Checking()

    async def drawn(self, attempt: Attempt, described: Mapping[str, Any], title: str) -> tuple[str, str]:
        """Nothing is drawn: what a picture shows is checked where it was asked for."""
        return "", ""

    async def kept(self, attempt: Attempt, title: str, ending: str, content: bytes) -> str:
        """Nothing is kept."""
        return ""


def found_in(paths: Sequence[Path], wanted: ProofSource) -> Path | str:
    """The file of a source among these; else a sentence that says what is wrong."""
    digests = {path: digest_of(path) for path in paths}
    for path, digest in digests.items():
        if digest == wanted.sha256:
            return path
    for path, digest in digests.items():
        if path.name == wanted.name:
            return (
                f"{wanted.name} is not the file that the proof rests on: its sha256 is {digest}, and was "
                f"{wanted.sha256}. {path} has been changed, or is another file."
            )
    return ""


def digest_of(path: Path) -> str:
    """The sha256 of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
