"""A turn whose step holds the event loop for ever ends two workers, and no more: the third answers it."""

import asyncio
from pathlib import Path

import httpx2

from softrail.dialogue.sentences import SENTENCES
from tests.faults.server import Server

#: A worker that stands still ends itself after nine times as long as a dead one is waited for.
BRISK = {
    "SOFTRAIL_APP": "tests.faults.poison_app:make",
    "SOFTRAIL_BUNDLED": "",
    "SOFTRAIL_ENCODER": "none",
    "SOFTRAIL_BEAT_INTERVAL": "0.2",
    "SOFTRAIL_DEAD_AFTER": "0.5",
}
PATIENCE = 240.0  #: seconds in which three workers have to be started on a busy machine


async def answered(http: httpx2.AsyncClient, request: dict[str, str]) -> str:
    """What is said to a turn that is sent again, as a client does, until there is an answer."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                response = await http.post("/converse", json=request)
                if response.status_code == 200:
                    return str(response.json()["companion_message"])
            except httpx2.TransportError:  # its worker has ended
                pass
            await asyncio.sleep(0.1)


async def test_a_turn_that_never_awaits_is_given_up_after_two_workers_and_the_server_goes_on(
    url: str, tmp_path: Path
) -> None:
    server = Server(tmp_path, url, workers=2, environment=BRISK)
    await server.start()
    try:
        async with httpx2.AsyncClient(base_url=server.base, trust_env=False, timeout=60.0) as http:
            poison = {"message": "spin with me", "turn_id": "poison"}
            assert await answered(http, poison) == SENTENCES["gave_up"]
            assert await answered(http, {"message": "answer me", "turn_id": "next"}) == "Here you are."
    finally:
        server.kill()

    assert server.log.read_text().count("This worker ends itself") == 2
