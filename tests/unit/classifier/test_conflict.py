from softrail.classifier.conflict import Read, wanted
from softrail.classifier.split import Segment


def part(intent: str, *, clear: bool = True, corrects: bool = False, aside: bool = False) -> Read:
    return Read(Segment("words", corrects=corrects, aside=aside), intent, clear)


def test_segments_that_agree_are_one_intent_the_latest() -> None:
    assert wanted([part("plan_new.compare"), part("plan_new")]) == [1]


def test_clear_segments_that_differ_run_in_order() -> None:
    assert wanted([part("add_knowledge"), part("request_draft"), part("request_download")]) == [0, 1, 2]


def test_more_than_three_different_intents_are_not_taken_apart() -> None:
    assert wanted([part("a"), part("b"), part("c"), part("d")]) is None


def test_one_unclear_segment_leaves_the_message_whole() -> None:
    assert wanted([part("add_knowledge"), part("request_draft", clear=False)]) is None


def test_talk_and_asides_beside_a_clear_wish_carry_no_intent() -> None:
    parts = [part("plan_new", aside=True), part("request_draft"), part("general_conversation", clear=False)]

    assert wanted(parts) == [1]


def test_nothing_but_talk_is_taken_as_a_whole() -> None:
    assert wanted([part("general_conversation"), part("greeting")]) is None


def test_a_correction_takes_back_what_came_before() -> None:
    assert wanted([part("plan_new"), part("x", corrects=True, aside=True), part("plan_new")]) == [2]
    assert wanted([part("request_download"), part("request_draft", corrects=True)]) == [1]


def test_a_correction_stands_for_the_latest_of_the_corrected_kind() -> None:
    parts = [part("plan_new"), part("plan_new", corrects=True), part("request_download")]

    assert wanted(parts) == [1]


def test_a_correction_that_is_not_understood_leaves_the_message_whole() -> None:
    assert wanted([part("plan_new"), part("plan_new", corrects=True, clear=False)]) is None
