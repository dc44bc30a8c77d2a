"""Asks the sources of a conversation: whose they are is told by the run that asks."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from sqlalchemy import select

from softrail import Attempt
from softrail.plans.data.children import Answer, Children, own_folder
from softrail.plans.data.faults import QueryRefused
from softrail.plans.data.files import Files
from softrail.plans.data.found import Evidence, Used
from softrail.plans.data.profile import DataTable, Source
from softrail.plans.data.sources import Sources
from softrail.plans.tables import runs
from softrail.plugin import SqlStore

TWICE: Final = 2  #: so often each query of a proof is run, in processes that know nothing of each other


class Asker(Protocol):
    """Who asks: a run of a plan."""

    @property
    def session_id(self) -> str:
        """The conversation whose sources are asked."""
        ...

    @property
    def mode(self) -> str:
        """Of the run: in proof mode each query is run twice."""
        ...


class Attached(Protocol):
    """Where the sources of a conversation come from."""

    async def of(self, session_id: str) -> tuple[Source, ...]:
        """All of them."""
        ...

    async def laid_out(self, source: Source, table: DataTable, folder: Path) -> Mapping[str, str]:
        """Write one table of a source into a folder, as it was read; what a query has to know of it."""
        ...


class Queries:
    """Asks sources, each query in a process of its own; who asks is for those to say who come of it."""

    def __init__(self, sources: Attached, children: Children) -> None:
        self._sources = sources
        self._children = children

    async def _run(self, attempt: Attempt) -> Asker:
        raise NotImplementedError

    async def source(self, attempt: Attempt, name: str) -> Source:
        """A source of the conversation that asks, by its name. Raises QueryRefused."""
        every = await self._sources.of((await self._run(attempt)).session_id)
        found = next((one for one in every if one.name.casefold() == name.casefold()), None)
        if found is None:
            known = ", ".join(one.name for one in every) or "none"
            raise QueryRefused(f"There is no source “{name}” in this conversation. There are: {known}.")
        return found

    async def ask(
        self, attempt: Attempt, do: str, sql: str, facts: Mapping[str, Any]
    ) -> tuple[Answer, Evidence, Mapping[str, str]]:
        """What a query comes to, what it rests on, and the units of the columns that it reads, by their names.

        Raises:
            QueryRefused: It is not one SELECT over the tables of the conversation, or cannot be run.
            LimitReached: It takes more than a step may use.
        """
        run = await self._run(attempt)
        every = await self._sources.of(run.session_id)
        _unchanged(every, facts)
        read = tables_in(sql, every)
        job, times = {"do": do, "sql": sql}, TWICE if run.mode == "proof" else 1
        answers = [await self._once(job, read) for _ in range(times)]
        if any(one != answers[0] for one in answers):
            raise QueryRefused(
                "This query does not give the same each time. Sort its rows, and use nothing that changes."
            )
        evidence = Evidence(
            sources=_used(read), query=sql, rows=_rows(answers[0]), repairs=_repairs(read), runs=times
        )
        units = {column.name: column.unit for _, table in read for column in table.columns}
        return answers[0], evidence, units

    async def _once(self, job: Mapping[str, Any], read: Sequence[tuple[Source, DataTable]]) -> Answer:
        async with own_folder() as folder:
            tables = [await self._sources.laid_out(source, table, folder) for source, table in read]
            return await self._children.one("query", job, folder, tables)


class Data(Queries):
    """The data of plans. A service of actions."""

    def __init__(self, store: SqlStore, sources: Sources, children: Children, files: Files) -> None:
        super().__init__(sources, children)
        self._store = store
        self._files = files

    async def drawn(self, attempt: Attempt, described: Mapping[str, Any], title: str) -> tuple[str, str]:
        """Where a chart is downloaded, as SVG and as PNG. Raises LimitReached."""
        async with own_folder() as folder:
            made = await self._children.one("draw", {"specification": described}, folder)
            pictures = [
                await asyncio.to_thread((folder / str(made[kind])).read_bytes) for kind in ("svg", "png")
            ]
        svg, png = [
            await self.kept(attempt, title, kind, picture)
            for kind, picture in zip(("svg", "png"), pictures, strict=True)
        ]
        return svg, png

    async def kept(self, attempt: Attempt, title: str, ending: str, content: bytes) -> str:
        """Where a file is downloaded that a step has made."""
        run = await self._run(attempt)
        return await self._files.keep(run.session_id, run.person_id, title, ending, content)

    async def _run(self, attempt: Attempt) -> Any:
        """The run that an action is carried out for: its try names it."""
        kind, _, rest = attempt.key.partition(":")
        query = select(runs.c.session_id, runs.c.person_id, runs.c.mode).where(
            runs.c.id == rest.partition(":")[0]
        )
        row = await self._store.read(lambda conn: conn.execute(query).first()) if kind == "plan" else None
        if row is None:
            raise QueryRefused("Data is read by the steps of a plan, and by nothing else.")
        return row


def tables_in(sql: str, every: Sequence[Source]) -> Sequence[tuple[Source, DataTable]]:
    """The tables whose names are words of a query. One too many does no harm; what is not there is refused later."""
    words = {word.casefold() for word in re.findall(r"\w+", sql)}
    return [(one, table) for one in every for table in one.tables if table.name.casefold() in words]


def _unchanged(every: Sequence[Source], facts: Mapping[str, Any]) -> None:
    """Raises QueryRefused where a source that a step before has read is another one by now."""
    now = {one.name: one.sha256 for one in every}
    for value in facts.values():
        if isinstance(value, dict) and value.keys() >= {"source", "version"}:
            name = str(value["source"])
            if now.get(name) != value["version"]:
                raise QueryRefused(f"“{name}” was attached again, or erased, since it was read. Begin again.")


def _used(read: Sequence[tuple[Source, DataTable]]) -> tuple[Used, ...]:
    found = dict.fromkeys(source.id for source, _ in read)
    by_id = {source.id: source for source, _ in read}
    return tuple(used(by_id[one], [table for source, table in read if source.id == one]) for one in found)


def used(source: Source, tables: Sequence[DataTable]) -> Used:
    """A source with those of its tables that were read."""
    return Used(
        name=source.name,
        sha256=source.sha256,
        tables=tuple(table.name for table in tables),
        rows=sum(table.rows for table in tables),
    )


def _rows(answer: Answer) -> int:
    return int(answer["cases"]) if "cases" in answer else len(answer["rows"])


def _repairs(read: Sequence[tuple[Source, DataTable]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(repair for _, table in read for repair in table.repairs))
