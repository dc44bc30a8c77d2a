"""What happened outside, over HTTP."""

from collections.abc import Iterator

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, Wait, step
from tests.integration.api_server import ADA, BOB, Served, served


class Parcel(BaseModel):
    """Nothing is kept."""


class Delivery(Process, name="delivery"):
    """Waits for a parcel."""

    starts_on = ("wait for my parcel",)

    @step(goes_to=("arrived",))
    async def begin(self, said: Turn, data: Parcel) -> Wait:
        return Wait(say="I'll tell you.", step="arrived")

    @step(on="arrived")
    async def arrived(self, said: Turn, data: Parcel) -> Done:
        assert said.signal is not None
        return Done(f"It is at the {said.signal.data.get('place', 'door')}.")


@pytest.fixture
def server() -> Iterator[Served]:
    with served(processes=[Delivery]) as running:
        yield running


def waiting(server: Served) -> tuple[str, str]:
    reply = server.say("wait for my parcel")
    return reply["session_id"], reply["process"]["instance_id"]


def test_a_signal_is_answered_with_what_is_said_and_is_an_item_of_the_session(server: Served) -> None:
    session, instance = waiting(server)
    body = {"name": "arrived", "key": "p1", "data": {"place": "gate"}}

    told = server.client.post(f"/instances/{instance}/signals", json=body, headers=ADA)
    again = server.client.post(f"/instances/{instance}/signals", json=body, headers=ADA)

    assert told.status_code == 200
    assert told.json()["companion_message"] == "It is at the gate."
    assert again.content == told.content
    items = server.client.get(f"/sessions/{session}/turns", headers=ADA).json()["items"]
    assert [(i["role"], i["content"]) for i in items][-1] == ("companion", "It is at the gate.")
    decision = server.client.get(
        f"/sessions/{session}/decisions/{told.json()['turn_id']}", headers=ADA
    ).json()
    assert [g["gate"] for g in decision["gates"]] == ["accept", "hold", "signal", "commit"]


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({"name": "pigeon", "key": "p1"}, "unknown_signal", None),
        ({"name": "arrived"}, "bad_request", "key"),
        ({"name": "arrived", "key": " "}, "bad_request", "key"),
        ({"name": "arrived", "key": "p1", "data": [1]}, "bad_request", "data"),
        ({"name": "arrived", "key": "p1", "data": {"long": "x" * 70_000}}, "bad_request", "data"),
        ({"name": "arrived", "key": "p1", "more": 1}, "bad_request", "more"),
    ],
    ids=["a name that nobody takes", "no key", "a blank key", "data that are no object", "too much", "more"],
)
def test_what_is_no_signal_is_refused_and_nothing_happens(
    body: dict[str, object], code: str, field: str | None, server: Served
) -> None:
    _, instance = waiting(server)

    refused = server.client.post(f"/instances/{instance}/signals", json=body, headers=ADA)

    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (422, code)
    assert field is None or field in refused.text
    assert code != "unknown_signal" or error["details"]["known"] == ["arrived"]
    good = server.client.post(
        f"/instances/{instance}/signals", json={"name": "arrived", "key": "p1"}, headers=ADA
    )
    assert good.json()["companion_message"] == "It is at the door."


def test_the_same_key_with_other_data_is_refused(server: Served) -> None:
    _, instance = waiting(server)
    path = f"/instances/{instance}/signals"
    server.client.post(path, json={"name": "arrived", "key": "p1"}, headers=ADA)

    other = server.client.post(
        path, json={"name": "arrived", "key": "p1", "data": {"place": "x"}}, headers=ADA
    )

    assert (other.status_code, other.json()["error"]["code"]) == (422, "turn_reused")


def test_an_instance_of_somebody_else_is_not_there(server: Served) -> None:
    _, instance = waiting(server)
    body = {"name": "arrived", "key": "p1"}

    theirs = server.client.post(f"/instances/{instance}/signals", json=body, headers=BOB)
    nowhere = server.client.post("/instances/none/signals", json=body, headers=BOB)

    assert theirs.status_code == nowhere.status_code == 404
    assert theirs.json() == nowhere.json()
