"""Asking back when a turn can be read in two ways, or something it needs is missing."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Literal

from pydantic import BaseModel, Field

from softrail import (
    Ask,
    Decline,
    Done,
    Option,
    Outcome,
    Process,
    Prompts,
    Release,
    Reroute,
    Shown,
    Turn,
    step,
)
from softrail.plugin import language

#: Each is the default text of the asset `clarification/NAME`.
SENTENCES = {
    "guess": "Go ahead with your best guess",
    "never": "Never mind",
    "no": "No",
    "question": "{question}\n\n{options}",
    "dropped": "All right, never mind.",
    "set_aside": "I've set this aside, as it stayed open: {messages}.",
}

_MOST_BEFORE = 4  #: earlier turns that wait for the same answer
_SHOWN = 80  #: characters of one that is set aside

_GUESS, _NEVER = "best-guess", "never-mind"

_GUESSES = (
    "best guess",
    "go ahead",
    "you choose",
    "you decide",
    "your choice",
    "up to you",
    "whatever you think",
)
_NEVERS = ("nevermind", "forget it", "none", "none of them", "none of these", "neither", "drop it")


class Original(BaseModel):
    """The turn that was not clear."""

    message: str = ""
    project_id: str | None = None
    turn_id: str | None = None
    intent: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)  #: what was understood of it already


class Way(BaseModel):
    """One way to understand it, and what is then routed."""

    option: Option
    intent: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    project_id: str | None = None
    told: str | None = None  #: the parameter that this choice tells


class Unclear(BaseModel):
    """A turn that was not clear, and the ways to understand it."""

    turn: Original = Original()
    readings: list[Way] = []

    @property
    def labels(self) -> list[str]:
        """What a person chooses between."""
        return [way.option.label for way in self.readings]


class Data(Unclear):
    """The unclear turn, what is asked, and what was answered to no avail."""

    before: list[Unclear] = []  #: earlier turns that the same answer makes clear, the first of them first
    question: str = ""
    why: Literal["ambiguous", "vague", "confirm", "near"] = "vague"
    missing: str | None = None  #: the parameter that free words fill when there are no readings
    default: int = 0
    default_after: float | None = None  #: seconds
    shows: list[Shown] = []  #: what the question shows, and what might be asked for besides
    asked: bool = False
    misses: int = 0
    tries: int = 0  #: how often an answer could not be used


class Clarification(Process, name="clarification", version=1):
    """Asks which of several readings was meant."""

    title = "my question"
    priority = 40
    idle_timeout = None
    resumable = False
    sentences = SENTENCES
    names = ("the question", "question", "clarification")

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts

    @step(takes_anything=True)  # what is no answer is let go by the step itself, which counts
    async def asking(self, said: Turn, data: Data) -> Outcome:
        """Asks one question; its answer routes the original turn as if it had been clear."""
        if not data.asked:
            return self._ask(data)
        if said.origin == "timer" or said.choice == _GUESS:
            return self._guess(data)
        if said.choice is not None and said.choice != _NEVER:
            return self._resolved(data, int(said.choice.removeprefix("reading-")))
        if said.choice == _NEVER or said.does("negate", "none"):
            return Decline(self._say("dropped"))
        if said.does("correct") and data.shows:
            kept = language(said.person.locale).selected(said.message, data.shows)
            if kept is not None:
                return self._changed(data, kept)
        only = 2 if data.why == "near" else 1  # the last of those that are near is something else
        if said.does("affirm") and len(data.readings) == only:
            return self._resolved(data, 0)
        if said.does("repeat", "hold") and not said.does("inform", "request"):
            return self._question(data)
        if not data.readings and not said.does("ask", "request", "repeat"):
            return self._told(data, said.message)
        # No answer: it is answered the normal way, and the second time the question goes with it.
        data.misses += 1
        if data.why == "near" and not said.does("affirm"):
            return Release(close=True, data=data)  # nothing was understood that could be set aside
        if data.misses > 1:
            return Release(say=self._set_aside([*data.before, data]), close=True, data=data)
        return Release(data=data)

    def kept(self, data: Data) -> str:
        """Nothing of a question is worth telling."""
        return ""

    def _ask(self, data: Data) -> Outcome:
        data.asked = True
        open_before = [earlier for earlier in data.before if earlier.turn.message != data.turn.message]
        data.before = [earlier for earlier in open_before if earlier.labels and earlier.labels == data.labels]
        # A yes is to what was shown, and to nothing that was asked about before.
        data.before = [] if data.why in ("confirm", "near") else data.before[-_MOST_BEFORE:]
        aside = self._set_aside([earlier for earlier in open_before if earlier not in data.before])
        return self._question(data, say=aside)

    def _question(self, data: Data, *, say: str = "") -> Outcome:
        """The question with its options, after `say`."""
        readings = [
            way.option.model_copy(
                update={
                    "value": f"reading-{at}",
                    "words": (*way.option.words, *((way.option.value,) if way.option.value else ())),
                }
            )
            for at, way in enumerate(data.readings)
        ]
        never = Option(label=self._say("never"), value=_NEVER, words=_NEVERS)
        guess = Option(label=self._say("guess"), value=_GUESS, words=_GUESSES)
        options = [*readings, guess, never] if readings else [never]
        if data.why in ("confirm", "near"):
            no = never.model_copy(update={"label": self._say("no")})
            options = readings if len(readings) > 1 else [*readings, no]
        lines = [
            f"{letter}) {option.label}{f': {option.hint}' if option.hint else ''}"
            for letter, option in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", options, strict=False)
        ]
        text = (
            self._say("question", question=data.question, options="\n".join(lines))
            if readings
            else data.question
        )
        after = timedelta(seconds=data.default_after) if data.default_after and readings else None
        return Ask(text, say=say, options=options, kind="clarify", default_after=after, data=data)

    def _guess(self, data: Data) -> Outcome:
        if not data.readings:
            return Decline(self._say("dropped"))
        return self._resolved(data, data.default)

    def _resolved(self, data: Data, at: int) -> Outcome:
        return Done("", reroute=[_as_read(unclear, at) for unclear in (*data.before, data)])

    def _changed(self, data: Data, kept: Sequence[str]) -> Outcome:
        """Only some of what was shown is meant: it is shown anew; of none nothing is done."""
        if not kept:
            return Decline(self._say("dropped"))
        first = data.readings[0]
        meant = first.model_copy(update={"parameters": {**first.parameters, "kept": list(kept)}})
        return Done("", reroute=[_as_read(data.model_copy(update={"readings": [meant]}), 0)])

    def _told(self, data: Data, words: str) -> Outcome:
        """Free words for what was missing: they become its value, or else part of the message."""
        named = {**data.turn.parameters, data.missing: words.strip()} if data.missing else {}
        message = data.turn.message if named else f"{data.turn.message}\n{words}"
        reroute = Reroute(
            message=message,
            intent=data.turn.intent,
            parameters=named,
            project_id=data.turn.project_id,
            told=data.missing,
            tries=data.tries,
        )
        return Done("", reroute=[reroute])

    def _set_aside(self, unclear: Sequence[Unclear]) -> str:
        """What was said and is not acted on, so that nobody takes it for done; "" for nothing."""
        said = [f"“{_short(each.turn.message)}”" for each in unclear if each.turn.message]
        return self._say("set_aside", messages=", ".join(said)) if said else ""

    def _say(self, sentence: str, /, **values: str) -> str:
        return self._prompts.render(f"clarification/{sentence}", SENTENCES[sentence], **values)


def _as_read(unclear: Unclear, at: int) -> Reroute:
    way = unclear.readings[at]
    return Reroute(
        message=unclear.turn.message,
        intent=way.intent,
        parameters=way.parameters,
        project_id=way.project_id or unclear.turn.project_id,
        told=way.told,
    )


def _short(message: str) -> str:
    line = " ".join(message.split()).rstrip(".")
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
