"""What a word could mean, as buttons: the columns or values that fit, the likest first."""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final, Literal

from softrail.plans.data.profile import Column
from softrail.plans.forms.form import Choice, Question
from softrail.plans.forms.vocabulary import NAME, Meaning, Vocabulary, as_word, is_amount, usual

Role = Literal["measure", "group", "filter"]
_ALIKE: Final = 0.5  #: a value as like a word as that may be meant
AS_SAID: Final = "="  #: key of a choice: the word means what it says
GROWTH: Final = "?growth"  #: what has grown since when
LEFT_OUT: Final = "-"  #: what the key of the choice begins with that leaves words out
ROWS: Final = Choice(label="The number of rows", key="rows")


def choices_for(known: Vocabulary, role: Role, said: str = "") -> tuple[Choice, ...]:
    """The columns, or values, that could be meant, the likest first."""
    columns = known.table.columns
    if role == "measure":
        found = [Choice(label=_labelled(c), key=c.name) for c in columns if is_amount(c)] + [ROWS]
    elif role == "group":
        found = [Choice(label=c.title, key=c.name) for c in columns if c.kind in ("text", "boolean", "date")]
    else:
        found = [
            Choice(label=f"{value} ({c.title})", key=f"{c.name}={value}")
            for c in columns
            for value in c.values
            if may_be_alike(said, value) and alike(said, value) > _ALIKE
        ]
    return tuple(sorted(found, key=lambda one: -round(alike(said, one.label), 1))[:8])


def choice_of(meaning: Meaning, known: Vocabulary) -> Choice:
    """The button of a meaning."""
    if meaning.column is None:
        return Choice(label=f"The number of rows of {known.table.title}", key="rows")
    if meaning.value is not None:
        return Choice(label=f"{meaning.value} ({meaning.column.title})", key=meaning.key)
    return Choice(label=meaning.column.title, key=meaning.key)


def by_key(known: Vocabulary, key: str) -> Meaning | None:
    """The meaning that a choice stands for."""
    if key == "rows":
        return Meaning(NAME)
    name, equals, value = key.partition("=")
    column = next((one for one in known.table.columns if one.name == name), None)
    return Meaning(NAME, column, value if equals else None) if column is not None else None


def leave_out(words: Sequence[tuple[str, str]]) -> Choice:
    """The button that leaves words out, each as it was said and in the form in which choices are kept."""
    label = ", ".join(dict.fromkeys(f"“{said}”" for said, _ in words))
    return Choice(label=f"Leave out {label}", key=LEFT_OUT + "|".join(word for _, word in words))


def leaves_out(choice: Choice) -> bool:
    """It stands for no meaning: what is left out comes behind all that could be meant."""
    return choice.key.startswith(LEFT_OUT)


def average_of_what(said: str, often: str, grain: str) -> Question:
    """“Average daily revenue”: what is averaged."""
    choices = (
        Choice(label=f"The total of each {grain}", key=LEFT_OUT + as_word(said)),
        Choice(label=f"The average of single rows, by {grain}", key=AS_SAID),
    )
    return Question(
        about=as_word(said), said=f"{said} {often}", why="several", what="measure", choices=choices
    )


def growth_of_what(said: str) -> Question:
    """“Growth of revenue”: beside the piece of time before, or from the first to the last."""
    choices = (
        Choice(label="Each piece of time beside the one before", key="change"),
        Choice(label="From the first piece of time to the last", key="trend"),
    )
    return Question(about=GROWTH, said=said, why="several", what="group", choices=choices)


def left_out(chosen: Mapping[str, str]) -> frozenset[str]:
    """The words that were left out so far."""
    keys = [key for key in chosen.values() if key.startswith(LEFT_OUT)]
    return frozenset(word for key in keys for word in key[1:].split("|"))


def _labelled(column: Column) -> str:
    return f"{column.title} (average)" if usual(column) == "mean" else column.title


def may_be_alike(said: str, label: str) -> bool:
    """Their lengths allow it: a word that is much shorter or longer has too few letters in common."""
    one, other = len(said.casefold()), len(label.partition(" (")[0].casefold())
    return 2 * min(one, other) > _ALIKE * (one + other)


def alike(said: str, label: str) -> float:
    """How much a word looks like a title; 1 is the same."""
    short = label.partition(" (")[0]
    return SequenceMatcher(None, said.casefold(), short.casefold()).ratio()
