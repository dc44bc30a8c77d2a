"""What a person wants, with a confidence, and where that leads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import BaseModel

from softrail.core.effects import AnyEffect
from softrail.core.focus import Focus
from softrail.core.questions import Option
from softrail.core.reading import Command

if TYPE_CHECKING:
    from softrail.core.ports import Handler

GENERAL = "general_conversation"
GREETING = "greeting"
HELP = "help"  #: gets the card of what there is to say
LEFT_OFF = "left_off"  #: what was under way before it was put off or stopped
HUMAN = "human"  #: a person is wanted instead of the program

CONFIDENCE_THRESHOLD: Final = 0.70  #: strictly below it, nothing that was decided is changed without asking

#: Who decided. "pattern" is a process that recognised words of its own, "slash" a slash word of one.
Tier = Literal["hint", "exemplars", "model", "floor", "default", "answer", "pattern", "slash"]

#: When an intent of a process's own can be meant: at any time, or only while a run of it is active.
Offered = Literal["always", "active"]


@dataclass(frozen=True, kw_only=True, slots=True)
class IntentDefinition:
    """What a person may want: how it is recognised, who acts on it, and the words for what came of it."""

    name: str
    description: str = ""
    examples: Sequence[str] = ()
    #: What else people said for it: learned from, and no words are looked up in it
    voices: Sequence[str] = ()
    bar: float | None = None  #: confidence that decides alone; None: the classifier's default
    parameters: type[BaseModel] | None = None
    process: str | None = None  #: the process it starts, if it starts one
    handler: "Handler | None" = None  #: acts on it; None: there is only something to say
    reply: str = ""  #: the words without a language model, with places such as `{until}` for what was found
    instruction: str = ""  #: how a language model is to answer
    label: str = ""  #: what it is called where a person chooses between readings
    say: str = ""  #: what a person may say for it, as the answer to a call for help tells; "": it is not told
    offered: Offered = "always"  #: "active": one of a process's own, meant only while a run of that is active
    by_words: bool = False  #: it needs no examples: exact words of its plugin's, or a language model, find it
    keeps: str = ""  #: the parameter that takes what is told as it was told, where it keeps that: a note
    surely: bool = False  #: it changes what was decided: a reading below the threshold is asked about first

    @property
    def by_examples_alone(self) -> bool:
        """Nobody has gathered what people say for it: it is an author's own, and no talk."""
        talk = self.name.partition(".")[0] in (GENERAL, GREETING)
        return bool(self.examples) and not (self.voices or talk)

    @property
    def authors_own(self) -> bool:
        """What an author's process begins with, or a function of theirs acts on."""
        return self.by_examples_alone and (self.process is not None or self.handler is not None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """One reading of a message."""

    intent: str
    confidence: float  #: calibrated, 0 to 1
    example: str | None = None  #: the nearest example of that intent


@dataclass(frozen=True, kw_only=True, slots=True)
class Intent:
    """What the classifier made of a message."""

    name: str
    confidence: float
    tier: Tier
    parameters: Mapping[str, Any] = field(default_factory=dict)
    candidates: Sequence[Candidate] = ()
    ambiguous: bool = False  #: two readings are close
    missing: Sequence[str] = ()  #: parameters needed and not given
    explanation: str = ""
    target: str = ""  #: what it is about, in the person's words
    text: str = ""  #: the part of the message it was read from; empty: all of it
    left_over: str = ""  #: what was said beside this and `also`, and is not acted on
    also: Sequence["Intent"] = ()  #: further intents of the same message, in order
    scores: Mapping[str, float] = field(default_factory=dict)  #: what the confidence was made of, by name
    prompts: Sequence[str] = ()  #: prompt assets used to decide, "asset@version sha256:…"
    unheard: bool = (
        False  #: a language model was asked and gave nothing that can be used: the rest was read without
    )

    @property
    def sure(self) -> bool:
        """The person, or their client, said so; or the reading is at the threshold or above."""
        return self.tier in ("hint", "answer") or self.confidence >= CONFIDENCE_THRESHOLD

    @property
    def is_talk(self) -> bool:
        """It is general conversation, of whatever kind."""
        return self.name.partition(".")[0] == GENERAL

    @property
    def wished(self) -> "Intent":
        """Without a greeting before the wish: what is wished for is what is answered."""
        if self.name != GREETING or not self.also:
            return self
        first, *others = self.also
        return replace(first, also=tuple(others), left_over=self.left_over)


def wishes_in(
    message: str, intent: Intent, data: Mapping[str, Any]
) -> Sequence[tuple[Intent, Mapping[str, Any], str]]:
    """The wishes that one answer is to tell of: each with what was found for it and the words it was said in."""
    found = {key: value for key, value in data.items() if key != "also_wanted"}
    also = data.get("also_wanted") or ()
    told: list[tuple[Intent, Mapping[str, Any], str]] = [
        (intent, found, (intent.text if also else "") or message)
    ]
    for other in also:
        name, said = str(other["understood_as"]), str(other["said"]) or message
        told.append((replace(intent, name=name, text=said), {"can": data.get("can"), **other}, said))
    return told


@dataclass(frozen=True, kw_only=True, slots=True)
class RouteResult:
    """What a handler did, for the responder and the reply; words of its own in `text` win."""

    side_effects: Sequence[AnyEffect] = ()
    suggested_actions: Sequence[str] = ()
    project_id: str | None = None
    focus: Focus | None = None  #: what it spoke of, where that is more than its project
    reply: BaseModel | None = None  #: what it adds to the reply, of a model announced under `softrail.reply`
    operation_data: Mapping[str, Any] = field(default_factory=dict)
    is_stub: bool = False
    stub_guidance: str | None = None
    text: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """One of several things that a question shows, or might: by what it is called and what it says."""

    key: str
    names: Sequence[str] = ()  #: what it is called, whole: "4", "Blue Harbor"
    text: str = ""  #: what it says; words of it tell which is meant
    there: bool = True  #: False: it is not shown, and may be asked for besides


@dataclass(frozen=True, kw_only=True, slots=True)
class Clarify:
    """A handler cannot go on before the person decides: ask, then route the turn again."""

    question: str
    options: Sequence["Reading"] = ()
    #: "confirm": only these options, and no guess; "near": the same, and whatever else is said lets them go.
    why: Literal["ambiguous", "vague", "confirm", "near"] = "vague"
    default_after: timedelta | None = None  #: then the first option is taken
    shows: Sequence[
        Shown
    ] = ()  #: "but not number 4" routes the first option again, with `kept`: the keys that are meant
    if_told: str = ""  #: a process: asked only where the message tells what that would ask for first
    otherwise: "RouteResult | Clarify | None" = None  #: when it is not asked


@dataclass(frozen=True, kw_only=True, slots=True)
class Continue:
    """The turn belongs to a process the person has left unfinished: take that run up again and give it the turn.

    The process sees the turn with the intent as its `intent_hint`, and its answers are filled from what the turn
    `says` to it. With several unfinished runs the last one is taken up and asks, for nobody has said which is meant;
    and so it is when the wish is only guessed at.
    """

    process: str
    otherwise: RouteResult  #: when there is no such run
    sure: bool = (
        True  #: the person said just this; False: the run is taken up and asks, it does not get the turn
    )
    says: tuple[
        Command, ...
    ] = ()  #: what the turn does there, whatever its words: that is all, a value of a field


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """One way to understand the turn: an option to choose and what is then routed."""

    option: Option
    intent: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    project_id: str | None = None
    told: str | None = None  #: the parameter that this choice tells; what is still missing is asked for then
