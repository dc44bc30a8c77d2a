"""“Not by region”, “units, not revenue”, “drop the chart”: a part that the plan has, said not to be wanted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from softrail.plans.forms.form import Form, Read
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.scanning import Item
from softrail.plans.forms.slots import Slots, columns

_IS_THERE: Final = ("neutral", "with", "use")  #: words that may stand between: “not with the chart”


@dataclass(frozen=True, slots=True)
class Denied:
    """What is said of a form, without the parts that are not wanted any more."""

    items: list[Item]
    groups: frozenset[str] = frozenset()  #: columns that it is split by
    measures: frozenset[str] = frozenset()
    chart: str = ""  #: as it was said that nothing is to be drawn

    def __bool__(self) -> bool:
        return bool(self.groups or self.measures or self.chart)

    def of(self, form: Form, *, replaced: bool, split: bool) -> Form | None:
        """The form without them; None: nothing takes the place of what it cannot be without."""
        by = tuple(one for one in form.by if one.column not in self.groups)
        measures = tuple(one for one in form.measures if one.column not in self.measures)
        bare = len(by) < len(form.by) and not by and not split
        if not (measures or replaced) or (bare and form.kind != "analyze"):
            return None
        measures = measures or form.measures
        gone = {one.told() for one in form.by if one not in by}
        gone |= {one.told() for one in form.measures if one not in measures}
        reads = [one for one in form.reads if one.means not in gone]
        if self.chart:
            reads.append(Read(said=self.chart, means="nothing is drawn"))
        drawn = "none" if self.chart else form.drawn
        return form.model_copy(update={"by": by, "measures": measures, "drawn": drawn, "reads": tuple(reads)})

    def beside(self, form: Form, slots: Slots) -> None:
        """“Not by region, by month”: what is said instead takes its place, and the other parts stay."""
        if self.groups and slots.by:
            slots.by = [*(one for one in form.by if one.column not in self.groups), *slots.by]
        if self.measures and slots.measures:
            slots.measures = [*(m for m in form.measures if m.column not in self.measures), *slots.measures]


def denied(form: Form, items: Sequence[Item]) -> Denied:
    """What of the form stands behind “not”, and all that is said besides."""
    found, at = Denied(list(items)), 0
    by, told = {one.column for one in form.by}, {one.column for one in form.measures if one.column}
    while at < len(found.items):
        there = _behind(found.items, at) if found.items[at].does("roles", "not") else at
        thing = found.items[there] if there > at else None
        if thing is None:
            at += 1
            continue
        here = columns(thing)
        drawn = bool(set(thing.words) & set(lexicon().pictures)) or bool(thing.sense("drawing"))
        without = [*found.items[:at], *found.items[there + 1 :]]
        said = " ".join(one.said for one in found.items[at : there + 1])
        if len(here & by) == 1:
            found = replace(found, items=without, groups=found.groups | (here & by))
        elif len(here & told) == 1:
            found = replace(found, items=without, measures=found.measures | (here & told))
        elif drawn and not thing.meanings:
            found = replace(found, items=without, chart=said)
        else:
            at = there + 1
    return found


def _behind(items: Sequence[Item], at: int) -> int:
    """Where the thing stands that a “not” is said of; where the “not” is, if there is none."""
    for n in range(at + 1, len(items)):
        item = items[n]
        between = item.does("roles", "by", *_IS_THERE) and not item.meanings
        if not (item.is_filler or between):
            return n if item.meanings or item.is_unknown or item.sense("drawing") else at
    return at
