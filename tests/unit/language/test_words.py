"""The word files: every fault is named with its line, and a language is added without code."""

from pathlib import Path

import pytest

from softrail.core.faults import Fault
from softrail.language import Language, StepOff, check_words, language
from softrail.language.words import FOLDER, REQUIRED, read

ENGLISH = (FOLDER / "en.yaml").read_text(encoding="utf-8")


def faults(text: str) -> list[str]:
    return [str(fault) for fault in read(text.encode(), "xx.yaml").faults]


def with_phrase(title: str, phrase: str) -> tuple[str, int]:
    lines = ENGLISH.split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith(f"{title}:"))
    return "\n".join([*lines[: at + 1], f'  - "{phrase}"', *lines[at + 1 :]]), at + 2


def test_the_files_that_come_with_it_have_no_fault() -> None:
    assert check_words() == []


@pytest.mark.parametrize(
    ("title", "phrase", "fault"),
    [
        ("exit", "leave (now|here", "never closes a bracket with ')'"),
        ("exit", "leave now]", "has a ']' that nothing opened"),
        ("exit", "leave (now|)", "has an empty choice: write [a|b] when it may be left out"),
        ("exit", "leave <nowhere>", "refers to <nowhere>, which is no list of this file"),
        ("exit", "leave <exit>", "refers to <exit>, which leads back to itself"),
        ("exit", "leave !!!", "has '!!!', which is neither a word nor a sign of phrases"),
        ("exit", "((((((((leave))))))))", "has too many brackets within brackets"),
        ("add", "one more", "needs {text} once"),
        ("correction", "{text} it is", "needs {field} once"),
    ],
)
def test_a_phrase_that_is_not_written_as_phrases_are_is_named_with_its_line(
    title: str, phrase: str, fault: str
) -> None:
    text, line = with_phrase(title, phrase)

    assert f"xx.yaml:{line}: The phrase '{phrase}' of '{title}' {fault}." in faults(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("yes: [a", "xx.yaml:1: This is not YAML"),
        ("- yes", "xx.yaml:1: A word file is a mapping from list names to lists of phrases."),
        (f"{ENGLISH}\nyes:\n  - aye\n", "The list 'yes' stands here twice. Join the two."),
        (ENGLISH.replace("\nundo:\n", "\nundone:\n"), "xx.yaml:1: The list 'undo' is missing or empty"),
        ("yes: aye", "xx.yaml:1: The list 'yes' is not a list. Write one '- phrase' a line."),
        (
            "yes:\n  - aye\n  - [a, b]",
            "xx.yaml:3: An entry of 'yes' is not a word or phrase. Put it in quotes.",
        ),
    ],
)
def test_a_file_that_is_no_word_file_says_what_to_do(text: str, fault: str) -> None:
    assert any(fault in found for found in faults(text))


def test_a_file_in_another_encoding_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "fr.yaml"
    path.write_bytes(b"yes:\n  - oui\n  - d\xe9j\xe0\n")

    assert check_words(tmp_path) == [Fault(str(path), 3, "This is not UTF-8. Save the file as UTF-8.")]


def test_no_is_a_word_of_a_file_and_not_a_falsehood() -> None:
    assert "no" in read(b"negations:\n  - no\n  - on\n", "xx.yaml").phrases()["negations"]


def test_a_language_is_a_file_and_no_code() -> None:
    german = {title: ["..."] for title in REQUIRED} | {
        "escape": ["halt", "vergiss es"],
        "exit": ["beende (das|den|die) {process}"],
        "refusal": ["ich mache {process} nicht"],
        "politeness": ["bitte", "jetzt"],
        "yes": ["ja", "gern"],
        "no": ["nein"],
    }
    never_said = {title: ["ungesagt"] for title in REQUIRED if german[title] == ["..."]}
    words = Language(
        "de", {**german, **never_said, "correction": ["{field} ist {text}"], "add": ["dazu {text}"]}
    )

    assert words.step_off("HALT, bitte!", names=["umfrage"]) == StepOff("escape")
    assert words.step_off("Beende die Umfrage", names=["umfrage"]) == StepOff("exit")
    assert words.step_off("Ich mache Umfrage nicht, zeig Größe", names=["umfrage"]) == StepOff(
        "refusal", "zeig Größe"
    )
    assert words.step_off("stop", names=["umfrage"]) is None
    assert (words.consent("Ja, gern"), words.consent("nein"), words.consent("yes")) == ("yes", "no", "other")
    assert words.correction("Ort ist Köln", {"ort": ()}) == ("ort", "Köln")


@pytest.mark.parametrize(
    "locale", ["en", "en-GB", "EN_us", "tlh", "", "../../etc/passwd", "e" * 10_000, "en\x00"]
)
def test_an_unknown_locale_is_english_and_never_a_path(locale: str) -> None:
    assert language(locale) is language("en")
