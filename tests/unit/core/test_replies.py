"""The fields that plugins add to replies."""

import json

import pytest
from pydantic import BaseModel, Field

from softrail.core.errors import DefinitionError
from softrail.core.replies import ReplyForm
from softrail.core.turns import Reply


class Cart(BaseModel):
    total: str | None = Field(default=None, description="What it comes to.")
    items: int = 0


class Score(BaseModel):
    score: int | None = None


WORDS = {"companion_message": "Hello.", "session_id": "s", "turn_id": "t", "seq": 1, "decision_id": "d"}


def test_they_stand_after_the_project_and_before_what_follows() -> None:
    form = ReplyForm()
    form.add(Cart)
    form.add(Score)

    names = list(json.loads(form.model(**WORDS).to_json()))

    at = names.index("project_id")
    assert names[at : at + 5] == ["project_id", "total", "items", "score", "classified_intent"]


def test_without_any_a_reply_is_as_it_was() -> None:
    assert ReplyForm().model is Reply


def test_a_reply_that_was_read_gives_them_back_as_their_model() -> None:
    form = ReplyForm()
    form.add(Cart)
    sent = form.model(**WORDS, **form.values(Cart(total="20 euro", items=2))).to_json()

    read = Reply.model_validate_json(sent)

    assert read.brought(Cart) == Cart(total="20 euro", items=2)
    assert read.brought(Score) == Score()


def test_the_document_describes_them() -> None:
    form = ReplyForm()
    form.add(Cart)

    schema = form.model.model_json_schema()

    assert schema["title"] == "Reply"
    assert schema["properties"]["total"]["description"] == "What it comes to."


class Needed(BaseModel):
    total: str


class Taken(BaseModel):
    seq: int = 0


class Same(BaseModel):
    items: int = 0


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        (Needed, "the field 'total' needs a default"),
        (Taken, "the field 'seq' needs another name"),
        (Same, "the field 'items' is added by Cart already"),
    ],
    ids=["without a default", "a field of ours", "a field of another"],
)
def test_what_cannot_be_added_is_refused_and_changes_nothing(fields: type[BaseModel], complaint: str) -> None:
    form = ReplyForm()
    form.add(Cart)
    before = form.model

    with pytest.raises(DefinitionError, match=complaint):
        form.add(fields)

    assert form.model is before


def test_values_of_a_model_that_was_not_announced_are_refused() -> None:
    with pytest.raises(DefinitionError, match=r"Cart adds no fields to replies\. Announce it"):
        ReplyForm().values(Cart())
