"""What is added to intents that are registered: what people said, by a plugin, and files of an operator's own."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from softrail.classifier.catalogue import check_catalogues, read_catalogue
from softrail.classifier.text import form
from softrail.core.intents import IntentDefinition

log = logging.getLogger(__name__)


def with_voices(
    intents: Sequence[IntentDefinition], more: Mapping[str, Sequence[str]]
) -> list[IntentDefinition]:
    """The intents of which more is known that people say for them, with that; names that no intent has are passed over."""
    return [
        replace(
            intent,
            voices=(*intent.voices, *_new(tuple(more[intent.name]), (*intent.examples, *intent.voices))),
        )
        for intent in intents
        if intent.name in more
    ]


def with_additions(intents: Sequence[IntentDefinition], paths: Sequence[Path]) -> list[IntentDefinition]:
    """The intents that the files change, as they are then; a later file adds to what an earlier one made.

    What cannot be used is passed over and logged; `softrail check` names it, too.
    """
    if not paths:
        return []
    found = {intent.name: intent for intent in intents}
    files = [read_catalogue(path, adds=True) for path in paths]
    for fault in check_catalogues(files, known=found):
        log.warning("%s", fault)
    for file in files:
        for more in file.intents:
            if (intent := found.get(more.name)) is not None:
                found[more.name] = _added(intent, more)
    return [found[intent.name] for intent in intents if found[intent.name] is not intent]


def _added(intent: IntentDefinition, more: IntentDefinition) -> IntentDefinition:
    return replace(
        intent,
        description=more.description or intent.description,
        examples=(*intent.examples, *_new(tuple(more.examples), tuple(intent.examples))),
        bar=intent.bar if more.bar is None else more.bar,
    )


@lru_cache(256)  # a process that builds many applications, as tests do, adds the same to the same each time
def _new(examples: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the examples that are not known, each form once."""
    seen = {form(example) for example in known}
    new: dict[str, str] = {}
    for example in examples:
        if (said := form(example)) and said not in seen:
            new.setdefault(said, example)
    return tuple(new.values())
