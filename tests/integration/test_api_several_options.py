"""A question for several of a few options over HTTP: buttons, a form of their values, and words."""

from collections.abc import Iterator
from enum import Enum
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Option, Process, Turn, ask
from tests.integration.api_server import ADA, Served, served


class Level(Enum):
    """How well somebody speaks a language."""

    A = 1
    B = 2


class Helping(Process, name="helping", version=1):
    """Who helps, and when."""

    starts_on = ("I want to help",)

    class Answers(BaseModel):
        """What is asked."""

        days: list[str] = ask(
            "Which days suit you?",
            options=(
                Option(label="Monday", value="mon"),
                Option(label="Tuesday", value="tue", hint="In the hall"),
                Option(label="Friday", value="fri"),
            ),
            min_length=1,
            max_length=2,
        )
        levels: list[Level] | None = ask("Which levels do you teach?", default=None)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.days} {answers.levels}")


@pytest.fixture
def server() -> Iterator[Served]:
    with served(processes=[Helping]) as running:
        yield running


@pytest.fixture
def asked(server: Served) -> dict[str, Any]:
    return dict(server.say("I want to help"))


def answered(server: Served, asked: dict[str, Any], message: str, **more: Any) -> dict[str, Any]:
    return dict(server.say(message, asked["session_id"], answers=asked["pending"]["id"], **more))


def test_the_question_has_its_options_as_buttons_and_as_a_schema(
    server: Served, asked: dict[str, Any]
) -> None:
    pending = asked["pending"]

    assert pending["options"] == ["Monday", "Tuesday", "Friday"]
    assert pending["choices"][1] == {"label": "Tuesday", "hint": "In the hall"}
    assert pending["schema"]["type"] == "array"
    assert pending["schema"]["items"]["enum"] == ["mon", "tue", "fri"]
    assert (pending["schema"]["minItems"], pending["schema"]["maxItems"]) == (1, 2)
    assert pending["schema"]["uniqueItems"] is True


def test_a_button_answers_with_that_one(server: Served, asked: dict[str, Any]) -> None:
    said = answered(server, asked, "Tuesday")

    assert said["pending"]["prompt"] == "Which levels do you teach?"
    assert "- Days: Tuesday\n" in answered(server, said, "skip")["companion_message"]


def test_a_form_answers_with_several_and_is_told_by_their_labels(
    server: Served, asked: dict[str, Any]
) -> None:
    said = server.client.post(
        "/converse",
        json={
            "session_id": asked["session_id"],
            "answers": asked["pending"]["id"],
            "value": ["fri", "mon"],
        },
        headers=ADA,
    ).json()

    assert said["pending"]["prompt"] == "Which levels do you teach?"
    assert said["pending"]["schema"]["anyOf"][0]["items"]["enum"] == [1, 2]
    here = f"/sessions/{asked['session_id']}"
    assert "Friday\\nMonday" in server.client.get(f"{here}/turns", headers=ADA).text
    summary = answered(server, said, "…", value=[2])["companion_message"]
    assert "- Days:\n  - Friday\n  - Monday\n- Levels: B\n" in summary


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (["sun"], "Please choose one of these: Monday, Tuesday, Friday."),
        (["mon", "tue", "fri"], "That is too many: at most 2, please."),
        ([], "That is not enough: at least 1, please."),
    ],
)
def test_a_form_that_does_not_fit_is_refused_with_the_reason(
    server: Served, asked: dict[str, Any], value: list[str], why: str
) -> None:
    response = server.client.post(
        "/converse",
        json={
            "message": "…",
            "session_id": asked["session_id"],
            "answers": asked["pending"]["id"],
            "value": value,
        },
        headers=ADA,
    )

    assert why in response.text


def test_words_answer_it_too(server: Served, asked: dict[str, Any]) -> None:
    said = answered(server, asked, "any day but Tuesday")

    assert said["companion_message"].startswith("Days: Monday; Friday.")
