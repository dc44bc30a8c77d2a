"""LangGraph: a node for each question that interrupts, resumed with the answer; the saver keeps a checkpoint a step."""

import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypedDict

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

from benchmarks.peers.pace.stage import ASKED, BOOKED, FULL, NAMES, full, main


class Booking(TypedDict, total=False):
    """What is gathered."""

    name: str
    people: int
    place: str
    wishes: str
    text: str


def _asks(name: str, question: str) -> Callable[[Booking], dict[str, Any]]:
    def node(state: Booking) -> dict[str, Any]:
        answer = interrupt(question)
        return {name: int(answer) if name == "people" else answer}

    return node


def _confirm(state: Booking) -> dict[str, Any]:
    return {"text": BOOKED if interrupt(ASKED[4]) == "yes" else "Cancelled."}


def _graph() -> Any:
    graph = StateGraph(Booking)
    steps = [START, *NAMES, "confirm", END]
    for name, question in zip(NAMES, ASKED, strict=False):
        graph.add_node(name, _asks(name, question))
    graph.add_node("confirm", _confirm)
    for here, there in itertools.pairwise(steps):
        graph.add_edge(here, there)
    return graph


class LangGraph:
    """The compiled graph with its checkpointer."""

    def __init__(self, graph: Any) -> None:
        self._graph = graph

    async def say(self, session: str, message: str) -> str:
        """Begin the thread, or resume what it waits for."""
        config = {"configurable": {"thread_id": session}}
        there = await self._graph.aget_state(config)
        given = Command(resume=message) if there.next else {}
        found = await self._graph.ainvoke(given, config, durability="sync")
        waits = found.get("__interrupt__")
        return str(waits[0].value if waits else found["text"])


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[LangGraph]:
    """The saver with its tables."""
    path = folder / "langgraph.db"
    full(path)
    async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
        await saver.conn.execute(FULL)
        yield LangGraph(_graph().compile(checkpointer=saver))


if __name__ == "__main__":
    main(opened)
