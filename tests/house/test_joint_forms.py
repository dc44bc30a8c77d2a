"""What the joint reading learns from a scene: of every field, whether the message gives, changes or denies it."""

from pathlib import Path

import pytest

from training import scenes
from training.joint.forms import Form, Told, unmarked
from training.joint.sources import of_scenes
from training.noise import CLOSE, OPEN

ORDER = """[order: the order]
what: text | What shall we send? | what is sent
many: number | How many? | number of pieces
gift: bool | Is it a gift?
when: date | When shall it come? | the day of delivery
review: confirm | Is that right?

"""


def learned(folder: Path, *said: str) -> list[Form]:
    """Every form that is learned of those messages."""
    file = folder / "order.txt"
    file.write_text(ORDER + "\n".join(said), encoding="utf-8")
    return list(of_scenes(30, seed=1, of=scenes.read(file)))


def of(form: Form, *asks: str) -> Told | None:
    """The field that is asked for by one of those words."""
    return next((t for t in form.told if any(word in t.query for word in asks)), None)


def words_of(form: Form, told: Told | None) -> str:
    assert told is not None
    assert told.span is not None
    return form.message[slice(*told.span)].lower()


def test_every_value_is_found_in_its_own_place_whatever_was_mistyped(tmp_path: Path) -> None:
    forms = learned(
        tmp_path, "what | {a radio}, {many:three} of them, {gift:for my aunt=yes} | inform inform_other"
    )
    assert {f.told[0].given for f in forms} == {1}
    for form in forms:
        many = of(form, "How many", "number of pieces")
        assert many is not None
        assert many.given == 1
        if "three" in form.message.lower():  # not mistyped here
            assert words_of(form, many) == "three"
    assert {t.yes for f in forms if (t := of(f, "gift")) is not None} == {1}


def test_nothing_is_said_of_what_is_not_marked(tmp_path: Path) -> None:
    forms = learned(tmp_path, "what | {a radio}, my aunt has three of them | inform")
    assert {t.given for f in forms if (t := of(f, "How many", "number of pieces")) is not None} == {0}


def test_a_new_value_and_what_is_called_wrong_deny_the_old_one(tmp_path: Path) -> None:
    forms = learned(
        tmp_path,
        "review (what=a radio; many=3) | make it {many:four} | correct",
        "review (what=a radio; many=3) | the radio is wrong | correct -what",
    )
    changed, wrong = forms[:30], forms[30:]
    assert {t.denied for f in changed if (t := of(f, "How many", "pieces")) is not None} == {1}
    assert {t.denied for f in changed if (t := of(f, "shall we send", "what is sent")) is not None} == {0}
    assert {
        (t.given, t.denied) for f in wrong if (t := of(f, "shall we send", "what is sent")) is not None
    } == {(0, 1)}


def test_the_marks_around_values_are_taken_out_and_their_places_kept() -> None:
    assert unmarked(f"{OPEN}a radio{CLOSE} for {OPEN}Ada{CLOSE}") == ("a radio for Ada", [(0, 7), (12, 15)])


@pytest.mark.parametrize("scene", scenes.whole(), ids=lambda scene: scene.name)
def test_every_whole_scene_has_a_summary_and_answers_given_before(scene: scenes.Scene) -> None:
    assert any(asked.kind == "confirm" for asked in scene.fields.values())
    assert any(said.present for said in scene.said)
