"""Settings of a process that are of the wrong type, or do nothing together."""

from collections.abc import Iterator, Mapping
from typing import Any

from softrail.language import language
from softrail.processes.definition import Definition
from softrail.processes.mistakes.mistake import Mistake, at
from softrail.processes.process import Process

_TEXTS = ("title", "doing", "description", "becomes", "offer_text", "confirm_step")
_FLAGS = ("takes_anything", "resumable", "confirm")


def typed(cls: type[Process]) -> Iterator[Mistake]:
    """Texts that are none, and yes or no that is neither."""
    for name in _TEXTS:
        value = getattr(cls, name)
        if not isinstance(value, str):
            comma = isinstance(value, tuple) and len(value) == 1
            cure = "Take the comma behind it away." if comma else "It is text."
            yield Mistake(what=f"has {name} = {value!r}. {cure}", **at(cls, name))
    for name in _FLAGS:
        value = getattr(cls, name, True)
        if not isinstance(value, bool) and not callable(value):  # `confirm` is a good name for a step
            yield Mistake(what=f"has {name} = {value!r}. It is True or False.", **at(cls, name))
    texts = cls.sentences
    if not isinstance(texts, Mapping) or not all(isinstance(t, str) for t in [*texts, *texts.values()]):
        yield Mistake(what='has sentences that are no texts by name: {"NAME": "…"}.', **at(cls, "sentences"))


def mistakes(definition: Definition) -> Iterator[Mistake]:
    """What is set and has no effect."""
    cls = type(definition.process)
    yield from _times(definition, cls)
    yield from _unheard(definition, cls)
    for name, needs, without in (
        ("migrate", 'on_new_version = "migrate"', definition.on_new_version != "migrate"),
        ("refresh", "a freshness", definition.freshness is None),
        ("offer_text", "offer_when()", not _sets(cls, "offer_when")),
        ("offers", "offer_when()", not _sets(cls, "offer_when")),
        ("summary", "a summary: confirm is False", bool(definition.fields) and not definition.confirm_step),
        ("summary", "Answers", not definition.fields),
        ("complete", "Answers", not definition.fields),
        ("ends_on", "Answers", not definition.fields),
        ("freshness", "resumable = True", not cls.resumable),
    ):
        if without and _sets(cls, name):
            yield Mistake(
                what=f"has {name}, which does nothing without {needs}. Add that, or take it away.",
                sure=False,
                **at(cls, name),
            )
    yield from _same_question(definition, cls)


def _sets(cls: type[Process], name: str) -> bool:
    """The class says it itself, and something else than is usual."""
    mine, usual = getattr(cls, name), getattr(Process, name)
    return bool(getattr(mine, "__func__", mine) != getattr(usual, "__func__", usual))


def _times(definition: Definition, cls: type[Process]) -> Iterator[Mistake]:
    idle, kept, fresh = definition.idle_timeout, definition.retention, definition.freshness
    if idle is not None and kept is not None and kept <= idle:
        yield Mistake(
            what=f"keeps a paused run for {kept} (retention) and pauses after {idle} (idle_timeout), counted from "
            "the same moment: what it pauses is gone at once. Make retention longer.",
            sure=False,
            **at(cls, "retention"),
        )
    if kept is not None and fresh is not None and fresh >= kept:
        yield Mistake(
            what=f"asks again for what is older than {fresh} (freshness) and keeps nothing longer than {kept} "
            "(retention): nothing is ever asked again. Make freshness shorter.",
            sure=False,
            **at(cls, "freshness"),
        )


def _unheard(definition: Definition, cls: type[Process]) -> Iterator[Mistake]:
    """Words of its own that mean something else before the process hears them."""
    for phrase in cls.ends_on:
        if does := _does(phrase):
            yield Mistake(
                what=f"ends on {phrase!r}, which {does} before it is heard. Choose other words for ends_on.",
                **at(cls, "ends_on"),
            )
    for phrase in cls.starts_on:
        if does := _does(phrase):
            yield Mistake(
                what=f"starts on {phrase!r}, which {does} wherever something is under way. "
                "Choose other words for starts_on.",
                sure=False,
                **at(cls, "starts_on"),
            )
    for field in definition.fields.values():
        for phrase in field.skip_words:
            if does := _does(phrase):
                yield Mistake(
                    what=f"leaves {field.name!r} out on {phrase!r}, which {does} before it is heard. "
                    "Choose other skip_words.",
                    **at(definition.answers or cls, field.name),
                )


def _does(phrase: str) -> str:
    """What the framework makes of words by itself; "" for words of no such meaning."""
    words = language()
    off = words.step_off(phrase, names=())
    if off is not None:
        return "pauses the process" if off.layer == "escape" else "ends the process"
    for meant, does in (
        (words.is_undo, "takes back leaving"),
        (words.is_start_over, "begins again"),
        (words.is_resume, "picks up what was paused"),
    ):
        if meant(phrase):
            return does
    return "is a command" if phrase.strip().startswith("/") else ""


def _same_question(definition: Definition, cls: type[Process]) -> Iterator[Mistake]:
    asked: dict[str, str] = {}
    for field in definition.fields.values():
        question = " ".join(field.question.casefold().split())
        other = asked.setdefault(question, field.name)
        if other != field.name:
            yield Mistake(
                what=f"asks for {other!r} and {field.name!r} with the same question, {field.question!r}. "
                "Say what each of them wants.",
                sure=False,
                **_in_answers(definition, cls, field.name),
            )


def _in_answers(definition: Definition, cls: type[Process], name: str) -> dict[str, Any]:
    return at(definition.answers or cls, name)
