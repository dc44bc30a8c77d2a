"""The words of a free turn: from texts alone, or phrased by a language model."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pydantic_core import to_json

from softrail.core.errors import ModelUnavailable
from softrail.core.intents import GENERAL, GREETING, Intent
from softrail.core.ports import Message, Model, ModelRequest, Prompts, Words
from softrail.core.turns import Turn

NO_MODEL: Final = "plain"  #: the name of the Model that stands for having none
MOST_PHRASES: Final = 5


class PlainResponder:
    """Says what a free turn found or did, and never more than that. Implements the `Responder` promise.

    `data` may hold `can`: phrases that start something here; `done`: what this turn did, in words for the
    person; anything else is facts for a language model. Without a model the words are the text
    `responder/INTENT`, which may use the places {name}, {can}, {phrases}, {done}, {wish} and {message}.
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
        """The words for what was found or done; a model that fails is replaced by one honest sentence.

        They are short and come whole: `show` is not used.
        """
        said = _Said(self._prompts)
        can = _texts(data.get("can"))
        if model.name == NO_MODEL:
            return self._plainly(said, turn, intent, can, data)
        phrases = _quoted(can) or said.text("responder/can_nothing")
        facts = {key: value for key, value in data.items() if key != "can"}
        request = ModelRequest(
            purpose="respond",
            system=said.text("responder/respond", phrases=phrases),
            messages=[Message(role="user", content=_with_facts(turn.message, intent, facts))],
        )
        text = await _asked(model, request)
        if text is None:
            return self._fallback(said, _texts(data.get("done")))
        return Words(text=text, prompts=said.refs)

    async def polish(self, text: str, *, turn: Turn, model: Model) -> Words:
        """`text` said better by a model; as it is when there is none or it fails (then `fallback` is set)."""
        if model.name == NO_MODEL or not text.strip():
            return Words(text=text)
        said = _Said(self._prompts)
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
        self, said: "_Said", turn: Turn, intent: Intent, can: Sequence[str], data: Mapping[str, Any]
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
        name = f"responder/{intent.name}"
        if self._prompts.get(name) is None:
            if data.get("stub_guidance"):
                return Words(text=str(data["stub_guidance"]))
            found = _lines(data.get("operation_data"))
            places["found"] = "\n".join(found)
            acted = "responder/found" if found else "responder/finished"
            name = "responder/unknown" if "operation_data" not in data else acted
            name = "responder/done" if done else name
        text = said.filled(name, places)
        if done and name in (f"responder/{GENERAL}", f"responder/{GREETING}"):
            text = f"{said.filled('responder/done', places)} {text}"
        return Words(text=text, prompts=said.refs, suggested_actions=tuple(shown))

    def _fallback(self, said: "_Said", done: Sequence[str]) -> Words:
        if done:
            text = said.text("responder/fallback_done", done="; ".join(done))
        else:
            text = said.text("responder/fallback")
        return Words(text=text, prompts=said.refs, fallback=True)


class _Said:
    """Renders texts and remembers which they were."""

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts
        self._refs: dict[str, None] = {}

    @property
    def refs(self) -> tuple[str, ...]:
        return tuple(self._refs)

    def text(self, name: str, /, **values: str) -> str:
        """The text with exactly these values."""
        found = self._prompts.get(name)
        if found is not None:
            self._refs[found.ref] = None
        return self._prompts.render(name, **values)

    def filled(self, name: str, places: Mapping[str, str]) -> str:
        """The text with those of `places` that it has."""
        found = self._prompts.get(name)
        wanted = places if found is None else {k: v for k, v in places.items() if f"{{{k}}}" in found.text}
        return self.text(name, **wanted)


async def _asked(model: Model, request: ModelRequest) -> str | None:
    """The model's words; None when it is away or has nothing to say."""
    try:
        answer = await model.answer(request)
    except ModelUnavailable:
        return None
    return answer.text.strip() or None


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
        many = isinstance(fact, Sequence) and not isinstance(fact, str)
        shown = ", ".join(_fact(f) for f in fact) if many else _fact(fact)
        lines.append(f"{str(name).replace('_', ' ')}: {shown}")
    return lines


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
