"""An example of the joint reading: a message, and of every field of the form what the message says of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from training.noise import CLOSE, OPEN


@dataclass(frozen=True, kw_only=True)
class Told:
    """One field as it is put to the model, and what the message says of it; None is not known and not learned."""

    query: str
    given: int | None = 0  #: a value of it is in the message
    span: tuple[int, int] | None = (
        None  #: where it stands; None with `given`: it is meant, and not to be found
    )
    denied: int | None = None  #: the value there was is wrong, or no longer meant
    yes: int | None = None
    no: int | None = None


@dataclass(frozen=True, kw_only=True)
class Form:
    """A message and all fields, the open one first."""

    message: str
    told: Sequence[Told]
    acts: Mapping[str, int] = field(default_factory=dict)  #: as in `training.pairs.Pair`
    source: str = ""
    label: str = ""


def unmarked(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without the marks, and where what was marked stands, in order."""
    plain, spans, begun = "", [], 0
    for letter in text:
        if letter == OPEN:
            begun = len(plain)
        elif letter == CLOSE:
            spans.append((begun, len(plain)))
        else:
            plain += letter
    return plain, spans
