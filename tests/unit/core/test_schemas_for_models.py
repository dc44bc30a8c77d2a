"""Every schema that a language model is given is one that both kinds of provider take."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from softrail.classifier.answer_schema import answer_schema
from softrail.companion import catalogue
from softrail.companion.memory.grouping import GroupsMade
from softrail.companion.voice.lookups import Wanted
from softrail.companion.voice.proposing import Proposed
from softrail.core.forms import form
from softrail.reader.asking import answer_form
from tests.structured_output import accepted

ASKED: Mapping[str, Callable[[], Mapping[str, Any]]] = {
    "a message is classified": lambda: answer_schema(list(catalogue.NAMES), catalogue.own()),
    "an answer is read": lambda: answer_form(["name", "audience"]),
    "an answer without fields is read": lambda: answer_form([]),
    "notes are grouped": lambda: form(GroupsMade),
    "something is looked up": lambda: form(Wanted),
    "something is proposed": lambda: form(Proposed),
}


@pytest.mark.parametrize("asked", ASKED)
def test_it_is_accepted(asked: str) -> None:
    schema = ASKED[asked]()
    assert accepted(schema) == []
