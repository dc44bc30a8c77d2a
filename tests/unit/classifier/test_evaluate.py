import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from softrail.classifier import PlainClassifier
from softrail.classifier.evaluate import (
    Answered,
    Labelled,
    auroc,
    calibration_error,
    evaluate,
    read_labelled,
    report,
)
from softrail.classifier.tables import bars_table, confusion_picture, report_table
from softrail.classifier.tuning import bar_rows, suggest_bars
from softrail.core.errors import BadRequest
from softrail.core.intents import Candidate, Intent, IntentDefinition, Tier
from tests.unit.classifier.fakes import SIX


def answered(label: str, top: str, confidence: float, tier: Tier = "exemplars") -> Answered:
    candidates = (Candidate(intent=top, confidence=confidence),)
    intent = Intent(
        name=top, confidence=confidence, tier=tier, candidates=candidates, scores={"intent": confidence}
    )
    return Answered(Labelled("words", label), intent, 0.002)


def test_calibration_error_is_how_far_confidence_is_from_being_right() -> None:
    assert calibration_error([(0.9, True)] * 9 + [(0.9, False)]) == pytest.approx(0.0)
    assert calibration_error([(0.9, True)] * 5 + [(0.9, False)] * 5) == pytest.approx(0.4)
    assert calibration_error([(1.0, True), (0.0, False)]) == 0.0


def test_auroc_counts_ties_half() -> None:
    assert auroc([0.9, 0.8], [0.1, 0.2]) == 1.0
    assert auroc([0.5, 0.5], [0.5]) == 0.5
    assert auroc([0.1], [0.5, 0.9]) == 0.0
    assert auroc([0.5], []) is None


def test_the_report_counts_what_was_decided_alone_and_what_was_right() -> None:
    found = report(
        [
            answered("a", "a", 0.9),
            answered("a", "b", 0.85),
            answered("b", "b", 0.6, "floor"),
            answered("plan.compare", "plan", 0.95),
            answered("oos", "a", 0.3, "default"),
            answered("oos", "a", 0.99),
        ]
    )

    assert (found.accuracy.share, found.accuracy.n) == (0.75, 4)
    assert found.coverage.share == pytest.approx(4 / 6)
    assert (found.precision.share, found.precision.n) == (0.5, 4)
    assert found.out_of_scope_recall is not None
    assert found.out_of_scope_recall.share == 0.5
    assert found.tiers == {"exemplars": 4, "floor": 1, "default": 1}
    assert found.milliseconds[0] == pytest.approx(2.0)
    assert found.confusion["a", "b"] == 1


def test_strangers_are_told_by_the_score_made_for_it_however_torn_the_intents_are() -> None:
    def scored(label: str, intent: float, in_scope: float) -> Answered:
        found = answered(label, "a", intent * in_scope, "default")
        return replace(found, intent=replace(found.intent, scores={"intent": intent, "in_scope": in_scope}))

    found = report([scored("a", 0.3, 0.9), scored("b", 0.9, 0.8), scored("oos", 0.9, 0.4)])

    assert (found.out_of_scope_auroc, found.in_scope_auroc) == (0.5, 1.0)


def test_out_of_scope_it_is_right_to_read_talk_and_wrong_to_read_a_wish_or_to_give_up() -> None:
    talk = answered("oos", "general_conversation", 0.9)
    gave_up = Answered(
        Labelled("words", "oos"), Intent(name="general_conversation", confidence=0.0, tier="default"), 0.002
    )

    assert (talk.right, gave_up.right, answered("oos", "a", 0.9).right) == (True, False, False)
    found = report([talk, talk, answered("a", "a", 0.9)])
    assert found.precision.share == 1.0
    assert found.out_of_scope_auroc == 1.0


def test_coverage_at_a_precision_is_the_most_that_can_be_answered() -> None:
    rows = [answered("a", "a", 0.9)] * 19 + [answered("a", "b", 0.8)] + [answered("a", "b", 0.7)] * 5

    covered, bar = report(rows).coverage_at_precision

    assert covered == pytest.approx(20 / 25)
    assert bar == 0.8


