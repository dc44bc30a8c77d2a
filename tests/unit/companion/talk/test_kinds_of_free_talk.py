"""Kinds of free talk that a first sight showed to fail, in other words than those: done as meant or asked about, never otherwise."""

from pathlib import Path

from benchmarks.free import lines

FILE = Path(__file__).parents[3] / "data" / "free_kinds.jsonl"
AS_MEANT = 0.9


async def test_what_is_said_otherwise_is_done_as_it_is_meant() -> None:
    judged = await lines(file=FILE)

    assert [(one.said, one.why) for one in judged if one.verdict in ("wrong", "half")] == []
    assert sum(one.verdict == "right" for one in judged) >= AS_MEANT * len(judged)
