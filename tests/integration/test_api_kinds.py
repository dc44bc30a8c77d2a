"""`GET /processes`: what is registered, as a list, as ways and as a picture."""

from xml.etree import ElementTree

from tests.integration.api_server import ADA, START, served


def test_a_kind_tells_its_ways_with_nothing_for_the_beginning_and_the_end() -> None:
    with served() as server:
        ways = server.client.get("/processes/check_in", headers=ADA).json()["edges"]

        assert {"source": None, "label": "start", "dest": "gathering_done"} in ways
        assert {"source": "confirming", "label": "yes", "dest": None} in ways
        assert all(set(way) == {"source", "label", "dest"} for way in ways)


def test_the_picture_of_a_kind_marks_the_step_that_is_asked_for_and_runs_nothing() -> None:
    with served() as server:
        plain = server.client.get("/processes/check_in/graph.svg", headers=ADA)
        marked = server.client.get(
            "/processes/check_in/graph.svg", params={"step": "gathering_next"}, headers=ADA
        )

        assert plain.headers["content-type"] == "image/svg+xml"
        assert "sandbox" in plain.headers["content-security-policy"]
        for picture, here in ((plain, []), (marked, ["step"])):
            found = ElementTree.fromstring(picture.text)  # noqa: S314 - our own
            assert [one.get("aria-current") for one in found.iter() if one.get("aria-current")] == here
        wrong = server.client.get("/processes/check_in/graph.svg", params={"step": "nope"}, headers=ADA)
        assert (wrong.status_code, "gathering_next" in wrong.text) == (422, True)
        assert server.client.get("/processes/nope/graph.svg", headers=ADA).status_code == 404


def test_a_session_tells_how_far_its_process_is_and_what_works_now() -> None:
    with served() as server:
        talk = server.say(START)["session_id"]
        server.say("wrote tests", talk)

        session = server.client.get(f"/sessions/{talk}", headers=ADA).json()
        assert session["process"]["progress"] == {"done": 1, "of": 2}
        assert [way["label"] for way in session["ways"]] == [
            "Skip",
            "Go back",
            "Pause",
            "Leave",
            "Start over",
        ]
        server.say("stop", talk)
        stopped = server.client.get(f"/sessions/{talk}", headers=ADA).json()
        assert [way["label"] for way in stopped["ways"]] == ["Resume", "Undo"]
