from pathlib import Path

import pytest

from softrail.core.errors import DefinitionError
from softrail.prompts import Library


def shelf(folder: Path, **texts: str) -> Path:
    """`area__name` or `area__name_vN` become files below the folder."""
    for key, text in texts.items():
        area, _, name = key.partition("__")
        (folder / area).mkdir(exist_ok=True)
        (folder / area / f"{name.replace('_v', '.v')}.txt").write_text(text)
    return folder


def test_a_value_appears_as_typed_whatever_it_looks_like() -> None:
    typed = "{companion_name.__class__} {x:>999999999} {0} %s {{7*7}} {who}"

    assert Library().render("greet/none", "Hello {who}!", who=typed) == f"Hello {typed}!"


def test_only_plain_identifiers_are_places() -> None:
    text = '{0} {x.y} {x:>9} {"intent": "a"} {}'

    assert Library().render("a/b", text) == text


def test_a_missing_value_names_the_asset_its_version_and_the_place() -> None:
    with pytest.raises(DefinitionError, match=r"'responder/can' v1 needs \{phrases\}"):
        Library().render("responder/can")


def test_a_value_without_a_place_is_an_error() -> None:
    with pytest.raises(DefinitionError, match=r"'responder/fallback' v1 has no place for \{who\}"):
        Library().render("responder/fallback", who="Ada")


def test_an_unknown_text_without_a_default_names_the_nearest() -> None:
    with pytest.raises(DefinitionError, match="Did you mean 'responder/greeting'"):
        Library().render("responder/greting")


def test_a_folder_replaces_bundled_texts_and_default_sentences(tmp_path: Path) -> None:
    library = Library(overrides=shelf(tmp_path, responder__fallback="Not now.", standup__today="And today?"))

    assert library.render("responder/fallback") == "Not now."
    assert library.render("standup/today", "What's planned for today?") == "And today?"


def test_the_highest_version_is_live_unless_a_version_is_named(tmp_path: Path) -> None:
    shelf(tmp_path, talk__bye_v2="two", talk__bye_v10="ten")
    assert Library(overrides=tmp_path).render("talk/bye") == "ten"

    (tmp_path / "live.toml").write_text("[talk]\nbye = { version = 2 }\n")
    found = Library(overrides=tmp_path).get("talk/bye")
    assert found is not None
    assert (found.text, found.version) == ("two", 2)


def test_every_bundled_text_is_live_published_and_unchanged() -> None:
    assert Library().check() == []


def test_a_changed_published_text_is_a_fault_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    shelf(tmp_path / "texts", talk__bye_v1="Bye.")
    (tmp_path / "live.toml").write_text("[talk]\nbye = { version = 1 }\n")
    (tmp_path / "published.toml").write_text('[talk]\n"bye.v1" = "0000"\n"hello.v1" = "1111"\n')

    changed, gone = Library(bundled=tmp_path).check()[::-1]

    assert changed.path.endswith("talk/bye.v1.txt")
    assert "write v2" in changed.message
    assert "hello.v1" in gone.message


def test_a_replacement_with_other_places_is_a_fault_with_file_and_line(tmp_path: Path) -> None:
    shelf(tmp_path, responder__can="You can say:\n{phrase}")

    faults = Library(overrides=tmp_path).check()

    assert [(Path(f.path).name, f.line, f.message) for f in faults] == [
        ("can.txt", 0, "The place {phrases} is missing."),
        ("can.txt", 2, "The place {phrase} is not filled here."),
    ]


def test_a_replacement_is_held_against_the_sentence_in_code(tmp_path: Path) -> None:
    shelf(tmp_path, registry__paused="Paused.")

    [fault] = Library(overrides=tmp_path).check({"registry/paused": "Okay, {process} is paused."})

    assert "{process}" in fault.message


@pytest.mark.parametrize(
    ("file", "content"),
    [
        pytest.param("talk/Bye.txt", b"x", id="name in capitals"),
        pytest.param("talk/bye.txt", b"\xff\xfe", id="no text"),
        pytest.param("live.toml", b"[talk\n", id="broken list of live versions"),
    ],
)
def test_a_file_that_cannot_be_used_is_a_fault_and_stops_nothing(
    tmp_path: Path, file: str, content: bytes
) -> None:
    (tmp_path / "talk").mkdir()
    (tmp_path / file).write_bytes(content)

    library = Library(overrides=tmp_path)

    assert len(library.check()) == 1
    assert library.render("talk/other", "still here") == "still here"
