"""The words of a free turn: from texts alone, or phrased by a language model."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pydantic_core import to_json

from softrail.core.errors import ModelUnavailable
from softrail.core.intents import GENERAL, GREETING, Intent, wishes_in
from softrail.core.ports import Message, Model, ModelRequest, Prompts, Words
from softrail.core.turns import Turn
from softrail.prompts.rendering import Texts

NO_MODEL: Final = "plain"  #: the name of the Model that stands for having none
MOST_PHRASES: Final = 5
NOT_FACTS: Final = frozenset(
    {"can", "abilities", "may_ask"}
)  #: of `data`: what could be done, not what was found

log = logging.getLogger(__name__)


class PlainResponder:
    """Says what a free turn found or did, and never more than that. Implements the `Responder` promise.

    `data` may hold `can`: phrases that start something here; `done`: what this turn did, in words for the
    person; `nearest`: what may be meant, to be asked without a model; anything else is facts for a language model.
    Without a model the words are the text `responder/INTENT`, which may use the places {name}, {can}, {phrases},
    {done}, {wish} and {message}, and those of the `operation_data` that its handler found.
    """

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts

    async def respond(
        self,
        turn: Turn,
        intent: Intent,
        data: Mapping[str, Any],
        *,
        model: Model,
        show: Callable[[str], None] | None = None,
    ) -> Words:
        """The words for what was found or done; those of the texts, with why, where a model fails.

        They are short and come whole: `show` is not used.
        """
        said = Texts(self._prompts)
        can = _texts(data.get("can"))
        if model.name == NO_MODEL:
            return self._plainly(said, turn, intent, can, data)
        phrases = _quoted(can) or said.text("responder/can_nothing")
        facts = {key: value for key, value in data.items() if key not in NOT_FACTS}
        request = ModelRequest(
            purpose="respond",
            system=_with_instruction(said, intent, said.text("responder/respond", phrases=phrases)),
            messages=[Message(role="user", content=_with_facts(turn.message, intent, facts))],
        )
        try:
            text = (await model.answer(request)).text.strip()
        except ModelUnavailable as error:
            return self._fallback(turn, intent, can, data, error)
        return Words(text=text, prompts=said.refs) if text else self._fallback(turn, intent, can, data, None)

    async def polish(self, text: str, *, turn: Turn, model: Model) -> Words:
        """`text` said better by a model; as it is when there is none or it fails (then `fallback` is set)."""
        if model.name == NO_MODEL or not text.strip():
            return Words(text=text)
        said = Texts(self._prompts)
        request = ModelRequest(
            purpose="polish",
            system=said.text("responder/polish"),
            messages=[Message(role="user", content=text)],
        )
        better = await _asked(model, request)
        if better is None:
            return Words(text=text, fallback=True)
        return Words(text=better, prompts=said.refs)

    def _plainly(
        self, said: Texts, turn: Turn, intent: Intent, can: Sequence[str], data: Mapping[str, Any]
    ) -> Words:
        done = _texts(data.get("done"))
        shown = can[:MOST_PHRASES]
        places = {
            "name": f", {turn.person.display_name}" if turn.person.display_name else "",
            "can": said.text("responder/can", phrases=_quoted(shown))
            if shown
            else said.text("responder/can_nothing"),
            "phrases": _quoted(shown),
            "done": "; ".join(done),
            "wish": intent.name.replace("_", " "),
            "message": turn.message,
        }
        if intent.name == GENERAL and not done and (nearest := data.get("nearest")) is not None:
            return Words(text="", asks=nearest)
        found = data.get("operation_data")
        name = f"responder/{intent.name}"
        if found is not None and said.has(name):
            places |= {key: _told(fact) for key, fact in found.items()}
            if said.fits(name, places):
                return Words(text=said.fitting(name, places), prompts=said.refs)
            log.error("The text %s has places that its intent found nothing for.", name)
            name = ""
        if not said.has(name):
            if data.get("stub_guidance"):
                return Words(text=str(data["stub_guidance"]))
            lines = _lines(found)
            places["found"] = "\n".join(lines)
            acted = "responder/found" if lines else "responder/finished"
            name = "responder/unknown" if "operation_data" not in data else acted
            name = "responder/done" if done else name
        text = said.fitting(name, places)
        if done and name in (f"responder/{GENERAL}", f"responder/{GREETING}"):
            text = f"{said.fitting('responder/done', places)} {text}"
        return Words(text=text, prompts=said.refs, suggested_actions=tuple(shown))

    def _fallback(
        self,
        turn: Turn,
        intent: Intent,
        can: Sequence[str],
        data: Mapping[str, Any],
        error: ModelUnavailable | None,
    ) -> Words:
        """What is said without a model, for every wish of the message, and why there is no more."""
        told = Texts(self._prompts)
        parts: list[str] = []
        suggested: tuple[str, ...] = ()
        open_ = False  #: something was left unanswered, or could have been said better
        for wish, found, message in wishes_in(turn.message, intent, data):
            open_ = open_ or wish.name != GREETING
            if wish.name == GENERAL and not _texts(found.get("done")):
                continue
            words = self._plainly(told, replace(turn, message=message), wish, can, found)
            parts.append(words.text)
            suggested = suggested or tuple(words.suggested_actions)
        if open_:
            parts.append(told.trouble(error, answered=bool(parts)))
        return Words(
            text="\n\n".join(parts),
            prompts=told.refs,
            suggested_actions=suggested or tuple(can[:MOST_PHRASES]),
            fallback=True,
        )


async def _asked(model: Model, request: ModelRequest) -> str | None:
    """The model's words; None when it is away or has nothing to say."""
    try:
        answer = await model.answer(request)
    except ModelUnavailable:
        return None
    return answer.text.strip() or None


def _with_instruction(said: Texts, intent: Intent, system: str) -> str:
    name = f"instructions/{intent.name}"
    return f"{system}\n\n{said.text(name)}" if said.fits(name, {}) else system


def _with_facts(message: str, intent: Intent, facts: Mapping[str, Any]) -> str:
    """The message and the facts, both as data: neither can pass for our instructions."""
    known = {"understood_as": intent.name, **facts}
    block = to_json(known, indent=1, fallback=str).decode("utf-8", "replace")
    return f"Facts about this turn:\n{block}\n\nThe message:\n{message}"


def _lines(value: object) -> list[str]:
    """Facts as lines a person can read: names as words, lists with commas."""
    if not isinstance(value, Mapping):
        return []
    lines = []
    for name, fact in value.items():
        if fact is None or fact == [] or fact == "":
            continue
        lines.append(f"{str(name).replace('_', ' ')}: {_told(fact)}")
    return lines


def _told(fact: object) -> str:
    if fact is None:
        return ""
    if isinstance(fact, Sequence) and not isinstance(fact, str):
        return ", ".join(_fact(f) for f in fact)
    return _fact(fact)


def _fact(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(str(v) for v in value.values() if v is not None)
    return str(value)


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(str(v) for v in value) if isinstance(value, Sequence) else ()


def _quoted(phrases: Sequence[str]) -> str:
    return ", ".join(f"“{phrase}”" for phrase in phrases)
