"""Intents written as YAML: reads them, and says what is wrong with them by file and line."""

import difflib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from softrail.classifier.near import Asked
from softrail.classifier.text import form
from softrail.core.documents import read_document
from softrail.core.errors import DefinitionError
from softrail.core.faults import Fault
from softrail.core.intents import IntentDefinition

PRIMARY, SUB, RESERVED = "primary_intents", "sub_intents", "reserved"
ENOUGH = 5  #: examples an intent needs to be told apart from others
_KEYS = frozenset({"description", "examples", "bar"})


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The intents of one file, and where each example stands in it."""

    path: str
    intents: Sequence[IntentDefinition] = ()
    lines: dict[tuple[str, str], int] = field(default_factory=dict)  #: of an intent's example
    heads: dict[str, int] = field(default_factory=dict)  #: of an intent's name
    faults: Sequence[Fault] = ()
    reserved: frozenset[str] = frozenset()  #: names that wait for what acts on them
    adds: bool = False  #: it adds to intents that are registered; they need not be whole here

    def only(self, names: Collection[str]) -> list[IntentDefinition]:
        """The intents of these names, and the sub-intents of theirs."""
        return [d for d in self.intents if d.name in names or d.name.partition(".")[0] in names]


def read_catalogue(path: Path | str, text: str | None = None, *, adds: bool = False) -> Catalogue:
    """The intents of a YAML file, with its faults; nothing is raised for anything in it.

    `text` is its content where it is not to be read from disk, such as a resource of a package. `adds`: it adds to
    intents that are registered.
    """
    name = str(path)
    try:
        content = Path(path).read_text(encoding="utf-8") if text is None else text
        root = read_document(content)
    except (OSError, UnicodeDecodeError) as error:
        return Catalogue(name, faults=(Fault(name, 0, f"It cannot be read: {error}."),))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 0
        return Catalogue(
            name, faults=(Fault(name, line, f"It is not YAML: {getattr(error, 'problem', error)}."),)
        )
    return _Reader(name, adds=adds).read(root)


def load_catalogue(path: Path | str, text: str | None = None) -> Sequence[IntentDefinition]:
    """The intents of a YAML file. Raises DefinitionError with its first fault."""
    found = read_catalogue(path, text)
    if found.faults:
        raise DefinitionError(str(found.faults[0]), faults=[str(f) for f in found.faults])
    return found.intents


def check_catalogues(
    catalogues: Sequence[Catalogue],
    *,
    known: Collection[str] | None = None,
    asked: Collection[str] = (),
) -> list[Fault]:
    """What is wrong with exemplars: duplicates, contradictions, too few, unknown names, and copies of test messages.

    Args:
        catalogues: Files as read; an example may contradict one in another file.
        known: Names of registered intents; any other name in a file is a fault, unless the file reserves it. None:
            names are not checked.
        asked: Messages that tests ask about; an example that is one of them, or nearly, proves nothing any more.
    """
    faults = [fault for catalogue in catalogues for fault in catalogue.faults]
    seen: dict[str, tuple[str, Catalogue, int]] = {}
    compared = Asked(asked)
    for catalogue in catalogues:
        for intent in catalogue.intents:
            faults += _unknown(catalogue, intent, known)
            if not catalogue.adds:
                faults += _too_little(catalogue, intent)
            for example in intent.examples:
                line = catalogue.lines[intent.name, example]
                faults += _repeated(seen, catalogue, intent.name, example, line)
                faults += _copied(catalogue, example, line, compared)
    return sorted(set(faults))


def copy_faults(intent: IntentDefinition, asked: Collection[str]) -> list[Fault]:
    """The examples of an intent written in code that are test messages, or nearly."""
    compared = Asked(asked)
    return [_copy(intent.name, 0, example, m) for example in intent.examples for m in compared.near(example)]


def _too_little(catalogue: Catalogue, intent: IntentDefinition) -> Iterator[Fault]:
    line = catalogue.heads[intent.name]
    if len(intent.examples) < ENOUGH:
        found = len(intent.examples)
        what = f"{intent.name} has {found} example{'s' * (found != 1)}"
        yield Fault(catalogue.path, line, f"{what}; it needs at least {ENOUGH}.")
    if not intent.description:
        yield Fault(catalogue.path, line, f"{intent.name} has no description; a language model is told it.")


def _unknown(
    catalogue: Catalogue, intent: IntentDefinition, known: Collection[str] | None
) -> Iterator[Fault]:
    if known is None or intent.name in known or intent.name in catalogue.reserved:
        return
    near = difflib.get_close_matches(intent.name, list(known), n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    line = catalogue.heads[intent.name]
    yield Fault(catalogue.path, line, f"No intent named {intent.name!r} is registered.{hint}")


def _repeated(
    seen: dict[str, tuple[str, Catalogue, int]], catalogue: Catalogue, intent: str, example: str, line: int
) -> Iterator[Fault]:
    said = form(example)
    if not said:
        yield Fault(catalogue.path, line, f"The example {example!r} of {intent} has no words.")
        return
    if said not in seen:
        seen[said] = (intent, catalogue, line)
        return
    other, where, at = seen[said]
    if other == intent and where is not catalogue:
        return  # files are added up, so it counts once
    place = f"line {at}" if where.path == catalogue.path else f"{where.path}:{at}"
    if other == intent:
        yield Fault(
            catalogue.path, line, f"The example {example!r} of {intent} is there already, in {place}."
        )
    else:
        why = f"The example {example!r} of {intent} is one of {other} too ({place}): it can be only one of them."
        yield Fault(catalogue.path, line, why)


def _copied(catalogue: Catalogue, example: str, line: int, asked: Asked) -> Iterator[Fault]:
    return (_copy(catalogue.path, line, example, message) for message in asked.near(example))


def _copy(path: str, line: int, example: str, message: str) -> Fault:
    return Fault(path, line, f"The example {example!r} is nearly the test message {message!r}.")


class _Reader:
    """Walks the nodes of one file, noting lines and faults."""

    def __init__(self, path: str, *, adds: bool) -> None:
        self.path = path
        self.adds = adds
        self.reserved: dict[str, yaml.Node] = {}
        self.faults: list[Fault] = []
        self.intents: list[IntentDefinition] = []
        self.lines: dict[tuple[str, str], int] = {}
        self.heads: dict[str, int] = {}

    def read(self, root: Any) -> Catalogue:
        for key, node in self._pairs(root, "The file"):
            if key.value == RESERVED:
                self._reserve(node)
                continue
            if key.value not in (PRIMARY, SUB):
                self._fault(key, f"Unknown key {key.value!r}; it may have {PRIMARY}, {SUB} and {RESERVED}.")
                continue
            for name, body in self._pairs(node, key.value):
                self._intent(name, body, sub=key.value == SUB)
        for full, line in self.heads.items():
            primary, dot, _ = full.partition(".")
            if dot and primary not in self.heads and not self.adds:
                self.faults.append(
                    Fault(self.path, line, f"{full} refines {primary}, which is not in this file.")
                )
        for held, at in self.reserved.items():
            if held not in self.heads:
                self._fault(at, f"{held!r} is reserved, but there is no such intent in this file.")
        return Catalogue(
            self.path,
            tuple(self.intents),
            self.lines,
            self.heads,
            tuple(self.faults),
            frozenset(self.reserved),
            self.adds,
        )

    def _reserve(self, node: Any) -> None:
        if not isinstance(node, yaml.SequenceNode):
            self._fault(node, f"{RESERVED} must be a list of names.")
            return
        for item in node.value:
            if name := self._text(item, "A reserved name"):
                self.reserved[name] = item

    def _intent(self, key: yaml.ScalarNode, body: Any, *, sub: bool) -> None:
        name = str(key.value)
        if sub != ("." in name):
            self._fault(key, f"{name!r}: a name has a dot in {SUB}, and only there.")
        if name in self.heads:
            self._fault(key, f"{name} is there already, in line {self.heads[name]}.")
            return
        self.heads[name] = key.start_mark.line + 1
        found: dict[str, Any] = {"description": "", "examples": (), "bar": None}
        for part, node in self._pairs(body, name):
            if part.value not in _KEYS:
                self._fault(
                    part, f"Unknown key {part.value!r} in {name}; it may have {', '.join(sorted(_KEYS))}."
                )
            elif part.value == "examples":
                found["examples"] = self._examples(name, node)
            elif part.value == "bar":
                found["bar"] = self._bar(name, node)
            else:
                found["description"] = self._text(node, f"The description of {name}")
        self.intents.append(IntentDefinition(name=name, **found))

    def _examples(self, name: str, node: Any) -> tuple[str, ...]:
        if not isinstance(node, yaml.SequenceNode):
            self._fault(node, f"The examples of {name} must be a list.")
            return ()
        texts = []
        for item in node.value:
            text = self._text(item, f"An example of {name}")
            if text:
                self.lines.setdefault((name, text), item.start_mark.line + 1)
                texts.append(text)
        return tuple(texts)

    def _bar(self, name: str, node: Any) -> float | None:
        try:
            bar = float(node.value)
        except (TypeError, ValueError):
            bar = -1.0
        if not 0.0 <= bar <= 1.0:
            self._fault(node, f"The bar of {name} must be a number from 0 to 1.")
            return None
        return bar

    def _text(self, node: Any, what: str) -> str:
        if (
            not isinstance(node, yaml.ScalarNode)
            or node.tag == "tag:yaml.org,2002:null"
            or not node.value.strip()
        ):
            self._fault(node, f"{what} must be a text.")
            return ""
        return str(node.value)

    def _pairs(self, node: Any, what: str) -> list[tuple[yaml.ScalarNode, Any]]:
        if isinstance(node, yaml.MappingNode):
            return [(key, value) for key, value in node.value if isinstance(key, yaml.ScalarNode)]
        if node is None:
            self.faults.append(Fault(self.path, 0, "It is empty."))
        else:
            self._fault(node, f"{what} must be a mapping.")
        return []

    def _fault(self, node: yaml.Node, message: str) -> None:
        self.faults.append(Fault(self.path, node.start_mark.line + 1, message))
