"""Exemplars learned from use wait here; a person adds them, nothing else does.

The queue is a file of JSON lines. Adding writes the example into the YAML file of intents, at the end of its list,
and leaves everything else in that file as it is.
"""

import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import yaml
from pydantic import TypeAdapter, ValidationError

from softrail.classifier.catalogue import read_catalogue
from softrail.classifier.text import form
from softrail.core.errors import BadRequest, NotFound

MOST_WAITING = 1000
_LONGEST = 300  #: an example is one sentence of a person, not a document


@dataclass(frozen=True, slots=True)
class Proposal:
    """A message that may become an example of an intent."""

    id: int
    text: str
    intent: str
    why: str  #: "the model was sure", "chosen in a clarification"


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

    def propose(self, text: str, intent: str, *, why: str) -> Proposal | None:
        """Put a message in the queue; None when it waits already, says nothing, is too long, or the queue is full."""
        waiting = self.waiting()
        said = form(text)
        if not said or len(text) > _LONGEST or len(waiting) >= MOST_WAITING:
            return None
        if any(form(p.text) == said for p in waiting):
            return None
        proposal = Proposal(1 + max((p.id for p in waiting), default=0), " ".join(text.split()), intent, why)
        self._write([*waiting, proposal])
        return proposal

    def accept(self, ids: Iterable[int], catalogue: Path) -> list[Proposal]:
        """Add the proposals of these ids to the intents' file and take them off the queue.

        Raises NotFound for an id that is not waiting, BadRequest when the file cannot take an example; then nothing
        is changed.
        """
        chosen = self._chosen(ids)
        add_examples(catalogue, chosen)
        self._without(chosen)
        return chosen

    def reject(self, ids: Iterable[int]) -> list[Proposal]:
        """Take the proposals of these ids off the queue. Raises NotFound for an id that is not waiting."""
        chosen = self._chosen(ids)
        self._without(chosen)
        return chosen

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


def add_examples(path: Path, proposals: Sequence[Proposal]) -> None:
    """Write proposals into a file of intents, each after the last example of its intent.

    Raises BadRequest, and changes nothing, when an intent is not in the file, has no examples yet, or when the file
    would have more faults than before.
    """
    before = path.read_text(encoding="utf-8")
    lines = before.splitlines()
    for proposal in proposals:
        found = read_catalogue(path, "\n".join(lines))
        own = [line for (intent, _), line in found.lines.items() if intent == proposal.intent]
        if not own:
            raise BadRequest(
                f"{path} has no examples of {proposal.intent} to add to.", intent=proposal.intent
            )
        last = max(own) - 1
        margin = lines[last][: len(lines[last]) - len(lines[last].lstrip())]
        if not lines[last].lstrip().startswith("- "):
            raise BadRequest(f"{path}:{last + 1}: the examples of {proposal.intent} are not one a line.")
        lines.insert(last + 1, f"{margin}- {json.dumps(proposal.text, ensure_ascii=False)}")
    after = "\n".join(lines) + "\n"
    try:
        yaml.safe_load(after)
    except yaml.YAMLError as error:
        raise BadRequest(f"{path} would be no YAML any more: {error}.") from None
    if len(read_catalogue(path, after).faults) > len(read_catalogue(path, before).faults):
        raise BadRequest(f"{path} would have a new fault.")
    _replace(path, after)


def _replace(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
