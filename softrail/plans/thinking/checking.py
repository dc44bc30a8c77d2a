"""Takes a model's plan apart as it would a person's: form, actions, arguments, and every query before the wall."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from softrail import Actions
from softrail.plans.data.asking import tables_in
from softrail.plans.data.children import Children, own_folder
from softrail.plans.data.profile import DataTable, Source
from softrail.plans.data.sources import Sources
from softrail.plans.plan import Plan
from softrail.plans.reading import PlanInvalid, checked_plan
from softrail.plans.thinking.asking import PlanWritten


class NoPlan(Exception):
    """The model says that there is no such plan, and what it would need."""


class Wrong(Exception):
    """An answer that is no plan that can be carried out; each fault in a sentence."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(faults[0] if faults else "")
        self.faults = list(faults)[:5]


class Checker:
    """Checks what a model wrote, over the sources of one conversation."""

    def __init__(self, actions: Actions, kept: Sources, children: Children) -> None:
        self._actions = actions
        self._kept = kept
        self._children = children

    async def sources(self, session_id: str) -> Sequence[Source]:
        """What is attached in a conversation."""
        return await self._kept.of(session_id)

    async def plan(self, text: str, sources: Sequence[Source]) -> Plan:
        """The plan in an answer.

        Raises:
            NoPlan: There is none, by its own word.
            Wrong: It cannot be carried out.
        """
        try:
            written = PlanWritten.model_validate_json(text)
        except ValidationError as error:
            raise Wrong(["The answer is not in the form that was asked for."]) from error
        if not written.steps:
            raise NoPlan("".join(c for c in " ".join(written.missing.split()) if c.isprintable())[:300])
        try:
            plan = checked_plan(_as_given(written), self._actions)
        except PlanInvalid as error:
            faults = error.details.get("fields", ())
            raise Wrong([f"{one['field']}: {one['reason']}".removeprefix(": ") for one in faults]) from error
        if faults := await self._queries(plan, sources):
            raise Wrong(faults)
        return plan

    async def _queries(self, plan: Plan, sources: Sequence[Source]) -> list[str]:
        """What the child's wall says of each query; none is run."""
        asking = [
            step for step in plan.steps if "sql" in step.arguments and step.action in ("query", "check")
        ]
        if not asking:
            return []
        read: dict[str, tuple[Source, DataTable]] = {}
        for step in asking:
            read |= {table.name: (s, table) for s, table in tables_in(str(step.arguments["sql"]), sources)}
        async with own_folder() as folder:
            tables = [await self._kept.laid_out(source, table, folder) for source, table in read.values()]
            jobs = [{"do": "look", "sql": str(step.arguments["sql"])} for step in asking]
            answers = await self._children.run("query", jobs, folder, tables)
        faults, columns = list[str](), dict[str, list[str]]()
        for step, answer in zip(asking, answers, strict=True):
            if "error" in answer:
                faults.append(f"{step.id}: {answer['error']['message']}")
            else:
                columns[step.makes] = list(answer["answer"]["columns"])
        return faults + _charts(plan, columns)


def _charts(plan: Plan, columns: Mapping[str, Sequence[str]]) -> list[str]:
    """Columns that are drawn, kept or continued though their query does not give them."""
    faults = list[str]()
    for step in plan.steps:
        rows = step.arguments.get("rows")
        given = columns.get(str(rows.get("fact"))) if isinstance(rows, dict) else None
        for name in ("x", "y", "series"):
            wanted = step.arguments.get(name)
            if given is not None and wanted and wanted not in given:
                faults.append(f"{step.id}: its query gives no column {wanted!r}, only {', '.join(given)}.")
    return faults


def _is_text(given: Any) -> bool:
    """It can be kept: half of a pair of surrogates cannot."""
    try:
        json.dumps(given, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_given(written: PlanWritten) -> dict[str, Any]:
    """As a person would have written it."""
    steps = []
    for n, step in enumerate(written.steps):
        try:
            arguments = json.loads(step.arguments or "{}")
        except (ValueError, RecursionError) as error:
            raise Wrong([f"steps.{n}.arguments: This is no JSON object."]) from error
        if not _is_text(arguments):
            raise Wrong([f"steps.{n}.arguments: There is half a letter in it, which no text can have."])
        if not isinstance(arguments, dict):
            raise Wrong([f"steps.{n}.arguments: This is no JSON object."])
        steps.append({**step.model_dump(), "arguments": arguments})
    return {"problem": written.problem, "steps": steps}
