"""What to change where a request has left no rows: the other values that its filters could have."""

from collections.abc import Mapping, Sequence
from typing import Final

from softrail.plans.data.actions import NO_VALUE
from softrail.plans.data.profile import Source
from softrail.plans.forms.form import Filter, Form
from softrail.plans.plan import Plan
from softrail.plans.values import Fact

_OFFERED: Final = 4  #: values of one column


def is_empty(plan: Plan, facts: Mapping[str, Fact]) -> bool:
    """A plan that was made from words has found that no row is left of its filters."""
    if plan.form is None or not plan.form.where:
        return False
    found = [facts[step.makes] for step in plan.steps if step.action == "query" and step.makes in facts]
    return any(_nothing(fact) for fact in found)


def _nothing(fact: Fact) -> bool:
    table = isinstance(fact.value, dict) and "rows" in fact.value
    return not fact.value["rows"] if table else fact.value == NO_VALUE


def filters_of(form: Form) -> str:
    """The filters that leave nothing, as they were read."""
    return " and ".join(one.told() for one in form.where)


def instead_of(form: Form, sources: Sequence[Source]) -> str:
    """For each filter what else there is, as words that can be said; "" where nothing else is known."""
    columns = {
        column.name: column
        for source in sources
        if source.name == form.source
        for table in source.tables
        if table.name == form.table
        for column in table.columns
    }
    lines = list[str]()
    for one in form.where:
        column = columns.get(one.column)
        if column is None:
            continue
        if others := _others(one, column.values):
            lines.append(f"- {column.title}: {', '.join(f'“only {value}”' for value in others)}")
        elif column.least is not None and column.most is not None:
            lines.append(f"- {column.title}: from {column.least[:10]} to {column.most[:10]}")
    return "\n".join(lines)


def _others(one: Filter, values: Sequence[str]) -> Sequence[str]:
    return [value for value in values if value not in one.values][:_OFFERED]