def test_the_report_reads_as_a_table_and_a_picture() -> None:
    found = report([answered("a", "a", 0.9)] * 9 + [answered("a", "b", 0.4, "default")])

    assert "90.0 % (59.6 to 98.2, n = 10)" in report_table(found)
    picture = confusion_picture(found).splitlines()
    assert picture[2].split() == ["a", "@", "."]
    assert picture[-1] == "read as: a a, b b"


def test_a_bar_for_an_intent_is_the_lowest_that_is_right_often_enough_and_stays_so() -> None:
    rows = [answered("a", "a", 0.9)] * 40 + [answered("b", "a", 0.62)] * 10 + [answered("b", "b", 0.9)] * 3

    assert suggest_bars(rows) == {"a": 0.65}
    at_60 = next(row for row in bar_rows(rows, intent="a") if row.bar == 0.60)
    assert (at_60.coverage, at_60.precision.share) == (1.0, 0.8)
    assert "0.60     100.0%  80.0 %" in bars_table(bar_rows(rows, intent="a"))


def test_no_bar_is_suggested_where_none_is_good_enough() -> None:
    assert suggest_bars([answered("a", "a", 0.9)] * 20 + [answered("b", "a", 0.95)] * 20) == {}


async def test_evaluating_asks_about_every_message_and_tells_how_far_it_is() -> None:
    done: list[int] = []
    messages = [Labelled("call a taxi", "call_taxi"), Labelled("zebra", "oos")]

    found, all_of_them = await evaluate(PlainClassifier(), SIX, messages, progress=done.append)

    assert done == [1, 2]
    assert found.accuracy.share == 1.0
    assert [a.top for a in all_of_them] == ["call_taxi", "general_conversation"]


async def test_what_the_first_message_would_wait_for_is_loaded_before_its_time_is_taken() -> None:
    class Slow(PlainClassifier):
        warmed: Sequence[IntentDefinition] = ()

        async def warm(self, candidates: Sequence[IntentDefinition]) -> None:
            self.warmed = candidates

        async def classify(self, message: str, candidates: Sequence[IntentDefinition], **more: Any) -> Intent:
            assert self.warmed is candidates
            return await super().classify(message, candidates, **more)

    await evaluate(Slow(), SIX, [Labelled("call a taxi", "call_taxi")])


def test_a_label_that_is_no_intent_is_refused_by_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "messages.jsonl"
    intents = ["weather", "plan.compare"]
    for label in ("weather", "plan.compare", "plan", "oos", "general_conversation"):
        file.write_text(json.dumps({"text": "words", "label": label}))
        assert read_labelled(file, intents=intents) == [Labelled("words", label)]

    file.write_text('{"text": "a", "label": "weather"}\n\n{"text": "b", "label": "wether"}')
    with pytest.raises(
        BadRequest, match=r"messages\.jsonl:3: No intent is called 'wether'. Did you mean 'weather'\?"
    ):
        read_labelled(file, intents=intents)
    file.write_text('{"text": "b", "label": "zebra"}')
    with pytest.raises(
        BadRequest, match=r"There are: general_conversation, oos, plan, plan\.compare, weather\."
    ):
        read_labelled(file, intents=intents)
    assert read_labelled(file) == [Labelled("b", "zebra")]


def test_a_byte_order_mark_and_the_line_ends_of_other_systems_are_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "messages.jsonl"
    row = json.dumps({"text": "one\u2028line", "label": "a"}, ensure_ascii=False)
    file.write_bytes(b"\xef\xbb\xbf" + f"{row}\r\n{row}\r\n".encode())

    assert read_labelled(file) == [Labelled("one\u2028line", "a")] * 2


def test_a_labelled_file_is_refused_by_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "messages.jsonl"
    for content in (
        "nonsense",
        '{"text": "a"}',
        '{"text": 1, "label": "b"}',
        "[]",
        '{"text": null, "label": "b"}',
    ):
        file.write_text('{"text": "fine", "label": "a"}\n\n' + content)
        with pytest.raises(BadRequest, match=r"messages\.jsonl:3: "):
            read_labelled(file)
    file.write_text("\n")
    with pytest.raises(BadRequest, match="no labelled messages"):
        read_labelled(file)
    with pytest.raises(BadRequest, match="cannot be read"):
        read_labelled(tmp_path / "missing.jsonl")
