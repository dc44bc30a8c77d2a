"""Words of the machinery never reach a person: not disguised, not in pieces, not in names, errors or records."""

import json
import tomllib
import unicodedata
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from softrail.companion.wall import wall
from tests.integration.api_server import events
from tests.integration.companion_server import headers
from tests.security.kit import Obedient, Order, World, companion_server, new_id
from tests.security.routes import routes

WORDS = tuple(wall().words)
SMALL = str.maketrans("abcdefghijklmnoprstuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ")


def _inside(sign: str) -> Callable[[str], str]:
    return lambda word: f"{word[: len(word) // 2]}{sign}{word[len(word) // 2 :]}"


def _alphabet(first: int) -> Callable[[str], str]:
    return lambda word: "".join(chr(first + ord(c) - 97) if c.isalpha() else c for c in word)


def _letters(ours: str, theirs: str) -> Callable[[str], str]:
    return lambda word: word.translate(str.maketrans(ours, theirs))


PROSE = (
    "Old barns keep the shape that was held by oak."  #: a model's, which is its own wherever it is read again
)
STATUS = {"committed"}  #: how a turn ended, for programs to compare, as in the event `turn.committed`

#: A reader sees the word in each of them.
DISGUISES: dict[str, Callable[[str], str]] = {
    "capitals": str.upper,
    "title": str.title,
    "mixed": lambda word: "".join(c.upper() if n % 2 else c for n, c in enumerate(word)),
    **{
        f"U+{ord(sign):04X} inside": _inside(sign)
        for sign in "\u200b\u200c\u200d\u00ad\u2060\ufeff\u200f\u2062\u180e\u034f\u3164\ufe0f\U000e0101\U000e0041"
    },
    "between all letters": lambda word: "\u200b".join(word),
    "turned": lambda word: f"\u202a{word}\u202c",
    "struck through": lambda word: "".join(f"{c}\u0335" for c in word),
    "enclosed": _inside("\u20dd"),
    "accents": lambda word: unicodedata.normalize("NFC", word.replace("e", "é").replace("a", "á")),
    "accents apart": lambda word: unicodedata.normalize("NFD", word.replace("e", "é").replace("i", "í")),
    "full width": _alphabet(0xFF41),
    "bold": _alphabet(0x1D41A),
    "script": _alphabet(0x1D4EA),
    "gothic": _alphabet(0x1D586),
    "typewriter": _alphabet(0x1D68A),
    "open-face": _alphabet(0x1D552),
    "circled": _alphabet(0x24D0),
    "squared": _alphabet(0x1F130),
    "squared white": _alphabet(0x1F170),
    "small capitals": lambda word: word.translate(SMALL),
    "cyrillic": _letters("aeocpixy", "аеосріху"),
    "cyrillic capitals": lambda word: _letters("AEOCPTHKMB", "АЕОСРТНКМВ")(word.upper()),
    "greek": _letters("oaiv", "οαιν"),
    "greek capitals": lambda word: _letters("AEHIKMNOPT", "ΑΕΗΙΚΜΝΟΡΤ")(word.upper()),
    "armenian": _letters("ohsu", "օհѕս"),
    "long s": _letters("s", "ſ"),
    "dotless": _letters("ig", "ıɡ"),
    "dotted": _letters("i", "İ"),
    "bold in Markdown": lambda word: f"**{word}**",
    "code": lambda word: f"`{word}`",
    "quoted": lambda word: f"“{word}”",
    "possessive": lambda word: f"{word}’s",
    "a link": lambda word: f"[{word}](/x)",
    "with a slash": lambda word: f"note/{word}",
    "in a name": lambda word: f"the_{word}_id",
    "between dots": lambda word: f"...{word}...",
}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_disguise_hides_no_word(disguise: str) -> None:
    said = [f"See the {DISGUISES[disguise](word)} now." for word in WORDS]
    assert [text for text in said if not wall().catches(text)] == []


def test_more_than_a_hundred_forms_are_tried() -> None:
    forms = {disguise(word) for disguise in DISGUISES.values() for word in WORDS}
    assert len(forms) >= 1000


def messages() -> list[str]:
    """What people say, none of it about words of the machinery: the project's own test messages."""
    path = Path(__file__).parents[1] / "data" / "classifier" / "own_messages.jsonl"
    return [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]


def ordinary() -> list[str]:
    """Every word of the list in ordinary company."""
    around = (
        "the {word} of the garden is new",
        "we talked about {word} yesterday",
        "is {word} the right word for that?",
        "my sister {word} the door open",
        "“{word}” is what the sign says, {word}!",
        "{word} first, then lunch",
        "note: {word} by Friday",
        "the old {word}-maker lives in Leeds",
        "we were told: {word} or leave",
        "nothing was {word} in May",
    )
    return [text.replace("{word}", word) for text in around for word in WORDS]


