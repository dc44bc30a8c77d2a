"""Exemplars learned from use wait here; a person adds them, nothing else does.

The queue is a file of JSON lines; threads and processes that share it wait for each other. Adding writes the example
into the YAML file of intents, at the end of its list, and leaves everything else in that file as it is.
"""

import asyncio
import json
import logging
import os
import stat
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import yaml
from pydantic import TypeAdapter, ValidationError

from softrail.classifier.catalogue import Catalogue, read_catalogue
from softrail.classifier.locking import alone
from softrail.classifier.text import form
from softrail.core.errors import BadRequest, NotFound, StoreUnavailable

log = logging.getLogger(__name__)

MOST_WAITING = 1000
_LONGEST = 300  #: an example is one sentence of a person, not a document


@dataclass(frozen=True, slots=True)
class Proposal:
    """A message that may become an example of an intent."""

    id: int
    text: str
    intent: str
    why: str  #: "the model was sure", "chosen in a clarification"
    person_id: str = ""  #: who said it, and where: it is erased with them
    session_id: str = ""


_AS_KEPT = TypeAdapter(Proposal)


class ReviewQueue:
    """Proposals in a file, in the order they came."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def waiting(self) -> list[Proposal]:
        """Every proposal nobody has decided about. Raises BadRequest, with the line, for a file that holds others."""
        try:
            lines = self._path.read_bytes().splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise BadRequest(f"{self._path} cannot be read: {error.strerror}.") from None
        return [self._proposal(line, number) for number, line in enumerate(lines, 1) if line.strip()]

    def propose(
        self, text: str, intent: str, *, why: str, person_id: str = "", session_id: str = ""
    ) -> Proposal | None:
        """Put a message in the queue; None when it waits already, says nothing, is too long, or the queue is full."""
        said = form(text)
        if not said or len(text) > _LONGEST:
            return None
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with alone(self._path):
            waiting = self.waiting()
            if len(waiting) >= MOST_WAITING or any(form(p.text) == said for p in waiting):
                return None
            number = 1 + max((p.id for p in waiting), default=0)
            proposal = Proposal(number, " ".join(text.split()), intent, why, person_id, session_id)
            self._write([*waiting, proposal])
            return proposal

    def accept(self, ids: Iterable[int], catalogue: Path) -> list[Proposal]:
        """Add the proposals of these ids to the intents' file and take them off the queue.

        Raises NotFound for an id that is not waiting, BadRequest when the file cannot take an example; then nothing
        is changed.
        """
        self._chosen(ids)
        _content(catalogue)
        with alone(self._path, catalogue):
            chosen = self._chosen(ids)
            add_examples(catalogue, chosen)
            self._without(chosen)
            return chosen

    def reject(self, ids: Iterable[int]) -> list[Proposal]:
        """Take the proposals of these ids off the queue. Raises NotFound for an id that is not waiting."""
        self._chosen(ids)
        with alone(self._path):
            chosen = self._chosen(ids)
            self._without(chosen)
            return chosen

    def erase(self, person_id: str, session_id: str | None = None) -> None:
        """Take off what that person said, or said in that session.

        What was kept without a name may be theirs, too: it goes with the first person who is erased.
        """
        if not self._path.exists():
            return
        with alone(self._path):
            waiting = self.waiting()
            kept = [p for p in waiting if not _is_of(p, person_id, session_id)]
            if len(kept) < len(waiting):
                self._write(kept)

    async def forget(self, person_id: str, session_id: str | None = None) -> None:
        """The same, beside the event loop. Raises StoreUnavailable when the file cannot be changed."""
        try:
            await asyncio.to_thread(self.erase, person_id, session_id)
        except (OSError, BadRequest) as error:
            log.error("The file of messages for review could not be changed: %s", error)
            raise StoreUnavailable(
                "Not everything can be erased just now, and nothing was. Try again in a moment."
            ) from error

    def _proposal(self, line: bytes, number: int) -> Proposal:
        try:
            return _AS_KEPT.validate_json(line, strict=True)
        except ValidationError:
            why = "it is no message that waits for review. Mend that line or take it out"
            raise BadRequest(f"{self._path}:{number}: {why}.", line=number) from None

    def _chosen(self, ids: Iterable[int]) -> list[Proposal]:
        by_id = {p.id: p for p in self.waiting()}
        wanted = list(dict.fromkeys(ids))
        for number in wanted:
            if number not in by_id:
                raise NotFound(f"No example with number {number} is waiting for review.")
        return [by_id[number] for number in wanted]

    def _without(self, chosen: Sequence[Proposal]) -> None:
        gone = {p.id for p in chosen}
        self._write([p for p in self.waiting() if p.id not in gone])

    def _write(self, proposals: Sequence[Proposal]) -> None:
        _replace(self._path, "".join(json.dumps(asdict(p), ensure_ascii=False) + "\n" for p in proposals))


def _is_of(proposal: Proposal, person_id: str, session_id: str | None) -> bool:
    if session_id is not None:
        return proposal.session_id == session_id
    return proposal.person_id in (person_id, "")


def add_examples(path: Path, proposals: Sequence[Proposal]) -> None:
    """Write proposals into a file of intents, each after the last example of its intent.

    Raises BadRequest, and changes nothing, when the file cannot be read, an intent is not in it or has no examples
    yet, or when it would have more faults than before.
    """
    before = _content(path)
    after = before
    for proposal in proposals:
        after = _with_example(path, after, proposal)
    try:
        yaml.safe_load(after)
    except yaml.YAMLError as error:
        raise BadRequest(f"{path} would be no YAML any more: {error}.") from None
    if len(_read(path, after).faults) > len(_read(path, before).faults):
        raise BadRequest(f"{path} would have a new fault.")
    _replace(path, after)


def _content(path: Path) -> str:
    """What is in the file, with its own line ends."""
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise BadRequest(f"{path} cannot be read: {why}.", path=str(path)) from None


def _read(path: Path, text: str) -> Catalogue:
    return read_catalogue(path, text, adds=True)


def _with_example(path: Path, text: str, proposal: Proposal) -> str:
    own = [line for (intent, _), line in _read(path, text).lines.items() if intent == proposal.intent]
    if not own:
        why = f"Give `{proposal.intent}:` there a list of `examples:` with one of your own first"
        raise BadRequest(
            f"{path} has no examples of {proposal.intent} to add to. {why}.", intent=proposal.intent
        )
    lines = text.splitlines(keepends=True)
    last = lines[max(own) - 1]
    bare = last.lstrip()
    if not bare.startswith("- "):
        raise BadRequest(f"{path}:{max(own)}: the examples of {proposal.intent} are not one a line.")
    end = last[len(last.rstrip("\r\n")) :]
    usual = "\r\n" if "\r\n" in text else "\n"
    margin = last[: len(last) - len(bare)]
    lines[max(own) - 1] = last if end else last + usual
    lines.insert(max(own), f"{margin}- {json.dumps(proposal.text, ensure_ascii=False)}{end or usual}")
    return "".join(lines)


def _replace(path: Path, content: str) -> None:
    """Put this content in the file's place; what a link leads to is replaced, not the link, and keeps its mode."""
    try:
        _written(path.resolve(), content)
    except OSError as error:
        raise BadRequest(f"{path} cannot be written: {error.strerror}.", path=str(path)) from None


def _written(path: Path, content: str) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(content)
        if path.exists():
            os.chmod(temporary, stat.S_IMODE(path.stat().st_mode))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
