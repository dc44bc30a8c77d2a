"""Lists in the data of a step of one's own, which people change as they change an answer: "you forgot Ann"."""

from collections.abc import Mapping, Sequence

from softrail.core.frozen import evolved
from softrail.core.reading import SETTLED, Act, Command, Field, Reading, Value
from softrail.core.turns import Turn
from softrail.language import Language
from softrail.processes.definition import StepDefinition
from softrail.processes.reviewing import place_of_item
from softrail.processes.state import State


def lists_of(step: StepDefinition | None, state: State | None) -> Mapping[str, Sequence[str]]:
    """By name: the items of what a step looks for, where its data has a list of them already."""
    if step is None or state is None:
        return {}
    told = {name: state.data.get(name) for name in step.reads}
    return {name: items for name, items in told.items() if isinstance(items, list) and items}


def label_of(name: str) -> str:
    """What such a list is called in a sentence."""
    return name.replace("_", " ")


def names_of(name: str) -> tuple[str, ...]:
    """What people call it: the list, or what is in it."""
    return (label_of(name), *label_of(name).split())


def field_of(name: str, about: str, items: Sequence[str]) -> Field:
    """The list as a reader needs to know it."""
    return Field(
        name=name,
        wanted="list",
        question=about,
        about=about,
        label=label_of(name),
        names=names_of(name),
        present="; ".join(items),
        given=True,
        required=False,
    )


def with_edits(turn: Turn, lists: Mapping[str, Sequence[str]], language: Language) -> Turn:
    """The turn with what it adds to a list or takes out in certain words: "add Ann", "drop the second"."""
    edit = language.edit(turn.message, {name: names_of(name) for name in lists}) if lists else None
    if edit is None or not edit.text.strip():
        return turn
    name = edit.field or next(iter(lists))
    if edit.op == "add":
        return _settled(turn, "inform", name, [edit.text])
    if edit.op == "change":
        return _settled(turn, "correct", name, [edit.text]) if len(lists[name]) == 1 else turn
    at = place_of_item([*lists[name]], edit.text)
    rest = [item for other, item in enumerate(lists[name]) if other != at]
    return _settled(turn, "correct", name, rest) if at is not None and rest else turn


def _settled(turn: Turn, act: Act, name: str, items: Sequence[str]) -> Turn:
    said = turn.reading or Reading(message=turn.message)
    told = Command(act=act, target=SETTLED, values=(Value(field=name, text="\n".join(items)),))
    left = said.without_values_of([name])
    return evolved(turn, {"reading": left.evolve(commands=(*left.commands, told))})
