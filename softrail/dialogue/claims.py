"""Whose a turn is, and what is to come of it: the closed set of what `decide` may say."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from softrail.core.instances import Instance
from softrail.core.intents import Intent
from softrail.core.questions import Change, Doubted
from softrail.core.reading import Command, Reading, Value
from softrail.language import Beside

#: How a process is left: paused with everything kept, ended, or ended while the rest of the message goes on.
Manner = Literal["escape", "exit", "refusal"]

#: What the person says to an open offer.
Word = Literal["yes", "no", "never", "restart", "echo", "question", "other"]

#: What a message that is doubted may be.
Way = Literal["answer", "none", "yes", "no", "change", "pause", "ask", "request", "note", "neither"]

#: Why a process asks its open question once more.
Again = Literal["greeted", "already_in", "repeat", "hold", "social", "tell_me", "not_understood"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """`why` is for the decision record; `on` is the command it rests on."""

    why: str = ""
    on: Command | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class RunCommand(Claim):
    """A slash command: it works at any time and leaves what is under way as it is."""

    name: str
    argument: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeBack(Claim):
    """The step off of the turn before is undone."""

    instance: Instance


@dataclass(frozen=True, kw_only=True, slots=True)
class Resume(Claim):
    """What was paused is picked up; None: what was named is not paused."""

    instance: Instance | None
    expired: bool = False  #: it was paused for too long: that is told


@dataclass(frozen=True, kw_only=True, slots=True)
class StartOver(Claim):
    """What is in front begins again; None: nothing is."""

    instance: Instance | None


@dataclass(frozen=True, kw_only=True, slots=True)
class StartAnother(Claim):
    """Another process was asked for by its own words while one is in front."""

    process: str
    standing: Instance | None = None  #: a run of it that is under way already


@dataclass(frozen=True, kw_only=True, slots=True)
class AskAgain(Claim):
    """The message answers nothing: the open question comes again, after a word to it."""

    instance: Instance
    after: Again


@dataclass(frozen=True, kw_only=True, slots=True)
class Leave(Claim):
    """A process is left; `rest` of the message is still to be answered."""

    instance: Instance
    manner: Manner
    rest: str = ""
    front: bool = True
    quiet: bool = False  #: nothing was in front: it goes on in the background, and may have nothing to end


@dataclass(frozen=True, kw_only=True, slots=True)
class Tell(Claim):
    """A process knows the words for one of its own intents: it gets the turn with it."""

    process: str
    intent: Intent


@dataclass(frozen=True, kw_only=True, slots=True)
class PassOn(Claim):
    """Something else is wanted: it goes the free way, and the process waits or is paused for it.

    With `clear` only what the classifier knows for a wish of another kind: anything else was not understood.
    """

    instance: Instance
    waits: bool
    clear: bool = False
    choice: bool = False  #: one of its options is wanted
    asks: bool = False  #: a question and no wish: it is answered here, and nothing is begun for it
    so_far: bool = False  #: what was told up to now is asked for
    means: str = ""  #: the answer of which it is asked what that is
    otherwise: "Doubt | None" = None  #: what is asked where nobody knows it for a wish
    aside: str = ""  #: the sentence that is said otherwise


@dataclass(frozen=True, kw_only=True, slots=True)
class Human(Claim):
    """A person is wanted."""

    instance: Instance


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerOffer(Claim):
    """The open offer is accepted, refused, asked about or let go."""

    instance: Instance
    word: Word
    rest: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerLate(Claim):
    """The question of a process that timed out is answered after all."""

    instance: Instance
    reading: Reading


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerHolder(Claim):
    """Whoever asked gets the turn, as it was read; with `asks` it is answered the free way besides."""

    instance: Instance
    reading: Reading
    asks: bool = False
    rest: str = ""  #: what is said behind the answer, a message of its own


@dataclass(frozen=True, kw_only=True, slots=True)
class Doubt(Claim):
    """It is not sure what was meant: nothing is stored or left, the person is asked."""

    instance: Instance
    ways: Sequence[Way]
    text: str = ""  #: the value it may be; of a choice, that of the option
    answers: Sequence[str] = ()  #: the options it may mean, by their values, the likeliest first
    changes: Sequence[Sequence[Value]] = ()  #: what it may change, the likeliest way to read it first


@dataclass(frozen=True, kw_only=True, slots=True)
class Aside(Claim):
    """It may tell something beside what is asked: that is for whoever keeps notes, else `otherwise` is done.

    `told` are its words without those that say so; None where none do.
    """

    instance: Instance
    told: Beside | None
    mends: bool = False  #: it may put right what was kept last
    elsewhere: bool = False  #: it may be a question that is answered elsewhere
    otherwise: Claim


@dataclass(frozen=True, kw_only=True, slots=True)
class Keep(Claim):
    """Something is told beside what is asked: whoever keeps notes gets it, and the question comes again."""

    instance: Instance
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Settle(Claim):
    """A doubt was answered with one of its buttons."""

    instance: Instance
    way: Way
    doubted: Doubted
    change: Sequence[Change] = ()  #: what is to change


@dataclass(frozen=True, kw_only=True, slots=True)
class Stale(Claim):
    """It cannot answer what is open: nothing is changed, and what is open is said again.

    The question that it answers is no longer open, or takes no value, or no file, or the file is not there.
    """

    outcome: Literal["stale", "no_value", "no_file", "file_gone"] = "stale"


@dataclass(frozen=True, kw_only=True, slots=True)
class Free(Claim):
    """Nobody's: classified, routed, answered."""

    lapsed: Instance | None = None  #: its question waited for a late answer, which this is not
