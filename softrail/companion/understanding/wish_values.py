"""What a message wants done with notes and projects, as values: which ones, and what becomes of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from softrail.companion.memory.values import NoteState

#: What is to become of a note, or of a project.
Deed = Literal["saved", "withdrawn", "edited", "archived", "restored", "renamed", "chosen"]
#: What is said of projects, and what comes nearest to it for notes.
FOR_NOTES: Final[Mapping[Deed, Deed]] = {"archived": "withdrawn", "restored": "saved"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Which:
    """The notes that a clause speaks of; the exceptions are taken off the rest."""

    numbers: tuple[int, ...] = ()
    all: bool = False
    waiting: bool = False  #: of all, those that wait
    kept: bool = False  #: of all, those that are saved; with `waiting` it is every one of both
    last: int = 0  #: so many of the newest
    both: bool = False  #: two, and no others: those just spoken of, else the newest
    it: bool = False  #: the one, or those, just spoken of
    about: tuple[str, ...] = ()  #: notes by what they say
    projects: tuple[str, ...] = ()  #: their ids
    here: bool = False  #: the project that is spoken of
    of: Literal["", "note", "project"] = ""  #: what it says they are
    but: "Which | None" = None

    @property
    def by_content(self) -> bool:
        """Some notes, or exceptions, are meant by what they say."""
        return bool(self.about or (self.but is not None and self.but.about))

    @property
    def named(self) -> bool:
        """Something is spoken of."""
        which = (
            self.numbers,
            self.all,
            self.last,
            self.both,
            self.it,
            self.waiting,
            self.kept,
            self.about,
            self.projects,
            self.here,
        )
        return any(which)


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """One clause: what is to become of which notes. Without a state it names notes alone, or leaves them as they are."""

    state: Deed | None = None
    which: Which = field(default_factory=Which)
    negated: bool = False
    span: tuple[int, int] = (0, 0)  #: of the message
    verb: str = ""  #: the words that say what is to be done: "get rid of"
    text: str = ""  #: what a project is to be called, or a note is to say

    @property
    def of_project(self) -> bool:
        """It speaks of projects, not of notes."""
        which = self.which
        return bool(
            self.state in (*FOR_NOTES, "renamed", "chosen")
            or which.projects
            or which.here
            or which.of == "project"
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Wishes:
    """Everything that a message wants done with notes, in the order said."""

    clauses: tuple[Wish, ...] = ()
    sure: bool = False  #: every word of it is understood
    mends: bool = False  #: it begins by taking back what was said before: "no, note 5"
    explicit: bool = False  #: it says "note" or "#", or does more than one thing
    described: bool = (
        False  #: a note is meant by words that may only describe it: "the boiler note", "the old note"
    )
    nearly: bool = False  #: a word has a slip in it, or is one that is said of projects: it is asked about

    @property
    def acts(self) -> Sequence[Wish]:
        """The clauses that change something."""
        return [wish for wish in self.clauses if wish.state is not None and not wish.negated]

    @property
    def denied(self) -> bool:
        """Something is not to be done."""
        return any(wish.negated for wish in self.clauses)


def note_state(wish: Wish) -> NoteState | None:
    """What becomes of notes; None where the wish is none about notes' states."""
    return wish.state if wish.state in ("saved", "withdrawn") else None


def joined(one: Which, other: Which) -> Which:
    """The notes and projects of both."""
    return Which(
        numbers=tuple(dict.fromkeys([*one.numbers, *other.numbers])),
        all=one.all or other.all,
        waiting=one.waiting or other.waiting,
        kept=one.kept or other.kept,
        last=one.last + other.last,
        both=one.both or other.both,
        it=one.it or other.it,
        about=tuple(dict.fromkeys([*one.about, *other.about])),
        projects=tuple(dict.fromkeys([*one.projects, *other.projects])),
        here=one.here or other.here,
        of=one.of or other.of,
        but=one.but or other.but,
    )
