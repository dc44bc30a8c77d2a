"""Files in a terminal talk: given with `/upload FILE`, and saved where the person is when one is ready."""

import re
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from softrail.core.errors import BadRequest
from softrail.core.files import safe_name
from softrail.core.people import Person
from softrail.core.turns import Reply

if TYPE_CHECKING:
    from softrail.companion.plugin import Companion

UPLOAD: Final = "/upload"
ATTACH: Final = "/attach"
PLAN: Final = "/plan"
WITH_FILE: Final = (UPLOAD, ATTACH, PLAN)  #: words that a file of this machine follows
HELP: Final = "/help"
ABOUT_SENDING: Final = f"In the terminal, {UPLOAD} FILE sends a file of this machine, where one is asked for."
ABOUT_DATA: Final = f"{ATTACH} FILE attaches data for plans."
ABOUT_FILES: Final = f"{ABOUT_SENDING} Elsewhere {UPLOAD} FILE [TITLE] gives it to the project."
_READY: Final = re.compile(r"/artifacts/(?P<id>[^/]+)/download")


class Files:
    """The files of one person at one terminal."""

    def __init__(self, companion: "Companion", person: Person, folder: Path, *, limit: int) -> None:
        self._companion = companion
        self._person = person
        self._folder = folder
        self._limit = limit

    async def give(self, project_id: str | None, argument: str) -> str:
        """Put a file into the project; the sentence to say. Raises BadRequest, NotFound or Forbidden."""
        path, title = named(argument)
        if project_id is None:
            raise BadRequest(
                "No file is asked for just now. "
                "Say which project the file is for: softrail chat --project ID, or talk about one first."
            )
        try:
            if path.is_file() and path.stat().st_size > self._limit:
                raise BadRequest(f"{path} is too large: a file may have {self._limit} bytes.")
            content = path.read_bytes()
        except OSError as error:
            raise BadRequest(f"{path} cannot be read: {error.strerror or error}.") from error
        kept = await self._companion.artifacts.store(
            self._person.id,
            project_id,
            title=title,
            type=path.suffix.removeprefix(".").lower() or "file",
            file_name=path.name,
            content=content,
        )
        return f"“{kept.title}” is in the project."

    async def take(self, reply: Reply) -> list[Path]:
        """Save what a reply has made ready; nothing that is there already is overwritten."""
        ids = [
            found["id"]
            for effect in reply.side_effects
            if effect.kind == "download_ready" and (found := _READY.fullmatch(effect.ref or ""))
        ]
        return [await self._save(artifact_id) for artifact_id in ids]

    async def _save(self, artifact_id: str) -> Path:
        artifact, content = await self._companion.artifacts.read(self._person.id, artifact_id)
        wanted = self._folder / safe_name(artifact.file_name)
        count, path = 1, wanted
        try:
            while True:
                try:
                    with path.open("xb") as file:
                        file.write(content)
                    return path
                except FileExistsError:
                    count += 1
                    path = wanted.with_stem(f"{wanted.stem}-{count}")
        except OSError as error:
            raise BadRequest(f"{path} cannot be written: {error.strerror or error}.") from error


def named(argument: str, usage: str = f"{UPLOAD} FILE [TITLE]") -> tuple[Path, str]:
    """The file and its title; a name with spaces may stand as it is, where nothing follows."""
    if "\0" in argument:
        raise BadRequest(f"That is no name of a file. Write: {usage}")
    with suppress(OSError):  # it is too long for a name
        whole = _path(argument.strip())
        if whole.is_file():
            return whole, whole.stem
    try:
        words = shlex.split(argument)
    except ValueError as error:
        raise BadRequest(f"That cannot be read: {error}. Write: {usage}") from error
    if not words:
        raise BadRequest(f"Write: {usage}")
    path = _path(words[0])
    return path, " ".join(words[1:]) or path.stem


def _path(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:  # it begins with ~ and the name of nobody
        return Path(text)
