"""A model that fails at random while the server is killed (row F7), and one that does not stop talking (row F6)."""

import sys
from pathlib import Path
from random import Random

import httpx2
import pytest

from softrail.models.bounds import LONGEST_ANSWER
from tests.faults.blackbox import BlackBox
from tests.faults.findings import Findings
from tests.faults.kit import file_url
from tests.faults.server import Server
from tests.faults.unreliable import WELL, asking, endless, unreliable
from tests.messages_api import Say, messages_api

pytest.importorskip("anthropic")

#: What is said where the model gave nothing that could be used.
WITHOUT = (
    *(
        "trouble thinking",
        "think freely here",
        "that is the short answer",
        "had to stop",
        "I found no answer",
    ),
    "could not phrase it any better",
)
MEGABYTE = 1024 * 1024
BRISK = {"SOFTRAIL_BEAT_INTERVAL": "0.25", "SOFTRAIL_DEAD_AFTER": "1.0"}


async def test_two_fifths_of_the_answers_fail_while_the_server_is_killed_and_nothing_is_lost(
    tmp_path: Path,
) -> None:
    words, structured = unreliable(Random(7), share=0.4, answers=2_000)  # one that fails is asked once more
    async with messages_api(*words, structured=structured) as api:
        box = BlackBox([Server(tmp_path, file_url(tmp_path), environment={**BRISK, **asking(api)})], seed=7)
        try:
            await box.servers[0].start()
            report = await box.run(turns=100, talks=8, kills=2)
        finally:
            await box.close()

    assert report.findings == Findings(), report
    assert report.kills == 2
    said = [acked.reply["companion_message"] for acked in box.client.acked]
    assert sum(WELL in one for one in said) > 10, "the model was heard"
    assert sum(any(words in one for words in WITHOUT) for one in said) > 1, "and its failures were felt"


def memory(pid: int, name: str) -> int:
    """That line of what the system knows about the memory of a process, in bytes."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return next(int(row.split()[1]) * 1024 for row in status.splitlines() if row.startswith(name))


def begin_anew(pid: int) -> None:
    """The peak of that process's memory is counted from now on."""
    Path(f"/proc/{pid}/clear_refs").write_text("5", encoding="utf-8")


async def said(server: Server, message: str, *, streamed: bool) -> str:
    """One free turn as a person gets it; the words of its answer."""
    body = {"message": message, "intent_hint": "general_conversation", "turn_id": message}
    async with httpx2.AsyncClient(base_url=server.base, timeout=60.0, trust_env=False) as http:
        if streamed:
            async with http.stream("POST", "/converse/stream", json=body) as response:
                async for _ in response.aiter_bytes():
                    pass
        return str((await http.post("/converse", json=body)).json()["companion_message"])


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of another process is read from /proc")
@pytest.mark.parametrize("streamed", [False, True], ids=["in one body", "streamed"])
async def test_an_answer_of_millions_of_words_is_cut_and_costs_a_worker_little_memory(
    streamed: bool, tmp_path: Path
) -> None:
    async with messages_api(Say(text=WELL)) as api:
        # Without the small models: they are loaded in the background, and that would be counted.
        bare = {**asking(api, timeout=20.0), "SOFTRAIL_READER": "exact", "SOFTRAIL_ENCODER": "none"}
        server = Server(tmp_path, file_url(tmp_path), environment=bare)
        try:
            await server.start()
            for n in range(3):  # what is loaded once is loaded by now
                assert await said(server, f"hello {n}", streamed=streamed) == WELL
            before = memory(server.pid, "VmRSS")
            begin_anew(server.pid)
            words = 4_000_000 if streamed else 1_000_000  # a larger body is refused as a whole
            api.lines[:] = [endless(words, streamed=streamed)]
            answer = await said(server, "go on", streamed=streamed)
            grown = memory(server.pid, "VmHWM") - before
        finally:
            server.kill()

    told, _, mark = answer.partition("\n\n")
    assert len(told) == len(("word " * 1_000_000)[:LONGEST_ANSWER].strip())
    assert "broke off" in mark
    assert grown <= 40 * MEGABYTE, f"{grown / MEGABYTE:.0f} MB"
