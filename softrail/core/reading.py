"""What a message does in its place: the nouns of reading. A reading is a value; nothing is decided in it."""

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from operator import attrgetter
from typing import Any, Final, Literal, Self, TypeVar

from softrail.core.questions import Option, Question

#: What people do in a conversation: acts of dialogue (after ISO 24617-2 and the schema-guided dialogues). The small
#: model gives its probabilities in this order; a new act comes last and wants a new training.
DialogueAct = Literal[
    "inform",  # gives values, of the open field or others
    "correct",  # changes a value given before, or takes it back
    "affirm",
    "negate",
    "none",  # there is no such value, or nothing more
    "open",  # gives none now: does not know, leaves it to us, skips
    "hold",  # is thinking
    "ask",
    "repeat",
    "request",  # wants something else
    "human",
    "social",
    "pause",
    "leave",
]

#: What a reader of words may answer.
Heard = Literal[DialogueAct, "unclear"]

#: What a message may do: beside those, what is said to the framework itself, in exact words only.
Act = Literal[
    Heard,
    "slash",
    "undo",
    "resume",
    "start_over",
    "start",  # asks for a process by the words it starts on
    "back",
]

#: Who read it: words that are certain, the small model, or the language model.
Layer = Literal["exact", "learned", "model"]
LAYERS: Sequence[Layer] = ("exact", "learned", "model")  #: in the order in which they are asked

APART = "apart"  #: of a change: it stands in words of its own, and what is said beside them is said besides
SETTLED = "settled change"  #: of a command: the person was asked what is to change, and has said it
ASKED = "asked"  #: of a pause or an end: the open question asks whether just that is to be done: "Shall I cancel the order?"
TOLD = "told"  #: of a request: it is made in the very words that people are told to say for it
MEANT = "meant"  #: of a yes or no: it follows from what is said, in other words than a yes or a no, and is read back
#: Of a command: exact words call an answer by its name, or have settled what changes.
BY_NAME: Final = ("labelled", SETTLED)
APPROVED = "approved"  #: of a yes to a question for words: it approves, and does not say that there is anything to tell
HERE = "answer"  #: in place of a field, where the open question has none: a step of an author's own

#: What kind of answer a question wants. "own" is a step of an author's that reads for itself.
Wanted = Literal["text", "list", "bool", "number", "date", "time", "choice", "file", "confirm", "own"]

_CONFIDENCE: Final = attrgetter("confidence")

CONSENT: tuple[Wanted, ...] = ("bool", "confirm")  #: answered by yes or no


def log_odds(likely: float) -> float:
    """How a probability is compared with others: near 0 and 1 small differences count."""
    likely = min(max(likely, 1e-6), 1 - 1e-6)
    return log(likely / (1 - likely))


def mean(one: float, two: float, *, second: float = 0.5) -> float:
    """Between two likelihoods, by their log odds; `second` is the share of the second one."""
    odds = log_odds(one) * (1 - second) + log_odds(two) * second
    return round(1 / (1 + exp(-odds)), 6)


@dataclass(frozen=True, kw_only=True, slots=True)
class Value:
    """A value in a message, as said: the words of a span of it."""

    field: str
    text: str
    confidence: float = 1.0
    placed: float = 1.0  #: how likely these very words are the value, given that there is one
    adds: bool = False  #: to what a list has already
    none: bool = False  #: there is none of it any more; else no text means that it is still to come
    rivals: tuple["Value", ...] = ()  #: what else the same words may change, the likeliest first


@dataclass(frozen=True, kw_only=True, slots=True)
class Command:
    """One thing that a message does, how sure that is, and who read it."""

    act: Act
    confidence: float = 1.0
    layer: Layer = "exact"
    target: str = ""  #: a process, a slash word, or what kind of act it is: "greeting", "all", "likely"
    values: tuple[Value, ...] = ()
    rest: str = ""  #: what the message asks for beside it, in the person's own words

    def with_each(self, told: Callable[[Value], Value]) -> Self:
        """The same, of which each value is made another."""
        return replace(self, values=tuple(map(told, self.values))) if self.values else self

    @classmethod
    def of_another(cls, value: Value, *, changes: bool) -> Self:
        """What the small models read of an answer that is not asked for: a change of the one there is, or a first one."""
        return cls(
            act="correct" if changes else "inform",
            confidence=value.confidence,
            layer="learned",
            target="" if changes else "other",
            values=(value,),
        )


