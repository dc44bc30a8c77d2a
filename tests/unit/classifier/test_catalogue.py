import pytest

from softrail.classifier.catalogue import check_catalogues, load_catalogue, read_catalogue
from softrail.core.errors import DefinitionError

GOOD = """\
primary_intents:
  greet:
    description: A greeting.
    bar: 0.9
    examples: [hello there, good day, hi all, hey you, greetings friend]
  ask:
    description: A question.
    examples:
      - what is this
      - who are you
      - where am I
      - when do we start
      - why not
sub_intents:
  ask.place:
    description: Where something is.
    examples: [where is it, which place, what street, the way there, how far is it]
"""


def faults(text: str, **options: object) -> list[str]:
    return [str(fault) for fault in check_catalogues([read_catalogue("intents.yaml", text)], **options)]  # type: ignore[arg-type]  # options are those of the function


def test_a_good_file_has_no_faults_and_its_intents_have_what_it_says() -> None:
    catalogue = read_catalogue("intents.yaml", GOOD)

    assert faults(GOOD) == []
    assert [d.name for d in catalogue.intents] == ["greet", "ask", "ask.place"]
    assert catalogue.intents[0].bar == 0.9
    assert catalogue.lines["ask", "who are you"] == 10
    assert [d.name for d in catalogue.only(["ask"])] == ["ask", "ask.place"]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (
            ("who are you", "What is THIS?"),
            "intents.yaml:10: The example 'What is THIS?' of ask is there already, in line 9.",
        ),
        (
            ("who are you", "Hello there!"),
            "intents.yaml:10: The example 'Hello there!' of ask is one of greet too (line 5)",
        ),
        (("      - why not\n", ""), "intents.yaml:6: ask has 4 examples; it needs at least 5."),
        (
            ("description: A question.", "description: ''"),
            "intents.yaml:7: The description of ask must be a text.",
        ),
        (("who are you", "'?!'"), "intents.yaml:10: The example '?!' of ask has no words."),
        (("ask.place", "tell.place"), "intents.yaml:15: tell.place refines tell, which is not in this file."),
        (
            ("ask.place", "place"),
            "intents.yaml:15: 'place': a name has a dot in sub_intents, and only there.",
        ),
        (("  ask:", "  greet:"), "intents.yaml:6: greet is there already, in line 2."),
        (("bar: 0.9", "bar: 90"), "intents.yaml:4: The bar of greet must be a number from 0 to 1."),
        (("bar: 0.9", "baar: 0.9"), "intents.yaml:4: Unknown key 'baar' in greet"),
        (("primary_intents", "primary"), "intents.yaml:1: Unknown key 'primary'"),
        (("who are you", "[a, b]"), "intents.yaml:10: An example of ask must be a text."),
        (("    examples: [hello", "    examples: [[hello"), "intents.yaml:6: It is not YAML"),
    ],
)
def test_every_fault_is_named_with_its_line(change: tuple[str, str], fault: str) -> None:
    assert any(found.startswith(fault) for found in faults(GOOD.replace(*change, 1))), faults(
        GOOD.replace(*change, 1)
    )


def test_a_name_that_no_one_registered_is_a_fault() -> None:
    assert faults(GOOD, known=["greet", "ask"]) == [
        "intents.yaml:15: No intent named 'ask.place' is registered."
    ]


def test_a_name_like_one_that_is_registered_is_told_with_it() -> None:
    assert faults(GOOD, known=["greet", "ask.place", "asks"]) == [
        "intents.yaml:6: No intent named 'ask' is registered. Did you mean 'asks'?",
    ]


def test_a_reserved_name_need_not_be_registered_but_must_be_there() -> None:
    reserved = "reserved: [ask, ask.place]\n"
    assert faults(reserved + GOOD, known=["greet"]) == []
    assert faults("reserved: [ask, ask.plaice]\n" + GOOD, known=["greet"]) == [
        "intents.yaml:1: 'ask.plaice' is reserved, but there is no such intent in this file.",
        "intents.yaml:16: No intent named 'ask.place' is registered.",
    ]
    assert faults("reserved: ask\n" + GOOD) == ["intents.yaml:1: reserved must be a list of names."]


def test_a_file_that_adds_need_not_be_whole_and_may_repeat_what_is_there() -> None:
    more = "sub_intents:\n  ask.place:\n    bar: 0.9\nprimary_intents:\n  greet:\n    examples: [hello there, oi]\n"
    added = read_catalogue("more.yaml", more, adds=True)

    assert (
        check_catalogues([read_catalogue("intents.yaml", GOOD), added], known=["greet", "ask", "ask.place"])
        == []
    )


def test_a_near_copy_of_a_test_message_is_a_fault() -> None:
    assert faults(GOOD, asked=["Where am I?"]) == [
        "intents.yaml:11: The example 'where am I' is nearly the test message 'Where am I?'."
    ]


def test_contradictions_are_found_between_files() -> None:
    other = read_catalogue("other.yaml", GOOD.replace("ask", "tell").replace("greet:", "wave:"))

    found = check_catalogues([read_catalogue("intents.yaml", GOOD), other])

    assert len(found) == 15
    assert all(fault.path == "other.yaml" and "intents.yaml:" in fault.message for fault in found)


@pytest.mark.parametrize("text", ["", "[]", "just words", "primary_intents: []", "- a\n- b", "\x00"])
def test_a_file_that_is_no_catalogue_is_refused_with_its_name(text: str) -> None:
    with pytest.raises(DefinitionError, match=r"intents\.yaml"):
        load_catalogue("intents.yaml", text)


def test_a_file_that_is_not_there_is_a_fault() -> None:
    assert "cannot be read" in str(read_catalogue("/no/such/intents.yaml").faults[0])
