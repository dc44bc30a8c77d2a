"""How each part of a form was read, as the person is told."""

from collections.abc import Sequence
from typing import Final

from softrail.plans.forms.form import Filter, Form, Group, Read
from softrail.plans.forms.sql import label

EACH: Final = ", each by itself"  #: how it is told that two are set beside each other


def reads_of(form: Form, said: Sequence[Read]) -> tuple[Read, ...]:
    """How each part of a form was read: as it was said, and what was taken without a word for it."""
    parts = [one.told() for one in form.measures]
    parts += [one.told() for one in form.by] + [one.told() for one in (*form.where, *form.sides)]
    by_title = {one.title: one.told() for one in form.measures if one.aggregate == "each"}
    found = list[Read]()
    for one in said:
        title = one.means.partition("`")[2].rstrip("`")
        each = by_title.get(title) if one.means not in parts else None
        found.append(Read(said=one.said, means=each) if each else one)
    told = {one.means for one in found}
    found += [Read(said="", means=part) for part in parts if part not in told]
    if form.kind == "compare" and form.sides:
        found.append(Read(said="", means=f"{' and '.join(label(one) for one in form.sides)}{EACH}"))
    return tuple(dict.fromkeys(found))


def each_of_several(where: Sequence[Filter]) -> tuple[Group, ...]:
    """“Revenue for decaf and cocoa”: besides their total each of them is told."""
    several = [one for one in where if len(one.values) > 1 and not (one.excluded or one.part)]
    return tuple(Group(column=one.column, title=one.title) for one in several if len(several) == 1)
