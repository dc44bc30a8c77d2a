"""To a question that may be left open: approval is no answer, “I think that's everything” ends it, a yes waits for what there is."""

import pytest

from softrail.processes.builtin.standup import Standup
from tests.conversations.kept import told

TO_BLOCKERS = ("called Bob", "write the report")


async def blockers(*lines: str) -> tuple[object, str]:
    answers, words = await told(Standup, *TO_BLOCKERS, *lines)
    return answers.get("blockers"), words


@pytest.mark.parametrize(
    ("message", "there"),
    [
        ("i think that's everything", None),
        ("well, I'd say that's all", None),
        ("guess that's it", None),
        ("as far as I can tell that's everything", None),
        ("waiting for the key, I believe that's all", ["waiting for the key"]),
        ("the key I guess that's everything", ["the key"]),
        ("think tank. that's all", ["think tank"]),
    ],
)
async def test_words_that_lead_to_the_end_are_no_item(message: str, there: list[str] | None) -> None:
    found, words = await blockers(message)

    assert (found or None) == there
    assert words.endswith("Is that right?")


@pytest.mark.parametrize("message", ["looks ok", "perfect go", "good, do it", "sounds great", "fine"])
async def test_whether_approval_means_that_there_is_none_is_asked(message: str) -> None:
    found, words = await blockers(message)
    assert (found, words) == (None, f"Does “{message}” mean none?")

    found, words = await blockers(message, "yes")
    assert words.endswith("Is that right?")


@pytest.mark.parametrize("message", ["yes", "yep", "yes there are", "yes there is"])
async def test_a_yes_waits_for_what_there_is(message: str) -> None:
    _, words = await blockers(message)
    assert words == "Tell me, then.\n\nAny blockers?"

    found, _ = await blockers(message, "the key is missing")
    assert found == ["the key is missing"]


@pytest.mark.parametrize(
    "message", ["looks ok", "keep it", "as it was", "no change", "perfect, go", "leave it as it is"]
)
async def test_a_list_that_is_asked_for_once_more_stays_as_it_was(message: str) -> None:
    found, words = await blockers("waiting for legal", "go back", message)

    assert found == ["waiting for legal"]
    assert words.endswith("Is that right?")


@pytest.mark.parametrize("message", ["none", "no", "no blockers"])
async def test_and_goes_where_that_is_said(message: str) -> None:
    found, _ = await blockers("waiting for legal", "go back", message)

    assert not found