def surest_first(commands: Sequence[Command]) -> Sequence[Command]:
    """The same, those of one likelihood as they stand."""
    return sorted(commands, key=_CONFIDENCE, reverse=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """Everything that one message does in its place; readings that exclude each other stand beside each other."""

    message: str
    commands: tuple[Command, ...] = ()
    maybe: tuple[
        Value, ...
    ] = ()  #: for which open answers the words may be, where nothing is clear: for asking
    beside: tuple[Value, ...] = ()  #: what words beside a clear answer may be, where that is not: for asking
    overheard: tuple[Value, ...] = ()  #: what it may tell of answers to come: put with their questions
    bound: str = ""  #: what its answer depends on in its own words, and no answer takes: "but only plates"
    nearest: tuple[Value, ...] = ()  #: all options where none is named, the nearest in meaning first

    def of(self, *acts: Act, layer: Layer | None = None, target: str | None = None) -> Command | None:
        """The surest command that is one of those acts; None when there is none."""
        surest: Command | None = None
        for c in self.commands:
            wanted = c.act in acts and layer in (None, c.layer) and target in (None, c.target)
            if wanted and (surest is None or c.confidence > surest.confidence):
                surest = c
        return surest

    def exactly(self, *acts: Act, target: str | None = None) -> Command | None:
        """Such a command, read by exact words."""
        surest: Command | None = None
        for c in self.commands:
            wanted = c.layer == "exact" and c.act in acts and target in (None, c.target)
            if wanted and (surest is None or c.confidence > surest.confidence):
                surest = c
        return surest

    def likely(self, *acts: Act) -> float:
        """How likely the surest of those acts is, by whoever read it; 0.0 without one."""
        found = 0.0
        for c in self.commands:
            if c.confidence > found and c.act in acts:
                found = c.confidence
        return found

    def acts(self, bar: float) -> str:
        """The acts that are likely enough, the surest first, for the decision record."""
        sure = [c for c in self.commands if c.confidence >= bar]
        return " ".join(dict.fromkeys([c.act for c in surest_first(sure)])) or "unclear"

    @property
    def layers(self) -> str:
        """Who read it, in a sentence for the decision record."""
        layers = dict.fromkeys([c.layer for c in self.commands])
        return f"Read by: {', '.join(layers)}." if layers else "No exact word; nobody else was asked."

    @property
    def learned(self) -> bool:
        """A layer above the exact one has read it."""
        return any(c.layer != "exact" for c in self.commands)

    @property
    def furthest(self) -> Layer:
        """The last layer that had to be asked."""
        return max((c.layer for c in self.commands), key=LAYERS.index, default="exact")

    def does(self, *acts: Act) -> bool:
        """One of those acts is more likely than not."""
        return self.likely(*acts) >= 0.5

    @property
    def values(self) -> Mapping[str, Value]:
        """The surest value for each field."""
        found: dict[str, Value] = {}
        for command in self.commands:
            for value in command.values:
                if value.field not in found or found[value.field].confidence < value.confidence:
                    found[value.field] = value
        return found

    def without(self, *acts: Act) -> Self:
        """A copy without those acts, but for exact ones."""
        left = [c for c in self.commands if c.act not in acts or c.layer == "exact"]
        return self.evolve(commands=tuple(left))

    def with_other(self, one: Command, other: Command) -> Self:
        """A copy with another command in the place of one."""
        return self.evolve(commands=tuple(other if c is one else c for c in self.commands))

    def with_changes(self, told: Callable[[Value], Value]) -> Self:
        """A copy in which each value that takes the place of another, and that no exact words gave, is made another."""
        return self.evolve(
            commands=tuple(
                c.with_each(told) if c.act == "correct" and c.layer != "exact" else c for c in self.commands
            )
        )

    def without_values_of(self, fields: Collection[str]) -> Self:
        """A copy that tells nothing of those fields, and doubts nothing of them."""
        commands = []
        for command in self.commands:
            left = tuple(value for value in command.values if value.field not in fields)
            if left or not command.values:
                commands.append(replace(command, values=left) if len(left) < len(command.values) else command)
        return self.evolve(
            commands=tuple(commands),
            maybe=tuple(value for value in self.maybe if value.field not in fields),
            beside=tuple(value for value in self.beside if value.field not in fields),
            overheard=tuple(value for value in self.overheard if value.field not in fields),
        )

    def evolve(self, **changes: Any) -> Self:
        """A copy with `changes`."""
        return type(self)(**{**{name: getattr(self, name) for name in self.__slots__}, **changes})


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """One answer of the process in front, as a reader needs to know it."""

    name: str
    wanted: Wanted
    question: str
    about: str = ""  #: what it is, in a few words; omitted: its label
    label: str = ""
    names: tuple[str, ...] = ()  #: what people call it
    options: tuple[Option, ...] = ()
    present: str | None = None  #: the value given before, as the person reads it
    given: bool = False
    required: bool = True
    begun: bool = False  #: a part of its value is told already: the day of a moment
    #: The value of the wanted type that words alone give, None where they give none; omitted: unknown.
    parses: Callable[[str], Any] | None = None
    fits: Callable[[Any], bool] | None = (
        None  #: whether its type takes what was read; None: that is not known
    )

    past: bool = False  #: what has been is asked for: "Since when?"
    #: How many days from today the day is that words alone give, None where they give none; omitted: it is no day.
    away: Callable[[str], int | None] | None = None

    #: Whether words may give either of two values: "half seven"; omitted: unknown.
    either: Callable[[str], bool] | None = None
    #: The words of a message that alone have the form which a text of it has to have; omitted: it has none.
    formed: Callable[[str], str | None] | None = None
    #: Where all of the number, day or time stands of which a place is a part; omitted: nothing is known of it.
    whole: Callable[[str, int, int], tuple[int, int]] | None = None

    @property
    def items(self) -> list[str]:
        """Those of a list that was given before, as the person reads them."""
        return (self.present or "").split("; ")

    def widened(self, message: str, start: int, end: int) -> tuple[int, int]:
        """The place of all that is said there: of "twenty to four" where "four" was marked."""
        return self.whole(message, start, end) if self.whole is not None and start < end else (start, end)

    def reads(self, words: str) -> bool:
        """The words alone give a value of the wanted type, as far as that is known."""
        return self.parses is not None and self.parses(words) is not None

    def may_read(self, words: str) -> bool:
        """They may give either of two values of the wanted type, as far as that is known."""
        return self.either is not None and self.either(words)

    def refuses(self, words: str) -> bool:
        """They give a value that its type does not take: an age of 1815."""
        value = self.parses(words) if self.parses is not None else None
        return value is not None and self.fits is not None and not self.fits(value)


@dataclass(frozen=True, kw_only=True)
class Place:
    """What a message answers, and what it may be about besides."""

    question: Question | None = None  #: the open question of whoever gets the answer
    wanted: Wanted = "own"
    field: str | None = None  #: the open field
    doubt: Question | None = None  #: asked above it: what an earlier message meant
    names: tuple[str, ...] = ()  #: what people call the process that asked
    subject: tuple[str, ...] = ()  #: words it is about
    known: bool = True  #: its code is there
    before: Question | None = None  #: asked like that before what is asked now
    offer: bool = False  #: the question is an offer
    #: Names of what else could be left.
    others: Mapping[str, Sequence[str]] = dataclasses.field(default_factory=dict)
    #: Names of what may be taken up.
    processes: Mapping[str, Sequence[str]] = dataclasses.field(default_factory=dict)
    all_names: Sequence[str] = ()  #: all of those names
    starts: Callable[[str], str | None] = lambda _: None  #: the process that words start
    told: Callable[[str], bool] = lambda _: False  #: they are what people are told to say for something else
    skip_words: tuple[str, ...] = ()
    required: bool = False  #: the open field cannot be left out
    none: bool = False  #: there may be none of it: an empty list, or 0 where it is asked how many
    own: bool = False  #: the question is of a step of an author's own; `fields` are what it looks for, and answers given
    lists: tuple[
        str, ...
    ] = ()  #: what a step of an author's own has told before, and lets be changed from here
    decides: bool = False  #: another person asks, and does what is agreed to
    done_words: tuple[str, ...] = ()  #: of its own for "that is all", in normal form
    fields: Callable[[], tuple[Field, ...]] = tuple  #: asked for only where exact words do not decide
    reads: Layer = "model"  #: the furthest layer that may be asked
    wants: tuple[
        str, ...
    ] = ()  #: fields that need a value: while one has none, the language model is asked, too
    shown: bool = True  #: False: what answers it is not to be seen anywhere
    begins: bool = False  #: nobody has asked it yet: the message is the one that the process begins with

    @property
    def yes_no(self) -> bool:
        """The open question can be answered by yes or no."""
        return self.wanted in CONSENT

    @property
    def takes_anything(self) -> bool:
        """Any words are the answer to the open question, whatever else they may mean."""
        return self.question is not None and self.question.takes_anything

    @property
    def of_a_form(self) -> bool:
        """What is asked for is an answer of the process: no step of an author's own asks, no offer, and nobody who waits for a decision."""
        return not (self.own or self.offer or self.asks_back or self.decides)

    @property
    def asks_back(self) -> bool:
        """It is asked what an earlier message meant: a new wish may be said to that as well as a choice."""
        question = self.question
        return question is not None and question.kind == "clarify" and question.takes_anything

    def open_field(self) -> Field | None:
        """The open field; None where it is none of the process's answers."""
        return next((f for f in self.fields() if f.name == self.field), None)


def just_below(bar: float) -> float:
    """Just not enough for a bar: below that of `inform` it is asked about, below that of `doubt` it is not."""
    return bar - 0.01


_Read = TypeVar("_Read", Command, Value)


def at_most(one: _Read, likely: float) -> _Read:
    """The same, no surer than that."""
    return replace(one, confidence=min(one.confidence, likely))


@dataclass(frozen=True, kw_only=True, slots=True)
class Bars:
    """How likely something must be before it is done; below, it is asked. A wrong effect costs more than a question.

    Chosen on lines that the small model was not trained on.
    """

    inform: float = 0.57  #: a value is stored
    sure_of_words: float = 0.85  #: the same, where all of the message is the value and is put as a question
    chosen: float = 0.9  #: an option is meant in other words than its own
    value: float = 0.55  #: a message gives a value for a field at all
    span: float = 0.3  #: where a value stands; below it the whole message is taken, and read back
    beside: float = 0.4  #: how much surer than an answer may be what stands beside it, a question say
    hardly: float = 3.0  #: log odds by which an answer must be ahead of the words for having none
    wished: float = (
        2.0  #: the same, of a wish for something else, where all of the message would be the answer
    )
    correct: float = 0.5  #: what was given before is changed
    rival: float = 0.15  #: from here on the same words may change another answer
    apart: float = 1.75  #: log odds by which an answer must be ahead of all others that they may change
    changed: float = 0.6  #: how likely it must be that the message gives that answer anew
    placed: float = 0.5  #: and that these very words are the new one: they take the place of another
    consent: float = 0.85  #: a no, or a yes to a question; from `doubt` on it is asked which
    none: float = 0.85  #: "none" becomes an empty list, or 0
    agreed: float = 0.85  #: a yes that lets something be done: to a summary
    begin: float = 0.85  #: a yes that begins or resumes a process
    refuse: float = 0.7  #: a no to an offer
    leave: float = 0.9  #: a process is paused; where any words may be the answer, it is asked below that
    leave_closed: float = 0.75  #: the same where few words can be the answer: a number, yes or no
    other: float = 0.5  #: anything that changes nothing: a question, thinking aloud, a greeting
    doubt: float = 0.3  #: from here on it may be meant
    sure: float = 0.7  #: below it a language model is asked, where there is one

    def is_sure(self, value: Value) -> bool:
        """A new value of an answer is that answer's, in these very words, and well ahead of whatever else they may change."""
        ahead = all(log_odds(value.confidence) - log_odds(r.confidence) >= self.apart for r in value.rivals)
        return value.confidence >= self.changed and value.placed >= self.placed and ahead

    def sure_values(self, reading: Reading) -> list[Value]:
        """The values that a reading surely gives, or surely changes an answer to."""
        return [
            value
            for command in reading.commands
            for value in command.values
            if (self.is_sure(value) if command.act == "correct" else command.confidence >= self.inform)
        ]

    @classmethod
    def off(cls) -> Self:
        """What is likelier than not is done, and hardly anything is asked: what bars are worth is measured against it."""
        even = dict.fromkeys((f.name for f in dataclasses.fields(cls)), 0.5)
        return cls(
            **{**even, "span": 0.0, "placed": 0.0, "apart": 0.0, "hardly": 0.0, "wished": 0.0, "beside": 1.0}
        )

    def needed(self, act: Act, place: Place) -> float:
        """How likely that act must be in that place, for what it does to be done."""
        match act:
            case "inform":
                return self.inform
            case "correct":
                return self.correct
            case "affirm":
                return (
                    self.begin if place.offer else self.agreed if place.wanted == "confirm" else self.consent
                )
            case "negate":
                return self.refuse if place.offer else self.consent
            case "pause" | "leave":
                return self.leave if place.wanted in ("text", "list", "own") else self.leave_closed
            case _:
                return self.other
