"""What an intent is about, taken from the words alone: its parameters and its target."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from softrail.classifier.text import READ, words
from softrail.classifier.words import cues

_FRAMES = 5  #: "ok, could you please note down that …" has four
_ARTICLES = ("the ", "a ", "an ", "my ", "our ", "that ", "this ", "some ")
_EMPTY = frozenset(
    {"this", "that", "it", "something", "these", "those", "them", "one", "please", "note", "file"}
)


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
    if model is None:
        return {}
    needed = [name for name, f in model.model_fields.items() if f.is_required()] or list(model.model_fields)[
        :1
    ]
    if len(needed) != 1 or model.model_fields[needed[0]].annotation not in (str, str | None):
        return {}
    value = _trimmed(unframed(text), articles="description" in needed[0])
    if not value or all(word in _EMPTY for word in words(value)):
        return {}
    return validated(model, {needed[0]: value})[0]


def validated(
    model: type[BaseModel] | None, given: Mapping[str, Any]
) -> tuple[Mapping[str, Any], Sequence[str]]:
    """The parameters that are valid, and the names of those that are needed and not there."""
    if model is None:
        return {}, ()
    kept = {name: value for name, value in given.items() if name in model.model_fields and value is not None}
    for _ in range(len(kept) + 1):
        try:
            valid = model.model_validate(kept).model_dump(mode="json", exclude_unset=True)
        except ValidationError as error:
            wrong = {str(e["loc"][0]) for e in error.errors(include_url=False) if e["loc"]} & kept.keys()
            if not wrong:
                missing = {str(e["loc"][0]) for e in error.errors(include_url=False) if e["loc"]}
                return kept, tuple(name for name in model.model_fields if name in missing)
            kept = {name: value for name, value in kept.items() if name not in wrong}
        else:
            return valid, ()
    return {}, tuple(name for name, f in model.model_fields.items() if f.is_required())


def _trimmed(text: str, *, articles: bool = True) -> str:
    said = text.strip(" ,;:!?\t\n").removesuffix(".")
    said = said.removesuffix(" instead").removesuffix(" please").rstrip(" ,")
    if articles:
        for article in _ARTICLES:
            if said.casefold().startswith(article):
                return said[len(article) :]
    return said
