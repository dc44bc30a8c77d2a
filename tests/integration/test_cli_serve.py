"""`softrail serve` as people run it: a process, a socket, a signal."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import httpx2
import pytest

from softrail.settings import Settings
from tests.integration.api_server import events

LISTENING = re.compile(r"running on (http://127\.0\.0\.1:\d+)")


class Serving:
    """A server process and what it logged."""

    def __init__(self, process: subprocess.Popen[str], log: IO[str], url: str, lines: list[str]) -> None:
        self.process = process
        self.url = url
        self.lines = lines
        self._log = log

    def stop(self) -> int:
        """End it the polite way; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        self.lines += self._log.readlines()
        return self.process.wait(20)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SOFTRAIL_")}
    process = subprocess.Popen(
        [sys.executable, "-c", "from softrail.cli import app; app()", "serve", "--port", "0"],
        cwd=tmp_path,
        env={**clean, "PYTHONPATH": os.pathsep.join(sys.path), "SOFTRAIL_GRACE": "5"},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    lines: list[str] = []
    try:
        for line in process.stderr:
            lines.append(line)
            found = LISTENING.search(line)
            if found:
                yield Serving(process, process.stderr, found[1], lines)
                break
        else:
            pytest.fail("".join(lines))
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stderr.close()


def leave_at_the_first_byte(url: str, body: dict[str, str]) -> None:
    """Begin a stream and hang up as soon as anything arrives."""
    host, port = url.removeprefix("http://").split(":")
    raw = json.dumps(body).encode()
    head = f"POST /converse/stream HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(f"{head}Content-Length: {len(raw)}\r\n\r\n".encode() + raw)
        connection.recv(1)


def test_a_served_conversation_survives_leaving_clients_and_ends_politely(server: Serving) -> None:
    with httpx2.Client(base_url=server.url, timeout=20) as client:
        told = events(
            client.post("/converse/stream", json={"message": "let's do my standup", "turn_id": "one"}).text
        )
        session_id = json.loads(told[-1]["data"])["session_id"]
        for n in range(20):
            turn = {"message": f"item {n}", "turn_id": f"left-{n}", "session_id": session_id}
            leave_at_the_first_byte(server.url, turn)
            assert client.post("/converse", json=turn).status_code == 200
        items = client.get(f"/sessions/{session_id}/turns?limit=200").json()["items"]
        assert [item["seq"] for item in items] == list(range(1, len(items) + 1))
        said = [item["content"] for item in items if item["role"] == "operator"]
        assert said == ["let's do my standup", *(f"item {n}" for n in range(20))]

        with client.stream("GET", f"/sessions/{session_id}/events?after=0") as following:
            assert next(following.iter_lines()).startswith("event:")
            status = server.stop()

    assert status in (0, -signal.SIGTERM)
    logged = [json.loads(line) for line in server.lines if line.startswith("{")]
    assert sum("turn session=" in line["message"] for line in logged) == 21
    errors = [line for line in logged if line["level"] == "ERROR"]
    assert errors == []
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(f"{server.url}/healthz")


def test_the_settings_of_a_server_begin_on_this_machine_only() -> None:
    assert Settings.model_fields["host"].default == "127.0.0.1"
