"""What the model says of one message in the place of one question or field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, get_args

from softrail.core.reading import DialogueAct

#: The acts in the order of the model's outputs. "inform" is of the asked field, "inform_other" of others.
ACTS: tuple[str, ...] = ("inform", "inform_other", *(act for act in get_args(DialogueAct) if act != "inform"))


@dataclass(frozen=True, kw_only=True)
class Marks:
    """Probabilities of the acts in a message, and the likeliest place of a value.

    A message may do several things, so the probabilities of the acts do not add up to one.
    """

    acts: Mapping[str, float]
    start: int  #: offsets of the likeliest value in the message, without the spaces and marks around it
    end: int
    value: float  #: how likely it is that the message gives a value for this query
    span: float  #: how likely it is that this very span is right, given that there is one


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What a message says of one field."""

    given: float  #: how likely it is that a value of it is in the message
    start: int  #: where the likeliest one stands, without the spaces and marks around it
    end: int
    placed: float  #: how likely it is that this very span is right, given that there is one
    denied: float  #: how likely it is that the value there was is called wrong
    yes: float
    no: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Joint:
    """What a message says of every field of a form, in the order they were put, and what it does."""

    told: tuple[Told, ...]
    acts: Mapping[str, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Chosen:
    """Which option a message means; with what is told otherwise the probabilities add up to one."""

    options: tuple[float, ...]  #: of each option, in the order they were put
    open: float  #: it is about the question, and left open: one has to ask back
    none: float  #: none of the options fits
    aside: float  #: it is no answer to the question


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """A token of a message that tells a list, and where it stands."""

    start: int
    end: int
    begins: float  #: how likely an item begins with it
    inside: float  #: how likely it is of one
    one: float = 0.0  #: where an item begins that is counted, how likely it counts for one


@dataclass(frozen=True, kw_only=True, slots=True)
class Edited:
    """What a message makes of a list that there is."""

    goes: tuple[float, ...]  #: how likely each of its items is no longer wanted
    pieces: Sequence[Piece]  #: what each token of the message is to the items that come to it


class Marker(Protocol):
    """The five small models, or what stands for them in a test."""

    def joint(self, message: str, queries: Sequence[str]) -> Joint:
        """What the message says of all those fields at once, the open one first. It computes for milliseconds."""
        ...

    def items(self, message: str, asked: str) -> Sequence[Piece]:
        """What each token is to the items of the list that is asked for. It computes for milliseconds."""
        ...

    def edited(self, message: str, asked: str, there: Sequence[str], question: str) -> Edited | None:
        """What the message makes of that list, where something else is asked; None where it is too long. It computes for milliseconds."""
        ...

    def mark(self, message: str, queries: Sequence[str]) -> Sequence[Marks]:
        """What the message does and gives, for each query. It computes for milliseconds."""
        ...

    def choose(self, message: str, asks: str, options: Sequence[str], *, beside: bool = False) -> Chosen:
        """Which of the options the message means as an answer to that question. It computes for milliseconds.

        `beside`: something else is asked, and the message may answer this as well.
        """
        ...
