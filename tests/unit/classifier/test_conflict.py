import pytest

from softrail.classifier.conflict import Read, Wanted, Wish, wanted
from softrail.classifier.split import Cue, Segment


def part(
    intent: str,
    *,
    clear: bool = True,
    cue: Cue = "",
    aside: bool = False,
    keeps: bool = False,
    denies: str = "",
) -> Read:
    return Read(Segment("words", cue=cue, aside=aside), intent, clear, keeps, denies)


def note(*, clear: bool = True, cue: Cue = "") -> Read:
    return part("note", clear=clear, cue=cue, keeps=True)


def talk(*, clear: bool = True) -> Read:
    return part("general_conversation", clear=clear)


def wishes(*parts: Read) -> list[tuple[int, ...]] | None:
    found = wanted(parts)
    return None if found is None else [wish.parts for wish in found.wishes]


def test_segments_that_agree_are_one_intent_the_latest_with_the_words_of_all() -> None:
    assert wanted([part("plan_new.compare"), part("plan_new")]) == Wanted((Wish(1, (0, 1)),))


def test_segments_that_agree_are_joined_beside_another_wish_as_well() -> None:
    assert wishes(note(), note(), part("progress")) == [(0, 1), (2,)]
    assert wishes(note(), part("progress"), note()) == [(0, 2), (1,)]


def test_clear_segments_that_differ_run_in_order() -> None:
    assert wishes(note(), part("request_draft"), part("request_download")) == [(0,), (1,), (2,)]


def test_beyond_three_different_intents_the_first_three_run_and_the_rest_is_left() -> None:
    found = wanted([part("a"), part("b"), part("c"), part("d"), part("a"), part("e")])

    assert found == Wanted((Wish(4, (0, 4)), Wish(1, (1,)), Wish(2, (2,))), (3, 5))


def test_a_segment_that_may_be_another_wish_leaves_a_single_wish_whole() -> None:
    assert wishes(part("request_download"), part("request_draft", clear=False)) is None


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ([note(), talk(clear=False), part("a")], [(0, 1), (2,)]),
        ([part("a"), talk(clear=False), note()], [(0,), (1, 2)]),
        ([note(), part("b", clear=False)], [(0, 1)]),
        ([note(), part("a", aside=True), part("b", clear=False), part("a")], [(0, 2), (3,)]),
        ([note(), part("a", clear=False), part("a")], [(0,), (1, 2)]),
        ([part("a"), talk(clear=False), part("b")], [(0, 1), (2,)]),
        ([talk(clear=False), part("a"), part("b")], [(0, 1), (2,)]),
        ([part("a"), talk(clear=False)], [(0, 1)]),
    ],
    ids=[
        "after it",
        "before it",
        "alone",
        "over an aside",
        "of its own kind",
        "no note",
        "first",
        "one wish",
    ],
)
def test_an_unclear_segment_belongs_to_the_note_beside_it_else_to_the_wish_before(
    parts: list[Read], found: list[tuple[int, ...]]
) -> None:
    assert wishes(*parts) == found


def test_clear_talk_and_asides_beside_a_clear_wish_carry_no_intent() -> None:
    assert wishes(part("plan_new", aside=True), part("request_draft"), talk()) == [(1,)]


def test_nothing_but_talk_is_taken_as_a_whole() -> None:
    assert wishes(talk(), part("greeting")) is None


def test_a_wish_that_is_denied_or_asked_about_is_none() -> None:
    denied = part("general_conversation", clear=False, denies="approve")

    assert wishes(denied, part("notes")) == [(1,)]
    assert wishes(denied, part("approve")) == [(1,)]
    assert wishes(part("approve"), denied) is None
    assert wishes(note(), part("general_conversation", clear=False, denies="note")) == [(0,)]


def test_what_is_not_to_be_done_belongs_to_a_note_beside_it_and_a_question_about_an_act_is_left() -> None:
    denied = part("general_conversation", clear=False, denies="approve")
    asked = Read(Segment("words"), "general_conversation", clear=False, denies="approve", asks=True)

    assert wishes(note(), denied, part("progress")) == [(0, 1), (2,)]
    assert wanted([note(), asked]) == Wanted((Wish(0, (0,)),), (1,))


def test_a_correction_takes_back_what_came_before() -> None:
    assert wishes(part("plan_new"), part("x", cue="slip", aside=True), part("plan_new")) == [(2,)]
    assert wishes(part("request_download"), part("request_draft", cue="restart")) == [(1,)]


def test_a_correction_takes_back_its_own_kind_and_what_else_was_asked_stays() -> None:
    assert wishes(part("plan_new"), part("plan_new", cue="slip"), part("notes")) == [(1,), (2,)]
    assert wishes(part("plan_new"), part("notes"), part("plan_new", cue="slip")) == [(1,), (2,)]
    assert wishes(part("notes"), part("request_download"), part("draft", cue="restart")) == [(0,), (2,)]


def test_a_touch_takes_back_no_wish() -> None:
    assert wishes(part("request_download"), part("notes", cue="touch")) == [(0,), (1,)]


def test_a_note_is_never_taken_back_as_a_whole() -> None:
    assert wishes(note(), note(cue="restart")) == [(0, 1)]
    assert wishes(note(), part("x", cue="slip", aside=True), note()) == [(0, 1, 2)]
    assert wishes(note(), part("notes", cue="restart")) == [(0,), (1,)]
    assert wishes(note(), note(cue="slip", clear=False)) == [(0, 1)]


def test_a_correction_that_is_not_understood_leaves_the_message_whole() -> None:
    assert wishes(part("plan_new"), part("plan_new", cue="slip", clear=False)) is None
