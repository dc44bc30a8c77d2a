"""What a decision record keeps of a reading and of values."""

from datetime import UTC, datetime

import pytest

from softrail.core.decisions import LONGEST, Decision, brief
from softrail.core.reading import Bars, Command, Place, Reading, Value


def record() -> Decision:
    return Decision(id="d", turn_id="t", session_id="s", seq=1, at=datetime(2026, 3, 2, tzinfo=UTC))


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (None, None),
        ("tea", "tea"),
        (["tea", "milk"], "tea; milk"),
        ([], "[]"),
        (3, "3"),
        ({"a": [1]}, '{"a":[1]}'),
        ("x" * 500, "x" * (LONGEST - 1) + "…"),
    ],
    ids=["nothing", "text", "texts", "no texts", "number", "object", "too long"],
)
def test_a_value_is_kept_in_short(value: object, kept: str | None) -> None:
    assert brief(value) == kept


def test_of_each_act_the_surest_is_kept_with_its_bar_and_nothing_that_was_said() -> None:
    said = (Value(field="age", text="secret"),)
    reading = Reading(
        message="secret",
        commands=(
            Command(act="inform", confidence=0.2, layer="learned", values=said),
            Command(act="inform", confidence=0.55, layer="learned", values=said),
            Command(act="leave", confidence=0.5, layer="learned"),
            Command(act="ask"),
            Command(act="social", confidence=0.01, layer="learned"),
        ),
    )
    decision = record()
    decision.read(reading, Place(wanted="number", field="age"), Bars())

    [heard] = decision.heard
    assert [(a.act, a.layer, a.likely, a.needs) for a in heard.read] == [
        ("ask", "exact", 1.0, 0.0),
        ("inform", "learned", 0.55, Bars().inform),
        ("leave", "learned", 0.5, Bars().leave_closed),
    ]
    assert "secret" not in decision.to_json()


def test_how_likely_something_must_be_depends_on_what_it_does_where() -> None:
    bars = Bars()
    asked, offer, shown = Place(wanted="bool"), Place(wanted="bool", offer=True), Place(wanted="confirm")
    words = Place(wanted="text")
    assert [bars.needed("affirm", place) for place in (asked, offer, shown)] == [
        bars.consent,
        bars.begin,
        bars.agreed,
    ]
    assert [bars.needed("negate", place) for place in (asked, offer)] == [bars.consent, bars.refuse]
    assert [bars.needed("leave", place) for place in (asked, words)] == [bars.leave_closed, bars.leave]
    assert bars.needed("correct", asked) == bars.correct
    assert bars.needed("social", asked) == bars.other
