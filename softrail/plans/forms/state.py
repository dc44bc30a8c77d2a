"""Where the binding of a request stands: what was bound so far, and what the words before do to the next one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from softrail.plans.data.profile import Column
from softrail.plans.forms.choices import Role, choices_for
from softrail.plans.forms.form import Aggregate, Filter, Question, Read
from softrail.plans.forms.slots import Slots
from softrail.plans.forms.vocabulary import Vocabulary, as_word

Mode = Literal["free", "have", "by", "neutral", "only", "not", "since", "after", "until", "before", "between"]
#: Those of which something has to come.
WAITS: Final = frozenset({"not", "since", "after", "until", "before", "between"})


@dataclass
class State:
    """One pass over the items of a request."""

    known: Vocabulary
    chosen: Mapping[str, str]
    group_first: bool = False  #: “top 3 products by revenue”: what is split by comes first
    which: bool = (
        False  #: “which product has the highest revenue”: so does it here, and the rest follows freely
    )
    several: bool = False  #: more than one measure may follow each other
    surely: bool = False  #: it is a request, whatever its words
    slots: Slots = field(default_factory=Slots)
    mode: Mode = "free"
    once: bool = False  #: the mode is that of the next word alone: “did each region earn”
    per: bool = False  #: what is split by may be what is divided by: “cost per unit”
    after_per: bool = False
    joined: bool = False
    instead_of: bool = False
    distinct: bool = False  #: how many different ones are wanted
    apart: bool = False  #: a mark stands before the word: “without returns: units”
    last: Role | None = None  #: what was bound last
    named: frozenset[str] = frozenset()  #: the columns that the request calls by their names
    waits: str = ""  #: a word such as “not”, as long as nothing came of it
    either: bool = False  #: “or” stands before the word
    to: bool = False  #: “to” does: “Q1 to Q3”
    each: str = ""  #: “in each”, before what the data is split by
    hows: list[Aggregate] = field(default_factory=list)  #: how what comes next is summed up
    mean: str = ""  #: “average”, as it was said
    often: tuple[str, str] | None = None  #: “daily”, “per month”: and the piece of time, which has a total

    @property
    def columns(self) -> Iterable[Column]:
        """The columns of the table."""
        return self.known.table.columns

    def column(self, name: str) -> Column | None:
        """The one of that name."""
        return next((one for one in self.columns if one.name == name), None)

    def go_on(self, mode: Mode, waits: str = "") -> None:
        """Another mode begins: something has come of the one before, or that is asked."""
        self.came_of_it()
        self.mode, self.waits = mode, waits if mode in WAITS else ""

    def came_of_it(self) -> None:
        """Something has to come of “not”, “since” and their like: what they turn round is not looked at as it is."""
        if self.waits:
            self.open(self.waits)
        self.waits = ""

    def roles(self) -> tuple[Role, ...]:
        """What the next word may be, the likeliest first."""
        slots = self.slots
        match self.mode:
            case "by":
                if not slots.by or (self.joined and self.last == "group"):
                    return ("group",)
                return ("group", "filter") if slots.measures else ("group", "filter", "measure")
            case "free":
                if self.group_first:
                    return ("group", "filter")
                room = not slots.measures or self.several or self.joined or self.instead_of
                return ("measure", "filter") if room else ("filter", "measure")
            case "neutral":
                if not slots.measures:
                    return ("measure", "filter")
                return ("filter", "measure") if self.joined and self.last == "measure" else ("filter",)
        open_ = not slots.measures and (self.mode == "only" or self.apart)
        return ("filter", "measure") if open_ else ("filter",)

    # -- what was read, and what is asked

    def read(self, said: str, means: str) -> None:
        """Words were read as something."""
        self.slots.reads.append(Read(said=said, means=means))

    def filter_read(self, said: str, new: Filter) -> None:
        """The same of a filter, after which nothing waits any more."""
        self.waits = ""
        self.read(said, new.told())

    def ask(self, question: Question) -> None:
        """Something has to be asked."""
        self.slots.questions.append(question)

    def asked(self, what: str) -> bool:
        """Something of that kind is asked already."""
        return any(one.what == what for one in self.slots.questions)

    def open(self, said: str) -> None:
        """Ask what is meant by a word that forms are made with."""
        self.ask(Question(about=as_word(said), said=said, why="no_use", what="filter", choices=()))

    def unbound(self, said: str, role: Role | None = None) -> None:
        """Ask about a word that fits nothing."""
        self.slots.unbound.append(said)
        role = role or self.roles()[0]
        # The first question alone is asked: looking through all values for each further word takes seconds.
        choices = choices_for(self.known, role, said) if not self.slots.questions else ()
        self.ask(Question(about=as_word(said), said=said, why="no_fit", what=role, choices=choices))
