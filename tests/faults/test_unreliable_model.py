"""A model that fails at random while the server is killed (row F7), and one that does not stop talking (row F6)."""

import asyncio
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
from tests.messages_api import messages_api

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


async def said(server: Server, message: str, *, streamed: bool) -> str:
    """One free turn as a person gets it; the words of its answer."""
    body = {"message": message, "intent_hint": "general_conversation", "turn_id": message}
    async with httpx2.AsyncClient(base_url=server.base, timeout=60.0, trust_env=False) as http:
        if streamed:
            async with http.stream("POST", "/converse/stream", json=body) as response:
                async for _ in response.aiter_bytes():
                    pass
        return str((await http.post("/converse", json=body)).json()["companion_message"])


@pytest.mark.parametrize("streamed", [False, True], ids=["in one body", "streamed"])
async def test_an_answer_of_a_million_words_is_cut_and_said_to_be_cut(streamed: bool, tmp_path: Path) -> None:
    async with messages_api(endless(1_000_000, streamed=streamed)) as api:
        server = Server(tmp_path, file_url(tmp_path), environment=asking(api, timeout=20.0))
        try:
            await server.start()
            answer = await said(server, "go on", streamed=streamed)
        finally:
            server.kill()

    told, _, mark = answer.partition("\n\n")
    assert len(told) == len(("word " * 1_000_000)[:LONGEST_ANSWER].strip())
    assert "broke off" in mark


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read from /proc")
async def test_what_a_model_says_without_end_is_not_kept_in_memory() -> None:
    async with messages_api(endless(10_000_000, streamed=True)) as api:
        # A process that does nothing else: a server also loads and fits in the background.
        asked = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.faults.listener", api.url, stdout=asyncio.subprocess.PIPE
        )
        out, _ = await asked.communicate()

    heard, grown = map(int, out.split())
    assert heard == LONGEST_ANSWER
    assert grown <= 25 * MEGABYTE, f"{grown / MEGABYTE:.0f} MB for an answer of 48 MB"