def test_nobodys_own_words_are_taken_from_them() -> None:
    told = [*messages(), *ordinary()]
    assert len(told) >= 600
    assert [text for text in told if wall().clean(f"You said: {text}", quoting=[text]).caught] == []
    assert [text for text in ordinary() if not wall().catches(text)] == []


def test_ordinary_messages_hold_none() -> None:
    assert len(messages()) >= 400
    assert [text for text in messages() if wall().catches(text)] == []


def test_a_quoted_word_gives_no_leave_to_another() -> None:
    cleaned = wall().clean("The shape is held by an assertion.", quoting=["the shape is new"])
    assert cleaned.caught == ("held", "assertion")
    assert cleaned.text.startswith("The shape is ")


# -- over the whole application


@pytest.fixture(scope="module")
def model() -> Obedient:
    return Obedient()


@pytest.fixture(scope="module")
def world(model: Obedient) -> Iterator[World]:
    with companion_server(model=model) as server:
        yield World(server)


def test_the_prose_of_a_model_in_free_talk_is_its_own(world: World, model: Obedient) -> None:
    model.orders = [Order(mark="barns", words=PROSE)]
    body = {"message": "what about barns?", "intent_hint": "general_conversation", "project_id": world.own}

    reply = world.say("bob", **body).json()
    told = events(world.client.post("/converse/stream", json=body, headers=headers("bob")).text)

    shown = "".join(json.loads(e["data"])["text"] for e in told if e["event"] == "text.delta")
    assert reply["companion_message"] == shown == PROSE


def test_what_a_model_reads_into_a_message_brings_none_along(world: World, model: Obedient) -> None:
    mark = "the owls of the old barn like the dark and the dry"
    found = "the owls of the old engagement like the dark and the dry assertion"
    model.orders = [
        Order(
            mark=mark,
            intent="add_knowledge",
            parameters={"knowledge_text": found},
            words="Fine.",
        )
    ]
    noted = world.say("bob", f"perhaps {mark}", project_id=world.own).json()
    begun = world.say("bob", f"a house, as {mark}", intent_hint="create_project").json()

    assert [side["kind"] for side in noted["side_effects"]] == ["note_saved"]
    assert "## Constraints" not in begun["draft_specification"]  # words nobody said are not believed
    notes = world.client.get(f"/projects/{world.own}/notes", headers=headers("bob")).json()["items"]
    assert mark[:20] in notes[-1]["text"]
    for text in (json.dumps(begun), notes[-1]["text"]):
        assert wall().faults(text) == [], text


def strings(value: Any) -> Iterator[str]:
    """Every name and every text in a document."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield str(name)
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
    elif isinstance(value, str):
        yield value


def test_no_answer_error_or_record_holds_one(world: World, model: Obedient) -> None:
    model.orders = [Order(mark="", words="Fine.")]
    asked = 0
    for route in routes():
        if route.path.endswith("/events") or str(route) in ("DELETE /me", "GET /healthz"):
            continue
        bodies: list[dict[str, Any]] = [route.body, {"json": {}} if route.body else {}]
        for given in (world.own, new_id()):
            if route.method == "DELETE" and given == world.own:
                continue  # what others here look at
            ids = dict.fromkeys(route.owned, given)
            for body in bodies:
                answer = world.client.request(route.method, route.url(**ids), headers=headers("bob"), **body)
                if "json" in answer.headers.get("content-type", ""):
                    found = {text for text in strings(answer.json()) if wall().faults(text)}
                    assert found <= STATUS | {PROSE}, route
                    asked += 1
    assert asked > 60


def test_no_record_of_a_turn_holds_one_but_the_name_of_its_end(world: World, model: Obedient) -> None:
    model.orders = [Order(mark="", words="Fine.")]
    for hint in (None, "general_conversation", "ask_about_progress", "create_project"):
        reply = world.say("bob", "how is the barn?", project_id=world.own, intent_hint=hint).json()
        where = f"/sessions/{reply['session_id']}/decisions/{reply['turn_id']}"
        record = world.client.get(where, headers=headers("bob")).json()
        found = {text for text in strings(record) if wall().faults(text)}
        assert found <= STATUS


def test_every_word_of_the_data_file_is_one_this_page_tries() -> None:
    data = tomllib.loads((files("softrail.companion") / "words" / "wall.toml").read_text(encoding="utf-8"))
    assert set(data["words"]) == set(WORDS)
    assert len(data["lookalikes"]["letters"]) == len(data["lookalikes"]["stand_for"])
