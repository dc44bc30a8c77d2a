"""What an intent is about, taken from the words alone: its parameters and its target."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from softrail.classifier.text import READ, words
from softrail.classifier.words import cues
from softrail.core.intents import Intent, IntentDefinition
from softrail.core.parameters import validated

_FRAMES = 5  #: "ok, could you please note down that …" has four
_ARTICLES = ("the ", "a ", "an ", "my ", "our ", "that ", "this ", "some ")
_EMPTY = frozenset(
    {"this", "that", "it", "something", "these", "those", "them", "one", "please", "note", "file"}
)


def filled(
    found: Intent,
    definitions: Mapping[str, IntentDefinition],
    said: str,
    about: str,
    given: Mapping[str, Any] | None = None,
) -> Intent:
    """With the parameters and the target the words give, and the names of those that are missing."""
    definition = definitions.get(found.name)
    model = definition.parameters if definition is not None else None
    values, missing = validated(model, {**parameters(model, said), **(given or {})})
    return replace(found, parameters=values, missing=tuple(missing), target=target(found.name, about))


def unframed(text: str) -> str:
    """A message without the words that only carry it: "please remember that the deadline is May 3" is the deadline."""
    said = text.strip()
    for _ in range(_FRAMES):
        end = max((match.end() for p in cues().framings if (match := p.match(said[:READ]))), default=0)
        if not end:
            break
        rest = said[end:].lstrip(" ,:;.-–—\t\n")
        if not words(rest):
            return "" if all(w in _EMPTY for w in words(rest)) else said
        said = rest
    return said


def target(name: str, text: str) -> str:
    """What a query, a plan or a change is about; empty for other intents and when nothing says it."""
    primary = name.partition(".")[0]
    if primary == "query":
        match = cues().objects.search(text[:READ])
        return _trimmed(text[match.end() :]) if match else ""
    if primary in ("plan_new", "plan_continue"):
        pattern = cues().tasks if primary == "plan_new" else cues().changes
        match = pattern.search(text[:READ])
        return _trimmed(text[match.end() :]) if match else _trimmed(unframed(text))
    return ""


def parameters(model: type[BaseModel] | None, text: str) -> Mapping[str, Any]:
    """The one text an intent needs, when it needs just one: the message without its framing."""
    if model is None or (needed := _one_text(model)) is None:
        return {}
    value = _trimmed(unframed(text), articles="description" in needed)
    if not value or all(word in _EMPTY for word in words(value)):
        return {}
    return validated(model, {needed: value})[0]


def keeps(definition: IntentDefinition) -> bool:
    """The intent keeps what is said, as a note does: it takes one text, and is asked for in the words for keeping."""
    if definition.parameters is None or _one_text(definition.parameters) is None:
        return False
    return any(cues().keeping.match(example) for example in definition.examples)


def _one_text(model: type[BaseModel]) -> str | None:
    needed = [name for name, f in model.model_fields.items() if f.is_required()] or list(model.model_fields)[
        :1
    ]
    if len(needed) != 1 or model.model_fields[needed[0]].annotation not in (str, str | None):
        return None
    return needed[0]


def _trimmed(text: str, *, articles: bool = True) -> str:
    said = text.strip(" ,;:!?\t\n").removesuffix(".")
    said = said.removesuffix(" instead").removesuffix(" please").rstrip(" ,")
    if articles:
        for article in _ARTICLES:
            if said.casefold().startswith(article):
                return said[len(article) :]
    return said
