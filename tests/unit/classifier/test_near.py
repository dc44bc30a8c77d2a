import pytest

from softrail.classifier.near import Asked, nearly

COPIES = [
    ("move this note to another project", "Move those notes to the other project."),
    ("I want to start new projects", "I want to start a new project."),
    ("I'd like to start a new project", "I want to start a new project."),
    ("how is our project going", "How's the project going?"),
    ("how are the projects going", "How's the project going?"),
    ("the report needs an update", "The report needs updating."),
    ("could you show me my note", "Can you show me my notes?"),
    ("can I get the newest artifacts", "Can I get the latest artifact?"),
    ("can you draft a specification for us", "Can you draft the specification for me?"),
    ("let's build something new to track expenses", "Let's build something new for tracking expenses."),
    ("what has been happening since last weekend", "What's been happening since last week?"),
    ("what have I told you about price models", "What have I told you about the pricing model?"),
    ("the drafts look good, approve them", "The draft looks good, approve it."),
    ("remember that the deadline is March 16", "Remember that the deadline is March 15th."),
    ("please draft the whole spec now", "draft the whole spec now"),
    ("approve it, the draft looks good", "The draft looks good, approve it."),
    ("HMM!", "hmm"),
]
OTHERS = [
    ("these notes are for the choir project", "Move those notes to the other project."),
    ("the draft is approved", "The draft looks good, approve it."),
    ("can I download the chart", "I need to download the report."),
    ("can you plan the training week for me", "Can you draft the specification for me?"),
    ("draft the spec", "approve the draft"),
    ("open the notes", "open the project"),
    ("how is the weather going to be", "How's the project going?"),
    ("um", "hmm"),
    ("?!", "hmm"),
    ("?!", "..."),
]


@pytest.mark.parametrize(("one", "other"), COPIES)
def test_another_ending_number_article_or_order_is_a_near_copy(one: str, other: str) -> None:
    assert nearly(one, other)
    assert nearly(other, one)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_what_is_said_otherwise_is_none(one: str, other: str) -> None:
    assert not nearly(one, other)
    assert not nearly(other, one)


def test_every_message_that_is_near_is_named_once() -> None:
    asked = Asked(["Hmm.", "hmm", "How is it going?", "Hmm."])

    assert list(asked.near("HMM")) == ["Hmm.", "hmm"]
